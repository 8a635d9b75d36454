import type { StoredValue } from '../action-row.ts';
import { DETAIL_KEYS } from './action-names.ts';
import type { PackedReader, PackedWriter } from './varints.ts';

/** Accounts and texts are stored once per trace; values refer to them by their number. */
export interface PartyNumbers {
  /** The number of an account by its raw address; undefined if the text is not a raw address. */
  readonly numberOf: (text: string) => number | undefined;
}

const [NULL, FALSE, TRUE, INTEGER, DECIMAL, ADDRESS, BASE64, HEX, TEXT, LIST, OBJECT, FRACTION] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
];

const DECIMAL_TEXT = /^(?:0|-?[1-9]\d{0,99})$/;
const BASE64_TEXT = /^[A-Za-z0-9+/]{16,}={0,2}$/;
const HEX_TEXT = /^(?:[0-9a-f]{2}){8,}$/;

/** Packs a value: each kind of text in its shortest form. */
export function packValue(writer: PackedWriter, value: StoredValue, parties: PartyNumbers): void {
  if (value === null) writer.uint8(NULL);
  else if (typeof value === 'boolean') writer.uint8(value ? TRUE : FALSE);
  else if (typeof value === 'number') packNumber(writer, value);
  else if (typeof value === 'string') packText(writer, value, parties);
  else if (Array.isArray(value)) {
    writer.uint8(LIST);
    writer.uint(value.length);
    for (const each of value) packValue(writer, each, parties);
  } else {
    const members = Object.entries(value);
    writer.uint8(OBJECT);
    writer.uint(members.length);
    for (const [key, each] of members) {
      const id = DETAIL_KEYS.idOf(key);
      writer.uint(id);
      if (id === 0) writer.text(key);
      packValue(writer, each, parties);
    }
  }
}

function packNumber(writer: PackedWriter, value: number): void {
  // Minus zero is not an integer here: it would lose its sign.
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    writer.uint8(INTEGER);
    writer.int(BigInt(value));
  } else {
    writer.uint8(FRACTION);
    writer.text(JSON.stringify(value));
  }
}

function packText(writer: PackedWriter, value: string, { numberOf }: PartyNumbers): void {
  const number = numberOf(value);
  if (number !== undefined) {
    writer.uint8(ADDRESS);
    writer.uint(number);
  } else if (DECIMAL_TEXT.test(value)) {
    writer.uint8(DECIMAL);
    writer.int(BigInt(value));
  } else if (HEX_TEXT.test(value)) {
    writer.uint8(HEX);
    writer.block(Buffer.from(value, 'hex'));
  } else if (isBase64(value)) {
    writer.uint8(BASE64);
    writer.block(Buffer.from(value, 'base64'));
  } else {
    writer.uint8(TEXT);
    writer.text(value);
  }
}

/** Whether a text is exactly the base64 of some bytes. */
function isBase64(text: string): boolean {
  return BASE64_TEXT.test(text) && Buffer.from(text, 'base64').toString('base64') === text;
}

/** Unpacks a value; `addressOf` gives the raw address of an account by its number. */
export function unpackValue(reader: PackedReader, addressOf: (number: number) => string): StoredValue {
  const tag = reader.uint8();
  switch (tag) {
    case NULL:
      return null;
    case FALSE:
    case TRUE:
      return tag === TRUE;
    case INTEGER:
      return Number(reader.int());
    case DECIMAL:
      return String(reader.int());
    case ADDRESS:
      return addressOf(reader.uint());
    case BASE64:
      return reader.block().toString('base64');
    case HEX:
      return reader.block().toString('hex');
    case TEXT:
      return reader.text();
    case LIST:
      return reader.list(() => unpackValue(reader, addressOf));
    case OBJECT:
      return Object.fromEntries(
        reader.list(() => {
          const id = reader.uint();
          const key = id === 0 ? reader.text() : DETAIL_KEYS.nameOf(id);
          return [key, unpackValue(reader, addressOf)] as const;
        }),
      );
    case FRACTION:
      return JSON.parse(reader.text());
    default:
      throw new RangeError(`unknown kind of value: ${tag}`);
  }
}
