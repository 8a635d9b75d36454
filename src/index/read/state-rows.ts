import { type Kysely, sql } from 'kysely';
import { fence } from '../../db/cluster-dialect.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { accountPrefix, hashPrefix } from '../format/position.ts';

/** The stored data of an account. */
export interface KeptData {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly boc: Buffer;
}

/** Reads the stored data of accounts. */
export async function readAccountData(
  db: Kysely<Tables>,
  accounts: readonly Buffer[],
): Promise<readonly KeptData[]> {
  if (accounts.length === 0) return [];
  const rows = await sql<KeptData>`
    select account, hash, boc from account_data where account = any(${accounts})
  `.execute(db);
  return rows.rows;
}

/** Which of the codes are stored. */
export async function readKnownCodes(
  db: Kysely<Tables>,
  hashes: readonly Buffer[],
): Promise<readonly Buffer[]> {
  if (hashes.length === 0) return [];
  const rows = await sql<{ hash: Buffer }>`
    select hash from contract_codes where hash = any(${hashes})
  `.execute(db);
  return rows.rows.map(({ hash }) => hash);
}

/** Reads codes by hash. */
export async function readCodes(
  db: Kysely<Tables>,
  hashes: readonly Buffer[],
): Promise<readonly { readonly hash: Buffer; readonly boc: Buffer }[]> {
  if (hashes.length === 0) return [];
  const rows = await sql<{ hash: Buffer; boc: Buffer }>`
    select hash, boc from contract_codes where hash = any(${hashes})
  `.execute(db);
  return rows.rows;
}

/** Reads the logical times of the newest indexed transactions of accounts. */
export async function readLatestLts(
  db: Kysely<Tables>,
  accounts: readonly Buffer[],
): Promise<readonly { readonly account: Buffer; readonly lt: bigint }[]> {
  if (accounts.length === 0) return [];
  const rows = await sql<{ account: Buffer; lt: string }>`
    select account, last_trans_lt as lt from latest_account_states where account = any(${accounts})
  `.execute(db);
  return rows.rows.map(({ account, lt }) => ({ account, lt: BigInt(lt) }));
}

/** Reads the extra currencies, as JSON, of the newest indexed states of accounts. */
export async function readLatestExtras(
  db: Kysely<Tables>,
  accounts: readonly Buffer[],
): Promise<readonly { readonly account: Buffer; readonly extra: string | null }[]> {
  if (accounts.length === 0) return [];
  const rows = await sql<{ account: Buffer; extra: string | null }>`
    select account, balance_extra::text as extra from latest_account_states where account = any(${accounts})
  `.execute(db);
  return rows.rows;
}

/** The transaction of an account before a change of it. */
interface PreviousTransaction {
  readonly account: Buffer;
  readonly prevTransLt: bigint;
  readonly prevTransHash: Buffer;
}

/**
 * Which accounts had a transaction in a range of masterchain seqnos that ends right before the changes: their previous
 * transaction is in the range.
 */
export async function readAccountsSeen(
  db: Kysely<Tables>,
  {
    changes,
    from,
    to,
  }: { readonly changes: readonly PreviousTransaction[]; readonly from: number; readonly to: number },
): Promise<readonly Buffer[]> {
  if (changes.length === 0 || from > to) return [];
  const acc8s = changes.map(({ account }) => `${accountPrefix(account)}`);
  const lts = changes.map(({ prevTransLt }) => `${prevTransLt}`);
  const hash8s = changes.map(({ prevTransHash }) => `${hashPrefix(prevTransHash)}`);
  // A row that has all three, and is another transaction, would take more hashing than anybody can afford.
  const rows = await sql<{ number: string }>`
    select one.number from unnest(${acc8s}::bigint[], ${lts}::bigint[], ${hash8s}::bigint[])
      with ordinality as one (acc8, lt, hash8, number)
    cross join lateral (
      select at from transactions t
      where t.acc8 = one.acc8 and t.lt = one.lt and t.hash8 = one.hash8 and t.mc_seqno between ${from} and ${to}
      ${fence(db)}
    ) t
  `.execute(db);
  return rows.rows.map(({ number }) => changes[Number(number) - 1]!.account);
}
