import { indexedEnd, readBagHeader } from './bag-header.ts';
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
import { crc32c } from './checksums.ts';
import { CellHashes } from './hashes.ts';

/** The cells of one bag, over the bytes it was read from. References always point to higher numbers. */
export class CellBag extends Cells {
  readonly roots: readonly number[];
  #hashes: CellHashes | undefined;

  constructor(columns: CellColumns, roots: readonly number[]) {
    super(columns);
    this.roots = roots;
  }

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

  hashAll(): void {
    this.#computed.hashAll();
  }

  /** Hashes a cell and what is below it now, if many of these hashes will be asked for and that is cheaper. */
  hashAhead(cell: number): void {
    this.#computed.hashAhead(cell);
  }

  /** Memory of the tables of this bag in bytes, without the bytes it was read from. */
  get tableBytes(): number {
    const { heads, starts, bits } = this;
    return heads.byteLength + starts.byteLength + bits.byteLength + (this.#hashes?.bytes ?? 0);
  }

  get #computed(): CellHashes {
    this.#hashes ??= new CellHashes(this);
    return this.#hashes;
  }
}

export const STORED_HASHES_BIT = 16;
const STORED_HASH_BYTES = 32 + 2;

/**
 * Reads a bag of cells in any of its formats. Work and memory are proportional to the input; anything malformed
 * throws a CellError. Stored hashes and indexes are not trusted: hashes are computed, positions are checked. What
 * only hashes can show (a Merkle cell with the wrong child) is found when they are computed.
 */
export function readBoc(input: Uint8Array): CellBag {
  const bytes = Buffer.isBuffer(input)
    ? input
    : Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const header = readBagHeader(bytes, bytes.length);
  const { cellCount: count, refSize, cellsAt, cellsEnd } = header;
  if (header.hasCrc && crc32c(bytes, 0, cellsEnd) !== bytes.readUInt32LE(cellsEnd))
    throw new CellError('bag of cells has a wrong checksum');
  const heads = new Uint8Array(count);
  const starts = new Uint32Array(count);
  const bits = new Uint16Array(count);
  let at = cellsAt;
  for (let cell = 0; cell < count; cell++) {
    if (at + 2 > cellsEnd) throw new CellError('bag of cells ends inside a cell');
    const head = bytes[at]!;
    const size = bytes[at + 1]!;
    at += 2;
    const refs = head & 7;
    if (refs > 4) throw new CellError(`cell with ${refs} references, more than 4`);
    if (head & STORED_HASHES_BIT) at += storedHashBytes(head);
    heads[cell] = head & ~STORED_HASHES_BIT;
    starts[cell] = at;
    at += (size + 1) >> 1;
    if (at + refs * refSize > cellsEnd) throw new CellError('bag of cells ends inside a cell');
    bits[cell] = size & 1 ? partialBits(size, bytes[at - 1]!) : size << 2;
    for (let ref = 0; ref < refs; ref++) {
      let child = 0;
      for (const end = at + refSize; at < end; at++) child = child * 256 + bytes[at]!;
      if (child <= cell) throw new CellError('cell reference does not point forward');
      if (child >= count) throw new CellError('cell reference out of range');
    }
    if (
      header.hasIndex &&
      indexedEnd(header, bytes, header.indexAt + cell * header.offsetSize) !== at - cellsAt
    )
      throw new CellError('bag of cells has a wrong index');
  }
  if (at !== cellsEnd) throw new CellError('bag of cells has bytes after its last cell');
  const bag = new CellBag({ bytes, refSize, count, heads, starts, bits }, header.roots);
  checkLevels(bag);
  return bag;
}

/** The bytes of the hashes and depths that a cell stores before its data, by its first byte. */
export function storedHashBytes(head: number): number {
  return STORED_HASH_BYTES * (1 + LEVELS_IN_MASK[head >> LEVEL_SHIFT]!);
}

/** The number of data bits where the last byte is completed by a one and zeros. */
export function partialBits(size: number, last: number): number {
  if ((last & 0x7f) === 0) throw new CellError('last byte of a cell holds no data bit');
  const unused = 31 - Math.clz32(last & -last);
  return (((size + 1) >> 1) << 3) - 1 - unused;
}

/** Checks the layout of exotic cells, level masks and depths in one pass, children first. */
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
    if (depth > MAX_DEPTH) throw new CellError(`cells are deeper than ${MAX_DEPTH}`);
    depths[cell] = depth;
    const mask =
      head & EXOTIC_BIT
        ? exoticMask(cells.bytes, cells.starts[cell]!, cells.bits[cell]!, refs, below)
        : below;
    if (mask !== head >> LEVEL_SHIFT) throw new CellError('cell has a wrong level mask');
  }
}

/** The level mask that an exotic cell must have; `start` is where its data begin, `below` the mask of its children. */
export function exoticMask(bytes: Buffer, start: number, bits: number, refs: number, below: number): number {
  if (bits < 8) throw new CellError('exotic cell without a type');
  switch (bytes[start]) {
    case PRUNED_BRANCH: {
      const mask = bits < 16 ? 0 : bytes[start + 1]!;
      const fits = mask >= 1 && mask <= 7 && bits === 16 + LEVELS_IN_MASK[mask]! * HASH_AND_DEPTH_BITS;
      if (!fits || refs !== 0) throw new CellError('malformed pruned branch');
      return mask;
    }
    case LIBRARY_REFERENCE:
      if (bits !== 8 + 256 || refs !== 0) throw new CellError('malformed library reference');
      return 0;
    case MERKLE_PROOF:
      if (bits !== 8 + HASH_AND_DEPTH_BITS || refs !== 1) throw new CellError('malformed Merkle proof');
      return below >> 1;
    case MERKLE_UPDATE:
      if (bits !== 8 + 2 * HASH_AND_DEPTH_BITS || refs !== 2) throw new CellError('malformed Merkle update');
      return below >> 1;
    default:
      throw new CellError('exotic cell of an unknown type');
  }
}
