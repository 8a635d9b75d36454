import type { TSchema } from 'typebox';
import Type from 'typebox';
import { CellError } from '../chain/boc/cells.ts';
import { readRootBoc } from '../chain/boc/read-root-boc.ts';
import { Slice } from '../chain/boc/slice.ts';
import { readSnake } from '../chain/contracts/token-content.ts';
import { type ActionColumns, COLUMN_KINDS, type ColumnKind, memberOf, readerOf } from './action-columns.ts';
import { formatOpcode, MapOf, Nullable } from './values.ts';

export interface DetailContext {
  readonly testOnly: boolean;
  /** Called with every address that is written. */
  readonly onAddress: (address: string) => void;
  readonly commentOf: (payload: string) => PayloadComment | undefined;
}

/** One key of details: its schema, and the writer of its JSON, which returns undefined to leave the key out. */
interface DetailField {
  readonly schema: TSchema;
  readonly isOptional: boolean;
  readonly write: (row: ActionColumns, context: DetailContext) => string | undefined;
}

/** Details by key, in output order. */
export type DetailFields = Readonly<Record<string, DetailField>>;

/** A column name, `group.column` for a column of a group, or a function that computes the value. */
export type DetailSource = string | ((row: ActionColumns, context: DetailContext) => unknown);

type Write = (value: unknown, context: DetailContext) => string;

const kind =
  (schema: TSchema, write: Write) =>
  (source: DetailSource): DetailField => {
    const read = typeof source === 'string' ? readerOf(source) : source;
    return {
      schema,
      isOptional: false,
      write: (row, context) => {
        const value = read(row, context);
        return value === null || value === undefined ? 'null' : write(value, context);
      },
    };
  };

const writeAddress: Write = (value, { onAddress }) => {
  onAddress(String(value));
  return JSON.stringify(String(value));
};

const text = Nullable(Type.String());

/** Any text, and a number as a decimal text. */
export const str = kind(text, (value) => JSON.stringify(String(value)));

export const addr = kind(text, writeAddress);

/** A JSON number, copied digit by digit because it may exceed the safe integers of JavaScript. */
export const int = kind(Nullable(Type.Integer()), (value) =>
  /^-?\d+$/.test(String(value)) ? String(value) : 'null',
);

export const bool = kind(Nullable(Type.Boolean()), (value) => String(value === true));

const KINDS: Readonly<Record<ColumnKind, typeof addr>> = {
  text: str,
  addr,
  int,
  bool,
  opcode: kind(text, (value) => JSON.stringify(formatOpcode(Number(value)))),
  amounts: kind(MapOf(Type.String()), (value) => JSON.stringify(value)),
  addrs: kind(Nullable(Type.Array(Type.String())), (value, context) =>
    writeList(value, (each) => writeAddress(each, context)),
  ),
};

/**
 * Fields as words. `pool=destination` is the key `pool` from the column `destination`; without a key it is the name of the
 * column. A column of a group is `group.column`, of the given one `.column`. A `?` at the end leaves out a key without value.
 */
export function fields(group: string, words: string): DetailFields {
  return Object.fromEntries(
    words.split(' ').map((word) => {
      const [, ownKey, column, mark] = /^(?:(\w+)=)?([\w.]+)(\??)$/.exec(word)!;
      const path = column!.startsWith('.') ? group + column : column!;
      const field = KINDS[COLUMN_KINDS.get(path)!](path);
      return [ownKey ?? path.split('.').at(-1)!, mark === '' ? field : optional(field)];
    }),
  );
}

/** Details of types: words as above, where the given group is that of the type, and fields of other kinds between them. */
export function detailTable(
  types: Readonly<Record<string, string | readonly (string | DetailFields)[]>>,
): Readonly<Record<string, DetailFields>> {
  return Object.fromEntries(
    Object.entries(types).map(([type, given]) => [
      type,
      Object.assign(
        {},
        ...[given].flat().map((part) => (typeof part === 'string' ? fields(type, part) : part)),
      ),
    ]),
  );
}

/** A text whose key is left out if there is no value. */
export function optional({ write }: DetailField): DetailField {
  return {
    schema: Type.String(),
    isOptional: true,
    write: (row, context) => {
      const json = write(row, context);
      return json === 'null' ? undefined : json;
    },
  };
}

export function described(field: DetailField, description: string): DetailField {
  return { ...field, schema: { ...field.schema, description } };
}

export function onlyIf(isPresent: (row: ActionColumns) => boolean, field: DetailField): DetailField {
  return {
    schema: field.schema,
    isOptional: true,
    write: (row, context) => (isPresent(row) ? field.write(row, context) : undefined),
  };
}

/** An object that is always present; `title` is the name of its schema. */
export function object(title: string, members: DetailFields): DetailField {
  return {
    schema: toObjectSchema(members, title),
    isOptional: false,
    write: (row, context) => writeFields(members, row, context),
  };
}

/** A list of objects that is always present; `elements` gives the fields of each, `title` the name of their schema. */
export function list(
  title: string,
  source: DetailSource,
  elements: Readonly<Record<string, typeof addr>>,
): DetailField {
  const read = typeof source === 'string' ? readerOf(source) : source;
  const membersOf = (element: unknown): DetailFields =>
    Object.fromEntries(
      Object.entries(elements).map(([key, of]) => [key, of(() => memberOf(element, key) ?? null)]),
    );
  return {
    schema: Type.Array(toObjectSchema(membersOf(null), title)),
    isOptional: false,
    write: (row, context) =>
      writeList(read(row, context), (element) => writeFields(membersOf(element), row, context)),
  };
}

export function writeFields(fields: DetailFields, row: ActionColumns, context: DetailContext): string {
  const members: string[] = [];
  for (const key in fields) {
    const json = fields[key]!.write(row, context);
    if (json !== undefined) members.push(`"${key}":${json}`);
  }
  return `{${members.join()}}`;
}

export function toObjectSchema(fields: DetailFields, title: string): TSchema {
  const properties = Object.entries(fields).map(([key, { schema, isOptional }]): [string, TSchema] => [
    key,
    isOptional ? Type.Optional(schema) : schema,
  ]);
  return Type.Object(Object.fromEntries(properties), { title, additionalProperties: false });
}

function writeList(value: unknown, write: (element: unknown) => string): string {
  return `[${Array.isArray(value) ? value.map(write).join() : ''}]`;
}

/** The comment in a payload; the text is null if there is none. */
export interface PayloadComment {
  readonly text: string | null;
  readonly isEncrypted: boolean;
}

const PLAIN_COMMENT = 0;
const ENCRYPTED_COMMENT = 0x2167da4b;
const OPCODE_BITS = 32;
// More than a snake of maximum depth can hold.
const MAX_COMMENT_BYTES = 256 * 1024;

/** Reads the comment in a payload, a bag of cells in base64; undefined if the bag is malformed. */
export function readPayloadComment(payload: string): PayloadComment | undefined {
  try {
    const bag = readRootBoc(Buffer.from(payload, 'base64'));
    return readComment(new Slice(bag, bag.root));
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}

function readComment(slice: Slice): PayloadComment {
  const none = { text: null, isEncrypted: false };
  const opcode = slice.bitsLeft < OPCODE_BITS ? undefined : slice.uint(OPCODE_BITS);
  if (opcode !== PLAIN_COMMENT && opcode !== ENCRYPTED_COMMENT) return none;
  const bytes = readSnake(slice, MAX_COMMENT_BYTES);
  if (bytes === undefined) return none;
  if (opcode === ENCRYPTED_COMMENT) return { text: bytes.toString('base64'), isEncrypted: true };
  return { text: bytes.toString('utf8').replaceAll('\0', ''), isEncrypted: false };
}
