import { CellFault } from './cell-fault.ts';
import type { CellList } from './cell-list.ts';
import { type Cells, LEVEL_SHIFT } from './cells.ts';
import { Slice } from './slice.ts';

/** What can be written as a bag: cells with everything below them, or the rest of a slice as a cell of its own. */
export type BocSource = Slice | { readonly cells: Cells; readonly roots: readonly number[] };

/**
 * Adds the cells of a source to a list, children before parents, and gives the places of the roots. References are
 * followed from the first to the last, or from the last to the first. Linear work.
 */
export function gatherCells(source: BocSource, list: CellList, lastRefsFirst: boolean): number[] {
  const { cells } = source;
  const places = new Map<number, number>();

  // Cells are at most 1024 deep, and so is the recursion.
  const gather = (cell: number): number => {
    const known = places.get(cell);
    if (known !== undefined) return known;
    const children = gatherChildren(cell, 0, cells.refCount(cell));
    const place = list.add(cells.heads[cell]!, cells.bits[cell]!, cells.bytes, cells.starts[cell]!, children);
    places.set(cell, place);
    return place;
  };
  const gatherChildren = (cell: number, from: number, to: number): number[] => {
    const children: number[] = [];
    if (lastRefsFirst) for (let i = to - 1; i >= from; i--) children[i - from] = gather(cells.ref(cell, i));
    else for (let i = from; i < to; i++) children.push(gather(cells.ref(cell, i)));
    return children;
  };

  if (source instanceof Slice)
    return [addRest(source, list, gatherChildren(source.cell, source.refAt, source.refEnd))];
  const { length } = source.roots;
  if (length === 0) throw new CellFault('a bag of cells needs a root');
  const roots: number[] = [];
  if (lastRefsFirst) for (let i = length - 1; i >= 0; i--) roots[i] = gather(source.roots[i]!);
  else for (const root of source.roots) roots.push(gather(root));
  return roots;
}

/** Adds what is left of a slice as an ordinary cell; the slice stays where it is. */
function addRest(slice: Slice, list: CellList, children: number[]): number {
  let mask = 0;
  for (const child of children) mask |= list.heads[child]! >> LEVEL_SHIFT;
  const { bit, bitsLeft: bits } = slice;
  const data = Buffer.alloc((bits + 7) >> 3);
  slice.copyBits(bits, data, 0);
  slice.bit = bit;
  // A last partial byte is completed by a one, as in every cell.
  if (bits & 7) data[bits >> 3]! |= 0x80 >> (bits & 7);
  return list.add(children.length | (mask << LEVEL_SHIFT), bits, data, 0, children);
}
