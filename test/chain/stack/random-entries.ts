import { beginCell, type Cell } from '@ton/core';
import fc from 'fast-check';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import {
  MAX_INT,
  MIN_INT,
  NAN_ENTRY,
  NULL_ENTRY,
  type StackEntry,
} from '../../../src/chain/stack/entries.ts';

/** Small trees of ordinary cells. */
const randomCell: fc.Arbitrary<Cell> = cellsOf(3);

function cellsOf(depth: number): fc.Arbitrary<Cell> {
  const refs = depth === 0 ? fc.constant([]) : fc.array(cellsOf(depth - 1), { maxLength: 2 });
  return fc.tuple(fc.array(fc.boolean(), { maxLength: 60 }), refs).map(([bits, children]) => {
    const builder = beginCell();
    for (const bit of bits) builder.storeBit(bit);
    for (const child of children) builder.storeRef(child);
    return builder.endCell();
  });
}

/** Integers of all sizes that TVM can hold. */
const randomInt = fc.oneof(
  fc.bigInt({ min: MIN_INT, max: MAX_INT }),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
  fc.constantFrom(MIN_INT, MAX_INT, 2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n), -(2n ** 63n) - 1n, 0n, -1n),
);

const randomSlice: fc.Arbitrary<StackEntry> = fc
  .tuple(randomCell, fc.nat(), fc.nat(), fc.nat(), fc.nat())
  .map(([cell, from, size, refFrom, refSize]) => {
    const bag = fromCoreCell(cell);
    const bit = from % (cell.bits.length + 1);
    const refAt = refFrom % (cell.refs.length + 1);
    const bitEnd = bit + (size % (cell.bits.length - bit + 1));
    const refEnd = refAt + (refSize % (cell.refs.length - refAt + 1));
    return { type: 'slice', cells: bag, cell: bag.root, bit, bitEnd, refAt, refEnd };
  });

const randomWhole: fc.Arbitrary<StackEntry> = fc
  .tuple(fc.constantFrom('cell' as const, 'builder' as const), randomCell)
  .map(([type, cell]) => {
    const bag = fromCoreCell(cell);
    return { type, cells: bag, cell: bag.root };
  });

/** Entries of every kind that can be written. */
const randomEntry: fc.Arbitrary<StackEntry> = fc.letrec<{ entry: StackEntry }>((tie) => ({
  entry: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<StackEntry>(NULL_ENTRY, NAN_ENTRY),
    randomInt.map((value): StackEntry => ({ type: 'int', value })),
    randomWhole,
    randomSlice,
    fc.array(tie('entry'), { maxLength: 6 }).map((items): StackEntry => ({ type: 'tuple', items })),
  ),
})).entry;

/** Stacks of them. */
export const randomStack = fc.array(randomEntry, { maxLength: 8 });
