import { type Kysely, sql } from 'kysely';
import type { AccountStatus } from '../../chain/tlb/transaction-phases.ts';
import { KEPT_PLAN } from '../../db/client.ts';
import { fence, isCluster } from '../../db/cluster-dialect.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { accountsWithPrefixOf } from '../format/position.ts';
import { type OrderKey, type Page, pageParts } from './pages.ts';

/** The latest state of an account. */
export interface AccountStateRow {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly status: AccountStatus;
  readonly balance: string;
  readonly balance_extra: Readonly<Record<string, string>> | null;
  readonly code_hash: Buffer | null;
  readonly data_hash: Buffer | null;
  readonly frozen_hash: Buffer | null;
  readonly last_trans_lt: string;
  readonly last_trans_hash: Buffer;
}

/** A state that no indexed transaction made. */
type KeptStateRow = Omit<AccountStateRow, 'last_trans_lt' | 'last_trans_hash'>;

/** Reads states that no indexed transaction made; unknown ones are left out. */
export async function readKeptStates(
  db: Kysely<Tables>,
  { states }: { readonly states: readonly Pick<AccountStateRow, 'account' | 'hash'>[] },
): Promise<KeptStateRow[]> {
  const accounts = states.map(({ account }) => account);
  // Tells Citus the workers to ask.
  const isOneOf = isCluster(db) ? sql`s.account = any(${accounts}::bytea[])` : sql`true`;
  const { rows } = await sql<KeptStateRow>`${KEPT_PLAN}
    select s.* from unnest(${accounts}::bytea[], ${states.map(({ hash }) => hash)}::bytea[]) as asked (account, hash)
    join account_states s on s.account = asked.account and s.hash = asked.hash where ${isOneOf}`.execute(db);
  return rows;
}

/** The code of a contract. */
interface CodeRow {
  readonly hash: Buffer;
  readonly boc: Buffer;
  /** Get-method ids in ascending order; null if unknown. */
  readonly methods: readonly number[] | null;
}

/** The data of an account. */
interface DataRow {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly boc: Buffer;
}

/** Reads the states of the accounts that the index has, each once. */
export async function readAccountStates(
  db: Kysely<Tables>,
  { accounts }: { readonly accounts: readonly Buffer[] },
): Promise<AccountStateRow[]> {
  const { rows } = await sql<AccountStateRow>`
    select account, hash, status, balance, balance_extra, code_hash, data_hash, frozen_hash, last_trans_lt,
           last_trans_hash
    from latest_account_states where account = any(${accounts}::bytea[]) order by account`.execute(db);
  return rows;
}

/** Reads the codes with these hashes, as far as the index has them. */
export async function readCodes(
  db: Kysely<Tables>,
  { hashes }: { readonly hashes: readonly Buffer[] },
): Promise<CodeRow[]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<Omit<CodeRow, 'methods'> & { readonly methods: readonly string[] | null }>`
    select hash, boc, methods from contract_codes where hash = any(${hashes}::bytea[])`.execute(db);
  return rows.map((row) => ({ ...row, methods: row.methods?.map(Number) ?? null }));
}

/** Reads the data of accounts, as far as the index has it; it may belong to an older state than the latest. */
export async function readAccountData(
  db: Kysely<Tables>,
  { accounts }: { readonly accounts: readonly Buffer[] },
): Promise<DataRow[]> {
  if (accounts.length === 0) return [];
  const { rows } = await sql<DataRow>`
    select account, hash, boc from account_data where account = any(${accounts}::bytea[])`.execute(db);
  return rows;
}

/** An account and its balance. */
interface BalanceRow {
  readonly account: Buffer;
  /** Nanotons. */
  readonly balance: string;
  readonly cursor: readonly string[];
}

/** Highest balance first. */
export const TOP_ACCOUNTS_ORDER: readonly OrderKey[] = [
  { by: sql.ref('balance'), type: 'numeric', direction: 'desc' },
  { by: sql.ref('account'), type: 'bytea', direction: 'asc' },
];

/** Reads a page of accounts by balance. */
export async function readTopAccounts(
  db: Kysely<Tables>,
  { page }: { readonly page: Page },
): Promise<BalanceRow[]> {
  const { where, tail, cursor } = pageParts(TOP_ACCOUNTS_ORDER, page);
  const { rows } = await sql<BalanceRow>`
    select account, balance, ${cursor} as cursor from latest_account_states where ${where} ${tail}`.execute(
    db,
  );
  return rows;
}

/**
 * Which of some accounts have a prefix that no other account of the index has. Accounts of other workchains than the first
 * two may share it, and accounts without a state are not known.
 */
export async function findLoneAccounts(
  db: Kysely<Tables>,
  { accounts }: { readonly accounts: readonly Buffer[] },
): Promise<Buffer[]> {
  if (accounts.length === 0) return [];
  const ranges = accounts.map(accountsWithPrefixOf);
  const { rows } = await sql<{ readonly account: Buffer }>`
    select asked.account from unnest(
      ${accounts}::bytea[], ${ranges.map(([first]) => first)}::bytea[], ${ranges.map(([, last]) => last)}::bytea[]
    ) as asked (account, first, last)
    cross join lateral (
      select account from latest_account_states where account between first and last ${fence(db)}) same
    group by asked.account having array_agg(same.account) = array[asked.account]`.execute(db);
  return rows.map(({ account }) => account);
}
