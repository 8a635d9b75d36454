import { CellBuilder } from '../boc/builder.ts';
import { CellList, collectCells } from '../boc/cell-list.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { writeCells } from '../boc/writer.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { readAccount } from './account.ts';
import {
  addCurrencies,
  NO_CURRENCY,
  readCurrencyCollection,
  skipCurrencyCollection,
  writeCurrencyCollection,
} from './currency.ts';
import { Dictionary, type DictionaryCodec, lookUp, type OnPruned, walkDictionary } from './dictionary.ts';

// account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
// depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo;
// _ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts;

export type ShardAccount = Readonly<ReturnType<typeof readShardAccount>>;

export type DepthBalanceInfo = Readonly<ReturnType<typeof readDepthBalanceInfo>>;

interface ShardAccounts extends DepthBalanceInfo {
  /** The root of the dictionary by account id, or -1 when it is empty. */
  readonly root: number;
}

const ID_BITS = 256;
export const SPLIT_DEPTH_BITS = 5;

/** Reads the cell of all accounts, `ShardState.accounts`. */
export function readShardAccounts(cells: Cells, cell: number): ShardAccounts {
  const slice = new Slice(cells, cell);
  const root = slice.maybeRef();
  return { root, ...readDepthBalanceInfo(slice) };
}

export function readShardAccount(slice: Slice) {
  return {
    account: slice.ref(),
    lastTransHash: slice.hash(),
    lastTransLt: slice.uint64(),
  };
}

export function readDepthBalanceInfo(slice: Slice) {
  return { splitDepth: slice.uint(SPLIT_DEPTH_BITS), balance: readCurrencyCollection(slice) };
}

/**
 * Finds an account by its id below the cell of all accounts: a slice that starts with its ShardAccount and ends after
 * it, or undefined.
 */
export function findShardAccount(
  cells: Cells,
  accounts: number,
  id: Buffer,
  onPruned: OnPruned = 'throw',
): Slice | undefined {
  if (onPruned === 'skip' && cells.isPruned(accounts)) return undefined;
  // Not by readShardAccounts: a proof may leave out the extra.
  const slice = lookUp(cells, new Slice(cells, accounts).maybeRef(), ID_BITS, id, onPruned);
  if (slice !== undefined) skipDepthBalanceInfo(slice);
  return slice;
}

/** The entry of an account by its id below the cell of all accounts, or undefined. */
export function lookUpShardAccount(
  cells: Cells,
  accounts: number,
  id: Buffer,
  onPruned: OnPruned = 'throw',
): ShardAccount | undefined {
  const slice = findShardAccount(cells, accounts, id, onPruned);
  return slice && readShardAccount(slice);
}

/** Visits all accounts in ascending order of their ids; `id` is reused for the next one. */
export function walkShardAccounts(
  cells: Cells,
  accounts: number,
  visit: (id: Buffer, account: ShardAccount) => void,
  onPruned: OnPruned = 'throw',
): void {
  walkDictionary(
    cells,
    new Slice(cells, accounts).maybeRef(),
    ID_BITS,
    (id, value) => {
      skipDepthBalanceInfo(value);
      visit(id, readShardAccount(value));
    },
    onPruned,
  );
}

export function skipDepthBalanceInfo(slice: Slice): void {
  slice.skip(SPLIT_DEPTH_BITS);
  skipCurrencyCollection(slice);
}

/** The accounts of a shard by id; nodes sum up the balances. */
export const SHARD_ACCOUNTS: DictionaryCodec<ShardAccount, DepthBalanceInfo> = {
  keyBits: ID_BITS,
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

export function buildShardAccounts(arena: BuildingArena, root: number): number {
  return new Dictionary(arena, SHARD_ACCOUNTS).buildCell(root);
}

function depthBalanceOf(arena: BuildingArena, cell: number): DepthBalanceInfo {
  const account = readAccount(arena, cell);
  if (account === undefined) return { splitDepth: 0, balance: NO_CURRENCY };
  const { state, balance } = account;
  return { splitDepth: (state.kind === 'active' && state.init.fixedPrefixLength) || 0, balance };
}

/** An account and its last transaction; `account` is undefined if it does not exist. */
interface ShardAccountParts {
  readonly account: { readonly cells: Cells; readonly cell: number } | undefined;
  readonly lastTransHash: Buffer;
  readonly lastTransLt: bigint;
}

const DATA_BITS = 256 + 64;
/** The cell account_none: a zero bit, and the completion bit. */
const NO_ACCOUNT = Buffer.of(0b0100_0000);

export function writeShardAccount({ account, lastTransHash, lastTransLt }: ShardAccountParts): Buffer {
  const list = new CellList();
  const below =
    account === undefined
      ? list.add(0, 1, NO_ACCOUNT, 0, [])
      : collectCells({ cells: account.cells, roots: [account.cell] }, list, true)[0]!;
  const { data } = new CellBuilder().hash(lastTransHash).uint64(lastTransLt);
  return writeCells(list, [list.add(1, DATA_BITS, data, 0, [below])], { order: 'core', crc: false });
}
