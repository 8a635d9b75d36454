import { Failure, type FailureKind } from '../../lib/failure.ts';
import type { CellBag } from '../boc/cell-bag.ts';
import { CellFault } from '../boc/cell-fault.ts';
import { readRootBoc } from '../boc/read-root-boc.ts';
import { decodeBase64 } from './input-bytes.ts';
import { type StackEntry, wholeSliceEntry } from './stack-entry.ts';

/** The two kinds of cells that callers give. */
export type CellKind = 'cell' | 'slice';

/** A cell or a slice over all of it, from a bag of cells in base64. `faultKind` is what a broken bag is. */
export function readBocEntry(kind: CellKind, base64: string, faultKind: FailureKind): StackEntry {
  const bytes = decodeBase64(base64);
  try {
    return bagEntry(kind, readRootBoc(bytes));
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    throw new Failure(faultKind, error.message, { cause: error });
  }
}

/** The root of a bag as an entry. */
export function bagEntry(kind: CellKind, bag: CellBag): StackEntry {
  return kind === 'cell' ? { type: 'cell', cells: bag, cell: bag.root } : wholeSliceEntry(bag, bag.root);
}
