import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables/tables.ts';
import {
  type AccountStateRow,
  readAccountData,
  readAccountStates,
  readCodes,
} from '../index/read/accounts.ts';
import { bytesKey, distinctBytes } from '../lib/bytes-key.ts';

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
