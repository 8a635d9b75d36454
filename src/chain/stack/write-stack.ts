import { type Builder, beginCell, type Cell } from '@ton/core';
import { MAX_DEPTH } from '../boc/cell-kind.ts';
import { toCoreCell } from '../boc/core-cell.ts';
import type { SliceEntry, StackEntry } from './stack-entry.ts';
import { inputTooDeep } from './stack-limits.ts';

const MIN_TINY = -(2n ** 63n);
const MAX_TINY = 2n ** 63n - 1n;

/**
 * Writes a VmStack, the form in which lite servers and the emulator take arguments; the last entry is the top of
 * the stack. Arguments and lists nest by one cell each, so the deepest cells there may be bound their number.
 */
export function writeStack(entries: readonly StackEntry[]): Cell {
  const { length } = entries;
  let below: Cell | undefined;
  for (let i = 0; i < length; i++) {
    const rest = below ?? beginCell().endCell();
    const builder = i === length - 1 ? beginCell().storeUint(length, 24) : beginCell();
    below = finish(storeValue(builder.storeRef(rest), entries[i]!, 0));
  }
  return below ?? beginCell().storeUint(0, 24).endCell();
}

/** As `writeStack`, as a bag of cells. */
export function writeStackBoc(entries: readonly StackEntry[]): Buffer {
  return writeStack(entries).toBoc({ idx: false, crc32: false });
}

function storeValue(builder: Builder, entry: StackEntry, depth: number): Builder {
  switch (entry.type) {
    case 'null':
      return builder.storeUint(0, 8);
    case 'int':
      if (entry.value >= MIN_TINY && entry.value <= MAX_TINY)
        return builder.storeUint(1, 8).storeInt(entry.value, 64);
      return builder.storeUint(0x0200 >> 1, 15).storeInt(entry.value, 257);
    case 'nan':
      return builder.storeUint(0x02ff, 16);
    case 'cell':
    case 'builder':
      return builder
        .storeUint(entry.type === 'cell' ? 3 : 5, 8)
        .storeRef(toCoreCell(entry.cells, entry.cell));
    case 'slice':
      return storeSlice(builder, entry);
    case 'tuple':
      return storeItems(builder.storeUint(7, 8).storeUint(entry.items.length, 16), entry.items, depth);
    default:
      throw new TypeError('a continuation cannot be an argument');
  }
}

function storeSlice(builder: Builder, { cells, cell, bit, bitEnd, refAt, refEnd }: SliceEntry): Builder {
  return builder
    .storeUint(4, 8)
    .storeRef(toCoreCell(cells, cell))
    .storeUint(bit, 10)
    .storeUint(bitEnd, 10)
    .storeUint(refAt, 3)
    .storeUint(refEnd, 3);
}

/** A VmTuple: a reference to the items before the last and one to the last; the first two share a cell. */
function storeItems(builder: Builder, items: readonly StackEntry[], depth: number): Builder {
  if (depth > MAX_DEPTH) throw inputTooDeep();
  const cells = items.map((item) => finish(storeValue(beginCell(), item, depth + 1)));
  let before = cells[0];
  for (let i = 1; i < cells.length - 1; i++)
    before = finish(beginCell().storeRef(before!).storeRef(cells[i]!));
  if (cells.length > 1) builder.storeRef(before!);
  return cells.length > 0 ? builder.storeRef(cells.at(-1)!) : builder;
}

function finish(builder: Builder): Cell {
  const cell = builder.endCell();
  if (cell.depth() > MAX_DEPTH) throw inputTooDeep();
  return cell;
}
