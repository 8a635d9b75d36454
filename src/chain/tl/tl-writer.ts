import { TlError } from './tl-error.ts';
import {
  BOOL_FALSE,
  BOOL_TRUE,
  EIGHT_BYTE_HEAD,
  FOUR_BYTE_HEAD,
  LONG_BYTES,
  MAX_ITEMS,
} from './tl-limits.ts';

/** Writes TL into a buffer that grows. A value that does not fit its field is refused with TlError. */
export class TlWriter {
  #bytes = Buffer.allocUnsafe(256);
  #at = 0;

  /** A signed `int`. */
  int(value: number): void {
    if ((value | 0) !== value) throw new TlError(`${value} is not an int`);
    const at = this.#grow(4);
    this.#bytes.writeInt32LE(value, at);
  }

  /** A `#`, or an `int` that holds an unsigned number. */
  uint(value: number): void {
    if (value >>> 0 !== value) throw new TlError(`${value} is not an unsigned int`);
    const at = this.#grow(4);
    this.#bytes.writeUInt32LE(value, at);
  }

  /** A signed `long`. */
  long(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new TlError(`${value} is not a long`);
    const at = this.#grow(8);
    this.#bytes.writeBigInt64LE(value, at);
  }

  int128(value: Uint8Array): void {
    this.#fixed(value, 16);
  }

  int256(value: Uint8Array): void {
    this.#fixed(value, 32);
  }

  /** A `bytes` field, in the shortest form and with zeros as padding. */
  bytes(value: Uint8Array): void {
    const { length } = value;
    const head = length < FOUR_BYTE_HEAD ? 1 : length < LONG_BYTES ? 4 : EIGHT_BYTE_HEAD;
    const padding = -(head + length) & 3;
    const at = this.#grow(head + length + padding);
    const bytes = this.#bytes;
    if (head === 1) {
      bytes[at] = length;
    } else if (head === 4) {
      bytes.writeUInt32LE(FOUR_BYTE_HEAD + length * 256, at);
    } else {
      bytes[at] = FOUR_BYTE_HEAD + 1;
      bytes.writeUIntLE(length, at + 1, 6);
      bytes[at + 7] = 0;
    }
    bytes.set(value, at + head);
    bytes.fill(0, this.#at - padding, this.#at);
  }

  string(value: string): void {
    this.bytes(Buffer.from(value, 'utf8'));
  }

  bool(value: boolean): void {
    this.uint(value ? BOOL_TRUE : BOOL_FALSE);
  }

  vector<T>(items: readonly T[], writeItem: (writer: TlWriter, item: T) => void): void {
    if (items.length > MAX_ITEMS) throw new TlError(`a vector of ${items.length} items is too long`);
    this.uint(items.length);
    for (const item of items) writeItem(this, item);
  }

  /** Bytes as they are, without a length. */
  raw(value: Uint8Array): void {
    const at = this.#grow(value.length);
    this.#bytes.set(value, at);
  }

  /** What was written. The writer is used up: its buffer belongs to the caller. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  #fixed(value: Uint8Array, size: number): void {
    if (value.length !== size) throw new TlError(`${value.length} bytes given for an int${size * 8}`);
    this.raw(value);
  }

  /** Makes room for `size` more bytes and returns where they start. */
  #grow(size: number): number {
    const start = this.#at;
    const needed = start + size;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
    }
    this.#at = needed;
    return start;
  }
}
