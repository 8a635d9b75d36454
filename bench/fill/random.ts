/** A seeded generator of random numbers (sfc32): the same seed gives the same sequence on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    this.#c = stream | 0;
    // The first numbers of similar seeds are similar.
    for (let i = 0; i < 16; i++) this.uint32();
  }

  uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 up to, but not including 1. */
  fraction(): number {
    return this.uint32() / 2 ** 32;
  }

  /** An integer from 0 up to, but not including `count`. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  /** Like `below`, with small numbers much more often: the higher the power, the longer the tail. */
  skewed(count: number, power: number): number {
    return Math.floor(this.fraction() ** power * count);
  }

  bytes(count: number): Buffer {
    const bytes = Buffer.allocUnsafe(count);
    for (let at = 0; at < count; at += 4) {
      const word = this.uint32();
      for (let i = at; i < at + 4 && i < count; i++) bytes[i] = word >>> (8 * (i - at));
    }
    return bytes;
  }
}
