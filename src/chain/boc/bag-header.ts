import { CellError } from './cells.ts';

// serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) size:(## 3)
//   off_bytes:(## 8) cells:(##(size * 8)) roots:(##(size * 8)) absent:(##(size * 8)) tot_cells_size:(##(off_bytes * 8))
//   root_list:(roots * ##(size * 8)) index:has_idx?(cells * ##(off_bytes * 8)) cell_data:(tot_cells_size * [ uint8 ])
//   crc32c:has_crc32c?uint32 = BagOfCells;

const MAGIC = 0xb5ee9c72;
const MAGIC_INDEXED = 0x68ff65f3;
const MAGIC_INDEXED_CRC = 0xacc3a728;

const CRC_BYTES = 4;
const MIN_CELL_BYTES = 2;

/** Where the parts of a bag of cells are. */
export type BagHeader = Readonly<ReturnType<typeof readBagHeader>>;

/**
 * Reads the header of a bag of cells of `size` bytes, of which `bytes` may be only the first ones, and checks its
 * counts and sizes.
 */
export function readBagHeader(bytes: Buffer, size: number) {
  if (bytes.length < 6) throw new CellError('too short for a bag of cells');
  const magic = bytes.readUInt32BE(0);
  if (magic !== MAGIC && magic !== MAGIC_INDEXED && magic !== MAGIC_INDEXED_CRC)
    throw new CellError('not a bag of cells: unknown magic number');
  const flags = bytes[4]!;
  const plain = magic === MAGIC;
  if (!plain && flags >> 3) throw new CellError('bag of cells in a legacy format has flags');
  if (flags & 0x18) throw new CellError('bag of cells has unknown flags');
  const hasIndex = !plain || (flags & 0x80) !== 0;
  const hasCrc = plain ? (flags & 0x40) !== 0 : magic === MAGIC_INDEXED_CRC;
  const hasCacheBits = (flags & 0x20) !== 0;
  if (hasCacheBits && !hasIndex) throw new CellError('bag of cells has cache bits but no index');
  const refSize = flags & 7;
  if (refSize < 1 || refSize > 4) throw new CellError('bag of cells has an invalid reference size');
  const offsetSize = bytes[5]!;
  if (offsetSize < 1 || offsetSize > 8) throw new CellError('bag of cells has an invalid offset size');

  const countsAt = 6;
  const rootsAt = countsAt + 3 * refSize + offsetSize;
  if (bytes.length < rootsAt) throw new CellError('bag of cells ends inside its header');
  const cellCount = readSize(bytes, countsAt, refSize);
  const rootCount = readSize(bytes, countsAt + refSize, refSize);
  const absentCount = readSize(bytes, countsAt + 2 * refSize, refSize);
  const cellBytes = readSize(bytes, countsAt + 3 * refSize, offsetSize);
  if (rootCount < 1) throw new CellError('bag of cells has no root');
  if (!plain && rootCount !== 1) throw new CellError('bag of cells in a legacy format has several roots');
  if (absentCount !== 0) throw new CellError('bag of cells has absent cells');
  if (cellCount * MIN_CELL_BYTES > cellBytes)
    throw new CellError('bag of cells has more cells than fit into its bytes');

  const indexAt = rootsAt + (plain ? rootCount * refSize : 0);
  const cellsAt = indexAt + (hasIndex ? cellCount * offsetSize : 0);
  const cellsEnd = cellsAt + cellBytes;
  const total = cellsEnd + (hasCrc ? CRC_BYTES : 0);
  if (size < total) throw new CellError('bag of cells is shorter than its header says');
  if (size > total) throw new CellError('bag of cells is longer than its header says');
  if (bytes.length < indexAt) throw new CellError('bag of cells has too many roots');

  const roots: number[] = [];
  for (let i = 0; i < rootCount; i++) {
    const root = plain ? readSize(bytes, rootsAt + i * refSize, refSize) : 0;
    if (root >= cellCount) throw new CellError('root index out of range');
    roots.push(root);
  }
  return {
    refSize,
    offsetSize,
    cellCount,
    roots,
    hasIndex,
    hasCrc,
    hasCacheBits,
    indexAt,
    cellsAt,
    cellsEnd,
  };
}

/** The end of a cell, counted from the first one, according to the entry of the index at `at`. */
export function indexedEnd(
  { offsetSize, hasCacheBits }: Pick<BagHeader, 'offsetSize' | 'hasCacheBits'>,
  bytes: Buffer,
  at: number,
): number {
  const entry = readSize(bytes, at, offsetSize);
  return hasCacheBits ? Math.floor(entry / 2) : entry;
}

/** A big-endian number. Beyond 2^53 it is inexact, but such sizes are rejected anyway. */
export function readSize(bytes: Buffer, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + bytes[at + i]!;
  return value;
}
