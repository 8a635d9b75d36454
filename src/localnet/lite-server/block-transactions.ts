import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { TransactionId3 } from '../../chain/tl/transaction-ids.ts';
import { readBlockRoot } from '../../chain/tlb/block.ts';
import { type BlockExtra, readBlockExtra } from '../../chain/tlb/block-extra.ts';
import { skipCurrencyCollection } from '../../chain/tlb/currency.ts';
import { lookUp } from '../../chain/tlb/dictionary.ts';
import { dictionaryEntries } from '../../chain/tlb/dictionary-entries.ts';
import type { CellTree } from '../store/chain-store.ts';

/** A transaction in a block. */
export interface ListedTransaction {
  readonly account: Buffer;
  readonly lt: bigint;
  readonly cell: number;
}

/** Which transactions of a block are wanted. */
export interface ListRange {
  readonly count: number;
  readonly reverse: boolean;
  readonly after: TransactionId3 | undefined;
}

/** Transactions of a block, and whether the list came to its end. */
export interface TransactionList {
  readonly transactions: readonly ListedTransaction[];
  readonly complete: boolean;
  readonly extra: BlockExtra;
}

const ACCOUNT_BITS = 256;
const LT_BITS = 64;
const ACCOUNT_BLOCK = 5;
const MAX_TRANSACTIONS = 256;

/** Lists transactions of a block by account and logical time. A full list is complete only if more were wanted. */
export function listTransactions({ cells, root }: CellTree, range: ListRange): TransactionList {
  const { reverse } = range;
  const extra = readBlockExtra(cells, readBlockRoot(cells, root).extra);
  const accounts = new Slice(cells, extra.accountBlocks).maybeRef();
  const limit = Math.min(range.count, MAX_TRANSACTIONS);
  const edge = reverse ? 0xff : 0;
  const startAccount = range.after?.account ?? Buffer.alloc(32, edge);
  const startLt = Buffer.alloc(8, edge);
  if (range.after !== undefined) startLt.writeBigInt64BE(range.after.lt);
  const transactions: ListedTransaction[] = [];
  if (limit === 0) return { transactions, complete: false, extra };

  if (accounts < 0) return { transactions, complete: true, extra };
  const order = { from: startAccount, inclusive: true, reverse };
  for (const { key, value } of dictionaryEntries(new Slice(cells, accounts), ACCOUNT_BITS, order)) {
    const account = Buffer.from(key);
    const from = account.equals(startAccount) ? startLt : Buffer.alloc(8, edge);
    for (const entry of dictionaryEntries(openAccountBlock(value), LT_BITS, { from, reverse })) {
      skipCurrencyCollection(entry.value);
      transactions.push({ account, lt: entry.key.readBigInt64BE(), cell: entry.value.ref() });
      if (transactions.length >= limit) return { transactions, complete: false, extra };
    }
  }
  return { transactions, complete: true, extra };
}

/** The cell of an account's transaction in a block, or -1. */
export function findTransaction(cells: Cells, extra: BlockExtra, account: Buffer, lt: bigint): number {
  const accounts = new Slice(cells, extra.accountBlocks).maybeRef();
  const value = accounts < 0 ? undefined : lookUp(cells, accounts, ACCOUNT_BITS, account);
  if (value === undefined) return -1;
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(lt);
  const order = { from: key, inclusive: true };
  for (const entry of dictionaryEntries(openAccountBlock(value), LT_BITS, order)) {
    skipCurrencyCollection(entry.value);
    return entry.key.equals(key) ? entry.value.ref() : -1;
  }
  return -1;
}

/** Moves from the value of an account in a block to the dictionary of its transactions. */
function openAccountBlock(value: Slice): Slice {
  skipCurrencyCollection(value);
  if (value.uint(4) !== ACCOUNT_BLOCK) throw new CellFault('not the transactions of an account');
  value.skip(ACCOUNT_BITS);
  return value;
}
