import { type BocSource, CellList, collectCells, REFS_PER_CELL } from './cell-list.ts';
import type { Cells } from './cells.ts';
import { crc32c } from './checksums.ts';
import { tonlibNumbers } from './tonlib-order.ts';

/** Writes a bag of cells in the given order, byte for byte like the program it is named after. Linear work. */
export function writeBoc(source: BocSource, options: WriteBocOptions): Buffer {
  const list = new CellList();
  const roots = collectCells(source, list, options.order === 'core');
  return writeCells(list, roots, options);
}

/** Writes a cell and everything below it in the cheapest form: the order of @ton/core, no checksum. */
export function writeCellBoc(cells: Cells, cell: number): Buffer {
  return writeBoc({ cells, roots: [cell] }, { order: 'core', crc: false });
}

/**
 * The same much faster, for cells of a bag, where equal cells have the same number: it does not search for equal ones. Cells
 * that are equal nevertheless are written twice, which is valid too.
 */
export function writeBagCell(cells: Cells, root: number): Buffer {
  const order: number[] = [];
  const indexes = new Map<number, number>();
  let bytes = 0;
  let refs = 0;
  // Children before parents, the last references first, as @ton/core numbers them from the end.
  const gather = (cell: number): void => {
    const count = cells.refCount(cell);
    for (let i = count - 1; i >= 0; i--) {
      const child = cells.ref(cell, i);
      if (!indexes.has(child)) gather(child);
    }
    indexes.set(cell, order.length);
    order.push(cell);
    bytes += 2 + ((cells.bits[cell]! + 7) >> 3);
    refs += count;
  };
  gather(root);
  const count = order.length;
  const refSize = bytesOf(count);
  const cellBytes = bytes + refs * refSize;
  const offsetSize = bytesOf(cellBytes);
  const out = Buffer.allocUnsafe(6 + 4 * refSize + offsetSize + cellBytes);
  let at = putHeader(out, { flags: 0, refSize, offsetSize, count, cellBytes, roots: FIRST_CELL });
  for (let i = count - 1; i >= 0; i--) {
    const cell = order[i]!;
    const dataBytes = (cells.bits[cell]! + 7) >> 3;
    out[at++] = cells.heads[cell]!;
    out[at++] = dataBytes + (cells.bits[cell]! >> 3);
    const start = cells.starts[cell]!;
    for (let from = start; from < start + dataBytes; from++) out[at++] = cells.bytes[from]!;
    for (let ref = 0; ref < cells.refCount(cell); ref++)
      at = put(out, at, refSize, count - 1 - indexes.get(cells.ref(cell, ref))!);
  }
  return out;
}

const FIRST_CELL = [0];

interface BagHeader {
  readonly flags: number;
  readonly refSize: number;
  readonly offsetSize: number;
  readonly count: number;
  readonly cellBytes: number;
  readonly roots: readonly number[];
}

/** Writes the header of a bag up to its index; returns the offset after it. */
export function putHeader(
  out: Buffer,
  { flags, refSize, offsetSize, count, cellBytes, roots }: BagHeader,
): number {
  let at = out.writeUInt32BE(MAGIC, 0);
  at = put(out, at, 1, flags | refSize);
  at = put(out, at, 1, offsetSize);
  at = put(out, at, refSize, count);
  at = put(out, at, refSize, roots.length);
  at = put(out, at, refSize, 0);
  at = put(out, at, offsetSize, cellBytes);
  for (const root of roots) at = put(out, at, refSize, root);
  return at;
}

interface WriteBocOptions {
  /** The order of the cells: that of @ton/core's `toBoc`, or that of the node and tonlib. */
  readonly order: 'core' | 'tonlib';
  readonly crc?: boolean;
  readonly index?: boolean;
}

const MAGIC = 0xb5ee9c72;
export const INDEX_FLAG = 0x80;
export const CRC_FLAG = 0x40;
const CRC_BYTES = 4;

/**
 * Writes listed cells as a bag. For the exact order of @ton/core they must have been listed with the last references
 * first, for that of tonlib with the first ones first.
 */
export function writeCells(list: CellList, roots: readonly number[], options: WriteBocOptions): Buffer {
  const { order, crc = true, index = false } = options;
  const { count } = list;
  const numbers = order === 'core' ? undefined : tonlibNumbers(list, roots).numbers;
  const positions = new Uint32Array(count);
  const cellAt = new Uint32Array(count);
  for (let cell = 0; cell < count; cell++) {
    const position = count - 1 - (numbers === undefined ? cell : numbers[cell]!);
    positions[cell] = position;
    cellAt[position] = cell;
  }
  const refSize = bytesOf(count);
  let cellBytes = 0;
  for (let cell = 0; cell < count; cell++) cellBytes += sizeOf(list, cell, refSize);
  const offsetSize = bytesOf(cellBytes);
  const headerBytes = 6 + (3 + roots.length) * refSize + offsetSize + (index ? count * offsetSize : 0);
  const crcAt = headerBytes + cellBytes;
  const out = Buffer.allocUnsafe(crcAt + (crc ? CRC_BYTES : 0));

  const flags = (index ? INDEX_FLAG : 0) | (crc ? CRC_FLAG : 0);
  const rootPositions = roots.map((root) => positions[root]!);
  let at = putHeader(out, { flags, refSize, offsetSize, count, cellBytes, roots: rootPositions });
  let end = 0;
  for (let position = 0; index && position < count; position++) {
    end += sizeOf(list, cellAt[position]!, refSize);
    at = put(out, at, offsetSize, end);
  }
  for (let position = 0; position < count; position++)
    at = putCell(out, at, list, cellAt[position]!, positions, refSize);
  if (crc) out.writeUInt32LE(crc32c(out, 0, crcAt), crcAt);
  return out;
}

function putCell(
  out: Buffer,
  start: number,
  { heads, bits, data, starts, refs }: CellList,
  cell: number,
  positions: Uint32Array,
  refSize: number,
): number {
  const head = heads[cell]!;
  const dataBytes = (bits[cell]! + 7) >> 3;
  out[start] = head;
  out[start + 1] = dataBytes + (bits[cell]! >> 3);
  data[cell]!.copy(out, start + 2, starts[cell]!, starts[cell]! + dataBytes);
  let at = start + 2 + dataBytes;
  const first = cell * REFS_PER_CELL;
  for (let ref = first; ref < first + (head & 7); ref++) at = put(out, at, refSize, positions[refs[ref]!]!);
  return at;
}

function sizeOf({ heads, bits }: CellList, cell: number, refSize: number): number {
  return 2 + ((bits[cell]! + 7) >> 3) + (heads[cell]! & 7) * refSize;
}

/** The bytes that hold a number. */
export function bytesOf(value: number): number {
  let bytes = 1;
  for (let limit = 256; value >= limit; limit *= 256) bytes++;
  return bytes;
}

/** Writes a big-endian number of `size` bytes; returns the offset after it. */
export function put(out: Buffer, at: number, size: number, value: number): number {
  let rest = value;
  for (let i = at + size - 1; i >= at; i--) {
    out[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return at + size;
}

/** A cell as tonlib writes it, in base64; empty for -1. */
export function bocText(cells: Cells, cell: number): string {
  return cell < 0 ? '' : restText({ cells, roots: [cell] });
}

/** The same for any source: the rest of a slice is a separate cell. */
export function restText(source: BocSource): string {
  return writeBoc(source, { order: 'tonlib', crc: true }).toString('base64');
}
