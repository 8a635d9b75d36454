import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { readBlockExtra, readBlockInfo, readBlockRoot } from './block.ts';
import {
  addCurrencies,
  type CurrencyCollection,
  NO_CURRENCY,
  readCurrencyCollection,
  skipCurrencyCollection,
  writeCurrencyCollection,
} from './currency.ts';
import {
  type Augmentation,
  Dictionary,
  type DictionaryCodec,
  type OnPruned,
  readLabel,
  setKeyBit,
  walkDictionary,
} from './dictionary.ts';
import { readTransaction, type Transaction } from './transaction.ts';

/** Called for each transaction; `account` is used again for the next account, so copy it. */
type VisitTransaction = (account: Buffer, lt: bigint, cell: number) => void;

const ACCOUNT_BLOCK = 5;
const LT_BITS = 64;

/**
 * Visits the transactions of ShardAccountBlocks by account and logical time, without looking into them. Parts that a
 * proof leaves out throw, or are skipped if asked.
 */
export function walkTransactions(
  cells: Cells,
  accountBlocks: number,
  visit: VisitTransaction,
  onPruned: OnPruned = 'throw',
): void {
  const root = new Slice(cells, accountBlocks).maybeRef();
  if (root < 0) return;
  const key = Buffer.alloc(LT_BITS / 8);
  // Each transaction has a cell of its own, so more of them than cells are a trap made of shared cells.
  let transactionsLeft = cells.count;
  /** The transactions of one account: a dictionary that starts in the middle of a cell. */
  const walkEdge = (slice: Slice, depth: number, account: Buffer): void => {
    const at = readLabel(slice, LT_BITS - depth, key, depth);
    if (at === LT_BITS) {
      if (transactionsLeft-- === 0) throw new CellError('a block with too many shared parts');
      skipCurrencyCollection(slice);
      visit(account, key.readBigUInt64BE(0), slice.ref());
      return;
    }
    const left = slice.ref();
    const right = slice.ref();
    for (const [bit, child] of [left, right].entries()) {
      if (onPruned === 'skip' && cells.isPruned(child)) continue;
      walkEdge(slice.open(child), setKeyBit(key, at, bit as 0 | 1), account);
    }
  };
  const visitAccount = (account: Buffer, slice: Slice): void => {
    skipCurrencyCollection(slice);
    if (slice.uint(4) !== ACCOUNT_BLOCK) throw new CellError('not the transactions of an account');
    slice.skip(256);
    walkEdge(slice, 0, account);
  };
  walkDictionary(cells, root, 256, visitAccount, onPruned);
}

/** Reads all transactions of a block from its root cell, by account and logical time. */
export function readBlockTransactions(cells: Cells, block: number): Transaction[] {
  const { info, extra } = readBlockRoot(cells, block);
  const { workchain } = readBlockInfo(cells, info);
  const found: Transaction[] = [];
  walkTransactions(cells, readBlockExtra(cells, extra).accountBlocks, (_account, _lt, cell) => {
    found.push(readTransaction(cells, cell, workchain));
  });
  return found;
}

/** What a block did to one account. */
export interface AccountBlock {
  readonly account: Buffer;
  /** The root of `ACCOUNT_TRANSACTIONS`, which has at least one. */
  readonly transactions: number;
  /** The cell with the hashes of the account's state before and after; `buildHashUpdate` makes it. */
  readonly stateUpdate: number;
}

/** The fields of a transaction before its fees: tag, account, times, hashes, number of messages, statuses. */
const BITS_BEFORE_FEES = 4 + 256 + 64 + 256 + 64 + 32 + 15 + 2 + 2;

/** The cells of one account's transactions by logical time. Their nodes add up the fees. */
export const ACCOUNT_TRANSACTIONS: DictionaryCodec<number, CurrencyCollection> = {
  keyBits: 64,
  write: (builder, transaction) => builder.ref(transaction),
  augmentation: fees((transaction, arena) => totalFees(arena, transaction)),
};

/** What a block did to accounts by their id. Its nodes add up the fees. */
export const SHARD_ACCOUNT_BLOCKS: DictionaryCodec<AccountBlock, CurrencyCollection> = {
  keyBits: 256,
  write(builder, { account, transactions, stateUpdate }, arena) {
    builder.uint(ACCOUNT_BLOCK, 4).hash(account);
    // The dictionary of transactions has no cell of its own.
    builder.slice(new Slice(arena, transactions)).ref(stateUpdate);
  },
  augmentation: fees(({ transactions }, arena) =>
    new Dictionary(arena, ACCOUNT_TRANSACTIONS).extra(transactions),
  ),
};

/** The key of a transaction in `ACCOUNT_TRANSACTIONS`. */
export function transactionKey(lt: bigint): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(lt);
  return key;
}

/** Makes the cell of ShardAccountBlocks from the root of their dictionary. */
export function buildShardAccountBlocks(arena: BuildingArena, root: number): number {
  const builder = new CellBuilder();
  new Dictionary(arena, SHARD_ACCOUNT_BLOCKS).store(builder, root);
  return arena.build(builder);
}

function fees<Value>(
  of: Augmentation<Value, CurrencyCollection>['of'],
): Augmentation<Value, CurrencyCollection> {
  return {
    empty: NO_CURRENCY,
    of,
    combine: addCurrencies,
    read: readCurrencyCollection,
    write: writeCurrencyCollection,
  };
}

function totalFees(cells: Cells, transaction: number): CurrencyCollection {
  const slice = new Slice(cells, transaction);
  slice.skip(BITS_BEFORE_FEES);
  slice.ref();
  return readCurrencyCollection(slice);
}

const HASH_UPDATE = 0x72;

/** Makes a HASH_UPDATE: the hashes of something before and after. */
export function buildHashUpdate(arena: BuildingArena, oldHash: Buffer, newHash: Buffer): number {
  return arena.build(new CellBuilder().uint(HASH_UPDATE, 8).hash(oldHash).hash(newHash));
}
