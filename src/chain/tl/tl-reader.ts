import { constructorText, TlError } from './tl-error.ts';
import { BOOL_FALSE, BOOL_TRUE, EIGHT_BYTE_HEAD, FOUR_BYTE_HEAD, MAX_ITEMS } from './tl-limits.ts';

/**
 * Reads TL from bytes that a stranger sent: every length is checked against what is left before it is used.
 * Buffers it returns are views of the given bytes, not copies: they change with them, and keep all of them in
 * memory. Copy what outlives the message.
 */
export class TlReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** How many bytes are not read yet. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** A signed `int`. */
  int(): number {
    return this.#bytes.readInt32LE(this.#take(4));
  }

  /** A `#`, or an `int` that holds an unsigned number. */
  uint(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  /** A signed `long`. */
  long(): bigint {
    return this.#bytes.readBigInt64LE(this.#take(8));
  }

  int128(): Buffer {
    return this.#view(this.#take(16), 16);
  }

  int256(): Buffer {
    return this.#view(this.#take(32), 32);
  }

  /** A `bytes` or `string` field as a view. Its padding may hold anything, as it may for a node. */
  bytes(): Buffer {
    const start = this.#take(4);
    const first = this.#bytes[start] as number;
    if (first < FOUR_BYTE_HEAD) {
      this.#take(first & ~3);
      return this.#view(start + 1, first);
    }
    let length: number;
    if (first === FOUR_BYTE_HEAD) {
      length = this.#bytes.readUIntLE(start + 1, 3);
    } else {
      this.#take(EIGHT_BYTE_HEAD - 4);
      length = this.#bytes.readUIntLE(start + 1, 6) + (this.#bytes[start + 7] as number) * 2 ** 48;
    }
    return this.#view(this.#take(length + (-length & 3)), length);
  }

  /** A `string` as text; what is not UTF-8 becomes the replacement character. */
  string(): string {
    return this.bytes().toString('utf8');
  }

  bool(): boolean {
    const id = this.uint();
    if (id === BOOL_TRUE) return true;
    if (id === BOOL_FALSE) return false;
    throw new TlError(`expected a Bool, got ${constructorText(id)}`);
  }

  /** A vector whose items have at least `minItemBytes` each, which refuses a lying count before any work. */
  vector<T>(minItemBytes: number, readItem: (reader: TlReader) => T): T[] {
    const count = this.uint();
    if (count > MAX_ITEMS || count * minItemBytes > this.left) {
      throw new TlError(`a vector of ${count} items cannot be in ${this.left} bytes`);
    }
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(readItem(this));
    return items;
  }

  /** All that is left, as a view. */
  rest(): Buffer {
    const start = this.#at;
    this.#at = this.#bytes.length;
    return this.#bytes.subarray(start);
  }

  /** Refuses bytes that follow the end of the message. */
  end(): void {
    if (this.left > 0) throw new TlError(`${this.left} bytes follow the end of the message`);
  }

  /** Steps over `size` bytes and returns where they start. */
  #take(size: number): number {
    const start = this.#at;
    if (size > this.#bytes.length - start) {
      throw new TlError(`${size} bytes wanted at ${start}, ${this.#bytes.length - start} are left`);
    }
    this.#at = start + size;
    return start;
  }

  #view(start: number, size: number): Buffer {
    return this.#bytes.subarray(start, start + size);
  }
}
