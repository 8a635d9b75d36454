import { type Kysely, type RawBuilder, sql } from 'kysely';
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

/** Hashes that are sought, and for each the masterchain block before which it does not count. */
interface Sought {
  readonly hashes: readonly Buffer[];
  readonly seqnos: readonly number[];
}

/** Which messages from outside, named by their normalized hashes, have a trace all of whose messages have arrived. */
export async function readCompleteTraces(db: Kysely<Tables>, sought: Sought): Promise<readonly Buffer[]> {
  const tracesBy = (column: 'external_hash' | 'external_hash_norm') => sql`
    select 1 from traces where ${sql.ref(column)} = asked.hash and mc_seqno_start >= asked.seqno
      and mc_seqno_end >= ${earliest(sought)}`;
  // The normalized hash has a place of its own only where it is another one.
  return readFound(db, sought, sql`${tracesBy('external_hash_norm')} union all ${tracesBy('external_hash')}`);
}

/** Which messages, named by their hashes, a transaction has received. */
export async function readArrivedMessages(db: Kysely<Tables>, sought: Sought): Promise<readonly Buffer[]> {
  return readFound(
    db,
    sought,
    sql`select 1 from messages where hash = asked.hash and ordinal = 0 and mc_seqno >= asked.seqno
      and mc_seqno >= ${earliest(sought)}`,
  );
}

/** Each hash is looked up by itself: joins of other kinds might read whole partitions. */
async function readFound(
  db: Kysely<Tables>,
  { hashes, seqnos }: Sought,
  rows: RawBuilder<unknown>,
): Promise<readonly Buffer[]> {
  if (hashes.length === 0) return [];
  const found = await sql<{ readonly hash: Buffer }>`
    select asked.hash from unnest(${hashes}::bytea[], ${seqnos}::int[]) as asked (hash, seqno)
    join lateral (${rows} limit 1) found on true`.execute(db);
  return found.rows.map(({ hash }) => hash);
}

/** Leaves out older partitions while the statement is planned. */
function earliest({ seqnos }: Sought): number {
  return seqnos.reduce((least, seqno) => Math.min(least, seqno), 2 ** 31 - 1);
}
