import { CellBuilder } from '../boc/cell-builder.ts';
import { MAX_DEPTH } from '../boc/cell-kind.ts';
import { CellList, REF_PLACES } from '../boc/cell-list.ts';
import { type Cells, LEVEL_SHIFT } from '../boc/cells.ts';
import { gatherCells } from '../boc/gather-cells.ts';
import { writeCells } from '../boc/write-cells.ts';
import type { SliceEntry, StackEntry } from './stack-entry.ts';
import { inputTooDeep } from './stack-limits.ts';

const MIN_TINY = -(2n ** 63n);
const MAX_TINY = 2n ** 63n - 1n;

/**
 * Writes a VmStack as a bag of cells, the form in which lite servers and the emulator take arguments; the last entry is
 * the top of the stack. Arguments and lists nest by one cell each, so the deepest cells there may be bound their number.
 */
export function writeStackBoc(entries: readonly StackEntry[]): Buffer {
  const writer = new StackWriter();
  const root = writer.addStack(entries);
  return writeCells(writer.list, [root], { order: 'core', crc: false });
}

/** Puts the cells of a stack into a list; no cell is hashed, because nobody asks for it. */
class StackWriter {
  readonly list = new CellList();
  /** By the place of a cell. */
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

  /** A VmTuple: a reference to the items before the last and one to the last; the first two share a cell. */
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
    return gatherCells({ cells, roots: [cell] }, this.list, true)[0]!;
  }

  #add({ data, bitCount, refs }: CellBuilder): number {
    const { list } = this;
    let mask = 0;
    for (const ref of refs) mask |= list.heads[ref]! >> LEVEL_SHIFT;
    // A last partial byte is completed by a one, as in every cell.
    if (bitCount & 7) data[bitCount >> 3]! |= 0x80 >> (bitCount & 7);
    const place = list.add(refs.length | (mask << LEVEL_SHIFT), bitCount, data, 0, refs);
    if (this.#depthOf(place) > MAX_DEPTH) throw inputTooDeep();
    return place;
  }

  #depthOf(place: number): number {
    const { heads, refs } = this.list;
    for (let cell = this.#depths.length; cell <= place; cell++) {
      let depth = 0;
      const first = cell * REF_PLACES;
      for (let at = first; at < first + (heads[cell]! & 7); at++)
        depth = Math.max(depth, this.#depths[refs[at]!]! + 1);
      this.#depths.push(depth);
    }
    return this.#depths[place]!;
  }
}
