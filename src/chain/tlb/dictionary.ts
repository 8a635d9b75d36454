import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { bitOf, firstDifference } from './dictionary-key.ts';
import { readLabel, setKeyBit } from './dictionary-label.ts';

/** What a walk does with a part that a proof leaves out. */
export type OnPruned = 'throw' | 'skip';

/** Called for each entry; `key` and `value` are used again for the next one, so copy what is kept. */
export type VisitEntry = (key: Buffer, value: Slice) => void;

// A tree of shared cells can stand for more entries than there are atoms. A real dictionary shares little, so a walk
// that takes many more steps than there are cells is a trap.
const STEPS_PER_CELL = 16;
const SPARE_STEPS = 4096;

/** How many nodes a walk through a dictionary may come by before it is a trap. */
export function mostSteps(cells: Cells): number {
  return cells.count * STEPS_PER_CELL + SPARE_STEPS;
}

/** Ends a walk that came by more nodes. */
export function refuseTrap(): never {
  throw new CellFault('a dictionary with too many shared parts');
}

/**
 * Visits the entries of a Hashmap with keys of `keyBits` in ascending order. The value in an augmented dictionary
 * (HashmapAug) starts with its extra. Keys are padded with zeros to whole bytes.
 */
export function walkDictionary(
  cells: Cells,
  root: number,
  keyBits: number,
  visit: VisitEntry,
  onPruned: OnPruned = 'throw',
): void {
  if (onPruned === 'skip' && cells.isPruned(root)) return;
  const key = Buffer.alloc((keyBits + 7) >> 3);
  const slice = new Slice(cells, root);
  let stepsLeft = mostSteps(cells);
  const enter = (cell: number, depth: number): void => {
    if (stepsLeft-- === 0) refuseTrap();
    if (onPruned === 'skip' && cells.isPruned(cell)) return;
    slice.open(cell);
    const at = readLabel(slice, keyBits - depth, key, depth);
    if (at === keyBits) visit(key, slice);
    else {
      const left = slice.ref();
      const right = slice.ref();
      enter(left, setKeyBit(key, at, 0));
      enter(right, setKeyBit(key, at, 1));
    }
  };
  enter(root, 0);
}

/** The value under a key of a Hashmap, or undefined. A path that a proof leaves out throws a PrunedCellFault. */
export function lookUp(cells: Cells, root: number, keyBits: number, key: Buffer): Slice | undefined {
  const found = Buffer.alloc((keyBits + 7) >> 3);
  const slice = new Slice(cells, root);
  for (let depth = 0; ; ) {
    const at = readLabel(slice, keyBits - depth, found, depth);
    if (firstDifference(found, key, depth, at) < at) return undefined;
    if (at === keyBits) return slice;
    const bit = bitOf(key, at);
    const left = slice.ref();
    slice.open(bit === 0 ? left : slice.ref());
    depth = setKeyBit(found, at, bit);
  }
}
