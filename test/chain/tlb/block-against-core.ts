import { Cell, loadTransaction } from '@ton/core';
import { expect } from 'vitest';
import type { CellBag } from '../../../src/chain/boc/cell-bag.ts';
import { useNativeSha256 } from '../../../src/chain/boc/core-sha256.ts';
import type { Transaction } from '../../../src/chain/tlb/transaction.ts';
import { comparable, descriptionAsCore } from './description-as-core.ts';
import { plainCoreTransaction, plainTransaction } from './transaction-as-core.ts';

/** Compares a block's hash and every field of its transactions with what @ton/core reads from the same bytes. */
export function expectAsCore(bag: CellBag, transactions: readonly Transaction[], block: Buffer): void {
  useNativeSha256();
  const root = Cell.fromBoc(block)[0]!;
  expect(bag.hash(bag.root)).toEqual(root.hash());
  const found = new Map<string, Cell>();
  collect(root.refs[3]!.refs[2]!, found);
  for (const ours of transactions) {
    const cell = found.get(ours.hash.toString('hex'));
    if (cell === undefined) throw new Error('no such transaction');
    const theirs = loadTransaction(cell.beginParse());
    expect(plainTransaction(ours)).toEqual(plainCoreTransaction(theirs, cell));
    expect(descriptionAsCore(ours.cells, ours.description)).toEqual(comparable(theirs.description));
  }
  expect(transactions.length).toBe(found.size);
}

/** All transactions below a cell of dictionaries: cells of their form that are not inside another one. */
function collect(cell: Cell, found: Map<string, Cell>): void {
  const isTransaction =
    cell.bits.length > 650 && cell.refs.length >= 3 && cell.beginParse().loadUint(4) === 7;
  if (isTransaction) found.set(cell.hash().toString('hex'), cell);
  else for (const child of cell.refs) collect(child, found);
}
