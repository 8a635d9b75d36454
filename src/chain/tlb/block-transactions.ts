import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { readBlockRoot } from './block.ts';
import { readBlockExtra } from './block-extra.ts';
import { readBlockInfo } from './block-info.ts';
import { skipCurrencyCollection } from './currency.ts';
import { type OnPruned, walkDictionary } from './dictionary.ts';
import { readLabel, setKeyBit } from './dictionary-label.ts';
import { readTransaction, type Transaction } from './transaction.ts';

/** Called for each transaction; `account` is used again for the next account, so copy it. */
export type VisitTransaction = (account: Buffer, lt: bigint, cell: number) => void;

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
      if (transactionsLeft-- === 0) throw new CellFault('a block with too many shared parts');
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
    if (slice.uint(4) !== ACCOUNT_BLOCK) throw new CellFault('not the transactions of an account');
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
