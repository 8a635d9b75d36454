import { ownBytes } from '../../lib/bytes-key.ts';

const FIRST_BYTES = 64 * 1024;
/** A buffer that has grown beyond this is not kept. */
const KEPT_BYTES = 1024 * 1024;

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

  bytes(value: Uint8Array): void {
    this.uint(value.length);
    this.#need(value.length);
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
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

  /** A reader of a section that may be kept without the rest. */
  section(): PackReader {
    return new PackReader(ownBytes(this.bytes()));
  }
}

export interface Packed<T> {
  put(writer: PackWriter, value: T): void;
  take(reader: PackReader): T;
}

export const uint: Packed<number> = {
  put: (writer, value) => writer.uint(value),
  take: (reader) => reader.uint(),
};
export const int: Packed<number> = {
  put: (writer, value) => writer.uint(value >>> 0),
  take: (reader) => reader.uint() | 0,
};
export const bool: Packed<boolean> = {
  put: (writer, value) => writer.uint(value ? 1 : 0),
  take: (reader) => reader.uint() === 1,
};
export const big: Packed<bigint> = {
  put: (writer, value) => writer.big(value),
  take: (reader) => reader.big(),
};
export const bytes: Packed<Buffer> = {
  put: (writer, value) => writer.bytes(value),
  take: (reader) => reader.bytes(),
};
export const text: Packed<string> = {
  put: (writer, value) => writer.bytes(Buffer.from(value)),
  take: (reader) => reader.bytes().toString(),
};

/** One of some texts, by its place among them. */
export function oneOf<T extends string>(...values: readonly T[]): Packed<T> {
  return {
    put: (writer, value) => writer.uint(values.indexOf(value)),
    take: (reader) => values[reader.uint()]!,
  };
}

/** A typed array; it is copied when it is read, because elements must be aligned. */
export function numbers<T extends NodeJS.TypedArray>(create: new (elements: ArrayBuffer) => T): Packed<T> {
  return {
    put: (writer, { buffer, byteOffset, byteLength }) =>
      writer.bytes(new Uint8Array(buffer, byteOffset, byteLength)),
    take(reader) {
      const { buffer, byteOffset, byteLength } = reader.bytes();
      return new create(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    },
  };
}

export function optional<T>({ put, take }: Packed<T>): Packed<T | undefined> {
  return {
    put(writer, value) {
      writer.uint(value === undefined ? 0 : 1);
      if (value !== undefined) put(writer, value);
    },
    take: (reader) => (reader.uint() === 1 ? take(reader) : undefined),
  };
}

export function list<T>({ put, take }: Packed<T>): Packed<readonly T[]> {
  return {
    put(writer, values) {
      writer.uint(values.length);
      for (const value of values) put(writer, value);
    },
    take: (reader) => Array.from({ length: reader.uint() }, () => take(reader)),
  };
}

/** A value that may be kept without the rest. */
export function section<T>({ put, take }: Packed<T>): Packed<T> {
  return {
    put: (writer, value) => writer.section(() => put(writer, value)),
    take: (reader) => take(reader.section()),
  };
}

/** The fields of an object, in the order of the table. */
export function record<T>(table: { readonly [Name in keyof T]-?: Packed<T[Name]> }): Packed<T> {
  const fields = Object.entries(table) as [keyof T, Packed<T[keyof T]>][];
  return {
    put(writer, value) {
      for (const [name, { put }] of fields) put(writer, value[name]);
    },
    take(reader) {
      const value: Partial<T> = {};
      for (const [name, { take }] of fields) value[name] = take(reader);
      return value as T;
    },
  };
}
