import { type CellReader, dictionaryEntries, signedKey } from '../cells/cell-reader.ts';

/** How a value of a param is shown. */
export type ValueKind =
  | 'number'
  | 'flag'
  /** Nanotons, shown as TON. */
  | 'ton'
  /** 1/65536 nanoton. */
  | 'price'
  /** 1/65536. */
  | 'share'
  | 'seconds'
  | 'milliseconds'
  | 'bytes'
  /** Unix seconds. */
  | 'time'
  /** Account id in the masterchain, hex. */
  | 'account'
  | 'hash'
  | 'text';

export interface ConfigFact {
  readonly name: string;
  readonly kind: ValueKind;
  readonly value: string | number | bigint | boolean;
}

/** Rows with the same columns. */
export interface ConfigTable {
  readonly title: string;
  readonly rows: readonly (readonly ConfigFact[])[];
}

/** The content of a param: values by name, and tables where there are many of a kind. */
export interface ConfigContent {
  readonly facts: readonly ConfigFact[];
  readonly tables?: readonly ConfigTable[];
  /** Numbers of other params. */
  readonly params?: readonly number[];
}

type ValueReader = (reader: CellReader) => ConfigFact['value'];

/** How a value is written in a cell, and how it is shown. */
const formats = {
  u8: ['number', (reader) => reader.uint(8)],
  u16: ['number', (reader) => reader.uint(16)],
  u32: ['number', (reader) => reader.uint(32)],
  u64: ['number', (reader) => reader.big(64)],
  i32: ['number', (reader) => reader.int(32)],
  bool: ['flag', (reader) => reader.bit()],
  coins: ['ton', (reader) => reader.coins()],
  nano64: ['ton', (reader) => reader.big(64)],
  price64: ['price', (reader) => reader.big(64)],
  share16: ['share', (reader) => reader.uint(16)],
  seconds32: ['seconds', (reader) => reader.uint(32)],
  seconds16: ['seconds', (reader) => reader.uint(16)],
  ms32: ['milliseconds', (reader) => reader.uint(32)],
  bytes32: ['bytes', (reader) => reader.uint(32)],
  time32: ['time', (reader) => reader.uint(32)],
  account: ['account', (reader) => reader.hex(256)],
  hash: ['hash', (reader) => reader.hex(256)],
} as const satisfies Readonly<Record<string, readonly [ValueKind, ValueReader]>>;

type Format = keyof typeof formats;

/** Formats of values that follow each other, by their names. */
export type Fields = Readonly<Record<string, Format>>;

/** Reads values that follow each other. */
export function readFields(reader: CellReader, fields: Fields): ConfigFact[] {
  return Object.entries(fields).map(([name, format]) => {
    const [kind, read] = formats[format];
    return { name, kind, value: read(reader) };
  });
}

/** The same as long as there are bits: newer networks have more fields. */
export function readFieldsLeft(reader: CellReader, fields: Fields): ConfigFact[] {
  const facts: ConfigFact[] = [];
  for (const [name, format] of Object.entries(fields)) {
    if (reader.bitsLeft === 0) break;
    facts.push(...readFields(reader, { [name]: format }));
  }
  return facts;
}

/** A param that is a list of numbers: the keys of a dictionary without values. */
export function readNumbers(reader: CellReader): number[] {
  return [...dictionaryEntries(reader.cell, 32)].map(([key]) => signedKey(key));
}
