import { type Kysely, sql } from 'kysely';
import type { AccountStatus } from '../../chain/tlb/transaction-phases.ts';
import { KEPT_PLAN } from '../../db/client.ts';
import { fence, isCluster } from '../../db/cluster-dialect.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { bytesKey, distinctBytes } from '../../lib/bytes-key.ts';
import { accountsWithPrefixOf } from '../format/position.ts';
import { type ListWindow, type OrderKey, sliceParts } from './lists.ts';

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
  { page }: { readonly page: ListWindow },
): Promise<BalanceRow[]> {
  const { where, tail, cursor } = sliceParts(TOP_ACCOUNTS_ORDER, page);
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

/** An account with its code and data, as far as they were wanted and found. */
export interface KnownAccount extends AccountStateRow {
  /** Bag of cells. */
  readonly code: Buffer | undefined;
  /** Get-method ids; null without code, or if they are unknown. */
  readonly methods: readonly number[] | null;
  /** Bag of cells. */
  readonly data: Buffer | undefined;
}

/** Which cells of accounts to read besides their states. */
export interface WantedCells {
  readonly codes: boolean;
  readonly dataOf: (row: AccountStateRow) => boolean;
}

/** Reads the accounts that the index has; cells that it does not have stay undefined. */
export async function readKnownAccounts(
  db: Kysely<Tables>,
  { accounts, wantedCells }: { readonly accounts: readonly Buffer[]; readonly wantedCells: WantedCells },
): Promise<KnownAccount[]> {
  const states = await readAccountStates(db, { accounts });
  const hashes = wantedCells.codes ? states.flatMap(({ code_hash }) => code_hash ?? []) : [];
  const codes = await readCodes(db, { hashes: distinctBytes(hashes) });
  const codeByHash = new Map(codes.map((code) => [bytesKey(code.hash), code]));
  const owners = states.filter((row) => row.data_hash !== null && wantedCells.dataOf(row));
  const data = await readAccountData(db, { accounts: owners.map(({ account }) => account) });
  const dataByAccount = new Map(data.map((row) => [bytesKey(row.account), row]));
  return states.map((row) => {
    const code = row.code_hash === null ? undefined : codeByHash.get(bytesKey(row.code_hash));
    const stored = dataByAccount.get(bytesKey(row.account));
    return {
      ...row,
      code: code?.boc,
      methods: code?.methods ?? null,
      // The index keeps the previous data until it has the new one.
      data: stored !== undefined && row.data_hash?.equals(stored.hash) ? stored.boc : undefined,
    };
  });
}

/** Whether the index lacks a wanted cell of an account. */
export function lacksCells(row: KnownAccount, { codes, dataOf }: WantedCells): boolean {
  const lacksCode = codes && row.code_hash !== null && row.code === undefined;
  return lacksCode || (row.data_hash !== null && row.data === undefined && dataOf(row));
}

/** Takes missing cells from another reading of the account, if code and data are the same. */
export function fillCells(row: KnownAccount, other: KnownAccount): KnownAccount {
  const isSameCode = row.code_hash !== null && other.code_hash?.equals(row.code_hash) === true;
  const isSameData = row.data_hash !== null && other.data_hash?.equals(row.data_hash) === true;
  const { code, methods } = row.code === undefined && isSameCode ? other : row;
  const { data } = row.data === undefined && isSameData ? other : row;
  return code === row.code && data === row.data ? row : { ...row, code, methods, data };
}
