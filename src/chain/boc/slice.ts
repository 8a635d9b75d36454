import { CellError, type Cells } from './cells.ts';

// One 64-bit number viewed as two halves: cheaper than joining a bigint by shifts.
const word = new BigUint64Array(1);
const halves = new Uint32Array(word.buffer);
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const HIGH = LITTLE_ENDIAN ? 1 : 0;
const LOW = 1 - HIGH;

/** A cursor over the bits and references of a cell. Reading past the end throws a CellError. */
export class Slice {
  readonly cells: Cells;
  cell: number;
  /** The next bit and the end, both counted from the start of the cell's data. */
  bit = 0;
  bitEnd = 0;
  refAt = 0;
  refEnd = 0;
  #bytes: Buffer;
  #start = 0;

  constructor(cells: Cells, cell: number) {
    this.cells = cells;
    this.#bytes = cells.bytes;
    this.cell = cell;
    this.open(cell);
  }

  /** Moves this cursor to the beginning of another cell of the same table, without a new object. */
  open(cell: number): this {
    const { cells } = this;
    // Readers use -1 for an absent cell.
    if (cell < 0) throw new CellError('the cell is missing');
    cells.assertReadable(cell);
    this.cell = cell;
    this.#bytes = cells.bytes;
    this.#start = cells.starts[cell]!;
    this.bit = 0;
    this.bitEnd = cells.bits[cell]!;
    this.refAt = 0;
    this.refEnd = cells.refCount(cell);
    return this;
  }

  clone(): Slice {
    const copy = new Slice(this.cells, this.cell);
    copy.bit = this.bit;
    copy.bitEnd = this.bitEnd;
    copy.refAt = this.refAt;
    copy.refEnd = this.refEnd;
    return copy;
  }

  get bitsLeft(): number {
    return this.bitEnd - this.bit;
  }

  get refsLeft(): number {
    return this.refEnd - this.refAt;
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.bit !== this.bitEnd || this.refAt !== this.refEnd) throw new CellError('data after the end');
  }

  boolean(): boolean {
    return this.uint(1) === 1;
  }

  /** An unsigned number of up to 32 bits. */
  uint(bits: number): number {
    const value = this.peek(bits);
    this.bit += bits;
    return value;
  }

  /** Like `uint`, without moving. */
  peek(bits: number): number {
    if (this.bit + bits > this.bitEnd) throw new CellError('not enough bits in the cell');
    return bits > 24
      ? this.#read(this.bit, bits - 16) * 65536 + this.#read(this.bit + bits - 16, 16)
      : this.#read(this.bit, bits);
  }

  /** A signed number of up to 32 bits. */
  int(bits: number): number {
    const shift = 32 - bits;
    return (this.uint(bits) << shift) >> shift;
  }

  uint64(): bigint {
    halves[HIGH] = this.uint(32);
    halves[LOW] = this.uint(32);
    return word[0]!;
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.uint64());
  }

  /** An unsigned number of any length. */
  bigUint(bits: number): bigint {
    if (bits <= 32) return BigInt(this.uint(bits));
    if (bits <= 64) {
      halves[HIGH] = this.uint(bits - 32);
      halves[LOW] = this.uint(32);
      return word[0]!;
    }
    // Checked first: the length may come from the data and be absurd.
    if (this.bit + bits > this.bitEnd) throw new CellError('not enough bits in the cell');
    const high = this.bigUint(bits - 64);
    return (high << 64n) | this.uint64();
  }

  /** A signed number of any length. */
  bigInt(bits: number): bigint {
    return BigInt.asIntN(bits, this.bigUint(bits));
  }

  /** VarUInteger n, with its byte length in `lengthBits`. */
  varUint(lengthBits: number): bigint {
    return this.bigUint(8 * this.uint(lengthBits));
  }

  /** An amount of nanotons: VarUInteger 16. */
  coins(): bigint {
    return this.varUint(4);
  }

  /** VarUInteger 3 or 7 as a number: at most 48 bits, so it stays exact. */
  varNumber(limit: 3 | 7): number {
    const bytes = this.uint(limit === 3 ? 2 : 3);
    if (bytes >= limit) throw new CellError('variable-length integer is too long');
    return bytes <= 4 ? this.uint(8 * bytes) : this.uint(8 * bytes - 32) * 2 ** 32 + this.uint(32);
  }

  /** Whole bytes, copied. */
  bytes(count: number): Buffer {
    if (this.bit + count * 8 > this.bitEnd) throw new CellError('not enough bits in the cell');
    const out = Buffer.allocUnsafe(count);
    this.copyBits(count * 8, out, 0);
    return out;
  }

  hash(): Buffer {
    return this.bytes(32);
  }

  /** Copies bits to `target`; a partial last byte is filled with zeros. */
  copyBits(bits: number, target: Buffer, at: number): void {
    if (this.bit + bits > this.bitEnd) throw new CellError('not enough bits in the cell');
    const bytes = this.#bytes;
    const shift = this.bit & 7;
    let from = this.#start + (this.bit >> 3);
    let to = at;
    let left = bits;
    if (shift === 0) for (; left >= 8; left -= 8) target[to++] = bytes[from++]!;
    else
      for (; left >= 8; left -= 8) {
        target[to++] = (bytes[from]! << shift) | (bytes[from + 1]! >> (8 - shift));
        from++;
      }
    if (left > 0) target[to] = this.#read(this.bit + bits - left, left) << (8 - left);
    this.bit += bits;
  }

  skip(bits: number): void {
    if (this.bit + bits > this.bitEnd) throw new CellError('not enough bits in the cell');
    this.bit += bits;
  }

  ref(): number {
    if (this.refAt >= this.refEnd) throw new CellError('not enough references in the cell');
    return this.cells.ref(this.cell, this.refAt++);
  }

  refSlice(): Slice {
    return new Slice(this.cells, this.ref());
  }

  /** Maybe ^Cell: the cell, or -1. */
  maybeRef(): number {
    return this.boolean() ? this.ref() : -1;
  }

  /** Up to 24 bits, known to be inside. */
  #read(bit: number, bits: number): number {
    if (bits === 0) return 0;
    const bytes = this.#bytes;
    const at = this.#start + (bit >> 3);
    const end = (bit & 7) + bits;
    const first = bytes[at]!;
    if (end <= 8) return (first >> (8 - end)) & ((1 << bits) - 1);
    if (end <= 16) return (((first << 8) | bytes[at + 1]!) >> (16 - end)) & ((1 << bits) - 1);
    if (end <= 24)
      return (((first << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!) >> (24 - end)) & ((1 << bits) - 1);
    return (
      (((first << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> (32 - end)) &
      ((1 << bits) - 1)
    );
  }
}
