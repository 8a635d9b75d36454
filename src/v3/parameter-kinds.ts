import Type from 'typebox';
import { hasFriendlyForm, type ParsedAddress, parseAddress } from '../chain/address.ts';
import type { CellBag } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { readRootBoc } from '../chain/boc/read-root-boc.ts';
import { parseHash } from '../chain/hash.ts';
import { decodeBase64 } from '../chain/stack/arguments.ts';
import type { Parameter } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import {
  type ListOptions,
  listParam,
  type ParameterKind,
  type ScalarOptions,
  scalarParam,
} from './parameters.ts';
import { toAccountBytes } from './values.ts';

/**
 * Undoes what form decoding did to base64 that a client put into a URL without escaping: `+` became a space. The
 * reference server refuses such values; reading them is safe because no valid value has a space, and a wrong
 * guess fails the length, alphabet or checksum test that follows.
 */
export function restorePlus(text: string, ...lengths: readonly number[]): string {
  return lengths.includes(text.length) ? text.replaceAll(' ', '+') : text;
}

const FRIENDLY_CHARS = 48;

/** An account address, raw or friendly. */
export const addressKind: ParameterKind<ParsedAddress> = {
  schema: Type.String(),
  convert: (text) => {
    const address = parseAddress(restorePlus(text, FRIENDLY_CHARS));
    // v2 reads 64 hex digits alone as a masterchain account; here they are no address. v3 knows workchains of
    // one signed byte only, which is what the friendly form holds.
    return address && address.form !== 'bare' && hasFriendlyForm(address.workchain) ? address : undefined;
  },
  commaLists: true,
  empty: 'refused',
};

/** A parameter with one account address. */
export function addressParam<const O extends ScalarOptions<ParsedAddress>>(options: O) {
  return scalarParam(addressKind, options);
}

/** `'null'` asks for rows that have no address there. */
export type AddressOrNull = ParsedAddress | 'null';

const addressOrNullKind: ParameterKind<AddressOrNull> = {
  ...addressKind,
  convert: (text) => (text === 'null' ? text : addressKind.convert(text)),
};

/** A parameter with one account address, or the word `null` for "has none". */
export function addressOrNullParam<const O extends ScalarOptions<AddressOrNull>>(options: O) {
  return scalarParam(addressOrNullKind, options);
}

const MAX_ACCOUNTS = 1000;

/** A parameter with many addresses, as the index has them; one that is given twice counts once. */
export function accountsParam(
  options: Omit<ListOptions, 'max'> & Partial<Pick<ListOptions, 'max'>>,
): Parameter<readonly Buffer[]> {
  const list = listParam(addressKind, { max: MAX_ACCOUNTS, ...options });
  return {
    ...list,
    read: (input) => {
      const accounts = list.read(input).map(toAccountBytes);
      return [...new Map(accounts.map((account) => [account.toString('latin1'), account])).values()];
    },
  };
}

/** A parameter with one address, as the index has it. */
export function accountParam(options: { readonly description: string }): Parameter<Buffer | undefined> {
  const address = addressParam(options);
  return {
    ...address,
    read: (input) => {
      const parsed = address.read(input);
      return parsed && toAccountBytes(parsed);
    },
  };
}

const MAX_ADDRESSES = 1024;

/** The parameter `address` of operations that answer by address: any text, since one that is no address fails no others. */
export function addressListParam({ splitCommas = false } = {}): Parameter<readonly string[]> {
  const several = splitCommas ? 'repeat the name or use commas' : 'repeat the name';
  return listParam(stringKind, {
    description: `Addresses in any form; ${several} for several.`,
    splitCommas,
    max: MAX_ADDRESSES,
    required: true,
    missingText: 'at least 1 address required',
  });
}

const PADDED_CHARS = 44;
const UNPADDED_CHARS = 43;
const FORMS = { prefixedHex: true, unpaddedStandard: true };

/** A 256-bit hash: hex, `0x` and hex, base64 or base64url, padded or not (43 characters came with ref's 1.3). */
export const hashKind: ParameterKind<Buffer> = {
  schema: Type.String(),
  convert: (text) => parseHash(restorePlus(text, PADDED_CHARS, UNPADDED_CHARS), FORMS),
  commaLists: true,
  empty: 'refused',
};

/** A parameter with one hash. */
export function hashParam<const O extends ScalarOptions<Buffer>>(options: O) {
  return scalarParam(hashKind, options);
}

const DECIMAL = /^[+-]?[0-9]+$/;
/** Longer runs of digits are out of every range, or padded with zeros to no purpose. */
const MAX_DIGITS = 64;

/** Reads a plain decimal integer of any size that is inside the range; undefined for anything else. */
export function parseDecimal(text: string, min: bigint, max: bigint): bigint | undefined {
  if (text.length > MAX_DIGITS || !DECIMAL.test(text)) return undefined;
  // BigInt takes a minus but no plus.
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value >= min && value <= max ? value : undefined;
}

const HEX = /^[0-9a-fA-F]+$/;

/** Reads hex digits without a prefix as an unsigned number of at most `bits` bits. */
export function parseHexDigits(digits: string, bits: number): bigint | undefined {
  if (digits.length > MAX_DIGITS || !HEX.test(digits)) return undefined;
  const value = BigInt(`0x${digits}`);
  return value < 1n << BigInt(bits) ? value : undefined;
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** A shard id: hex is tried first, then signed decimal; the value is a signed 64-bit number. */
export const shardKind: ParameterKind<bigint> = {
  schema: Type.String(),
  convert: (text) => {
    const prefixed = text.startsWith('0x');
    const unsigned = parseHexDigits(prefixed ? text.slice(2) : text, 64);
    if (unsigned !== undefined) return BigInt.asIntN(64, unsigned);
    return prefixed ? undefined : parseDecimal(text, MIN_INT64, MAX_INT64);
  },
  commaLists: true,
  empty: 'refused',
};

/** A parameter with one shard id. */
export function shardParam<const O extends ScalarOptions<bigint>>(options: O) {
  return scalarParam(shardKind, options);
}

const MIN_INT32 = -(2n ** 31n);
const MAX_INT32 = 2n ** 31n - 1n;

/**
 * A message opcode as a signed 32-bit number. Hex is tried first, so `123` means 0x123; decimal remains for
 * negative numbers and for nine or ten digits, which overflow as hex.
 */
export const opcodeKind: ParameterKind<number> = {
  schema: Type.String(),
  convert: (text) => {
    const prefixed = text.startsWith('0x') || text.startsWith('0X');
    const unsigned = parseHexDigits(prefixed ? text.slice(2) : text, 32);
    if (unsigned !== undefined) return Number(BigInt.asIntN(32, unsigned));
    const decimal = prefixed ? undefined : parseDecimal(text, MIN_INT32, MAX_INT32);
    return decimal === undefined ? undefined : Number(decimal);
  },
  commaLists: true,
  empty: 'refused',
};

/** A parameter with one opcode. */
export function opcodeParam<const O extends ScalarOptions<number>>(options: O) {
  return scalarParam(opcodeKind, options);
}

const MIN_INT32_NUMBER = -(2 ** 31);
const MAX_INT32_NUMBER = 2 ** 31 - 1;

/** A plain decimal that fits 32 signed bits. */
export const int32Kind: ParameterKind<number> = {
  schema: Type.Integer({ minimum: MIN_INT32_NUMBER, maximum: MAX_INT32_NUMBER }),
  convert: (text) => {
    const value = parseDecimal(text, BigInt(MIN_INT32_NUMBER), BigInt(MAX_INT32_NUMBER));
    return value === undefined ? undefined : Number(value);
  },
  json: 'number',
  empty: 'absent',
};

/** A parameter with one small integer: seqno, workchain. */
export function int32Param<const O extends ScalarOptions<number>>(options: O) {
  return scalarParam(int32Kind, options);
}

const MAX_UINT64 = 2n ** 64n - 1n;

const uint64Kind: ParameterKind<bigint> = {
  schema: Type.Integer({ minimum: 0 }),
  // An unsigned number has no sign, not even a plus.
  convert: (text) => (/^[0-9]/.test(text) ? parseDecimal(text, 0n, MAX_UINT64) : undefined),
  json: 'number',
  empty: 'absent',
};

/** A parameter with one unsigned 64-bit number: a logical time. It may be above what a signed column holds. */
export function uint64Param<const O extends ScalarOptions<bigint>>(options: O) {
  return scalarParam(uint64Kind, options);
}

const MAX_UINT32 = 2 ** 32 - 1;
const MAX_UTIME_CHARS = 64;
// No two parts of it can match the same digit, so it takes linear time.
const FLOAT = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

const utimeKind: ParameterKind<number> = {
  schema: Type.Integer({ minimum: 0, maximum: MAX_UINT32 }),
  convert: (text) => {
    if (text.length > MAX_UTIME_CHARS || !FLOAT.test(text)) return undefined;
    // `+ 0` turns the -0 of "-0.5" into 0.
    const seconds = Math.trunc(Number(text)) + 0;
    return seconds >= 0 && seconds <= MAX_UINT32 ? seconds : undefined;
  },
  json: 'number',
  empty: 'refused',
};

/** A parameter with a unix time in seconds; fractions are cut off, exponents are allowed. */
export function utimeParam<const O extends ScalarOptions<number>>(options: O) {
  return scalarParam(utimeKind, options);
}

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'True', 'TRUE', 'on'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

const booleanKind: ParameterKind<boolean> = {
  schema: Type.Boolean(),
  convert: (text) => WORDS.get(text),
  json: 'boolean',
  empty: 'absent',
};

/** A parameter that is on or off. */
export function booleanParam<const O extends ScalarOptions<boolean>>(options: O) {
  return scalarParam(booleanKind, options);
}

/** A parameter with one word of a fixed list, spelled exactly so. */
export function choiceParam<const W extends string, const O extends ScalarOptions<W>>(
  words: readonly W[],
  options: O,
) {
  const kind: ParameterKind<W> = {
    schema: Type.String({ enum: [...words] }),
    convert: (text) => words.find((word) => word === text),
    empty: 'absent',
    refusal: (name) => `${name} should be one of: ${words.join(', ')}`,
  };
  return scalarParam(kind, options);
}

/** Any text. Commas belong to it, so lists of it are made by repeating the name. */
export const stringKind: ParameterKind<string> = {
  schema: Type.String(),
  // PostgreSQL has no text with a zero character: the query would fail with a 500 for a client's mistake.
  convert: (text) => (text.includes('\0') ? undefined : text),
  empty: 'absent',
};

/** A parameter with one text. */
export function stringParam<const O extends ScalarOptions<string>>(options: O) {
  return scalarParam(stringKind, options);
}

/** What v2 takes too. To hash larger bags would hold up everybody. */
const MAX_BOC_CHARS = 1024 * 1024;

const bocKind: ParameterKind<CellBag> = {
  schema: Type.String(),
  convert: (text) => {
    if (text.length > MAX_BOC_CHARS) return undefined;
    try {
      const bag = readRootBoc(decodeBase64(text));
      // Only hashes show whether Merkle cells hold what they say.
      bag.hashAll();
      return bag;
    } catch (error) {
      if (error instanceof CellError || error instanceof Failure) return undefined;
      throw error;
    }
  },
  empty: 'absent',
  refusal: (name) =>
    `failed to decode: schema: error converting value for "${name}": expected a bag of cells in base64`,
};

/** A parameter with one cell and what is below it, as a bag of cells in base64. */
export function bocParam<const O extends ScalarOptions<CellBag>>(options: O) {
  return scalarParam(bocKind, options);
}
