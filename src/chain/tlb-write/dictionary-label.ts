import type { CellBuilder } from '../boc/cell-builder.ts';
import { bitOf } from '../tlb/dictionary-key.ts';

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

function allSame(key: Buffer, from: number, to: number): boolean {
  const first = bitOf(key, from);
  for (let at = from + 1; at < to; at++) if (bitOf(key, at) !== first) return false;
  return true;
}
