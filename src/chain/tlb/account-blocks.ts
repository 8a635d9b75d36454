import { CellError, type CellRef, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import {
  type CurrencyCollection,
  readCurrencyCollection,
  skipCurrencyCollection,
  sumAugmentation,
} from './currency.ts';
import {
  Dictionary,
  type DictionaryCodec,
  dictionaryEntries,
  lookUp,
  type OnPruned,
  readLabel,
  setKeyBit,
  walkDictionary,
} from './dictionary.ts';

// _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks;
// acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
//   state_update:^(HASH_UPDATE Account) = AccountBlock;

export interface AccountBlock {
  readonly account: Buffer;
  /** The root of a dictionary `ACCOUNT_TRANSACTIONS`, never empty. */
  readonly transactions: number;
  /** The cell with the hashes of the account's state before and after; `buildHashUpdate` builds it. */
  readonly stateUpdate: number;
}

/** Called for each transaction; `account` is reused for the next account, so copy it to keep it. */
type VisitTransaction = (account: Buffer, lt: bigint, cell: number) => void;

const ACCOUNT_BLOCK = 5;
const ACCOUNT_BITS = 256;
const LT_BITS = 64;

/**
 * Visits the transactions of ShardAccountBlocks by account and logical time, without reading them. Parts that a
 * proof leaves out throw, or are skipped on request.
 */
export function walkTransactions(
  cells: Cells,
  accountBlocks: number,
  visit: VisitTransaction,
  onPruned: OnPruned = 'throw',
): void {
  const root = new Slice(cells, accountBlocks).maybeRef();
  const key = Buffer.alloc(LT_BITS / 8);
  // Each transaction has its own cell, so more transactions than cells are an attack with shared cells.
  let transactionsLeft = cells.count;
  /** The transactions of one account: a dictionary that starts in the middle of a cell. */
  const walkEdge = (slice: Slice, depth: number, account: Buffer): void => {
    const at = readLabel(slice, LT_BITS - depth, key, depth);
    if (at === LT_BITS) {
      if (transactionsLeft-- === 0) throw new CellError('block shares too many cells');
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
    if (slice.uint(4) !== ACCOUNT_BLOCK) throw new CellError('not an account block');
    slice.skip(ACCOUNT_BITS);
    walkEdge(slice, 0, account);
  };
  walkDictionary(cells, root, ACCOUNT_BITS, visitAccount, onPruned);
}

/** A transaction of a block: whose it is, when it was, and the cell that holds it or stands for it in a proof. */
export interface BlockTransaction extends CellRef {
  readonly account: Buffer;
  readonly lt: bigint;
}

/** Where a list of transactions starts, and in which order it is. */
interface TransactionOrder {
  /** The transaction before the first one, if any. */
  readonly after?: { readonly account: Buffer; readonly lt: bigint } | undefined;
  readonly reverse?: boolean;
}

/**
 * Yields the transactions of ShardAccountBlocks by account and logical time, or in the reverse order. Unlike
 * `walkTransactions` it can start anywhere and opens no cell before it is needed, which counts for proofs.
 */
export function* iterateTransactions(
  cells: Cells,
  accountBlocks: number,
  { after, reverse = false }: TransactionOrder = {},
): Generator<BlockTransaction, void> {
  const root = new Slice(cells, accountBlocks).maybeRef();
  if (root < 0) return;
  const order = { from: after?.account, inclusive: true, reverse };
  for (const entry of dictionaryEntries(new Slice(cells, root), ACCOUNT_BITS, order)) {
    const account = Buffer.from(entry.key);
    const from = after?.account.equals(account) ? transactionKey(after.lt) : undefined;
    const transactions = openAccountBlock(account, entry.value);
    for (const { key, value } of dictionaryEntries(transactions, LT_BITS, { from, reverse })) {
      skipCurrencyCollection(value);
      yield { account, lt: key.readBigUInt64BE(0), cells, cell: value.ref() };
    }
  }
}

/** The cell of one transaction of ShardAccountBlocks, or -1. */
export function findTransaction(cells: Cells, accountBlocks: number, account: Buffer, lt: bigint): number {
  const root = new Slice(cells, accountBlocks).maybeRef();
  const value = lookUp(cells, root, ACCOUNT_BITS, account);
  if (value === undefined) return -1;
  const from = transactionKey(lt);
  const order = { from, inclusive: true };
  for (const entry of dictionaryEntries(openAccountBlock(account, value), LT_BITS, order)) {
    skipCurrencyCollection(entry.value);
    return entry.key.equals(from) ? entry.value.ref() : -1;
  }
  return -1;
}

/** Moves from the value of an account to the dictionary of its transactions. */
function openAccountBlock(account: Buffer, value: Slice): Slice {
  skipCurrencyCollection(value);
  if (value.uint(4) !== ACCOUNT_BLOCK || !value.hash().equals(account))
    throw new CellError('account block of another account');
  return value;
}

export function transactionKey(lt: bigint): Buffer {
  const key = Buffer.allocUnsafe(LT_BITS / 8);
  key.writeBigUInt64BE(BigInt.asUintN(64, lt));
  return key;
}

/** The transactions of one account by logical time; nodes sum up the fees. */
export const ACCOUNT_TRANSACTIONS: DictionaryCodec<number, CurrencyCollection> = {
  keyBits: LT_BITS,
  write: (builder, transaction) => builder.ref(transaction),
  augmentation: sumAugmentation((transaction, arena) => totalFees(arena, transaction)),
};

/** Account blocks by account id; nodes sum up the fees. */
export const SHARD_ACCOUNT_BLOCKS: DictionaryCodec<AccountBlock, CurrencyCollection> = {
  keyBits: ACCOUNT_BITS,
  write(builder, { account, transactions, stateUpdate }, arena) {
    builder.uint(ACCOUNT_BLOCK, 4).hash(account);
    // The root of the dictionary is inlined.
    builder.slice(new Slice(arena, transactions)).ref(stateUpdate);
  },
  augmentation: sumAugmentation(({ transactions }, arena) =>
    new Dictionary(arena, ACCOUNT_TRANSACTIONS).extra(transactions),
  ),
};

export function buildShardAccountBlocks(arena: BuildingArena, root: number): number {
  return new Dictionary(arena, SHARD_ACCOUNT_BLOCKS).buildCell(root);
}

/** The fields of a transaction before its fees: tag, account, times, hashes, number of messages, statuses. */
const BITS_BEFORE_FEES = 4 + 256 + 64 + 256 + 64 + 32 + 15 + 2 + 2;

function totalFees(cells: Cells, transaction: number): CurrencyCollection {
  const slice = new Slice(cells, transaction);
  slice.skip(BITS_BEFORE_FEES);
  slice.ref();
  return readCurrencyCollection(slice);
}
