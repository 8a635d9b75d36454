import { type Kysely, type RawBuilder, sql } from 'kysely';
import { KEPT_PLAN } from '../kept-plans.ts';
import type { Tables } from '../tables.ts';
import { atMost, type Span } from './span.ts';

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
