import type { Kysely } from 'kysely';
import {
  type AccountStateRow,
  readAccountData,
  readAccountStates,
  readCodes,
} from '../db/queries/accounts.ts';
import type { Tables } from '../db/tables.ts';

/** An account with what was asked for and is there of its code and data. */
export interface KnownAccount extends AccountStateRow {
  /** Bag of cells. */
  readonly code: Buffer | undefined;
  /** Ids of get-methods; null when there is no code, or one of which they are not known. */
  readonly methods: readonly number[] | null;
  /** Bag of cells. */
  readonly data: Buffer | undefined;
}

/** What an answer needs of accounts beside their states. */
export interface WantedCells {
  readonly codes: boolean;
  readonly dataOf: (row: AccountStateRow) => boolean;
}

/** Reads those of the accounts that the index knows; cells that it does not have are left out. */
export async function readKnownAccounts(
  db: Kysely<Tables>,
  accounts: readonly Buffer[],
  wish: WantedCells,
): Promise<KnownAccount[]> {
  const states = await readAccountStates(db, { accounts });
  const hashes = wish.codes ? states.flatMap(({ code_hash }) => code_hash ?? []) : [];
  const codes = byKey(await readCodes(db, { hashes: [...byKey(hashes, (hash) => hash).values()] }), codeKey);
  const owners = states.filter((row) => row.data_hash !== null && wish.dataOf(row));
  const data = byKey(await readAccountData(db, { accounts: owners.map(({ account }) => account) }), dataKey);
  return states.map((row) => {
    const code = row.code_hash === null ? undefined : codes.get(keyOf(row.code_hash));
    const kept = data.get(keyOf(row.account));
    return {
      ...row,
      code: code?.boc,
      methods: code?.methods ?? null,
      // The index keeps the data before until it has got the new one.
      data: kept !== undefined && row.data_hash?.equals(kept.hash) ? kept.boc : undefined,
    };
  });
}

/** Whether the index lacks something of an account that was asked for. */
export function lacksCells(row: KnownAccount, { codes, dataOf }: WantedCells): boolean {
  const lacksCode = codes && row.code_hash !== null && row.code === undefined;
  return lacksCode || (row.data_hash !== null && row.data === undefined && dataOf(row));
}

/** Takes what an account lacks from another reading of it, as far as that is of the same code and data. */
export function fillCells(row: KnownAccount, other: KnownAccount): KnownAccount {
  const isSameCode = row.code_hash !== null && other.code_hash?.equals(row.code_hash) === true;
  const isSameData = row.data_hash !== null && other.data_hash?.equals(row.data_hash) === true;
  const { code, methods } = row.code === undefined && isSameCode ? other : row;
  const { data } = row.data === undefined && isSameData ? other : row;
  return code === row.code && data === row.data ? row : { ...row, code, methods, data };
}

/** A hash or an account as a key of maps. */
export function keyOf(bytes: Buffer): string {
  return bytes.toString('latin1');
}

function byKey<T>(rows: readonly T[], bytesOf: (row: T) => Buffer): Map<string, T> {
  return new Map(rows.map((row) => [keyOf(bytesOf(row)), row]));
}

const codeKey = ({ hash }: { readonly hash: Buffer }) => hash;
const dataKey = ({ account }: { readonly account: Buffer }) => account;
