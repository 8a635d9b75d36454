import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Message hashes, and for each the masterchain block before which a match does not count. */
interface HashQuery {
  readonly hashes: readonly Buffer[];
  readonly seqnos: readonly number[];
}

/**
 * Finds the external messages, by normalized hash, whose trace is complete and classified. Traces that the rules failed
 * on, or that are too large for them, count as well: they do not wait any more.
 */
export async function readSettledTraces(
  db: Kysely<Tables>,
  { hashes, seqnos }: HashQuery,
): Promise<readonly Buffer[]> {
  if (hashes.length === 0) return [];
  // The index has a normalized hash only if it differs from the hash of the message.
  const found = sql.join(
    [sql`external_hash_norm`, sql`external_hash`].map(
      (column) => sql`(
        select trace_id, mc_seqno_start, mc_seqno_end from traces
        where ${column} = asked.hash and mc_seqno_end >= ${minSeqno({ hashes, seqnos })})`,
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

/** Finds the external messages, by normalized hash, whose trace is complete. */
export async function readCompleteTraces(db: Kysely<Tables>, query: HashQuery): Promise<readonly Buffer[]> {
  const tracesBy = (column: 'external_hash' | 'external_hash_norm') => sql`
    select 1 from traces where ${sql.ref(column)} = asked.hash and mc_seqno_start >= asked.seqno
      and mc_seqno_end >= ${minSeqno(query)}`;
  return readFound(db, query, sql`${tracesBy('external_hash_norm')} union all ${tracesBy('external_hash')}`);
}

/** Finds the messages, by hash, that a transaction has received. */
export async function readArrivedMessages(db: Kysely<Tables>, query: HashQuery): Promise<readonly Buffer[]> {
  return readFound(
    db,
    query,
    sql`select 1 from messages where hash = asked.hash and ordinal = 0 and mc_seqno >= asked.seqno
      and mc_seqno >= ${minSeqno(query)}`,
  );
}

/** A lateral join looks up each hash by itself: other kinds of joins might read whole partitions. */
async function readFound(
  db: Kysely<Tables>,
  { hashes, seqnos }: HashQuery,
  rows: RawBuilder<unknown>,
): Promise<readonly Buffer[]> {
  if (hashes.length === 0) return [];
  const found = await sql<{ readonly hash: Buffer }>`
    select asked.hash from unnest(${hashes}::bytea[], ${seqnos}::int[]) as asked (hash, seqno)
    join lateral (${rows} limit 1) found on true`.execute(db);
  return found.rows.map(({ hash }) => hash);
}

/** Prunes older partitions at planning. */
function minSeqno({ seqnos }: HashQuery): number {
  return seqnos.reduce((min, seqno) => Math.min(min, seqno), 2 ** 31 - 1);
}
