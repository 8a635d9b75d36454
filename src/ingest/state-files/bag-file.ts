import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { partialBits, STORED_HASHES_BIT, storedHashBytes } from '../../chain/boc/bag.ts';
import { type BagHeader, indexedEnd, readBagHeader, readSize } from '../../chain/boc/bag-header.ts';
import { CellError } from '../../chain/boc/cells.ts';
import { crc32c } from '../../chain/boc/checksums.ts';
import { PagedFile } from './paged-file.ts';
import { StateFileError } from './state-file-error.ts';

const HEADER_BYTES = 64;
const DESCRIPTOR_BYTES = 2;
/** Descriptors, stored hashes of four levels, data, four references. */
const MAX_CELL_BYTES = DESCRIPTOR_BYTES + 4 * 34 + 128 + 4 * 4;
const PAGE_BYTES = 64 * 1024;
const DATA_CACHE_BYTES = 96 * 2 ** 20;
const INDEX_CACHE_BYTES = 16 * 2 ** 20;
/** A bag without an index is read whole to find its cells: zero states and other small ones. */
const MAX_BYTES_WITHOUT_INDEX = 64 * 2 ** 20;
const CHECKSUM_BYTES = 4 * 2 ** 20;

/**
 * A bag of cells in a file of any size, read cell by cell through its index. A cell is loaded into `cell`; what was loaded
 * before is gone then. Malformed bags throw a StateFileError.
 */
export class BagFile {
  readonly path: string;
  readonly header: BagHeader;
  readonly root: number;
  readonly count: number;
  readonly size: number;
  /** The bytes of the loaded cell. */
  readonly cell = Buffer.alloc(MAX_CELL_BYTES);
  /** Its first descriptor byte without the flag of stored hashes. */
  head = 0;
  bits = 0;
  refs = 0;
  /** Where its stored hashes, data and references begin in `cell`; without stored hashes the first is `dataAt`. */
  storedAt = 0;
  dataAt = 0;
  refsAt = 0;
  /** The offset of the loaded cell in the file. */
  at = 0;
  readonly #fd: number;
  readonly #data: PagedFile;
  readonly #index: PagedFile | undefined;
  /** The ends of the cells of a bag without an index. */
  readonly #ends: Float64Array | undefined;
  readonly #entry = Buffer.alloc(8);

  constructor(path: string) {
    this.path = path;
    this.#fd = openFile(path);
    try {
      const { size } = fstatSync(this.#fd);
      this.size = size;
      this.header = this.#readHeader(size);
      const { roots, cellCount } = this.header;
      if (roots.length !== 1) throw this.fault(`expected one root cell, found ${roots.length}`, 0);
      this.root = roots[0]!;
      this.count = cellCount;
      this.#data = this.#pages(size, DATA_CACHE_BYTES);
      if (this.header.hasIndex) this.#index = this.#pages(this.header.cellsAt, INDEX_CACHE_BYTES);
      else this.#ends = this.#findEnds();
      if (this.#end(cellCount - 1) !== this.header.cellsEnd - this.header.cellsAt)
        throw this.fault('bag of cells has a wrong index', this.header.indexAt);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Loads a cell and checks its sizes and references. */
  load(cell: number): void {
    const { cellsAt, cellsEnd, refSize } = this.header;
    const from = cellsAt + (cell === 0 ? 0 : this.#end(cell - 1));
    const to = cellsAt + this.#end(cell);
    this.at = from;
    const length = to - from;
    if (!(length >= DESCRIPTOR_BYTES && length <= MAX_CELL_BYTES && to <= cellsEnd))
      throw this.fault('bag of cells has a wrong index', from);
    const bytes = this.cell;
    this.#data.copy(from, length, bytes);
    if (this.#parse(length) !== length) throw this.fault('bag of cells has a wrong index', from);
    for (let ref = 0; ref < this.refs; ref++) {
      const child = readSize(bytes, this.refsAt + ref * refSize, refSize);
      if (child <= cell) throw this.fault('cell reference does not point forward', from);
      if (child >= this.count) throw this.fault('cell reference out of range', from);
    }
  }

  /** The number of a cell that the loaded one refers to. */
  ref(index: number): number {
    const { refSize } = this.header;
    return readSize(this.cell, this.refsAt + index * refSize, refSize);
  }

  /** Compares the checksum of a bag that has one; it covers what no hash does. */
  async checkSum(signal?: AbortSignal): Promise<void> {
    const { hasCrc, cellsEnd } = this.header;
    if (!hasCrc) return;
    const piece = Buffer.allocUnsafeSlow(CHECKSUM_BYTES);
    let crc = 0;
    for (let at = 0; at < cellsEnd; ) {
      const got = readSync(this.#fd, piece, 0, Math.min(CHECKSUM_BYTES, cellsEnd - at), at);
      if (got === 0) throw this.fault('the file became shorter while it was read', at);
      crc = crc32c(piece, 0, got, crc);
      at += got;
      await setImmediate();
      signal?.throwIfAborted();
    }
    readSync(this.#fd, piece, 0, 4, cellsEnd);
    if (piece.readUInt32LE(0) !== crc) throw this.fault('bag of cells has a wrong checksum');
  }

  fault(reason: string, at?: number): StateFileError {
    return new StateFileError(this.path, reason, at);
  }

  #pages(size: number, cacheBytes: number): PagedFile {
    const pages = Math.ceil(size / PAGE_BYTES);
    return new PagedFile({ fd: this.#fd, pageBytes: PAGE_BYTES, pages, cacheBytes, isNew: false });
  }

  #readHeader(size: number): BagHeader {
    const bytes = Buffer.alloc(HEADER_BYTES);
    const got = readSync(this.#fd, bytes, 0, HEADER_BYTES, 0);
    try {
      return readBagHeader(bytes.subarray(0, got), size);
    } catch (error) {
      throw error instanceof CellError ? this.fault(error.message, 0) : error;
    }
  }

  /** The end of a cell, counted from the first one. */
  #end(cell: number): number {
    if (this.#ends !== undefined) return this.#ends[cell]!;
    const { indexAt, offsetSize } = this.header;
    this.#index!.copy(indexAt + cell * offsetSize, offsetSize, this.#entry);
    return indexedEnd(this.header, this.#entry, 0);
  }

  /** Reads the sizes of the cell whose first `length` bytes are in `cell`; returns its length. */
  #parse(length: number): number {
    const bytes = this.cell;
    const head = bytes[0]!;
    const size = bytes[1]!;
    const refs = head & 7;
    if (refs > 4) throw this.fault(`cell with ${refs} references, more than 4`, this.at);
    const stored = head & STORED_HASHES_BIT ? storedHashBytes(head) : 0;
    const dataEnd = DESCRIPTOR_BYTES + stored + ((size + 1) >> 1);
    if (dataEnd > length) throw this.fault('bag of cells ends inside a cell', this.at);
    this.head = head & ~STORED_HASHES_BIT;
    this.refs = refs;
    this.storedAt = DESCRIPTOR_BYTES;
    this.dataAt = DESCRIPTOR_BYTES + stored;
    this.refsAt = dataEnd;
    this.bits = size & 1 ? this.#partialBits(size, bytes[dataEnd - 1]!) : size << 2;
    return dataEnd + refs * this.header.refSize;
  }

  #partialBits(size: number, last: number): number {
    try {
      return partialBits(size, last);
    } catch (error) {
      throw error instanceof CellError ? this.fault(error.message, this.at) : error;
    }
  }

  #findEnds(): Float64Array {
    const { cellCount, cellsAt, cellsEnd } = this.header;
    if (this.size > MAX_BYTES_WITHOUT_INDEX)
      throw this.fault('bag of cells is too large to be read without an index', 0);
    const ends = new Float64Array(cellCount);
    let at = cellsAt;
    for (let cell = 0; cell < cellCount; cell++) {
      this.at = at;
      const length = Math.min(MAX_CELL_BYTES, cellsEnd - at);
      if (length < DESCRIPTOR_BYTES) throw this.fault('bag of cells ends inside a cell', at);
      this.#data.copy(at, length, this.cell);
      at += this.#parse(length);
      if (at > cellsEnd) throw this.fault('bag of cells ends inside a cell', this.at);
      ends[cell] = at - cellsAt;
    }
    if (at !== cellsEnd) throw this.fault('bag of cells has bytes after its last cell', at);
    return ends;
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StateFileError(path, code === 'ENOENT' ? 'the file is missing' : message);
  }
}
