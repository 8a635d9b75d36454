import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';

const FIRST_BYTES = 128;
/** A varint of at most this many bytes is read without bigints. */
const FAST_BYTES = 7;

/** Writes packed bytes: numbers as varints (7 bits per byte, lowest first; the top bit says that more follow). */
export class PackedWriter {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;

  /** Everything written, as a view. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  uint8(value: number): void {
    this.#need(1);
    this.#buffer[this.#at++] = value;
  }

  /** A safe integer that is not negative. */
  uint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`${value} is not an unsigned integer`);
    this.#need(8);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#buffer[this.#at++] = (rest % 128) | 128;
    this.#buffer[this.#at++] = rest;
  }

  /** An integer of any size and sign: the lowest bit is the sign. */
  int(value: bigint): void {
    const rest = value < 0n ? (-value << 1n) | 1n : value << 1n;
    if (rest <= Number.MAX_SAFE_INTEGER) {
      this.uint(Number(rest));
      return;
    }
    this.bigUint(rest);
  }

  /** An integer of any size that is not negative. */
  bigUint(value: bigint): void {
    let rest = value;
    for (; rest > 127n; rest >>= 7n) this.uint8(Number(rest & 127n) | 128);
    this.uint8(Number(rest));
  }

  /** Bytes whose length the reader knows. */
  raw(value: Uint8Array): void {
    this.#need(value.length);
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
  }

  /** Bytes with their length. */
  block(value: Uint8Array): void {
    this.uint(value.length);
    this.raw(value);
  }

  text(value: string): void {
    this.block(Buffer.from(value, 'utf8'));
  }

  #need(bytes: number): void {
    const end = this.#at + bytes;
    if (end <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(end, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

/** Reads what a PackedWriter wrote. Throws RangeError where the bytes end too early. */
export class PackedReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  uint8(): number {
    if (this.#at >= this.#buffer.length) throw new RangeError('the packed bytes end too early');
    return this.#buffer[this.#at++]!;
  }

  uint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.uint8();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  int(): bigint {
    const value = this.bigUint();
    return (value & 1n) === 0n ? value >> 1n : -(value >> 1n);
  }

  bigUint(): bigint {
    const start = this.#at;
    while (this.uint8() > 127);
    const end = this.#at;
    if (end - start <= FAST_BYTES) {
      this.#at = start;
      return BigInt(this.uint());
    }
    let value = 0n;
    for (let at = end - 1; at >= start; at--) value = (value << 7n) | BigInt(this.#buffer[at]! & 127);
    return value;
  }

  raw(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#buffer.length) throw new RangeError('the packed bytes end too early');
    const bytes = this.#buffer.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  block(): Buffer {
    return this.raw(this.uint());
  }

  text(): string {
    return this.block().toString('utf8');
  }

  /** As many values as a count before them says. */
  list<T>(read: () => T): T[] {
    const count = this.uint();
    const values: T[] = [];
    for (let i = 0; i < count; i++) values.push(read());
    return values;
  }
}

/** Numbers of different bytes in the order of their first use; the first may be given. */
export class Numbers {
  readonly all: Buffer[];
  readonly #numbers = new Map<HashKey, number>();

  constructor(...first: readonly Buffer[]) {
    this.all = [...first];
    for (const [number, bytes] of first.entries()) this.#numbers.set(bytesKey(bytes), number);
  }

  of(bytes: Buffer): number {
    const key = bytesKey(bytes);
    const number = this.#numbers.get(key);
    if (number !== undefined) return number;
    this.#numbers.set(key, this.all.length);
    return this.all.push(bytes) - 1;
  }
}
