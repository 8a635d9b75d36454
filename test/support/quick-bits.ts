import { BitBuilder, BitReader, type BitString } from '@ton/core';

/**
 * @ton/core, with which tests and `verify` read cells, copies and reads every bit by itself, which is most of what it does.
 * In tests it does so by bytes; `quick-bits.test.ts` compares the results.
 */
interface Bits {
  readonly _data: Uint8Array;
  /** In bits. */
  readonly _offset: number;
  readonly length: number;
}
interface Builder {
  readonly _buffer: Uint8Array;
  _length: number;
  writeBits(from: Bits): void;
}
interface Reader {
  readonly _bits: Bits;
  _preloadUint(bits: number, offset: number): bigint;
}

const builder = BitBuilder.prototype as unknown as Builder;
const reader = BitReader.prototype as unknown as Reader;

// Test files that share a process share the package, which is changed once.
const shared = globalThis as { bitByBit?: Pick<Builder, 'writeBits'> & Pick<Reader, '_preloadUint'> };
const isFirst = shared.bitByBit === undefined;
shared.bitByBit ??= { writeBits: builder.writeBits, _preloadUint: reader._preloadUint };
const slow = shared.bitByBit;

/** What @ton/core does by itself. */
export const bitByBit = {
  writeBits: (to: BitBuilder, from: BitString) =>
    slow.writeBits.call(to as unknown as Builder, from as unknown as Bits),
  preloadUint: (from: BitReader, bits: number, offset: number) =>
    slow._preloadUint.call(from as unknown as Reader, bits, offset),
};

function writeBits(this: Builder, from: Bits): void {
  const { length: count, _data: source, _offset: first } = from;
  const { _buffer: target, _length: at } = this;
  // It says what is wrong.
  if (at + count > target.length * 8) {
    slow.writeBits.call(this, from);
    return;
  }
  const whole = at % 8 === 0 && first % 8 === 0 ? count >> 3 : 0;
  target.set(source.subarray(first >> 3, (first >> 3) + whole), at >> 3);
  for (let done = whole * 8; done < count; done += 8) {
    const bits = Math.min(8, count - done);
    const place = at + done;
    const value = bitsAt(source, first + done, bits) << (16 - (place & 7) - bits);
    target[place >> 3]! |= value >> 8;
    if ((value & 0xff) !== 0) target[(place >> 3) + 1]! |= value & 0xff;
  }
  this._length = at + count;
}

/** Bits of a number that is still exact when it is multiplied by 256. */
const MAX_BITS = 40;

function preloadUint(this: Reader, bits: number, offset: number): bigint {
  const { _data: source, _offset: first, length } = this._bits;
  if (offset < 0 || offset + bits > length) return slow._preloadUint.call(this, bits, offset);
  let result = 0n;
  for (let done = 0; done < bits; ) {
    const end = Math.min(done + MAX_BITS, bits);
    const part = end - done;
    let value = 0;
    for (; done < end; done += Math.min(8, end - done)) {
      const taken = Math.min(8, end - done);
      value = value * 2 ** taken + bitsAt(source, first + offset + done, taken);
    }
    result = (result << BigInt(part)) | BigInt(value);
  }
  return result;
}

/** Up to eight bits of some bytes. */
function bitsAt(source: Uint8Array, at: number, bits: number): number {
  const pair = (source[at >> 3]! << 8) | (source[(at >> 3) + 1] ?? 0);
  return (pair >> (16 - (at & 7) - bits)) & ((1 << bits) - 1);
}

if (isFirst) {
  builder.writeBits = writeBits;
  reader._preloadUint = preloadUint;
}
