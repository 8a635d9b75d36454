import { type Kysely, type RawBuilder, sql } from 'kysely';
import { hashPrefix } from '../../pages/position.ts';
import type { Tables } from '../tables.ts';

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
export function readSettledTraces(db: Kysely<Tables>, query: TracesQuery): Promise<readonly Buffer[]> {
  return readFound(
    db,
    query,
    sql`
      not exists (
        select from unclassified_traces waits where waits.trace_id = asked.trace_id and not waits.again)
      and not exists (
        select from classification_ranges
        where not again and found.mc_seqno_end between first_seqno and last_seqno)`,
  );
}

/** Finds the traces that are complete. */
export function readCompleteTraces(db: Kysely<Tables>, query: TracesQuery): Promise<readonly Buffer[]> {
  return readFound(db, query, sql`true`);
}

const PREFIX_BYTES = 8;

/** A lateral join looks up each trace by itself: other kinds of joins might read whole partitions. */
async function readFound(
  db: Kysely<Tables>,
  { traces }: TracesQuery,
  condition: RawBuilder<unknown>,
): Promise<readonly Buffer[]> {
  if (traces.length === 0) return [];
  const ids = traces.map(({ traceId }) => traceId);
  // Prunes older partitions at planning.
  const first = traces.reduce((min, { mcSeqnoStart }) => Math.min(min, mcSeqnoStart), 2 ** 31 - 1);
  const { rows } = await sql<{ readonly trace_id: Buffer }>`
    select asked.trace_id
    from unnest(${ids}::bytea[], ${ids.map(hashPrefix)}::bigint[]) as asked (trace_id, trace8)
    join lateral (
      select mc_seqno_end from traces
      where trace8 = asked.trace8 and mc_seqno_end >= ${first}
        and substring(info for 24) = substring(asked.trace_id from ${PREFIX_BYTES + 1}) limit 1) found on true
    where ${condition}`.execute(db);
  return rows.map(({ trace_id }) => trace_id);
}
