import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { TransactionId3 } from '../../chain/tl/transaction-ids.ts';
import { readBlockRoot } from '../../chain/tlb/block.ts';
import { type BlockExtra, readBlockExtra } from '../../chain/tlb/block-extra.ts';
import { skipCurrencyCollection } from '../../chain/tlb/currency.ts';
import { lookUp } from '../../chain/tlb/dictionary.ts';
import type { CellTree } from '../store/chain-store.ts';
import { walkFrom } from './proofs/walk-from.ts';

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

  const isEnd =
    accounts < 0 ||
    walkFrom(
      new Slice(cells, accounts),
      ACCOUNT_BITS,
      { key: startAccount, inclusive: true, reverse },
      (key, value) => {
        const account = Buffer.from(key);
        const from = account.equals(startAccount) ? startLt : Buffer.alloc(8, edge);
        const start = { key: from, inclusive: false, reverse };
        return walkFrom(openAccountBlock(value), LT_BITS, start, (lt, transaction) => {
          skipCurrencyCollection(transaction);
          transactions.push({ account, lt: lt.readBigInt64BE(), cell: transaction.ref() });
          return transactions.length < limit;
        });
      },
    );
  return { transactions, complete: isEnd, extra };
}

/** The cell of an account's transaction in a block, or -1. */
export function findTransaction(cells: Cells, extra: BlockExtra, account: Buffer, lt: bigint): number {
  const accounts = new Slice(cells, extra.accountBlocks).maybeRef();
  const value = accounts < 0 ? undefined : lookUp(cells, accounts, ACCOUNT_BITS, account);
  if (value === undefined) return -1;
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(lt);
  let found = -1;
  walkFrom(openAccountBlock(value), LT_BITS, { key, inclusive: true, reverse: false }, (at, entry) => {
    skipCurrencyCollection(entry);
    if (at.equals(key)) found = entry.ref();
    return false;
  });
  return found;
}

/** Moves from the value of an account in a block to the dictionary of its transactions. */
function openAccountBlock(value: Slice): Slice {
  skipCurrencyCollection(value);
  if (value.uint(4) !== ACCOUNT_BLOCK) throw new CellFault('not the transactions of an account');
  value.skip(ACCOUNT_BITS);
  return value;
}
