import { CellError, type Cells, LEVEL_SHIFT } from './cells.ts';
import { Slice } from './slice.ts';

/** Slots of one cell in `CellList.refs`, used or not. */
export const REFS_PER_CELL = 4;

const MAX_DATA_BYTES = 128;
// Scratch space for the key of one cell; no callback runs while it is in use.
const keyScratch = Buffer.alloc(2 + MAX_DATA_BYTES + REFS_PER_CELL * 4);

/** Below this number of cells a linear search is cheaper than building keys. */
const FEW_CELLS = 24;

/**
 * Cells to be written: each once, children before parents, named by their index in this list. Cells are
 * equal if their data and the indexes of their children are, so no hash is needed to find equal ones.
 */
export class CellList {
  /** The first descriptor byte of each cell: references, exotic or not, level mask. */
  readonly heads: number[] = [];
  readonly bits: number[] = [];
  /** The buffer with the data of each cell, and its first byte there. */
  readonly data: Buffer[] = [];
  readonly starts: number[] = [];
  /** The indexes of the children: four slots per cell. */
  readonly refs: number[] = [];
  readonly #places = new Map<string, number>();

  get count(): number {
    return this.heads.length;
  }

  /** Adds a cell whose children are in the list, unless an equal one is there; returns its index. */
  add(head: number, bits: number, data: Buffer, start: number, children: readonly number[]): number {
    const place = this.count;
    const existing =
      place < FEW_CELLS
        ? this.#find(head, bits, data, start, children)
        : this.#enter(keyOf(head, bits, data, start, children));
    if (existing < place) return existing;
    this.heads.push(head);
    this.bits.push(bits);
    this.data.push(data);
    this.starts.push(start);
    for (let i = 0; i < REFS_PER_CELL; i++) this.refs.push(children[i] ?? 0);
    return place;
  }

  /** The index of an equal cell, or the next free one. */
  #find(head: number, bits: number, data: Buffer, start: number, children: readonly number[]): number {
    const { count } = this;
    let place = 0;
    while (place < count && !this.#isEqual(place, head, bits, data, start, children)) place++;
    return place;
  }

  /** The same by the key of a cell, which is registered for the next index if it is new. */
  #enter(key: string): number {
    for (let place = this.#places.size; place < FEW_CELLS; place++)
      this.#places.set(this.#keyAt(place), place);
    const cached = this.#places.get(key);
    if (cached === undefined) this.#places.set(key, this.count);
    return cached ?? this.count;
  }

  #isEqual(
    place: number,
    head: number,
    bits: number,
    data: Buffer,
    start: number,
    children: readonly number[],
  ): boolean {
    if (this.bits[place] !== bits || this.heads[place] !== head) return false;
    for (let i = 0; i < children.length; i++)
      if (this.refs[place * REFS_PER_CELL + i] !== children[i]) return false;
    const other = this.data[place]!;
    const otherStart = this.starts[place]!;
    for (let i = (bits + 7) >> 3; i > 0; i--)
      if (other[otherStart + i - 1] !== data[start + i - 1]) return false;
    return true;
  }

  #keyAt(place: number): string {
    const first = place * REFS_PER_CELL;
    const head = this.heads[place]!;
    const children = this.refs.slice(first, first + (head & 7));
    return keyOf(head, this.bits[place]!, this.data[place]!, this.starts[place]!, children);
  }
}

/** Everything that distinguishes a cell, as a string for map lookups. */
function keyOf(head: number, bits: number, data: Buffer, start: number, children: readonly number[]): string {
  const dataBytes = (bits + 7) >> 3;
  keyScratch[0] = head;
  keyScratch[1] = dataBytes + (bits >> 3);
  data.copy(keyScratch, 2, start, start + dataBytes);
  let end = 2 + dataBytes;
  for (let i = 0; i < children.length; i++) end = keyScratch.writeUInt32LE(children[i]!, end);
  return keyScratch.toString('latin1', 0, end);
}

/** A source of a bag: cells with everything below them, or the rest of a slice as a separate cell. */
export type BocSource = Slice | { readonly cells: Cells; readonly roots: readonly number[] };

/**
 * Adds the cells of a source to a list, children before parents, and returns the indexes of the roots. References are
 * followed from first to last, or from last to first. Linear work.
 */
export function collectCells(source: BocSource, list: CellList, lastRefsFirst: boolean): number[] {
  const { cells } = source;
  const places = new Map<number, number>();

  // Cells are at most 1024 deep, which bounds the recursion.
  const gather = (cell: number): number => {
    const cached = places.get(cell);
    if (cached !== undefined) return cached;
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
  if (length === 0) throw new CellError('bag of cells needs a root');
  const roots: number[] = [];
  if (lastRefsFirst) for (let i = length - 1; i >= 0; i--) roots[i] = gather(source.roots[i]!);
  else for (const root of source.roots) roots.push(gather(root));
  return roots;
}

/** Adds the rest of a slice as an ordinary cell; the slice is not moved. */
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
