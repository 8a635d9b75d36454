import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { readBoc } from '../boc/read-boc.ts';
import { Slice } from '../boc/slice.ts';
import { intEntry, NAN_ENTRY, NULL_ENTRY, type StackEntry, UNSUPPORTED_ENTRY } from './stack-entry.ts';
import { MAX_STACK_ENTRIES, resultTooLarge } from './stack-limits.ts';

// Lists are stored as pairs: each of their elements comes with a pair, and each list with a null.
const MAX_VALUES = 3 * MAX_STACK_ENTRIES;

/** Reads a VmStack, the form in which lite servers and the emulator give results; the top of the stack comes last. */
export function readStack(cells: Cells, root: number): StackEntry[] {
  const slice = new Slice(cells, root);
  const depth = slice.uint(24);
  const entries: StackEntry[] = [];
  const reader = new ValueReader(cells);
  for (let left = depth; left > 0; left--) {
    const rest = slice.ref();
    entries.push(reader.read(slice));
    slice.open(rest);
  }
  slice.end();
  return entries.reverse();
}

/** As `readStack`, from a bag of cells. */
export function readStackBoc(bytes: Uint8Array): StackEntry[] {
  const bag = readBoc(bytes);
  return readStack(bag, bag.root);
}

/** Reads values one after another. Shared cells can stand for any number of values, so it counts them. */
class ValueReader {
  readonly #cells: Cells;
  #left = MAX_VALUES;

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  /** A VmStackValue up to the end of the cell. Every tuple takes a cell, and cells are at most 1024 deep. */
  read(slice: Slice): StackEntry {
    if (this.#left-- === 0) throw resultTooLarge();
    const tag = slice.uint(8);
    // What a continuation holds goes up to the end of the cell, and nobody looks at it.
    if (tag === 6) return UNSUPPORTED_ENTRY;
    const entry = this.#readContent(tag, slice);
    slice.end();
    return entry;
  }

  #readContent(tag: number, slice: Slice): StackEntry {
    const cells = this.#cells;
    switch (tag) {
      case 0:
        return NULL_ENTRY;
      case 1:
        return intEntry(slice.int64());
      case 2:
        return readInt(slice);
      case 3:
        return { type: 'cell', cells, cell: slice.ref() };
      case 4:
        return this.#readSlice(slice);
      case 5:
        return { type: 'builder', cells, cell: slice.ref() };
      case 7:
        return { type: 'tuple', items: this.#readItems(slice, slice.uint(16)) };
      default:
        throw new CellFault('a stack value of an unknown kind');
    }
  }

  #readSlice(slice: Slice): StackEntry {
    const cells = this.#cells;
    const cell = slice.ref();
    const [bit, bitEnd] = [slice.uint(10), slice.uint(10)];
    const [refAt, refEnd] = [slice.uint(3), slice.uint(3)];
    if (bit > bitEnd || bitEnd > cells.bits[cell]! || refAt > refEnd || refEnd > cells.refCount(cell))
      throw new CellFault('a slice that is larger than its cell');
    // Only code that asks for it can have the bits of an exotic cell on the stack.
    if (cells.isExotic(cell)) return UNSUPPORTED_ENTRY;
    return { type: 'slice', cells, cell, bit, bitEnd, refAt, refEnd };
  }

  /** A VmTuple: a reference to the items before the last and one to the last; the first two share a cell. */
  #readItems(slice: Slice, count: number): StackEntry[] {
    if (count > this.#left) throw resultTooLarge();
    const items = new Array<StackEntry>(count);
    let from = slice;
    for (let i = count - 1; i > 1; i--) {
      const before = from.ref();
      items[i] = this.read(from.refSlice());
      if (from !== slice) from.end();
      from = from === slice ? new Slice(this.#cells, before) : from.open(before);
    }
    for (let i = 0; i < Math.min(count, 2); i++) items[i] = this.read(from.refSlice());
    if (from !== slice) from.end();
    return items;
  }
}

/** vm_stk_int or vm_stk_nan, after the byte that they share. */
function readInt(slice: Slice): StackEntry {
  const kind = slice.uint(7);
  if (kind === 0) return intEntry(slice.bigInt(257));
  if (kind === 0x7f && slice.boolean()) return NAN_ENTRY;
  throw new CellFault('a stack value of an unknown kind');
}
