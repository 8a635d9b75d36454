import { bocFaultText } from './boc-fault-text.ts';
import type { CellBag } from './cell-bag.ts';
import { CellFault } from './cell-fault.ts';
import { readBoc } from './read-boc.ts';

/** Reads a bag of one cell, as a caller sends it, with what is below; faults are in the words of a node. */
export function readRootBoc(bytes: Buffer): CellBag {
  const bag = readBag(bytes);
  if (bag.roots.length > 1) throw new CellFault('Bag-of-cells has more root cells than expected');
  if (bag.levelMask(bag.root) !== 0) throw new CellFault('bag of cells has a root with non-zero level');
  return bag;
}

function readBag(bytes: Buffer): CellBag {
  try {
    return readBoc(bytes);
  } catch (error) {
    throw error instanceof CellFault ? new CellFault(bocFaultText(bytes, error)) : error;
  }
}
