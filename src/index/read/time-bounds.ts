import { type RawBuilder, sql } from 'kysely';
import { KEPT_PLAN } from '../../db/client.ts';
import { fence, readRows } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { unixTime } from '../format/position.ts';
import type { ListWindow } from './lists.ts';

/** Inclusive bounds of time and of logical time; undefined means unbounded. */
export interface Span {
  readonly startUtime?: bigint | undefined;
  readonly endUtime?: bigint | undefined;
  readonly startLt?: bigint | undefined;
  readonly endLt?: bigint | undefined;
}

/** The largest value of a `bigint` column. */
export const MAX_INT64 = 2n ** 63n - 1n;

/** Whether a span has a bound of time; lists are then in the order of time. */
export function isTimed({ startUtime, endUtime }: Span): boolean {
  return startUtime !== undefined || endUtime !== undefined;
}

/** The condition that a row lies in a span. */
export function inSpan(span: Span, utime: RawBuilder<unknown>, lt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`${atLeast(utime, span.startUtime)} and ${atMost(utime, span.endUtime)}
    and ${atLeast(lt, span.startLt)} and ${atMost(lt, span.endLt)}`;
}

const TIME_ORIGIN = BigInt(unixTime(0));

/** The condition that a row lies in a span, for tables with stored times. The bounds are converted, not the column: it has statistics. */
export function inStoredSpan(
  { startUtime, endUtime, ...lts }: Span,
  stored: RawBuilder<unknown>,
  lt: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const times = {
    startUtime: startUtime === undefined ? undefined : startUtime - TIME_ORIGIN,
    endUtime: endUtime === undefined ? undefined : endUtime - TIME_ORIGIN,
  };
  return inSpan({ ...lts, ...times }, stored, lt);
}

/** A column of stored times as unix seconds, of type `bigint`. */
export function unixTimeOf(stored: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${stored} + ${sql.lit(TIME_ORIGIN)})`;
}

/** The condition that a number is at or above a bound. */
export function atLeast(by: RawBuilder<unknown>, bound: bigint | undefined): RawBuilder<boolean> {
  return bound === undefined ? sql`true` : sql`${by} >= ${toInt64(bound)}::bigint`;
}

/** The condition that a number is at or below a bound. */
export function atMost(by: RawBuilder<unknown>, bound: bigint | undefined): RawBuilder<boolean> {
  return bound === undefined ? sql`true` : sql`${by} <= ${toInt64(bound)}::bigint`;
}

/** The intersection of two spans. */
export function intersect(a: Span, b: Span): Span {
  return {
    startUtime: greater(a.startUtime, b.startUtime),
    endUtime: lesser(a.endUtime, b.endUtime),
    startLt: greater(a.startLt, b.startLt),
    endLt: lesser(a.endLt, b.endLt),
  };
}

export function isWithin({ startUtime, endUtime, startLt, endLt }: Span, utime: bigint, lt: bigint): boolean {
  return (
    (startUtime === undefined || utime >= startUtime) &&
    (endUtime === undefined || utime <= endUtime) &&
    (startLt === undefined || lt >= startLt) &&
    (endLt === undefined || lt <= endLt)
  );
}

/** Clients may send numbers that no column can hold. */
function toInt64(bound: bigint): bigint {
  if (bound > MAX_INT64) return MAX_INT64;
  return bound < -MAX_INT64 ? -MAX_INT64 : bound;
}

function greater(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

function lesser(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

type Times = Pick<Span, 'startUtime' | 'endUtime'>;
type Lts = Pick<Span, 'startLt' | 'endLt'>;

/**
 * Derives bounds of logical time from bounds of time, by the newest blocks of all shards ("tops") in the state of a
 * masterchain block. Every block is a top, before a top, or after a top, and neither time nor logical time ever decreases
 * from a block to the next. So if all tops are before a time, everything at that time or later is in blocks after the
 * tops, hence not below the smallest end lt of the tops. If all tops are after a time, everything up to that time is in
 * the tops or before them, hence not above the largest end lt. The same holds with time and lt exchanged. The tops that
 * are read prove this; if none fit, there is no bound.
 */
export async function readBoundsOfLt(db: Db, { startUtime, endUtime }: Times): Promise<Lts> {
  const { start, end } = await readBounds(db, {
    by: sql`gen_utime`,
    before: startUtime === undefined ? undefined : sql`gen_utime < ${startUtime}::bigint`,
    after: endUtime === undefined ? undefined : sql`gen_utime > ${endUtime}::bigint`,
    found: sql`end_lt`,
  });
  return { startLt: start, endLt: end };
}

/** Derives bounds of time from bounds of logical time in the same way. */
export async function readBoundsOfTime(db: Db, { startLt, endLt }: Lts): Promise<Times> {
  // A block that ended before an lt started before it too, and there is an index on the start.
  const isOver = sql`${atMost(sql`start_lt`, startLt)} and ${atMost(sql`end_lt`, startLt)}`;
  const { start, end } = await readBounds(db, {
    by: sql`start_lt`,
    before: startLt === undefined ? undefined : isOver,
    after: endLt === undefined ? undefined : sql`not ${atMost(sql`start_lt`, endLt)}`,
    found: sql`gen_utime`,
  });
  return { startUtime: start, endUtime: end };
}

interface BoundsQuery {
  /** The indexed column to search blocks by. */
  readonly by: RawBuilder<unknown>;
  /** The conditions that a block is before the start, and that it is after the end. */
  readonly before: RawBuilder<unknown> | undefined;
  readonly after: RawBuilder<unknown> | undefined;
  /** The column to take the bounds from. */
  readonly found: RawBuilder<unknown>;
}

interface Bounds {
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
}

/** Distances from the nearest masterchain block that are tried: shards may lag behind. */
const STEPS = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/** Tops committed earlier are ignored, to stay within a partition or two. */
const MAX_AGE_SEQNOS = 1000;

async function readBounds(db: Db, { by, before, after, found }: BoundsQuery): Promise<Bounds> {
  if (before === undefined && after === undefined) return { start: undefined, end: undefined };
  const nearest = (fits: RawBuilder<unknown> | undefined, order: 'asc' | 'desc') =>
    fits === undefined
      ? sql`null::int`
      : sql`(select mc_seqno from blocks where workchain = -1 and ${fits} order by ${by} ${sql.raw(order)} limit 1)`;
  const rows = await readRows<{ readonly last: number | null; readonly first: number | null }>(
    db,
  )`${KEPT_PLAN}
    select ${nearest(before, 'desc')} as last, ${nearest(after, 'asc')} as first`;
  const { last, first } = rows[0]!;
  const start = last === null ? [] : STEPS.map((step) => last - step);
  const end = first === null ? [] : STEPS.map((step) => first + step);
  const top = (seqnos: readonly number[], fits: RawBuilder<unknown> | undefined, edge: 'min' | 'max') =>
    seqnos.length === 0 ? sql`null::bigint` : ofTops(db, seqnos, fits!, sql`${sql.raw(edge)}(${found})`);
  const bounds = await sql<{ readonly start: string | null; readonly end: string | null }>`${KEPT_PLAN}
    select ${top(start, before, 'min')} as start, ${top(end, after, 'max')} as end`.execute(db);
  const toBound = (text: string | null) => (text === null ? undefined : BigInt(text));
  return { start: toBound(bounds.rows[0]!.start), end: toBound(bounds.rows[0]!.end) };
}

/**
 * An aggregate over the tops of the first masterchain block all of whose tops fit. The seqnos are known at planning, so
 * only a partition or two are touched.
 */
function ofTops(db: Db, seqnos: readonly number[], fits: RawBuilder<unknown>, bound: RawBuilder<unknown>) {
  const oldest = Math.min(...seqnos) - MAX_AGE_SEQNOS;
  return sql`(
    with top as materialized (
      select mc_seqno, cardinality(seqnos) as tops, unnest(workchains) as workchain, unnest(shards) as shard,
        unnest(seqnos) as seqno
      from shard_states where mc_seqno = any(${seqnos}::int[])
    )
    select ${bound} from top cross join lateral (
      select gen_utime, start_lt, end_lt from blocks
      where blocks.seqno = top.seqno and blocks.workchain = top.workchain and blocks.shard = top.shard
        and blocks.mc_seqno between ${oldest} and ${Math.max(...seqnos)} ${fence(db)}) block
    group by top.mc_seqno, tops having count(*) = tops and bool_and(${fits})
    order by array_position(${seqnos}::int[], top.mc_seqno) limit 1)`;
}

interface TimedPage {
  readonly span: Span;
  readonly sort: 'asc' | 'desc';
  /** Its cursor starts with a time. */
  readonly page: ListWindow;
}

interface TimeRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Reads the times of the first `count` rows of a list in the order of logical time; undefined if there are fewer. */
type ReadTimes = (span: Span, count: number) => Promise<TimeRange | undefined>;

/** Reads the first and the last `time` of the rows of a query with a limit of `count`; undefined if there are fewer. */
export async function readTimeRange(
  db: Db,
  { query, count }: { readonly query: RawBuilder<unknown>; readonly count: number },
): Promise<TimeRange | undefined> {
  const rows = await readRows<{ readonly found: string; readonly first: string; readonly last: string }>(db)`
    select count(*) as found, min(time) as first, max(time) as last from (${query}) taken`;
  const { found, first, last } = rows[0]!;
  return Number(found) < count ? undefined : { first: BigInt(first), last: BigInt(last) };
}

/**
 * Finds a span that contains a page of a list in the order of time, if the index of the list is in the order of logical
 * time. The two orders differ slightly. The first rows in index order, as many as are wanted, give the time that the page
 * reaches at most; the rows within that time are few more than wanted and can be sorted.
 */
export async function findTimeWindow(db: Db, { span, sort, page }: TimedPage, readTimes: ReadTimes) {
  const after = page.after?.[0] === undefined ? undefined : BigInt(page.after[0]);
  const rest = intersect(span, sort === 'asc' ? { startUtime: after } : { endUtime: after });
  const open = intersect(rest, await readBoundsOfLt(db, rest));
  const times = await readTimes(open, page.offset + page.limit);
  if (times === undefined) return open;
  const reach = sort === 'asc' ? { endUtime: times.last } : { startUtime: times.first };
  return intersect(open, { ...reach, ...(await readBoundsOfLt(db, reach)) });
}
