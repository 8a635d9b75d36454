import { CellBuilder } from '../boc/builder.ts';
import { CellList, gatherCells } from '../boc/cell-list.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { writeCells } from '../boc/writer.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { readAccount } from './account.ts';
import {
  addCurrencies,
  type CurrencyCollection,
  NO_CURRENCY,
  readCurrencyCollection,
  skipCurrencyCollection,
  writeCurrencyCollection,
} from './currency.ts';
import { Dictionary, type DictionaryCodec, lookUp, type OnPruned, walkDictionary } from './dictionary.ts';

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
interface ShardAccounts extends DepthBalanceInfo {
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

/** All accounts of a shard by their id. Their nodes add up the balances. */
export const SHARD_ACCOUNTS: DictionaryCodec<ShardAccount, DepthBalanceInfo> = {
  keyBits: 256,
  write: (builder, { account, lastTransHash, lastTransLt }) =>
    builder.ref(account).hash(lastTransHash).uint64(lastTransLt),
  augmentation: {
    empty: { splitDepth: 0, balance: NO_CURRENCY },
    of: ({ account }, arena) => depthBalanceOf(arena, account),
    combine: (left, right, arena) => ({
      splitDepth: Math.max(left.splitDepth, right.splitDepth),
      balance: addCurrencies(left.balance, right.balance, arena),
    }),
    read: readDepthBalanceInfo,
    write: (builder, { splitDepth, balance }) =>
      writeCurrencyCollection(builder.uint(splitDepth, SPLIT_DEPTH_BITS), balance),
  },
};

/** Makes the cell of ShardAccounts from the root of their dictionary. */
export function buildShardAccounts(arena: BuildingArena, root: number): number {
  const builder = new CellBuilder();
  new Dictionary(arena, SHARD_ACCOUNTS).store(builder, root);
  return arena.build(builder);
}

function depthBalanceOf(arena: BuildingArena, cell: number): DepthBalanceInfo {
  const account = readAccount(arena, cell);
  if (account === undefined) return { splitDepth: 0, balance: NO_CURRENCY };
  const { state, balance } = account;
  return { splitDepth: (state.kind === 'active' && state.init.fixedPrefixLength) || 0, balance };
}

/** An account and its last transaction; without cells for one that does not exist. */
interface ShardAccountParts {
  readonly account: { readonly cells: Cells; readonly cell: number } | undefined;
  readonly lastTransHash: Buffer;
  readonly lastTransLt: bigint;
}

const ORDER = { order: 'core', crc: false } as const;
const BITS = 256 + 64;
/** The cell account_none: a zero bit, and the one that completes the byte. */
const NO_ACCOUNT = Buffer.of(0b0100_0000);

/** Writes a ShardAccount as a bag of cells. */
export function writeShardAccount({ account, lastTransHash, lastTransLt }: ShardAccountParts): Buffer {
  const list = new CellList();
  const below =
    account === undefined
      ? list.add(0, 1, NO_ACCOUNT, 0, [])
      : gatherCells({ cells: account.cells, roots: [account.cell] }, list, true)[0]!;
  const { data } = new CellBuilder().hash(lastTransHash).uint64(lastTransLt);
  return writeCells(list, [list.add(1, BITS, data, 0, [below])], ORDER);
}
