import { ownBytes } from '../../lib/bytes-key.ts';

const FIRST_BYTES = 64 * 1024;
/** A buffer that has grown beyond this is not kept. */
const KEPT_BYTES = 1024 * 1024;
const NOTHING = 0xffffffff;

/** Writes numbers and bytes for a PackReader in another thread. */
export class PackWriter {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #at = 0;

  /** Bytes written since the last `finish`. */
  get position(): number {
    return this.#at;
  }

  /** A 32-bit unsigned integer. */
  uint(value: number): void {
    this.#need(4);
    this.#at = this.#buffer.writeUInt32LE(value, this.#at);
  }

  /** An unsigned integer of up to 128 bits. */
  big(value: bigint): void {
    this.#need(16);
    this.#at = this.#buffer.writeBigUInt64LE(value >> 64n, this.#at);
    this.#at = this.#buffer.writeBigUInt64LE(BigInt.asUintN(64, value), this.#at);
  }

  bytes(value: Uint8Array | undefined): void {
    this.uint(value === undefined ? NOTHING : value.length);
    if (value === undefined) return;
    this.#need(value.length);
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
  }

  text(value: string | undefined): void {
    this.bytes(value === undefined ? undefined : Buffer.from(value));
  }

  /** The elements of a typed array. */
  numbers(value: Uint8Array | Uint16Array | Uint32Array | BigUint64Array | Float64Array): void {
    this.bytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }

  /** A length-prefixed section, which can be copied as a whole. */
  section(write: () => void): void {
    const at = this.#at;
    this.uint(0);
    write();
    this.#buffer.writeUInt32LE(this.#at - at - 4, at);
  }

  /** The written bytes in a buffer of their own; the writer starts again. */
  finish(): ArrayBuffer {
    const bytes = this.#buffer.buffer.slice(0, this.#at) as ArrayBuffer;
    this.#at = 0;
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
    return bytes;
  }

  #need(bytes: number): void {
    const end = this.#at + bytes;
    if (end <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

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

  /** A copy of a typed array, because elements must be aligned. */
  numbers(): ArrayBuffer {
    const { buffer, byteOffset, byteLength } = this.bytes();
    return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  }

  /** A reader of a section that may be kept without the rest. */
  section(): PackReader {
    return new PackReader(ownBytes(this.bytes()));
  }

  /** A length-prefixed list. */
  list<T>(read: (index: number) => T): T[] {
    const length = this.uint();
    const found: T[] = [];
    for (let i = 0; i < length; i++) found.push(read(i));
    return found;
  }
}
