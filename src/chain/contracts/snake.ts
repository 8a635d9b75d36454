import type { Slice } from '../boc/slice.ts';

/**
 * The bytes of a snake: the rest of a slice, then the bits of its first reference, and so on along the first
 * references. Undefined unless the bits fill whole bytes. It ends before a cell that would exceed `maxBytes`.
 */
export function readSnake(slice: Slice, maxBytes: number): Buffer | undefined {
  const bits = new BitConcatenator();
  for (let part = slice; ; part = part.refSlice()) {
    if (bits.length + part.bitsLeft > maxBytes * 8) break;
    bits.add(part);
    if (part.refsLeft === 0) break;
  }
  return bits.bytes();
}

/** Concatenates the bits of slices. */
export class BitConcatenator {
  length = 0;
  readonly #parts: Buffer[] = [];
  #aligned = true;

  add(slice: Slice): void {
    const bits = slice.bitsLeft;
    if (this.#aligned && bits % 8 === 0) {
      this.#parts.push(slice.bytes(bits / 8));
      this.length += bits;
      return;
    }
    // Rare: cells that end inside a byte. One byte per bit, joined at the end.
    if (this.#aligned) this.#spread();
    const spread = Buffer.alloc(bits);
    for (let i = 0; i < bits; i++) spread[i] = slice.uint(1);
    this.#parts.push(spread);
    this.length += bits;
  }

  /** The bytes, or undefined if the last one is incomplete. */
  bytes(): Buffer | undefined {
    if (this.length % 8 !== 0) return undefined;
    const joined = Buffer.concat(this.#parts);
    if (this.#aligned) return joined;
    const out = Buffer.alloc(this.length / 8);
    for (let i = 0; i < this.length; i++) out[i >> 3]! |= joined[i]! << (7 - (i & 7));
    return out;
  }

  #spread(): void {
    const joined = Buffer.concat(this.#parts);
    const spread = Buffer.alloc(this.length);
    for (let i = 0; i < this.length; i++) spread[i] = (joined[i >> 3]! >> (7 - (i & 7))) & 1;
    this.#parts.splice(0, this.#parts.length, spread);
    this.#aligned = false;
  }
}
