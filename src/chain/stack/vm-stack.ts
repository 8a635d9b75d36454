import { readBoc } from '../boc/bag.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellList, collectCells, REFS_PER_CELL } from '../boc/cell-list.ts';
import { CellError, type Cells, LEVEL_SHIFT, MAX_DEPTH } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { writeCells } from '../boc/writer.ts';
import {
  inputTooDeep,
  intEntry,
  MAX_STACK_ENTRIES,
  NAN_ENTRY,
  NULL_ENTRY,
  resultTooLarge,
  type SliceEntry,
  type StackEntry,
  UNSUPPORTED_ENTRY,
} from './entries.ts';

// Lists are stored as pairs: each of their elements comes with a pair, and each list with a null.
const MAX_VALUES = 3 * MAX_STACK_ENTRIES;

/** Reads a VmStack, the form of results of lite servers and the emulator; the top of the stack comes last. */
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

export function readStackBoc(bytes: Uint8Array): StackEntry[] {
  const bag = readBoc(bytes);
  return readStack(bag, bag.root);
}

/** Reads values one after another and counts them, as shared cells can expand to any number of values. */
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
    // A continuation fills the rest of the cell and is not decoded.
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
        throw new CellError('unknown tag of a stack value');
    }
  }

  #readSlice(slice: Slice): StackEntry {
    const cells = this.#cells;
    const cell = slice.ref();
    const [bit, bitEnd] = [slice.uint(10), slice.uint(10)];
    const [refAt, refEnd] = [slice.uint(3), slice.uint(3)];
    if (bit > bitEnd || bitEnd > cells.bits[cell]! || refAt > refEnd || refEnd > cells.refCount(cell))
      throw new CellError('slice is larger than its cell');
    // A slice of an exotic cell: only code that explicitly loads one gets it.
    if (cells.isExotic(cell)) return UNSUPPORTED_ENTRY;
    return { type: 'slice', cells, cell, bit, bitEnd, refAt, refEnd };
  }

  /** A VmTuple: references to the items before the last and to the last; the first two share a cell. */
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
  throw new CellError('unknown tag of a stack value');
}

const MIN_TINY = -(2n ** 63n);
const MAX_TINY = 2n ** 63n - 1n;

/**
 * Writes a VmStack as a bag of cells, the form of arguments for lite servers and the emulator; the last entry is
 * the top of the stack. Each argument and list element nests one cell deeper, so the maximum cell depth bounds their number.
 */
export function writeStackBoc(entries: readonly StackEntry[]): Buffer {
  const writer = new StackWriter();
  const root = writer.addStack(entries);
  return writeCells(writer.list, [root], { order: 'core', crc: false });
}

/** Collects the cells of a stack in a list without hashing them. */
class StackWriter {
  readonly list = new CellList();
  readonly #depths: number[] = [];

  addStack(entries: readonly StackEntry[]): number {
    const { length } = entries;
    if (length === 0) return this.#add(new CellBuilder().uint(0, 24));
    let below = this.#add(new CellBuilder());
    for (let i = 0; i < length; i++) {
      const builder = new CellBuilder();
      if (i === length - 1) builder.uint(length, 24);
      below = this.#add(this.#value(builder.ref(below), entries[i]!, 0));
    }
    return below;
  }

  #value(builder: CellBuilder, entry: StackEntry, depth: number): CellBuilder {
    switch (entry.type) {
      case 'null':
        return builder.uint(0, 8);
      case 'int':
        if (entry.value >= MIN_TINY && entry.value <= MAX_TINY) return builder.uint(1, 8).int64(entry.value);
        return builder.uint(0x0200 >> 1, 15).bigInt(entry.value, 257);
      case 'nan':
        return builder.uint(0x02ff, 16);
      case 'cell':
      case 'builder':
        return builder.uint(entry.type === 'cell' ? 3 : 5, 8).ref(this.#copy(entry.cells, entry.cell));
      case 'slice':
        return this.#slice(builder, entry);
      case 'tuple':
        return this.#items(builder.uint(7, 8).uint(entry.items.length, 16), entry.items, depth);
      default:
        throw new TypeError('a continuation cannot be an argument');
    }
  }

  #slice(builder: CellBuilder, { cells, cell, bit, bitEnd, refAt, refEnd }: SliceEntry): CellBuilder {
    builder.uint(4, 8).ref(this.#copy(cells, cell));
    return builder.uint(bit, 10).uint(bitEnd, 10).uint(refAt, 3).uint(refEnd, 3);
  }

  /** A VmTuple: references to the items before the last and to the last; the first two share a cell. */
  #items(builder: CellBuilder, items: readonly StackEntry[], depth: number): CellBuilder {
    if (depth > MAX_DEPTH) throw inputTooDeep();
    const cells = items.map((item) => this.#add(this.#value(new CellBuilder(), item, depth + 1)));
    let before = cells[0];
    for (let i = 1; i < cells.length - 1; i++)
      before = this.#add(new CellBuilder().ref(before!).ref(cells[i]!));
    if (cells.length > 1) builder.ref(before!);
    return cells.length > 0 ? builder.ref(cells.at(-1)!) : builder;
  }

  #copy(cells: Cells, cell: number): number {
    return collectCells({ cells, roots: [cell] }, this.list, true)[0]!;
  }

  #add({ data, bitCount, refs }: CellBuilder): number {
    const { list } = this;
    let mask = 0;
    for (const ref of refs) mask |= list.heads[ref]! >> LEVEL_SHIFT;
    // A partial last byte is completed by a one, as in every cell.
    if (bitCount & 7) data[bitCount >> 3]! |= 0x80 >> (bitCount & 7);
    const place = list.add(refs.length | (mask << LEVEL_SHIFT), bitCount, data, 0, refs);
    if (this.#depthOf(place) > MAX_DEPTH) throw inputTooDeep();
    return place;
  }

  #depthOf(place: number): number {
    const { heads, refs } = this.list;
    for (let cell = this.#depths.length; cell <= place; cell++) {
      let depth = 0;
      const first = cell * REFS_PER_CELL;
      for (let at = first; at < first + (heads[cell]! & 7); at++)
        depth = Math.max(depth, this.#depths[refs[at]!]! + 1);
      this.#depths.push(depth);
    }
    return this.#depths[place]!;
  }
}
