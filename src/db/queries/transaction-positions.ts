import { type Kysely, sql } from 'kysely';
import { accountPrefix, hashPrefix, type Position } from '../../pages/position.ts';
import { KEPT_PLAN } from '../client.ts';
import type { Tables } from '../tables.ts';

// Rows hold prefixes of accounts and hashes, so more may be found than was asked for: every transaction must be checked.

/** Finds transactions by hash. */
export async function locateByHash(
  db: Kysely<Tables>,
  { hashes }: { readonly hashes: readonly Buffer[] },
): Promise<Position[]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<FoundRow>`${KEPT_PLAN}
    select at from transactions where hash8 = any(${hashes.map(hashPrefix)}::bigint[])`.execute(db);
  return rows.map(toPosition);
}

/** Finds transactions by account and logical time. */
export async function locateByLt(
  db: Kysely<Tables>,
  { keys }: { readonly keys: readonly { readonly account: Buffer; readonly lt: bigint }[] },
): Promise<Position[]> {
  if (keys.length === 0) return [];
  // With the fence each key is looked up by itself: other kinds of joins might read whole partitions.
  const { rows } = await sql<FoundRow>`${KEPT_PLAN}
    select t.at from unnest(${keys.map(({ account }) => accountPrefix(account))}::bigint[],
                            ${keys.map(({ lt }) => lt)}::bigint[]) as asked (acc8, lt)
    cross join lateral (
      select at from transactions where acc8 = asked.acc8 and lt = asked.lt offset 0) t`.execute(db);
  return rows.map(toPosition);
}

/**
 * Most transactions that messages are searched in. An external message may be received any number of times, and all these
 * transactions would be read; a request has at most a thousand hashes.
 */
const MAX_FOUND = 4000;

/** Finds the transactions that sent or received messages, by hash or normalized hash; of very many the newest. */
export async function locateByMessage(
  db: Kysely<Tables>,
  { hashes, sinceSeqno }: { readonly hashes: readonly Buffer[]; readonly sinceSeqno?: number | undefined },
): Promise<Position[]> {
  if (hashes.length === 0) return [];
  const prefixes = hashes.map(hashPrefix);
  const isNew = sinceSeqno === undefined ? sql`true` : sql`mc_seqno >= ${sinceSeqno}`;
  // External messages have the prefix of their normalized hash in the place of the sender.
  const { rows } = await sql<FoundRow>`${KEPT_PLAN}
    select at from messages where hash8 = any(${prefixes}::bigint[]) and ${isNew} union
    select at from messages where src8 = any(${prefixes}::bigint[]) and created_at is null and ${isNew} union
    select at from transactions where in8 = any(${prefixes}::bigint[]) and ${isNew}
    order by at desc limit ${MAX_FOUND}`.execute(db);
  return rows.map(toPosition);
}

/** Finds the transactions that received messages, by the prefixes of their hashes. */
export async function locateReceivers(
  db: Kysely<Tables>,
  { prefixes }: { readonly prefixes: readonly bigint[] },
): Promise<{ readonly at: Position; readonly in8: bigint }[]> {
  if (prefixes.length === 0) return [];
  const { rows } = await sql<FoundRow & { readonly in8: string }>`${KEPT_PLAN}
    select at, in8 from transactions where in8 = any(${prefixes}::bigint[])`.execute(db);
  return rows.map((row) => ({ at: toPosition(row), in8: BigInt(row.in8) }));
}

interface FoundRow {
  readonly at: string;
}

function toPosition({ at }: FoundRow): Position {
  return Number(at);
}
