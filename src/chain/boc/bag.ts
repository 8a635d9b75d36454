import { crc32c } from '../checksums.ts';
import {
  type CellColumns,
  CellError,
  Cells,
  EXOTIC_BIT,
  HASH_AND_DEPTH_BITS,
  LEVEL_SHIFT,
  LEVELS_IN_MASK,
  LIBRARY_REFERENCE,
  MAX_DEPTH,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  PRUNED_BRANCH,
} from './cells.ts';
import { CellHashes } from './hashes.ts';

/** The cells of one bag, over the bytes it was read from. References always lead to a higher number. */
export class CellBag extends Cells {
  readonly roots: readonly number[];
  #hashes: CellHashes | undefined;

  constructor(columns: CellColumns, roots: readonly number[]) {
    super(columns);
    this.roots = roots;
  }

  /** The only root. */
  get root(): number {
    if (this.roots.length !== 1) throw new CellError(`expected one root cell, found ${this.roots.length}`);
    return this.roots[0]!;
  }

  override hash(cell: number, level = 3): Buffer {
    return this.#computed.hash(cell, level);
  }

  override depth(cell: number, level = 3): number {
    return this.#computed.depth(cell, level);
  }

  override copyHash(cell: number, level: number, target: Buffer, at: number): void {
    this.#computed.copyHash(cell, level, target, at);
  }

  /** Computes the hashes of all cells. */
  hashAll(): void {
    this.#computed.hashAll();
  }

  /** Bytes that the tables of this bag hold, apart from the bytes it was read from. */
  get tableBytes(): number {
    const { heads, starts, bits } = this;
    return heads.byteLength + starts.byteLength + bits.byteLength + (this.#hashes?.bytes ?? 0);
  }

  get #computed(): CellHashes {
    this.#hashes ??= new CellHashes(this);
    return this.#hashes;
  }
}

const STORED_HASHES_BIT = 16;
const STORED_HASH_BYTES = 32 + 2;

/**
 * Reads a bag of cells in any of its forms. Work and memory are in proportion to the bytes given; anything malformed
 * throws a CellFault. Stored hashes and indexes are not believed: hashes are computed, positions are checked. What
 * only hashes can show (a Merkle cell that holds another cell than it says) is found when they are computed.
 */
export function readBoc(input: Uint8Array): CellBag {
  const bytes = Buffer.isBuffer(input)
    ? input
    : Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const header = readBocHeader(bytes);
  const { cellCount: count, refSize, cellsAt, cellsEnd } = header;
  const heads = new Uint8Array(count);
  const starts = new Uint32Array(count);
  const bits = new Uint16Array(count);
  let at = cellsAt;
  for (let cell = 0; cell < count; cell++) {
    if (at + 2 > cellsEnd) throw new CellError('the bag of cells ends inside a cell');
    const head = bytes[at]!;
    const size = bytes[at + 1]!;
    at += 2;
    const refs = head & 7;
    if (refs > 4) throw new CellError(`a cell with ${refs} references, more than 4`);
    if (head & STORED_HASHES_BIT) at += STORED_HASH_BYTES * storedHashes(head >> 5);
    heads[cell] = head & ~STORED_HASHES_BIT;
    starts[cell] = at;
    at += (size + 1) >> 1;
    if (at + refs * refSize > cellsEnd) throw new CellError('the bag of cells ends inside a cell');
    bits[cell] = size & 1 ? partialBits(size, bytes[at - 1]!) : size << 2;
    for (let ref = 0; ref < refs; ref++) {
      let child = 0;
      for (const end = at + refSize; at < end; at++) child = child * 256 + bytes[at]!;
      if (child <= cell) throw new CellError('a reference leads to the cell itself or one before it');
      if (child >= count) throw new CellError('a reference leads to a cell that is not there');
    }
    if (header.indexAt !== undefined && header.endInIndex(cell) !== at - cellsAt)
      throw new CellError('the index of the bag of cells is wrong');
  }
  if (at !== cellsEnd) throw new CellError('the bag of cells has bytes after its last cell');
  const bag = new CellBag({ bytes, refSize, count, heads, starts, bits }, header.roots);
  checkLevels(bag);
  return bag;
}

function storedHashes(mask: number): number {
  return 1 + (mask & 1) + ((mask >> 1) & 1) + (mask >> 2);
}

/** The bits of data whose last byte ends in a one and zeros that do not count. */
function partialBits(size: number, last: number): number {
  if ((last & 0x7f) === 0) throw new CellError('a cell whose last byte holds no bit');
  const unused = 31 - Math.clz32(last & -last);
  return (((size + 1) >> 1) << 3) - 1 - unused;
}

const MAGIC = 0xb5ee9c72;
const MAGIC_INDEXED = 0x68ff65f3;
const MAGIC_INDEXED_CRC = 0xacc3a728;

const CRC_BYTES = 4;
const MIN_CELL_BYTES = 2;

/** Where things are in a bag of cells. */
interface BocHeader {
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
function readBocHeader(bytes: Buffer): BocHeader {
  if (bytes.length < 6) throw new CellError('too short for a bag of cells');
  const magic = bytes.readUInt32BE(0);
  if (magic !== MAGIC && magic !== MAGIC_INDEXED && magic !== MAGIC_INDEXED_CRC)
    throw new CellError('not a bag of cells: unknown first bytes');
  const flags = bytes[4]!;
  const plain = magic === MAGIC;
  if (!plain && flags >> 3) throw new CellError('a bag of cells of an old kind with flags');
  if (flags & 0x18) throw new CellError('a bag of cells with unknown flags');
  const hasIndex = !plain || (flags & 0x80) !== 0;
  const hasCrc = plain ? (flags & 0x40) !== 0 : magic === MAGIC_INDEXED_CRC;
  const hasCacheBits = (flags & 0x20) !== 0;
  if (hasCacheBits && !hasIndex) throw new CellError('a bag of cells with cache bits but no index');
  const refSize = flags & 7;
  if (refSize < 1 || refSize > 4) throw new CellError('a bag of cells with references of a wrong size');
  const offsetSize = bytes[5]!;
  if (offsetSize < 1 || offsetSize > 8) throw new CellError('a bag of cells with offsets of a wrong size');

  const countsAt = 6;
  const rootsAt = countsAt + 3 * refSize + offsetSize;
  if (bytes.length < rootsAt) throw new CellError('the bag of cells ends inside its header');
  const cellCount = readSize(bytes, countsAt, refSize);
  const rootCount = readSize(bytes, countsAt + refSize, refSize);
  const absentCount = readSize(bytes, countsAt + 2 * refSize, refSize);
  const cellBytes = readSize(bytes, countsAt + 3 * refSize, offsetSize);
  if (rootCount < 1) throw new CellError('a bag of cells without a root');
  if (!plain && rootCount !== 1) throw new CellError('a bag of cells of an old kind with several roots');
  if (absentCount !== 0) throw new CellError('a bag of cells with absent cells');
  if (cellCount * MIN_CELL_BYTES > cellBytes)
    throw new CellError('a bag of cells with more cells than bytes');

  const indexAt = rootsAt + (plain ? rootCount * refSize : 0);
  const cellsAt = indexAt + (hasIndex ? cellCount * offsetSize : 0);
  const cellsEnd = cellsAt + cellBytes;
  const total = cellsEnd + (hasCrc ? CRC_BYTES : 0);
  if (bytes.length < total) throw new CellError('the bag of cells is shorter than its header says');
  if (bytes.length > total) throw new CellError('the bag of cells is longer than its header says');
  if (hasCrc && crc32c(bytes, 0, cellsEnd) !== bytes.readUInt32LE(cellsEnd))
    throw new CellError('the checksum of the bag of cells is wrong');

  const roots: number[] = [];
  for (let i = 0; i < rootCount; i++) {
    const root = plain ? readSize(bytes, rootsAt + i * refSize, refSize) : 0;
    if (root >= cellCount) throw new CellError('a root that is not there');
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

/** Checks the form of exotic cells, the level masks, and that no cell is too deep; one pass, children first. */
function checkLevels(cells: Cells): void {
  const { heads, count } = cells;
  const depths = new Uint16Array(count);
  for (let cell = count - 1; cell >= 0; cell--) {
    const head = heads[cell]!;
    const refs = head & 7;
    let below = 0;
    let depth = 0;
    for (let i = 0; i < refs; i++) {
      const child = cells.ref(cell, i);
      below |= heads[child]! >> LEVEL_SHIFT;
      if (depths[child]! >= depth) depth = depths[child]! + 1;
    }
    if (depth > MAX_DEPTH) throw new CellError(`the cells are deeper than ${MAX_DEPTH}`);
    depths[cell] = depth;
    const mask = head & EXOTIC_BIT ? exoticMask(cells, cell, refs, below) : below;
    if (mask !== head >> LEVEL_SHIFT) throw new CellError('the level mask of a cell is wrong');
  }
}

/** The level mask that an exotic cell must have. */
function exoticMask(cells: Cells, cell: number, refs: number, below: number): number {
  const bits = cells.bits[cell]!;
  if (bits < 8) throw new CellError('an exotic cell without a kind');
  const start = cells.starts[cell]!;
  switch (cells.bytes[start]) {
    case PRUNED_BRANCH: {
      const mask = bits < 16 ? 0 : cells.bytes[start + 1]!;
      const fits = mask >= 1 && mask <= 7 && bits === 16 + LEVELS_IN_MASK[mask]! * HASH_AND_DEPTH_BITS;
      if (!fits || refs !== 0) throw new CellError('a pruned branch of a wrong form');
      return mask;
    }
    case LIBRARY_REFERENCE:
      if (bits !== 8 + 256 || refs !== 0) throw new CellError('a library reference of a wrong form');
      return 0;
    case MERKLE_PROOF:
      if (bits !== 8 + HASH_AND_DEPTH_BITS || refs !== 1)
        throw new CellError('a Merkle proof of a wrong form');
      return below >> 1;
    case MERKLE_UPDATE:
      if (bits !== 8 + 2 * HASH_AND_DEPTH_BITS || refs !== 2)
        throw new CellError('a Merkle update of a wrong form');
      return below >> 1;
    default:
      throw new CellError('an exotic cell of an unknown kind');
  }
}
