import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';

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
