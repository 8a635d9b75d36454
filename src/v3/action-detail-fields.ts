import type { TSchema } from 'typebox';
import Type from 'typebox';
import { fromAccountOrText } from '../chain/address.ts';
import { CellError } from '../chain/boc/cells.ts';
import { readRootBoc } from '../chain/boc/read-root-boc.ts';
import { Slice } from '../chain/boc/slice.ts';
import { readSnake } from '../chain/contracts/token-content.ts';
import type { ActionRow } from '../index/action-row.ts';
import { formatOpcode, MapOf, Nullable } from './values.ts';

/** Context of the writers of details. */
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

/** A raw address. */
export const addr = kind(text, writeAddress);

/** A number as a decimal text. */
export const num = kind(text, (value) => JSON.stringify(String(value)));

/** Any text. */
export const str = kind(text, (value) => JSON.stringify(String(value)));

/** A JSON number, copied digit by digit because it may exceed the safe integers of JavaScript. */
export const int = kind(Nullable(Type.Integer()), (value) =>
  /^-?\d+$/.test(String(value)) ? String(value) : 'null',
);

/** True or false. */
export const bool = kind(Nullable(Type.Boolean()), (value) => String(value === true));

/** An opcode in hex. */
export const opcode = kind(text, (value) => JSON.stringify(formatOpcode(Number(value))));

/** Amounts by currency id. */
export const amounts = kind(MapOf(Type.String()), (value) => JSON.stringify(value));

/** A list of raw addresses. */
export const addrs = kind(Nullable(Type.Array(Type.String())), (value, context) =>
  writeList(value, (each) => writeAddress(each, context)),
);

/** Fields of one kind whose keys are the names of their columns in a group. */
export function columns(of: typeof addr, group: string, ...names: readonly string[]): DetailFields {
  return Object.fromEntries(names.map((name) => [name, of(`${group}.${name}`)]));
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

/** A field with a description in the document. */
export function described(field: DetailField, description: string): DetailField {
  return { ...field, schema: { ...field.schema, description } };
}

/** A field that only some rows have. */
export function onlyIf(isPresent: (row: ActionColumns) => boolean, field: DetailField): DetailField {
  return {
    schema: field.schema,
    isOptional: true,
    write: (row, context) => (isPresent(row) ? field.write(row, context) : undefined),
  };
}

/** An object that is always present; `title` is the name of its schema. */
export function object(title: string, fields: DetailFields): DetailField {
  return {
    schema: toObjectSchema(fields, title),
    isOptional: false,
    write: (row, context) => writeFields(fields, row, context),
  };
}

/** A list of objects that is always present; `elements` gives the fields of each, `title` the name of their schema. */
export function list(
  title: string,
  source: DetailSource,
  elements: Readonly<Record<string, typeof addr>>,
): DetailField {
  const read = typeof source === 'string' ? readerOf(source) : source;
  const fields = (element: unknown): DetailFields =>
    Object.fromEntries(
      Object.entries(elements).map(([key, of]) => [key, of(() => memberOf(element, key) ?? null)]),
    );
  return {
    schema: Type.Array(toObjectSchema(fields(null), title)),
    isOptional: false,
    write: (row, context) =>
      writeList(read(row, context), (element) => writeFields(fields(element), row, context)),
  };
}

/** Writes the details of a row. */
export function writeFields(fields: DetailFields, row: ActionColumns, context: DetailContext): string {
  const members: string[] = [];
  for (const key in fields) {
    const json = fields[key]!.write(row, context);
    if (json !== undefined) members.push(`"${key}":${json}`);
  }
  return `{${members.join()}}`;
}

/** The schema of details. */
export function toObjectSchema(fields: DetailFields, title: string): TSchema {
  const properties = Object.entries(fields).map(([key, { schema, isOptional }]): [string, TSchema] => [
    key,
    isOptional ? Type.Optional(schema) : schema,
  ]);
  return Type.Object(Object.fromEntries(properties), { title, additionalProperties: false });
}

/** A reader of a column; it returns null if the column or its group is missing. */
export function readerOf(path: string): (row: ActionColumns) => unknown {
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  if (rest.length === 0) return (row) => row[first as keyof ActionColumns] ?? null;
  const group = first === 'extra' ? first : `${first}_data`;
  return ({ data }) => rest.reduce<unknown>(memberOf, data[group]) ?? null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : null;
}

function writeList(value: unknown, write: (element: unknown) => string): string {
  return `[${Array.isArray(value) ? value.map(write).join() : ''}]`;
}

/** The columns of an action that details are made of. Addresses are raw; a few types keep other texts in these columns. */
export interface ActionColumns {
  readonly type: string;
  readonly source: string | null;
  readonly source_secondary: string | null;
  readonly destination: string | null;
  readonly destination_secondary: string | null;
  readonly asset: string | null;
  readonly asset_secondary: string | null;
  readonly asset2: string | null;
  readonly asset2_secondary: string | null;
  readonly opcode: string | null;
  readonly value: string | null;
  readonly amount: string | null;
  readonly value_extra_currencies: Readonly<Record<string, string>>;
  /** Groups of columns by name: `jetton_transfer_data` and so on. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Converts a stored action to columns. */
export function toActionColumns(row: ActionRow): ActionColumns {
  const { type, opcode, value, amount } = row;
  return {
    type,
    opcode,
    value,
    amount,
    source: textOf(row.source),
    source_secondary: textOf(row.source_secondary),
    destination: textOf(row.destination),
    destination_secondary: textOf(row.destination_secondary),
    asset: textOf(row.asset),
    asset_secondary: textOf(row.asset_secondary),
    asset2: textOf(row.asset2),
    asset2_secondary: textOf(row.asset2_secondary),
    value_extra_currencies: row.value_extra_currencies ?? {},
    data: row.data ?? {},
  };
}

function textOf(bytes: Buffer | null): string | null {
  return bytes && fromAccountOrText(bytes);
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
