import { type Kysely, sql } from 'kysely';
import { fence, isCluster } from '../../db/cluster-dialect.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { hashPrefix } from '../format/position.ts';

/** A trace by the position of its first transaction. */
interface SoughtTrace {
  readonly traceId: Buffer;
  readonly mcSeqnoStart: number;
}

interface TracesQuery {
  readonly traces: readonly SoughtTrace[];
}

/**
 * Finds the traces that are complete and classified. Traces that the rules failed on, or that are too large for them,
 * count as well: they do not wait any more.
 */
export async function readSettledTraces(db: Kysely<Tables>, query: TracesQuery): Promise<readonly Buffer[]> {
  const complete = await findComplete(db, query);
  if (complete.length === 0) return [];
  const { rows } = await sql<{ readonly trace_id: Buffer }>`
    select asked.trace_id
    from unnest(${complete.map(({ trace_id }) => trace_id)}::bytea[],
                ${complete.map(({ mc_seqno_end }) => mc_seqno_end)}::int[]) as asked (trace_id, seqno)
    where not exists (
        select from unclassified_traces waits where waits.trace_id = asked.trace_id and not waits.again)
      and not exists (
        select from classification_ranges where not again and asked.seqno between first_seqno and last_seqno)`.execute(
    db,
  );
  return rows.map(({ trace_id }) => trace_id);
}

/** Finds the traces that are complete. */
export async function readCompleteTraces(db: Kysely<Tables>, query: TracesQuery): Promise<readonly Buffer[]> {
  return (await findComplete(db, query)).map(({ trace_id }) => trace_id);
}

const PREFIX_BYTES = 8;

async function findComplete(
  db: Kysely<Tables>,
  { traces }: TracesQuery,
): Promise<{ readonly trace_id: Buffer; readonly mc_seqno_end: number }[]> {
  if (traces.length === 0) return [];
  const ids = traces.map(({ traceId }) => traceId);
  // Prunes older partitions at planning.
  const first = traces.reduce((min, { mcSeqnoStart }) => Math.min(min, mcSeqnoStart), 2 ** 31 - 1);
  const prefixes = ids.map(hashPrefix);
  // Tells Citus the workers to ask.
  const isOneOf = isCluster(db) ? sql`found.trace8 = any(${prefixes}::bigint[])` : sql`true`;
  const { rows } = await sql<{ readonly trace_id: Buffer; readonly mc_seqno_end: number }>`
    select asked.trace_id, found.mc_seqno_end
    from unnest(${ids}::bytea[], ${prefixes}::bigint[]) as asked (trace_id, trace8)
    cross join lateral (
      select trace8, mc_seqno_end from traces
      where trace8 = asked.trace8 and mc_seqno_end >= ${first}
        and substring(info for 24) = substring(asked.trace_id from ${PREFIX_BYTES + 1}) ${fence(db)}) found
    where ${isOneOf}`.execute(db);
  return rows;
}
