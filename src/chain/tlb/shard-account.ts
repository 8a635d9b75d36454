import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection, skipCurrencyCollection } from './currency.ts';
import { lookUp, type OnPruned, walkDictionary } from './dictionary.ts';

/** An account as a shard state lists it. */
export interface ShardAccount {
  /** The cell of the account. */
  readonly account: number;
  readonly lastTransHash: Buffer;
  readonly lastTransLt: bigint;
}

/** What the dictionary of accounts adds up: the augmentation of each of its nodes. */
export interface DepthBalanceInfo {
  readonly splitDepth: number;
  readonly balance: CurrencyCollection;
}

/** The accounts of a shard state. */
export interface ShardAccounts extends DepthBalanceInfo {
  /** The root of the dictionary by account id, or -1 when there is no account. */
  readonly root: number;
}

const ID_BITS = 256;
const SPLIT_DEPTH_BITS = 5;

/** Reads the cell of all accounts, `ShardState.accounts`. */
export function readShardAccounts(cells: Cells, cell: number): ShardAccounts {
  const slice = new Slice(cells, cell);
  const root = slice.maybeRef();
  return { root, ...readDepthBalanceInfo(slice) };
}

/** Reads a ShardAccount. */
export function readShardAccount(slice: Slice): ShardAccount {
  return { account: slice.ref(), lastTransHash: slice.hash(), lastTransLt: slice.uint64() };
}

/** Reads a DepthBalanceInfo. */
export function readDepthBalanceInfo(slice: Slice): DepthBalanceInfo {
  return { splitDepth: slice.uint(SPLIT_DEPTH_BITS), balance: readCurrencyCollection(slice) };
}

/**
 * Finds an account by its id below the cell of all accounts: a slice that goes on with its ShardAccount and ends after
 * it, or undefined.
 */
export function findShardAccount(cells: Cells, accounts: number, id: Buffer): Slice | undefined {
  // Not through readShardAccounts: a proof may leave out what it adds up.
  const root = new Slice(cells, accounts).maybeRef();
  if (root < 0) return undefined;
  const slice = lookUp(cells, root, ID_BITS, id);
  if (slice !== undefined) skipDepthBalanceInfo(slice);
  return slice;
}

/** The entry of an account by its id below the cell of all accounts, or undefined. */
export function lookUpShardAccount(cells: Cells, accounts: number, id: Buffer): ShardAccount | undefined {
  const slice = findShardAccount(cells, accounts, id);
  return slice && readShardAccount(slice);
}

/** Visits all accounts in ascending order of their ids; `id` is used again for the next one. */
export function walkShardAccounts(
  cells: Cells,
  accounts: number,
  visit: (id: Buffer, account: ShardAccount) => void,
  onPruned: OnPruned = 'throw',
): void {
  const root = new Slice(cells, accounts).maybeRef();
  if (root < 0) return;
  walkDictionary(
    cells,
    root,
    ID_BITS,
    (id, value) => {
      skipDepthBalanceInfo(value);
      visit(id, readShardAccount(value));
    },
    onPruned,
  );
}

function skipDepthBalanceInfo(slice: Slice): void {
  slice.skip(SPLIT_DEPTH_BITS);
  skipCurrencyCollection(slice);
}
