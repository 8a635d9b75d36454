import { type Kysely, type RawBuilder, sql } from 'kysely';
import { KEPT_PLAN } from '../client.ts';
import type { Tables } from '../tables.ts';
import type { Page } from './pages.ts';

/** Bounds of time and of logical time, both included; undefined where there is none. */
export interface Span {
  readonly startUtime?: bigint | undefined;
  readonly endUtime?: bigint | undefined;
  readonly startLt?: bigint | undefined;
  readonly endLt?: bigint | undefined;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** The condition that a row lies in a span. */
export function inSpan(span: Span, utime: RawBuilder<unknown>, lt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`${atLeast(utime, span.startUtime)} and ${atMost(utime, span.endUtime)}
    and ${atLeast(lt, span.startLt)} and ${atMost(lt, span.endLt)}`;
}

/** The condition that a number is not below a bound. */
export function atLeast(by: RawBuilder<unknown>, bound: bigint | undefined): RawBuilder<boolean> {
  return bound === undefined ? sql`true` : sql`${by} >= ${toInt64(bound)}::bigint`;
}

/** The condition that a number is not above a bound. */
export function atMost(by: RawBuilder<unknown>, bound: bigint | undefined): RawBuilder<boolean> {
  return bound === undefined ? sql`true` : sql`${by} <= ${toInt64(bound)}::bigint`;
}

/** What both spans have in common. */
export function intersect(a: Span, b: Span): Span {
  return {
    startUtime: greater(a.startUtime, b.startUtime),
    endUtime: lesser(a.endUtime, b.endUtime),
    startLt: greater(a.startLt, b.startLt),
    endLt: lesser(a.endLt, b.endLt),
  };
}

/** Callers may name numbers that no column holds. */
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
 * Bounds that follow from others, by the newest blocks of all shards ("tops") as a masterchain block has them. A block
 * of the chain is a top or before one, or it comes after a top. Time and logical time never fall from a block to the next.
 * So where all tops are before a time, whatever happened at that time or later is in blocks after the tops, hence not
 * below the least logical time at which one of them ended; and where all tops are after a time, whatever happened until
 * then is in the tops or before them, hence not above the greatest. The same holds with the two exchanged. This is
 * proven by the tops that are looked at; where none fit, there is no bound.
 */
export async function readBoundsOfLt(db: Kysely<Tables>, { startUtime, endUtime }: Times): Promise<Lts> {
  const { start, end } = await readBounds(db, {
    by: sql`gen_utime`,
    before: startUtime === undefined ? undefined : sql`gen_utime < ${startUtime}::bigint`,
    behind: endUtime === undefined ? undefined : sql`gen_utime > ${endUtime}::bigint`,
    found: sql`end_lt`,
  });
  return { startLt: start, endLt: end };
}

/** The same from logical time to time. */
export async function readBoundsOfTime(db: Kysely<Tables>, { startLt, endLt }: Lts): Promise<Times> {
  // What is over before a logical time began before it too, which is what there is an index for.
  const isOver = sql`${atMost(sql`start_lt`, startLt)} and ${atMost(sql`end_lt`, startLt)}`;
  const { start, end } = await readBounds(db, {
    by: sql`start_lt`,
    before: startLt === undefined ? undefined : isOver,
    behind: endLt === undefined ? undefined : sql`not ${atMost(sql`start_lt`, endLt)}`,
    found: sql`gen_utime`,
  });
  return { startUtime: start, endUtime: end };
}

interface Question {
  /** What blocks are looked for by, of which there is an index. */
  readonly by: RawBuilder<unknown>;
  /** The conditions that a block is before the start, and that it is behind the end. */
  readonly before: RawBuilder<unknown> | undefined;
  readonly behind: RawBuilder<unknown> | undefined;
  /** Where the bounds are. */
  readonly found: RawBuilder<unknown>;
}

interface Bounds {
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
}

/** How far from the nearest masterchain block others are tried: shards may be late. */
const STEPS = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/** A top that was committed longer ago is not looked for, to stay within a partition or two. */
const MAX_AGE_SEQNOS = 1000;

async function readBounds(db: Kysely<Tables>, { by, before, behind, found }: Question): Promise<Bounds> {
  if (before === undefined && behind === undefined) return { start: undefined, end: undefined };
  const nearest = (fits: RawBuilder<unknown> | undefined, order: 'asc' | 'desc') =>
    fits === undefined
      ? sql`null::int`
      : sql`(select mc_seqno from blocks where workchain = -1 and ${fits} order by ${by} ${sql.raw(order)} limit 1)`;
  const { rows } = await sql<{ readonly last: number | null; readonly first: number | null }>`${KEPT_PLAN}
    select ${nearest(before, 'desc')} as last, ${nearest(behind, 'asc')} as first`.execute(db);
  const { last, first } = rows[0]!;
  const start = last === null ? [] : STEPS.map((step) => last - step);
  const end = first === null ? [] : STEPS.map((step) => first + step);
  const top = (seqnos: readonly number[], fits: RawBuilder<unknown> | undefined, edge: 'min' | 'max') =>
    seqnos.length === 0 ? sql`null::bigint` : ofTops(seqnos, fits!, sql`${sql.raw(edge)}(${found})`);
  const bounds = await sql<{ readonly start: string | null; readonly end: string | null }>`${KEPT_PLAN}
    select ${top(start, before, 'min')} as start, ${top(end, behind, 'max')} as end`.execute(db);
  const toBound = (text: string | null) => (text === null ? undefined : BigInt(text));
  return { start: toBound(bounds.rows[0]!.start), end: toBound(bounds.rows[0]!.end) };
}

/**
 * What the tops of the first of some masterchain blocks say all of whose tops fit. The seqnos are known when the query is
 * planned, so that it is about a partition or two.
 */
function ofTops(
  seqnos: readonly number[],
  fits: RawBuilder<unknown>,
  bound: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const oldest = Math.min(...seqnos) - MAX_AGE_SEQNOS;
  return sql`(
    select ${bound}
    from shard_states tops
    cross join lateral unnest(workchains, shards, seqnos) as top (workchain, shard, seqno)
    left join lateral (
      select gen_utime, start_lt, end_lt from blocks
      where blocks.seqno = top.seqno and blocks.workchain = top.workchain and blocks.shard = top.shard
        and blocks.mc_seqno between ${oldest} and ${Math.max(...seqnos)} limit 1) block on true
    where tops.mc_seqno = any(${seqnos}::int[])
    group by tops.mc_seqno having bool_and(coalesce(${fits}, false))
    order by array_position(${seqnos}::int[], tops.mc_seqno) limit 1)`;
}

/** A page of a list in the order of time. */
interface TimedPage {
  readonly span: Span;
  readonly sort: 'asc' | 'desc';
  /** Its cursor begins with a time. */
  readonly page: Page;
}

/** The times of the first rows of a list in the order of logical time; none when there are not so many rows. */
type ReadTimes = (
  span: Span,
  count: number,
) => Promise<{ readonly first: bigint; readonly last: bigint } | undefined>;

/**
 * A span in which a page of a list in the order of time lies, where the index of the list is in the order of logical time.
 * The two orders differ a little. As many rows as are wanted, taken in the order that the index has, tell how far the
 * page reaches at most; what lies in that time is little more than they are, and can be sorted.
 */
export async function findTimeWindow(
  db: Kysely<Tables>,
  { span, sort, page }: TimedPage,
  readTimes: ReadTimes,
): Promise<Span> {
  const after = page.after?.[0] === undefined ? undefined : BigInt(page.after[0]);
  const rest = intersect(span, sort === 'asc' ? { startUtime: after } : { endUtime: after });
  const open = intersect(rest, await readBoundsOfLt(db, rest));
  const times = await readTimes(open, page.offset + page.limit);
  if (times === undefined) return open;
  const reach = sort === 'asc' ? { endUtime: times.last } : { startUtime: times.first };
  return intersect(open, { ...reach, ...(await readBoundsOfLt(db, reach)) });
}
