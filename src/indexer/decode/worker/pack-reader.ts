const NOTHING = 0xffffffff;

/** Reads what a PackWriter wrote, in the same order. */
export class PackReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  uint(): number {
    this.#at += 4;
    return this.#buffer.readUInt32LE(this.#at - 4);
  }

  big(): bigint {
    this.#at += 16;
    const high = this.#buffer.readBigUInt64LE(this.#at - 16);
    const low = this.#buffer.readBigUInt64LE(this.#at - 8);
    return high === 0n ? low : (high << 64n) | low;
  }

  /** A view. */
  bytes(): Buffer {
    const length = this.uint();
    this.#at += length;
    return this.#buffer.subarray(this.#at - length, this.#at);
  }

  maybeBytes(): Buffer | undefined {
    if (this.#buffer.readUInt32LE(this.#at) !== NOTHING) return this.bytes();
    this.#at += 4;
    return undefined;
  }

  maybeText(): string | undefined {
    return this.maybeBytes()?.toString();
  }

  /** A copy of numbers, which stand anywhere here and must be aligned there. */
  numbers(): ArrayBuffer {
    const { buffer, byteOffset, byteLength } = this.bytes();
    return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  }

  /** A reader of a section, over a copy that holds nothing else. */
  section(): PackReader {
    const view = this.bytes();
    const own = Buffer.allocUnsafeSlow(view.length);
    view.copy(own);
    return new PackReader(own);
  }

  /** As many things as were counted before them. */
  list<T>(read: (index: number) => T): T[] {
    const length = this.uint();
    const found: T[] = [];
    for (let i = 0; i < length; i++) found.push(read(i));
    return found;
  }
}
