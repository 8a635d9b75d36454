import { CellFault } from '../boc/cell-fault.ts';
import type { Slice } from '../boc/slice.ts';

/** Reads the label of an edge, of at most `max` bits, into `key` from bit `at` on; gives the bit after it. */
export function readLabel(slice: Slice, max: number, key: Buffer, at: number): number {
  if (slice.uint(1) === 0) {
    let length = 0;
    while (slice.uint(1) === 1) length++;
    return copyLabel(slice, checked(length, max), key, at);
  }
  if (slice.uint(1) === 0) return copyLabel(slice, checked(slice.uint(lengthBits(max)), max), key, at);
  const bit = slice.uint(1);
  const length = checked(slice.uint(lengthBits(max)), max);
  for (let i = 0; i < length; i++) writeBits(key, at + i, 1, bit);
  return at + length;
}

/** Sets one bit of a key; gives the bit after it. */
export function setKeyBit(key: Buffer, at: number, bit: 0 | 1): number {
  writeBits(key, at, 1, bit);
  return at + 1;
}

/** Bits of a number from 0 to `max`. */
function lengthBits(max: number): number {
  return 32 - Math.clz32(max);
}

function checked(length: number, max: number): number {
  if (length > max) throw new CellFault('a dictionary whose label is longer than its key');
  return length;
}

function copyLabel(slice: Slice, length: number, key: Buffer, at: number): number {
  let to = at;
  for (let left = length; left > 0; ) {
    const step = Math.min(left, 8 - (to & 7));
    writeBits(key, to, step, slice.uint(step));
    to += step;
    left -= step;
  }
  return to;
}

/** Writes bits that lie in one byte. */
function writeBits(key: Buffer, at: number, bits: number, value: number): void {
  const shift = 8 - (at & 7) - bits;
  const mask = ((1 << bits) - 1) << shift;
  key[at >> 3] = (key[at >> 3]! & ~mask) | (value << shift);
}
