import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { TransactionId3 } from '../../chain/tl/transaction-ids.ts';
import { readBlockRoot } from '../../chain/tlb/block.ts';
import { readBlockExtra } from '../../chain/tlb/block-extra.ts';
import { skipCurrencyCollection } from '../../chain/tlb/currency.ts';
import { lookUp } from '../../chain/tlb/dictionary.ts';
import { type DictionaryEntry, dictionaryEntries } from '../../chain/tlb/dictionary-entries.ts';
import { readLabel } from '../../chain/tlb/dictionary-label.ts';
import type { FoundCell } from './open-proof.ts';

/** A transaction of a block: whose, when, and the cell that holds it or stands for it in a proof. */
export interface BlockEntry extends FoundCell {
  readonly account: Buffer;
  readonly lt: bigint;
}

const ACCOUNT_BITS = 256;
const LT_BITS = 64;
const ACCOUNT_BLOCK = 5;

/**
 * Visits the transactions of a block in the order of listBlockTransactions, after a given one: by account and logical
 * time, or in the reverse order. Opens no cell before it is needed.
 */
export function* blockEntries(
  { cells, cell }: FoundCell,
  after: TransactionId3 | undefined,
  reverse: boolean,
): Generator<BlockEntry, void> {
  const root = accountBlocksRoot(cells, cell);
  if (root < 0) return;
  const order = { from: after?.account, inclusive: true, reverse };
  for (const entry of dictionaryEntries(new Slice(cells, root), ACCOUNT_BITS, order)) {
    const account = Buffer.from(entry.key);
    const from = after?.account.equals(account) ? ltKey(after.lt) : undefined;
    for (const { key, value } of dictionaryEntries(openAccountBlock(entry), LT_BITS, { from, reverse })) {
      skipCurrencyCollection(value);
      yield { account, lt: key.readBigUInt64BE(0), cells, cell: value.ref() };
    }
  }
}

/** The cell of one transaction of a block, or undefined. Opens only the cells that lead there. */
export function findInBlock({ cells, cell }: FoundCell, account: Buffer, lt: bigint): FoundCell | undefined {
  const root = accountBlocksRoot(cells, cell);
  const value = root < 0 ? undefined : lookUp(cells, root, ACCOUNT_BITS, account);
  if (value === undefined) return undefined;
  const slice = openAccountBlock({ key: account, value });
  const label = Buffer.alloc(LT_BITS / 8);
  const labelBits = readLabel(slice, LT_BITS, label, 0);
  const below = BigInt(LT_BITS - labelBits);
  if (label.readBigUInt64BE(0) >> below !== lt >> below) return undefined;
  let found: Slice | undefined = slice;
  if (labelBits < LT_BITS) {
    const children = [slice.ref(), slice.ref()];
    const rest = LT_BITS - labelBits - 1;
    const child = children[Number((lt >> BigInt(rest)) & 1n)]!;
    found = lookUp(cells, child, rest, ltKey(lt << BigInt(LT_BITS - rest)));
  }
  if (found === undefined) return undefined;
  skipCurrencyCollection(found);
  return { cells, cell: found.ref() };
}

/** The root of the dictionary of account blocks, or -1. */
function accountBlocksRoot(cells: Cells, block: number): number {
  const { accountBlocks } = readBlockExtra(cells, readBlockRoot(cells, block).extra);
  return new Slice(cells, accountBlocks).maybeRef();
}

/** Moves to the dictionary of one account's transactions. */
function openAccountBlock({ key, value }: DictionaryEntry): Slice {
  skipCurrencyCollection(value);
  if (value.uint(4) !== ACCOUNT_BLOCK || !value.hash().equals(key))
    throw new CellFault('not the transactions of the account');
  return value;
}

function ltKey(lt: bigint): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeBigInt64BE(BigInt.asIntN(64, lt));
  return key;
}
