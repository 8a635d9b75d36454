const FIRST_BYTES = 64 * 1024;
const NOTHING = 0xffffffff;

/** Writes numbers and bytes one after the other, to be read by a PackReader in another thread. */
export class PackWriter {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #at = 0;

  /** A whole number of 32 bits. */
  uint(value: number): void {
    this.#need(4);
    this.#at = this.#buffer.writeUInt32LE(value, this.#at);
  }

  /** A whole number of up to 128 bits. */
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

  /** The elements of an array of numbers. */
  numbers(value: Uint8Array | Uint16Array | Uint32Array | BigUint64Array | Float64Array): void {
    this.bytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }

  /** What `write` writes, which can be taken out as a whole. */
  section(write: () => void): void {
    const at = this.#at;
    this.uint(0);
    write();
    this.#buffer.writeUInt32LE(this.#at - at - 4, at);
  }

  /** All that was written, in a buffer of its own. */
  finish(): ArrayBuffer {
    return this.#buffer.buffer.slice(0, this.#at) as ArrayBuffer;
  }

  #need(bytes: number): void {
    const end = this.#at + bytes;
    if (end <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
