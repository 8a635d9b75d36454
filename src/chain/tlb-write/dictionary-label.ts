import type { CellBuilder } from '../boc/cell-builder.ts';

/**
 * Writes the label of an edge, the bits of `key` between two places, of at most `max` bits. Of the three forms the
 * shortest is taken, and of two that are as short the one with the length in unary.
 */
export function writeLabel(builder: CellBuilder, key: Buffer, from: number, to: number, max: number): void {
  const length = to - from;
  const lengthBits = 32 - Math.clz32(max);
  if (length > 1 && lengthBits < 2 * length - 1 && allSame(key, from, to)) {
    builder.uint(0b110 | bitOf(key, from), 3).uint(length, lengthBits);
  } else if (lengthBits < length) {
    builder.uint(0b10, 2).uint(length, lengthBits).bits(key, from, length);
  } else {
    // The length is no longer than its own length in bits: 10 at most, as a key has up to 1023.
    builder.uint(2 ** (length + 1) - 2, length + 2).bits(key, from, length);
  }
}

/** One bit of a key. */
export function bitOf(key: Buffer, at: number): 0 | 1 {
  return ((key[at >> 3]! >> (7 - (at & 7))) & 1) as 0 | 1;
}

/** The first place from `from` on where two keys differ, or `to` if there is none before it. */
export function firstDifference(a: Buffer, b: Buffer, from: number, to: number): number {
  for (let at = from; at < to; ) {
    const difference = ((a[at >> 3]! ^ b[at >> 3]!) << (at & 7)) & 0xff;
    if (difference !== 0) return Math.min(to, at + Math.clz32(difference) - 24);
    at = (at | 7) + 1;
  }
  return to;
}

function allSame(key: Buffer, from: number, to: number): boolean {
  const first = bitOf(key, from);
  for (let at = from + 1; at < to; at++) if (bitOf(key, at) !== first) return false;
  return true;
}
