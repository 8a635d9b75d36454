import { type Selectable, sql } from 'kysely';
import { anyOf, fence, keptStatement } from '../../db/driver.ts';
import type { Db, Tables } from '../../db/tables/tables.ts';
import { bytesKey, distinctBytes } from '../../lib/bytes-key.ts';
import { accountPrefix, hashPrefix } from '../format/position.ts';
import { BY_ACCOUNT, bytesText, type ListWindow, orderBy, sliceParts } from './lists.ts';

const STATE_COLUMNS = [
  'account',
  'hash',
  'status',
  'balance',
  'balance_extra',
  'code_hash',
  'data_hash',
  'frozen_hash',
  'last_trans_lt',
  'last_trans_hash',
] as const;

export type AccountStateRow = Pick<
  Selectable<Tables['latest_account_states']>,
  (typeof STATE_COLUMNS)[number]
>;

const accountStates = keptStatement<AccountStateRow, [readonly Buffer[]]>((db, accounts) => {
  const states = db.selectFrom('latest_account_states').select(STATE_COLUMNS);
  return sql`${states.where('account', '=', anyOf(accounts)).orderBy('account')}`;
});

/** Reads the states of the accounts that the index has, each once. */
export function readAccountStates(db: Db, accounts: readonly Buffer[]) {
  return accountStates(db, accounts);
}

const codesByHash = keptStatement<Selectable<Tables['contract_codes']>, [readonly Buffer[]]>(
  (db, hashes) => sql`${db.selectFrom('contract_codes').selectAll().where('hash', '=', anyOf(hashes))}`,
);

/** Reads the codes with these hashes, as far as the index has them; ids of get-methods are null if unknown. */
export async function readCodes(db: Db, hashes: readonly Buffer[]) {
  if (hashes.length === 0) return [];
  const rows = await codesByHash(db, hashes);
  return rows.map((row) => ({ ...row, methods: row.methods?.map(Number) ?? null }));
}

/** Which of the codes are stored. */
export async function readKnownCodes(db: Db, hashes: readonly Buffer[]) {
  if (hashes.length === 0) return [];
  const codes = db.selectFrom('contract_codes').select('hash').where('hash', '=', anyOf(hashes));
  return (await codes.execute()).map(({ hash }) => hash);
}

const dataByAccount = keptStatement<Selectable<Tables['account_data']>, [readonly Buffer[]]>(
  (db, accounts) => sql`${db.selectFrom('account_data').selectAll().where('account', '=', anyOf(accounts))}`,
);

/** Reads the data of accounts, as far as the index has it; it may belong to an older state than the latest. */
export async function readAccountData(db: Db, accounts: readonly Buffer[]) {
  return accounts.length === 0 ? [] : dataByAccount(db, accounts);
}

/** Highest balance first. */
export const TOP_ACCOUNTS_ORDER = [...orderBy('desc', { balance: 'numeric' }), BY_ACCOUNT];

type TopAccount = Pick<AccountStateRow, 'account' | 'balance'>;

/** The keys of an account: as a column of each row they took a fifth of the time of the list. */
export function topAccountKeys({ account, balance }: TopAccount): readonly string[] {
  return [balance, bytesText(account)];
}

export async function readTopAccounts(
  db: Db,
  { page }: { readonly page: ListWindow },
): Promise<TopAccount[]> {
  const { where, tail } = sliceParts(TOP_ACCOUNTS_ORDER, page);
  return db
    .selectFrom('latest_account_states')
    .select(['account', 'balance'])
    .where(where)
    .modifyEnd(tail)
    .execute();
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
  db: Db,
  { accounts, wantedCells }: { readonly accounts: readonly Buffer[]; readonly wantedCells: WantedCells },
): Promise<KnownAccount[]> {
  const states = await readAccountStates(db, accounts);
  const hashes = wantedCells.codes ? states.flatMap(({ code_hash }) => code_hash ?? []) : [];
  const codes = await readCodes(db, distinctBytes(hashes));
  const codeByHash = new Map(codes.map((code) => [bytesKey(code.hash), code]));
  const owners = states.filter((row) => row.data_hash !== null && wantedCells.dataOf(row));
  const data = await readAccountData(
    db,
    owners.map(({ account }) => account),
  );
  const dataOf = new Map(data.map((row) => [bytesKey(row.account), row]));
  return states.map((row) => {
    const code = row.code_hash === null ? undefined : codeByHash.get(bytesKey(row.code_hash));
    const stored = dataOf.get(bytesKey(row.account));
    return {
      ...row,
      code: code?.boc,
      methods: code?.methods ?? null,
      // The index keeps the previous data until it has the new one.
      data: stored !== undefined && row.data_hash?.equals(stored.hash) ? stored.boc : undefined,
    };
  });
}

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

/** Reads the logical times of the newest indexed transactions of accounts. */
export async function readLatestLts(db: Db, accounts: readonly Buffer[]) {
  if (accounts.length === 0) return [];
  const rows = await db
    .selectFrom('latest_account_states')
    .select(['account', 'last_trans_lt'])
    .where('account', '=', anyOf(accounts))
    .execute();
  return rows.map(({ account, last_trans_lt }) => ({ account, lt: BigInt(last_trans_lt) }));
}

/** Reads the extra currencies, as JSON, of the newest indexed states of accounts. */
export async function readLatestExtras(db: Db, accounts: readonly Buffer[]) {
  if (accounts.length === 0) return [];
  return db
    .selectFrom('latest_account_states')
    .select(['account', sql<string | null>`balance_extra::text`.as('extra')])
    .where('account', '=', anyOf(accounts))
    .execute();
}

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
  db: Db,
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
