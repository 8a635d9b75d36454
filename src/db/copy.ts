const BASE = 10_000;
const BIG_BASE = 10_000n;
const NEGATIVE = 0x4000;
const HEAD_BYTES = 8;

// The digits of one number, lowest first. Safe to share: nothing runs in between.
const digits = new Uint16Array(32);

/**
 * Writes an integer in the binary form of `numeric`: number of digits, weight of the first digit, sign, scale, then the
 * digits of base 10 000, highest first and without trailing zeros. Returns the position after it.
 */
function writeNumeric(target: Buffer, at: number, value: bigint): number {
  const count = value < 0n ? splitDigits(-value) : splitDigits(value);
  let zeros = 0;
  while (zeros < count && digits[zeros] === 0) zeros++;
  let end = put16(target, at, count - zeros);
  end = put16(target, end, count === 0 ? 0 : count - 1);
  end = put16(target, end, value < 0n ? NEGATIVE : 0);
  end = put16(target, end, 0);
  for (let i = count - 1; i >= zeros; i--) end = put16(target, end, digits[i]!);
  return end;
}

const MAX_NUMERIC_BYTES = HEAD_BYTES + 2 * digits.length;

/** Writes the digits of a number to `digits` and returns how many there are. */
function splitDigits(value: bigint): number {
  let count = 0;
  let rest = value;
  for (; rest > Number.MAX_SAFE_INTEGER; rest /= BIG_BASE) {
    if (count === digits.length - 4) throw new RangeError('the number is too large');
    digits[count++] = Number(rest % BIG_BASE);
  }
  for (let small = Number(rest); small > 0; small = Math.floor(small / BASE)) digits[count++] = small % BASE;
  return count;
}

function put16(target: Buffer, at: number, value: number): number {
  target[at] = value >> 8;
  target[at + 1] = value;
  return at + 2;
}

const FIRST_BYTES = 16 * 1024;
const INT4_OID = 23;
const INT8_OID = 20;
const JSONB_VERSION = 1;

/**
 * Builds rows of a binary COPY: call `row` with the number of fields, then add each field in the order of the columns.
 * Undefined is written as null.
 */
export class CopyBuffer {
  /** The bytes so far and spare room; replaced by a larger Buffer when it grows. */
  #buffer: Buffer;
  #at = 0;
  #count = 0;

  constructor(firstBytes = FIRST_BYTES) {
    this.#buffer = Buffer.allocUnsafeSlow(firstBytes);
  }

  /** The position of the next byte. */
  position(): number {
    return this.#at;
  }

  /** Everything written, as a view. */
  rows(): CopyRows {
    return { bytes: this.#buffer.subarray(0, this.#at), count: this.#count };
  }

  /** Starts a row. */
  row(fields: number): this {
    this.#need(2);
    this.#put16(fields);
    this.#count++;
    return this;
  }

  null(): this {
    this.#need(4);
    this.#put32(-1);
    return this;
  }

  bool(value: boolean | undefined): this {
    if (value === undefined) return this.null();
    this.#head(1);
    this.#buffer[this.#at++] = value ? 1 : 0;
    return this;
  }

  int2(value: number | undefined): this {
    if (value === undefined) return this.null();
    if ((value << 16) >> 16 !== value) throw new RangeError(`${value} does not fit 16 bits`);
    this.#head(2);
    this.#put16(value);
    return this;
  }

  int4(value: number | undefined): this {
    if (value === undefined) return this.null();
    if ((value | 0) !== value) throw new RangeError(`${value} does not fit 32 bits`);
    this.#head(4);
    this.#put32(value);
    return this;
  }

  int8(value: bigint | number | undefined): this {
    if (value === undefined) return this.null();
    this.#head(8);
    this.#put64(value);
    return this;
  }

  /** An integer of any size. */
  numeric(value: bigint | undefined): this {
    if (value === undefined) return this.null();
    this.#need(4 + MAX_NUMERIC_BYTES);
    const end = writeNumeric(this.#buffer, this.#at + 4, value);
    this.#put32(end - this.#at - 4);
    this.#at = end;
    return this;
  }

  bytes(value: Uint8Array | undefined): this {
    if (value === undefined) return this.null();
    const at = this.#reserve(value.length);
    if (value.length > 64) this.#buffer.set(value, at);
    // For a hash a loop is cheaper.
    else for (let i = 0, buffer = this.#buffer; i < value.length; i++) buffer[at + i] = value[i]!;
    return this;
  }

  /** A text, or the label of an enum. */
  text(value: string | undefined): this {
    if (value === undefined) return this.null();
    const length = Buffer.byteLength(value);
    const at = this.#reserve(length);
    if (length > 32 || length !== value.length) this.#buffer.write(value, at);
    else for (let i = 0; i < length; i++) this.#buffer[at + i] = value.charCodeAt(i);
    return this;
  }

  /** The text of a JSON value, for a jsonb column. */
  json(value: string | undefined): this {
    if (value === undefined) return this.null();
    const at = this.#reserve(1 + Buffer.byteLength(value));
    this.#buffer[at] = JSONB_VERSION;
    this.#buffer.write(value, at + 1);
    return this;
  }

  int4Array(values: readonly number[] | undefined): this {
    if (values === undefined) return this.null();
    this.#array(values.length, INT4_OID, 4 * values.length);
    for (const value of values) this.int4(value);
    return this;
  }

  int8Array(values: readonly (bigint | number)[] | undefined): this {
    if (values === undefined) return this.null();
    this.#array(values.length, INT8_OID, 8 * values.length);
    for (const value of values) this.int8(value);
    return this;
  }

  /** Writes the header of a one-dimensional array with lower bound 1; an empty array has no dimension. `size` is the total of all values. */
  #array(length: number, oid: number, size: number): void {
    this.#head(12 + (length === 0 ? 0 : 8 + 4 * length + size));
    this.#put32(length === 0 ? 0 : 1);
    this.#put32(0);
    this.#put32(oid);
    if (length === 0) return;
    this.#put32(length);
    this.#put32(1);
  }

  /** Adds a field of `length` bytes and returns its position. */
  #reserve(length: number): number {
    this.#head(length);
    this.#at += length;
    return this.#at - length;
  }

  #head(length: number): void {
    this.#need(4 + length);
    this.#put32(length);
  }

  #put16(value: number): void {
    const buffer = this.#buffer;
    buffer[this.#at++] = value >> 8;
    buffer[this.#at++] = value;
  }

  #put32(value: number): void {
    const buffer = this.#buffer;
    buffer[this.#at++] = value >> 24;
    buffer[this.#at++] = value >> 16;
    buffer[this.#at++] = value >> 8;
    buffer[this.#at++] = value;
  }

  #put64(value: bigint | number): void {
    if (typeof value === 'bigint') this.#at = this.#buffer.writeBigInt64BE(value, this.#at);
    else {
      if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`);
      this.#put32(Math.floor(value / 0x1_0000_0000));
      this.#put32(value);
    }
  }

  #need(bytes: number): void {
    const end = this.#at + bytes;
    if (end <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

/** The header of a binary COPY: its signature, no flags, no extension. */
export const COPY_HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** The trailer after the last row. */
export const COPY_END = Buffer.from([0xff, 0xff]);

/** The COPY statement for some columns of a table. */
export function copyStatement(table: string, columns: readonly string[]): string {
  return `copy ${table} (${columns.join(', ')}) from stdin (format binary)`;
}

/** Rows of a binary COPY, without header and trailer. */
export interface CopyRows {
  readonly bytes: Buffer;
  readonly count: number;
}

/** How the rows of a table are written: a field for each column, in the order of COPY. */
export function createRowFormat<T>(fields: Readonly<Record<string, (row: CopyBuffer, value: T) => unknown>>) {
  const columns = Object.keys(fields);
  const writers = Object.values(fields);
  const put = (rows: CopyBuffer, value: T): void => {
    rows.row(columns.length);
    for (const write of writers) write(rows, value);
  };
  return {
    fields,
    columns,
    put,
    rows(values: Iterable<T>): CopyRows {
      const rows = new CopyBuffer();
      for (const value of values) put(rows, value);
      return rows.rows();
    },
  };
}
