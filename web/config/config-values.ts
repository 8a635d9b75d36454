import type { CellReader } from '../cells/cell-reader.ts';

type Value = string | number | bigint | boolean;

/** How a value is written in a cell, and how it is shown. */
const formats = {
  unused1: ['unused', (reader) => reader.uint(1)],
  unused7: ['unused', (reader) => reader.uint(7)],
  unused13: ['unused', (reader) => reader.uint(13)],
  u8: ['number', (reader) => reader.uint(8)],
  u16: ['number', (reader) => reader.uint(16)],
  u32: ['number', (reader) => reader.uint(32)],
  u64: ['number', (reader) => reader.big(64)],
  id32: ['text', (reader) => reader.int(32)],
  varuint32: ['number', (reader) => reader.big(reader.uint(5) * 8)],
  bool: ['flag', (reader) => reader.bit()],
  coins: ['ton', (reader) => reader.coins()],
  nano64: ['ton', (reader) => reader.big(64)],
  // Prices, shares and factors are in 1/65536.
  price64: ['price', (reader) => reader.big(64)],
  factor32: ['number', (reader) => reader.uint(32) / 65_536],
  share16: ['share', (reader) => reader.uint(16)],
  seconds32: ['seconds', (reader) => reader.uint(32)],
  seconds16: ['seconds', (reader) => reader.uint(16)],
  ms32: ['milliseconds', (reader) => reader.uint(32)],
  bytes32: ['bytes', (reader) => reader.uint(32)],
  time32: ['time', (reader) => reader.uint(32)],
  // In the masterchain.
  account: ['account', (reader) => reader.hex(256)],
  hash: ['hash', (reader) => reader.hex(256)],
} as const satisfies Readonly<Record<string, readonly [kind: string, (reader: CellReader) => Value]>>;

type Format = keyof typeof formats;

/** A value by its name; the kind says how it is shown. */
export interface ConfigFact {
  readonly name: string;
  readonly kind: (typeof formats)[Format][0] | 'text';
  readonly value: Value;
}

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

export type ParamReader = (reader: CellReader) => ConfigContent;
/** Formats of values that follow each other, by their names. */
export type Fields = Readonly<Record<string, Format>>;

/** Reads values that follow each other, behind one of these tags if there are any. */
export function readFields(reader: CellReader, fields: Fields, ...tags: readonly number[]): ConfigFact[] {
  if (tags.length > 0) reader.tag(...tags);
  const facts = Object.entries(fields).map(([name, format]) => {
    const [kind, read] = formats[format];
    return { name, kind, value: read(reader) };
  });
  return facts.filter(({ kind }) => kind !== 'unused');
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
