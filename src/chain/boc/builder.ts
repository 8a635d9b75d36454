import { CellError } from './cells.ts';
import type { Slice } from './slice.ts';

const MAX_BITS = 1023;
const MAX_REFS = 4;
const HASH_BYTES = 32;

// One 64-bit number viewed as two halves: cheaper than splitting a bigint by shifts.
const word = new BigUint64Array(1);
const halves = new Uint32Array(word.buffer);
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const HIGH = LITTLE_ENDIAN ? 1 : 0;
const LOW = 1 - HIGH;

/**
 * The data and references of a cell under construction. `BuildingArena.build` makes a cell of it and resets it, so
 * that it can be reused. Writing more than fits throws a CellError.
 */
export class CellBuilder {
  /** The bits so far. Unused bits of the last byte are zero; bytes after it are undefined. */
  readonly data = Buffer.allocUnsafe((MAX_BITS + 7) >> 3);
  bitCount = 0;
  readonly refs: number[] = [];

  reset(): this {
    this.bitCount = 0;
    const { refs } = this;
    while (refs.length > 0) refs.pop();
    return this;
  }

  boolean(value: boolean): this {
    return this.uint(value ? 1 : 0, 1);
  }

  /** An unsigned number; fastest up to 32 bits. */
  uint(value: number, bits: number): this {
    if (bits > 32) return this.bigUint(BigInt(value), bits);
    if (!(value >= 0 && value < 2 ** bits)) throw new CellError(`${value} does not fit in ${bits} bits`);
    this.#need(bits);
    if (bits <= 24) this.#put(value, bits);
    else {
      this.#put(Math.floor(value / 65536), bits - 16);
      this.#put(value & 0xffff, 16);
    }
    return this;
  }

  /** A signed number; fastest up to 32 bits. */
  int(value: number, bits: number): this {
    if (bits > 32) return this.bigInt(BigInt(value), bits);
    const limit = 2 ** (bits - 1);
    if (!(value >= -limit && value < limit)) throw new CellError(`${value} does not fit in ${bits} bits`);
    return this.uint(value < 0 ? value + 2 * limit : value, bits);
  }

  uint64(value: bigint): this {
    return this.bigUint(value, 64);
  }

  int64(value: bigint): this {
    return this.bigInt(value, 64);
  }

  /** An unsigned number of any length. */
  bigUint(value: bigint, bits: number): this {
    if (bits > 64) return this.bigUint(value >> 64n, bits - 64).bigUint(BigInt.asUintN(64, value), 64);
    word[0] = value;
    const high = halves[HIGH]!;
    const low = halves[LOW]!;
    if (word[0] !== value || (bits <= 32 && high !== 0))
      throw new CellError(`${value} does not fit in ${bits} bits`);
    return bits <= 32 ? this.uint(low, bits) : this.uint(high, bits - 32).uint(low, 32);
  }

  /** A signed number of any length. */
  bigInt(value: bigint, bits: number): this {
    if (BigInt.asIntN(bits, value) !== value) throw new CellError(`${value} does not fit in ${bits} bits`);
    return this.bigUint(BigInt.asUintN(bits, value), bits);
  }

  /** VarUInteger n, with its byte length in `lengthBits`. */
  varUint(value: bigint, lengthBits: number): this {
    const bytes = byteLength(value);
    return this.uint(bytes, lengthBits).bigUint(value, bytes * 8);
  }

  /** An amount of nanotons: VarUInteger 16. */
  coins(value: bigint): this {
    return this.varUint(value, 4);
  }

  bytes(value: Uint8Array): this {
    return this.bits(value, 0, value.length * 8);
  }

  hash(value: Uint8Array): this {
    if (value.length !== HASH_BYTES) throw new CellError(`hash of ${value.length} bytes, expected 32`);
    return this.bits(value, 0, HASH_BYTES * 8);
  }

  /** `count` bits of `source`, starting at bit `from`. */
  bits(source: Uint8Array, from: number, count: number): this {
    if (from + count > source.length * 8) throw new CellError('not enough bits to copy');
    this.#copy(source, from >> 3, from & 7, count);
    return this;
  }

  /** The next bits of a slice, which is advanced. */
  sliceBits(slice: Slice, count: number): this {
    const from = slice.bit;
    slice.skip(count);
    const { bytes, starts } = slice.cells;
    this.#copy(bytes, starts[slice.cell]! + (from >> 3), from & 7, count);
    return this;
  }

  /** All remaining bits and references of a slice over the arena that the new cell will be built in. */
  slice(slice: Slice): this {
    this.sliceBits(slice, slice.bitsLeft);
    while (slice.refsLeft > 0) this.ref(slice.ref());
    return this;
  }

  ref(cell: number): this {
    if (cell < 0) throw new CellError('the cell is missing');
    if (this.refs.length === MAX_REFS) throw new CellError('too many references for a cell');
    this.refs.push(cell);
    return this;
  }

  /** Maybe ^Cell: a cell, or -1. */
  maybeRef(cell: number): this {
    this.boolean(cell >= 0);
    return cell >= 0 ? this.ref(cell) : this;
  }

  #need(bits: number): void {
    if (this.bitCount + bits > MAX_BITS) throw new CellError('too many bits for a cell');
  }

  /** Up to 24 bits, known to fit. */
  #put(value: number, bits: number): void {
    const { data } = this;
    let at = this.bitCount >> 3;
    const used = this.bitCount & 7;
    let left = used + bits;
    // The bits aligned to the top of 32; at most 31 of them.
    let rest = value << (32 - left);
    this.bitCount += bits;
    if (used !== 0) rest |= data[at]! << 24;
    for (; left > 0; left -= 8) {
      data[at++] = rest >>> 24;
      rest <<= 8;
    }
  }

  #copy(source: Uint8Array, from: number, shift: number, count: number): void {
    this.#need(count);
    const { data } = this;
    const used = this.bitCount & 7;
    const whole = count >> 3;
    let at = this.bitCount >> 3;
    if (used === 0 && shift === 0) for (let i = 0; i < whole; i++) data[at++] = source[from + i]!;
    else
      for (let i = 0; i < whole; i++) {
        const next = shift === 0 ? 0 : source[from + i + 1]! >> (8 - shift);
        const byte = ((source[from + i]! << shift) | next) & 0xff;
        if (used === 0) data[at++] = byte;
        else {
          data[at] = data[at]! | (byte >> used);
          data[++at] = byte << (8 - used);
        }
      }
    this.bitCount += whole * 8;
    const left = count & 7;
    if (left === 0) return;
    const last = from + whole;
    const pair = (source[last]! << 8) | (shift + left > 8 ? source[last + 1]! : 0);
    this.#put((pair >> (16 - shift - left)) & ((1 << left) - 1), left);
  }
}

/** The byte length of a non-negative number; 0 for zero. */
function byteLength(value: bigint): number {
  if (value < 0n) throw new CellError(`${value} is negative`);
  word[0] = value;
  if (word[0] !== value) return (value.toString(16).length + 1) >> 1;
  const high = halves[HIGH]!;
  return high === 0 ? (39 - Math.clz32(halves[LOW]!)) >> 3 : 4 + ((39 - Math.clz32(high)) >> 3);
}
