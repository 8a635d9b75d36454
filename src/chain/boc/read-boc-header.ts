import { CellFault } from './cell-fault.ts';
import { crc32c } from './crc32c.ts';

const MAGIC = 0xb5ee9c72;
const MAGIC_INDEXED = 0x68ff65f3;
const MAGIC_INDEXED_CRC = 0xacc3a728;

const CRC_BYTES = 4;
const MIN_CELL_BYTES = 2;

/** Where things are in a bag of cells. */
export interface BocHeader {
  readonly refSize: number;
  readonly cellCount: number;
  readonly roots: readonly number[];
  readonly cellsAt: number;
  readonly cellsEnd: number;
  /** Where the index starts, if there is one. */
  readonly indexAt: number | undefined;
  /** What the index says about the end of a cell, counted from the first cell. */
  endInIndex(cell: number): number;
}

/** Reads the header of a bag of cells and checks its sums, its sizes and its checksum. */
export function readBocHeader(bytes: Buffer): BocHeader {
  if (bytes.length < 6) throw new CellFault('too short for a bag of cells');
  const magic = bytes.readUInt32BE(0);
  if (magic !== MAGIC && magic !== MAGIC_INDEXED && magic !== MAGIC_INDEXED_CRC)
    throw new CellFault('not a bag of cells: unknown first bytes');
  const flags = bytes[4]!;
  const plain = magic === MAGIC;
  if (!plain && flags >> 3) throw new CellFault('a bag of cells of an old kind with flags');
  if (flags & 0x18) throw new CellFault('a bag of cells with unknown flags');
  const hasIndex = !plain || (flags & 0x80) !== 0;
  const hasCrc = plain ? (flags & 0x40) !== 0 : magic === MAGIC_INDEXED_CRC;
  const hasCacheBits = (flags & 0x20) !== 0;
  if (hasCacheBits && !hasIndex) throw new CellFault('a bag of cells with cache bits but no index');
  const refSize = flags & 7;
  if (refSize < 1 || refSize > 4) throw new CellFault('a bag of cells with references of a wrong size');
  const offsetSize = bytes[5]!;
  if (offsetSize < 1 || offsetSize > 8) throw new CellFault('a bag of cells with offsets of a wrong size');

  const countsAt = 6;
  const rootsAt = countsAt + 3 * refSize + offsetSize;
  if (bytes.length < rootsAt) throw new CellFault('the bag of cells ends inside its header');
  const cellCount = readSize(bytes, countsAt, refSize);
  const rootCount = readSize(bytes, countsAt + refSize, refSize);
  const absentCount = readSize(bytes, countsAt + 2 * refSize, refSize);
  const cellBytes = readSize(bytes, countsAt + 3 * refSize, offsetSize);
  if (rootCount < 1) throw new CellFault('a bag of cells without a root');
  if (!plain && rootCount !== 1) throw new CellFault('a bag of cells of an old kind with several roots');
  if (absentCount !== 0) throw new CellFault('a bag of cells with absent cells');
  if (cellCount * MIN_CELL_BYTES > cellBytes)
    throw new CellFault('a bag of cells with more cells than bytes');

  const indexAt = rootsAt + (plain ? rootCount * refSize : 0);
  const cellsAt = indexAt + (hasIndex ? cellCount * offsetSize : 0);
  const cellsEnd = cellsAt + cellBytes;
  const total = cellsEnd + (hasCrc ? CRC_BYTES : 0);
  if (bytes.length < total) throw new CellFault('the bag of cells is shorter than its header says');
  if (bytes.length > total) throw new CellFault('the bag of cells is longer than its header says');
  if (hasCrc && crc32c(bytes, 0, cellsEnd) !== bytes.readUInt32LE(cellsEnd))
    throw new CellFault('the checksum of the bag of cells is wrong');

  const roots: number[] = [];
  for (let i = 0; i < rootCount; i++) {
    const root = plain ? readSize(bytes, rootsAt + i * refSize, refSize) : 0;
    if (root >= cellCount) throw new CellFault('a root that is not there');
    roots.push(root);
  }
  return {
    refSize,
    cellCount,
    roots,
    cellsAt,
    cellsEnd,
    indexAt: hasIndex ? indexAt : undefined,
    endInIndex(cell) {
      const entry = readSize(bytes, indexAt + cell * offsetSize, offsetSize);
      return hasCacheBits ? Math.floor(entry / 2) : entry;
    },
  };
}

/** A big-endian number; sizes beyond 2^53 lose digits, which only makes them as absurd as they were. */
function readSize(bytes: Buffer, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + bytes[at + i]!;
  return value;
}
