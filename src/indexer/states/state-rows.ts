import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';

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

/** Which of the accounts had a transaction in a range of masterchain seqnos. */
export async function readAccountsSeen(
  db: Kysely<Tables>,
  {
    accounts,
    from,
    to,
  }: { readonly accounts: readonly Buffer[]; readonly from: number; readonly to: number },
): Promise<readonly Buffer[]> {
  if (accounts.length === 0 || from > to) return [];
  const rows = await sql<{ account: Buffer }>`
    select one.account from unnest(${accounts}::bytea[]) as one (account)
    where exists (
      select from transactions t
      where t.account = one.account and t.mc_seqno between ${from} and ${to}
    )
  `.execute(db);
  return rows.rows.map(({ account }) => account);
}
