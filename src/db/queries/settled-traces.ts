import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

interface SettledQuery {
  /** Normalized hashes of external messages, and the masterchain blocks in which their traces begin at the earliest. */
  readonly hashes: readonly Buffer[];
  readonly seqnos: readonly number[];
}

/**
 * Which messages have a trace that is complete and whose actions are known, as far as they ever will be: one that the
 * rules failed on, or that is too large for them, does not wait any more either.
 */
export async function readSettledTraces(
  db: Kysely<Tables>,
  { hashes, seqnos }: SettledQuery,
): Promise<readonly Buffer[]> {
  if (hashes.length === 0) return [];
  // The index has a normalized hash only where it is not the hash of the message itself.
  const found = sql.join(
    [sql`external_hash_norm`, sql`external_hash`].map(
      (column) => sql`(
        select trace_id, mc_seqno_start, mc_seqno_end from traces
        where ${column} = asked.hash and mc_seqno_end >= ${Math.min(...seqnos)})`,
    ),
    sql` union all `,
  );
  const { rows } = await sql<{ readonly hash: Buffer }>`
    select asked.hash
    from unnest(${hashes}::bytea[], ${seqnos}::int[]) as asked (hash, seqno)
    where exists (
      select from (${found}) found
      where mc_seqno_start >= asked.seqno
        and not exists (
          select from unclassified_traces waits where waits.trace_id = found.trace_id and not waits.again)
        and not exists (
          select from classification_ranges
          where not again and found.mc_seqno_end between first_seqno and last_seqno))`.execute(db);
  return rows.map(({ hash }) => hash);
}
