import { sql } from 'kysely';
import { readRows } from '../db/driver.ts';
import type { Db } from '../db/tables/tables.ts';
import { findTraceSizes } from '../index/read/stored-traces.ts';

export interface ReclassifyRequest {
  /** Masterchain seqnos at which they ended, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Only traces that have an action of one of these types. */
  readonly types?: readonly string[] | undefined;
}

export interface ReclassifyRange {
  readonly id: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Stores a range, clipped to the index, for reclassification: classifiers take traces from it when there is nothing newer
 * to do. Undefined when no part of it is in the index.
 */
export async function requestReclassification(db: Db, { from, to, types }: ReclassifyRequest) {
  const rows = await readRows<ReclassifyRange>(db)`
    insert into classification_ranges (first_seqno, last_seqno, types)
    select greatest(first_seqno, ${from}::bigint), least(newest.seqno, ${to}::bigint), ${types ?? null}::text[]
    from index_origin, (select max(done_seqno) as seqno from index_chunks) newest
    where greatest(first_seqno, ${from}::bigint) <= least(newest.seqno, ${to}::bigint)
    returning id, first_seqno as first, last_seqno as last`;
  return rows[0];
}

/** Queues traces regardless of their size; returns how many of them are in the index. */
export async function requeueTraces(db: Db, traceIds: readonly Buffer[]): Promise<number> {
  const traces = await findTraceSizes(db, { traceIds });
  if (traces.length === 0) return 0;
  await sql`
    insert into unclassified_traces (trace_id, mc_seqno_end, nodes, again, any_size)
    select *, true, true
    from unnest(${traces.map(({ traceId }) => traceId)}::bytea[],
      ${traces.map(({ mcSeqnoEnd }) => mcSeqnoEnd)}::int[], ${traces.map(({ nodes }) => nodes)}::int[])
    on conflict (trace_id) do update set any_size = true, tries = 0, next_try = clock_timestamp()`.execute(
    db,
  );
  return traces.length;
}

export interface RemainingOfRange {
  /** Seqnos whose traces are not queued yet. */
  readonly seqnos: number;
  readonly traces: number;
}

export async function remainingOfRange(db: Db, { id, first, last }: ReclassifyRange) {
  const rows = await readRows<RemainingOfRange>(db)`
    select coalesce((select last_seqno - first_seqno + 1 from classification_ranges where id = ${id}), 0) as seqnos,
      (select count(*)::int from unclassified_traces
       where again and mc_seqno_end between ${first} and ${last}) as traces`;
  return rows[0]!;
}

/** How many of the traces are still queued. */
export async function countRemaining(db: Db, traceIds: readonly Buffer[]): Promise<number> {
  const rows = await readRows<{ count: number }>(db)`
    select count(*)::int as count from unclassified_traces where trace_id = any(${traceIds}::bytea[])`;
  return rows[0]!.count;
}

/** Whether everything up to a masterchain seqno is classified, including reclassification after late detection. */
export async function isClassified(db: Db, seqno: number): Promise<boolean> {
  const rows = await readRows<{ done: boolean }>(db)`
    select not exists (select from unclassified_traces where mc_seqno_end <= ${seqno})
      and not exists (select from classification_ranges where first_seqno <= ${seqno})
      and not exists (
        select from waiting_traces waiting where mc_seqno_end <= ${seqno}
        and not exists (select from missing_cells where missing_cells.account = waiting.account)) as done`;
  return rows[0]!.done;
}
