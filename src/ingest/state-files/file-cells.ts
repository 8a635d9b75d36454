import { Cells, PrunedCellError } from '../../chain/boc/cells.ts';
import type { BagFile } from './bag-file.ts';
import type { HashFile } from './hash-file.ts';

const FIRST_ROWS = 1024;
const FIRST_BYTES = 64 * 1024;
const HASH_BYTES = 32;

/**
 * A small table of the cells of a bag in a file: a cell comes in when something refers to it, so that readers of cells
 * load what they read and no more. `open` starts the table anew; numbers of cells and slices from before are invalid then.
 */
export class FileCells extends Cells {
  readonly #bag: BagFile;
  readonly #hashes: HashFile;
  /** The number of each row in the bag, and back. */
  #numbers = new Float64Array(FIRST_ROWS);
  readonly #rows = new Map<number, number>();
  #bytesUsed = 0;

  constructor(bag: BagFile, hashes: HashFile) {
    super({
      bytes: Buffer.allocUnsafeSlow(FIRST_BYTES),
      refSize: bag.header.refSize,
      count: 0,
      heads: new Uint8Array(FIRST_ROWS),
      starts: new Uint32Array(FIRST_ROWS),
      bits: new Uint16Array(FIRST_ROWS),
    });
    this.#bag = bag;
    this.#hashes = hashes;
  }

  /** Empties the table and loads a cell by its number in the bag; returns its row. */
  open(number: number): number {
    this.count = 0;
    this.#bytesUsed = 0;
    this.#rows.clear();
    return this.#row(number);
  }

  /** The number in the bag of a cell that a row refers to, without loading it. */
  refNumber(cell: number, index: number): number {
    return super.ref(cell, index);
  }

  /** The number of a row in the bag. */
  numberOf(cell: number): number {
    return this.#numbers[cell]!;
  }

  override ref(cell: number, index: number): number {
    return this.#row(super.ref(cell, index));
  }

  override hash(cell: number, level = 3): Buffer {
    const hash = Buffer.allocUnsafe(HASH_BYTES);
    this.#hashes.copyHash(this.#numbers[cell]!, level, hash, 0);
    return hash;
  }

  override depth(cell: number, level = 3): number {
    return this.#hashes.depth(this.#numbers[cell]!, level);
  }

  override copyHash(cell: number, level: number, target: Buffer, at: number): void {
    this.#hashes.copyHash(this.#numbers[cell]!, level, target, at);
  }

  /** An error about a cell, with its place in the file. */
  fault(cell: number, error: Error) {
    this.#bag.load(this.#numbers[cell]!);
    const reason = error instanceof PrunedCellError ? 'a cell is cut off that must be there' : error.message;
    return this.#bag.fault(reason, this.#bag.at);
  }

  #row(number: number): number {
    const known = this.#rows.get(number);
    if (known !== undefined) return known;
    const bag = this.#bag;
    bag.load(number);
    const row = this.count;
    if (row === this.heads.length) this.#growRows(row * 2);
    const length = bag.refsAt - bag.dataAt + bag.refs * this.refSize;
    const start = this.#bytesUsed;
    if (start + length > this.bytes.length) this.#growBytes();
    for (let i = 0; i < length; i++) this.bytes[start + i] = bag.cell[bag.dataAt + i]!;
    this.#bytesUsed = start + length;
    this.heads[row] = bag.head;
    this.starts[row] = start;
    this.bits[row] = bag.bits;
    this.#numbers[row] = number;
    this.#rows.set(number, row);
    this.count = row + 1;
    return row;
  }

  #growRows(rows: number): void {
    this.heads = grown(this.heads, new Uint8Array(rows));
    this.starts = grown(this.starts, new Uint32Array(rows));
    this.bits = grown(this.bits, new Uint16Array(rows));
    this.#numbers = grown(this.#numbers, new Float64Array(rows));
  }

  // Slices and lists of cells keep the old bytes, whose rows do not change.
  #growBytes(): void {
    const bytes = Buffer.allocUnsafeSlow(this.bytes.length * 2);
    this.bytes.copy(bytes, 0, 0, this.#bytesUsed);
    this.bytes = bytes;
  }
}

function grown<Column extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  old: Column,
  larger: Column,
): Column {
  larger.set(old);
  return larger;
}
