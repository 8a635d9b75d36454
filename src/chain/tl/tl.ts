/** One TL constructor in both directions; `write` and `read` handle what follows its id. */
export interface TlType<T> {
  /** The name in the schema, for error texts. */
  readonly name: string;
  readonly id: number;
  write(writer: TlWriter, value: T): void;
  read(reader: TlReader): T;
}

export interface DecodeOptions {
  /** Whether bytes after the end of the message are ignored; they are refused otherwise. */
  readonly allowTrailing?: boolean;
}

export function encodeTl<T>(type: TlType<T>, value: T): Buffer {
  const writer = new TlWriter();
  writer.uint(type.id);
  type.write(writer, value);
  return writer.finish();
}

/** Decodes a whole message. Buffers are views of `bytes`. Throws only TlError. */
export function decodeTl<T>(type: TlType<T>, bytes: Uint8Array, options: DecodeOptions = {}): T {
  const reader = new TlReader(bytes);
  const id = reader.uint();
  if (id !== type.id) throw new TlError(`expected ${type.name}, got constructor ${constructorText(id)}`);
  const value = type.read(reader);
  if (options.allowTrailing !== true) reader.end();
  return value;
}

const BOOL_TRUE = 0x997275b5;
const BOOL_FALSE = 0xbc799737;

/** First byte of `bytes` with a four-byte header: this byte and three of length. A lower byte is the length itself. */
const FOUR_BYTE_HEAD = 254;

/** The length of a header that starts with 255: that byte and seven of length. */
const EIGHT_BYTE_HEAD = 8;

/** From this length on `bytes` have an eight-byte header. */
const LONG_BYTES = 2 ** 24;

/**
 * No list of the lite-server protocol comes near this (servers cut at 256). The smallest items have 4 bytes, so without
 * it a message of 16 MiB could create four million objects.
 */
const MAX_ITEMS = 65_536;

/** Malformed TL, or a value that does not fit its TL field. */
export class TlError extends Error {
  override readonly name: string = 'TlError';
}

export function constructorText(id: number): string {
  return `0x${id.toString(16).padStart(8, '0')}`;
}

/**
 * Reads TL from untrusted bytes: every length is checked against what is left before it is used. Buffers it returns are
 * views of the given bytes, not copies: they keep all of them in memory. Copy what outlives the message.
 */
export class TlReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  int(): number {
    return this.#bytes.readInt32LE(this.#skip(4));
  }

  /** A `#`, or an `int` that holds an unsigned number. */
  uint(): number {
    return this.#bytes.readUInt32LE(this.#skip(4));
  }

  long(): bigint {
    return this.#bytes.readBigInt64LE(this.#skip(8));
  }

  int128(): Buffer {
    return this.#view(this.#skip(16), 16);
  }

  int256(): Buffer {
    return this.#view(this.#skip(32), 32);
  }

  /** A `bytes` or `string` field as a view. Its padding may have any value, as nodes accept it. */
  bytes(): Buffer {
    const start = this.#skip(4);
    const first = this.#bytes[start] as number;
    if (first < FOUR_BYTE_HEAD) {
      this.#skip(first & ~3);
      return this.#view(start + 1, first);
    }
    let length: number;
    if (first === FOUR_BYTE_HEAD) {
      length = this.#bytes.readUIntLE(start + 1, 3);
    } else {
      this.#skip(EIGHT_BYTE_HEAD - 4);
      length = this.#bytes.readUIntLE(start + 1, 6) + (this.#bytes[start + 7] as number) * 2 ** 48;
    }
    return this.#view(this.#skip(length + (-length & 3)), length);
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

  /** A vector whose items have at least `minItemBytes` each; a false count is refused before anything is read. */
  vector<T>(minItemBytes: number, readItem: (reader: TlReader) => T): T[] {
    const count = this.uint();
    if (count > MAX_ITEMS || count * minItemBytes > this.left) {
      throw new TlError(`a vector of ${count} items cannot be in ${this.left} bytes`);
    }
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(readItem(this));
    return items;
  }

  rest(): Buffer {
    const start = this.#at;
    this.#at = this.#bytes.length;
    return this.#bytes.subarray(start);
  }

  end(): void {
    if (this.left > 0) throw new TlError(`${this.left} bytes follow the end of the message`);
  }

  #skip(size: number): number {
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

/** Writes TL into a growing buffer. Throws TlError for a value that does not fit its field. */
export class TlWriter {
  #bytes = Buffer.allocUnsafe(256);
  #at = 0;

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

  /** The written bytes. The writer must not be used any more: its buffer belongs to the caller. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  #fixed(value: Uint8Array, size: number): void {
    if (value.length !== size) throw new TlError(`${value.length} bytes given for an int${size * 8}`);
    this.raw(value);
  }

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

export function hasBit(mode: number, bit: number): boolean {
  return ((mode >>> bit) & 1) === 1;
}

/** Whether an optional field is to be written; throws TlError if its value does not agree with the mode. */
export function isGiven<T>(mode: number, bit: number, value: T | undefined, field: string): value is T {
  const given = value !== undefined;
  if (given !== hasBit(mode, bit)) {
    throw new TlError(
      `${field} is ${given ? '' : 'not '}given, but bit ${bit} of mode ${mode} says otherwise`,
    );
  }
  return given;
}
