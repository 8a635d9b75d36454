import Type from 'typebox';
import { hasFriendlyForm, type ParsedAddress, parseAddress, toAccountBytes } from '../chain/address.ts';
import type { CellBag } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { readRootBoc } from '../chain/boc/read-root-boc.ts';
import { parseHash } from '../chain/hash.ts';
import { decodeBase64 } from '../chain/stack/arguments.ts';
import { isUnusual } from '../chain/tlb/msg-address.ts';
import type { Parameter } from '../http/operation.ts';
import { distinctBytes } from '../lib/bytes-key.ts';
import { Failure } from '../lib/errors.ts';
import {
  type ListOptions,
  listParam,
  MAX_DIGITS,
  MAX_INT32,
  MAX_INT64,
  MAX_UINT32,
  MAX_UINT64,
  MIN_INT32,
  MIN_INT64,
  type ParameterKind,
  parseDecimal,
  type ScalarOptions,
  scalarParam,
} from './parameters.ts';

/** Values that most list parameters take, by the contract. */
export const MAX_LIST_VALUES = 1000;
/** Addresses that lists of contracts by address take, by the contract. */
export const MAX_ADDRESSES = 1024;

/**
 * Restores base64 that a client put into a URL without escaping: form decoding turned `+` into a space. The reference
 * server refuses such values. Accepting them is safe: no valid value has a space, and a wrong guess fails the length,
 * alphabet or checksum test that follows.
 */
export function restorePlus(text: string, ...lengths: readonly number[]): string {
  return lengths.includes(text.length) ? text.replaceAll(' ', '+') : text;
}

function scalarOf<T>(kind: ParameterKind<T>) {
  return <const O extends ScalarOptions<T>>(description: string, options?: O) =>
    scalarParam(kind, description, options);
}

const FRIENDLY_CHARS = 48;

/** The result of a parser for a text as it is, or without blanks around it: a blank at the end may have been a `+`. */
function withoutBlanks<T>(text: string, parse: (text: string) => T | undefined): T | undefined {
  return parse(text) ?? parse(text.trim());
}

const NO_ADDRESS: ReadonlySet<string> = new Set(['null', 'addr_none']);

export const addressKind: ParameterKind<ParsedAddress> = {
  schema: Type.String(),
  convert: (text) => withoutBlanks(text, (own) => parseAccountAddress(restorePlus(own, FRIENDLY_CHARS))),
  commaLists: true,
  empty: 'refused',
  reasonFor: (text) =>
    NO_ADDRESS.has(text.trim()) || isUnusual(text.trim()) ? 'must be a standard address' : undefined,
};

/** Parses an address that the index can hold: raw or friendly, with a workchain of one signed byte. */
export function parseAccountAddress(text: string): ParsedAddress | undefined {
  const address = parseAddress(text);
  // v2 reads 64 bare hex digits as a masterchain account, v3 does not.
  return address && address.form !== 'bare' && hasFriendlyForm(address.workchain) ? address : undefined;
}

export const addressParam = scalarOf(addressKind);

/** `'null'` selects rows without an address in that column. */
export type AddressOrNull = ParsedAddress | 'null';

/** The account that such a parameter selects: null for "has none", undefined if it was not given. */
export function toAccountOrNull(address: AddressOrNull | undefined): Buffer | null | undefined {
  if (address === 'null') return null;
  return address && toAccountBytes(address);
}

const addressOrNullKind: ParameterKind<AddressOrNull> = {
  ...addressKind,
  convert: (text) => (NO_ADDRESS.has(text.trim()) ? 'null' : addressKind.convert(text)),
};

/** A parameter with one account address, or `null` or `addr_none` for "has none". */
export const addressOrNullParam = scalarOf(addressOrNullKind);

/** A list of addresses, converted to the 33 bytes of the index and without repetitions. */
export function accountsParam(
  description: string,
  options?: Partial<ListOptions>,
): Parameter<readonly Buffer[]> {
  const list = listParam(addressKind, description, { max: MAX_LIST_VALUES, ...options });
  return { ...list, read: (input) => distinctBytes(list.read(input).map(toAccountBytes)) };
}

/** One address that must be given, converted to the 33 bytes of the index. */
export function requiredAccountParam(description: string, missingText: string): Parameter<Buffer> {
  const address = addressParam(description, { required: true, missingText });
  return { ...address, read: (input) => toAccountBytes(address.read(input)) };
}

/** One address, converted to the 33 bytes of the index. */
export function accountParam(description: string): Parameter<Buffer | undefined> {
  const address = addressParam(description);
  return {
    ...address,
    read: (input) => {
      const parsed = address.read(input);
      return parsed && toAccountBytes(parsed);
    },
  };
}

/** The parameter `address` of operations that respond per address. Any text is accepted: one malformed address must not fail the others. */
export function addressListParam({ splitCommas = false } = {}): Parameter<readonly string[]> {
  const several = splitCommas ? 'repeat the name or use commas' : 'repeat the name';
  return listParam(stringKind, `Addresses in any form; ${several} for several.`, {
    splitCommas,
    max: MAX_ADDRESSES,
    required: true,
    missingText: 'at least 1 address required',
  });
}

const PADDED_CHARS = 44;
const UNPADDED_CHARS = 43;
const HASH_FORMS = { prefixedHex: true, unpaddedStandard: true };

/** A 256-bit hash: hex, `0x` and hex, base64 or base64url, padded or not (43 characters since 1.3 of the reference server). */
export const hashKind: ParameterKind<Buffer> = {
  schema: Type.String(),
  convert: (text) =>
    withoutBlanks(text, (own) => parseHash(restorePlus(own, PADDED_CHARS, UNPADDED_CHARS), HASH_FORMS)),
  commaLists: true,
  empty: 'refused',
};

export const hashParam = scalarOf(hashKind);

export function hashesParam(description: string): Parameter<readonly Buffer[]> {
  return listParam(hashKind, description, { max: MAX_LIST_VALUES });
}

const HEX = /^[0-9a-fA-F]+$/;

/** Parses hex digits without a prefix as an unsigned number of at most `bits` bits. */
export function parseHexDigits(digits: string, bits: number): bigint | undefined {
  if (digits.length > MAX_DIGITS || !HEX.test(digits)) return undefined;
  const value = BigInt(`0x${digits}`);
  return value < 1n << BigInt(bits) ? value : undefined;
}

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

export const shardParam = scalarOf(shardKind);

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

export const opcodeParam = scalarOf(opcodeKind);

export const int32Kind: ParameterKind<number> = {
  schema: Type.Integer({ minimum: Number(MIN_INT32), maximum: Number(MAX_INT32) }),
  convert: (text) => {
    const value = parseDecimal(text, MIN_INT32, MAX_INT32);
    return value === undefined ? undefined : Number(value);
  },
  json: 'number',
  empty: 'absent',
};

export const int32Param = scalarOf(int32Kind);

const uint64Kind: ParameterKind<bigint> = {
  // JavaScript rounds large numbers, so they may be texts, as they are in responses.
  schema: Type.Unsafe<bigint>({
    type: ['integer', 'string'],
    minimum: 0,
    // The last double below the bound: the bound itself would be rounded up.
    maximum: 2 ** 64 - 2 ** 11,
    pattern: '^[0-9]{1,20}$',
  }),
  // The reference server accepts no sign here, not even a plus.
  convert: (text) => (/^[0-9]/.test(text) ? parseDecimal(text, 0n, MAX_UINT64) : undefined),
  json: 'number',
  empty: 'absent',
};

/** A parameter with one unsigned 64-bit number: a logical time. It may exceed what a signed column holds. */
export const uint64Param = scalarOf(uint64Kind);

const MAX_UTIME_CHARS = 64;
// No two parts can match the same digit, so matching takes linear time.
const FLOAT = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

const utimeKind: ParameterKind<number> = {
  // Clients send what their clock says, such as 1790000000.123.
  schema: Type.Number({ format: 'double', minimum: 0, maximum: Number(MAX_UINT32) }),
  convert: (text) => {
    if (text.length > MAX_UTIME_CHARS || !FLOAT.test(text)) return undefined;
    const seconds = Number(text);
    // `+ 0` turns -0 into 0.
    return seconds >= 0 && seconds <= Number(MAX_UINT32) ? Math.trunc(seconds) + 0 : undefined;
  },
  json: 'number',
  empty: 'refused',
};

/** A parameter with a unix time in seconds; fractions are cut off, exponents are allowed. */
export const utimeParam = scalarOf(utimeKind);

const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'True', 'TRUE', 'on'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

const booleanKind: ParameterKind<boolean> = {
  schema: Type.Boolean(),
  convert: (text) => BOOLEAN_WORDS.get(text),
  json: 'boolean',
  empty: 'absent',
};

export const booleanParam = scalarOf(booleanKind);

/** A parameter with one word of a fixed list, spelled exactly like that. */
export function choiceParam<const W extends string, const O extends ScalarOptions<W>>(
  words: readonly W[],
  description: string,
  options?: O,
) {
  const kind: ParameterKind<W> = {
    schema: Type.String({ enum: [...words] }),
    convert: (text) => words.find((word) => word === text),
    empty: 'absent',
    refusal: (name) => `${name} should be one of: ${words.join(', ')}`,
  };
  return scalarParam(kind, description, options);
}

/** Any text. Commas are part of it, so a list is given by repeating the name. */
export const stringKind: ParameterKind<string> = {
  schema: Type.String(),
  // PostgreSQL text cannot hold a NUL character: the query would fail with a 500 for a client mistake.
  convert: (text) => (text.includes('\0') ? undefined : text),
  empty: 'absent',
};

export const stringParam = scalarOf(stringKind);

const bocKind: ParameterKind<CellBag> = {
  schema: Type.String(),
  convert: (text) => {
    try {
      return readBase64Boc(text);
    } catch (error) {
      if (error instanceof CellError || error instanceof Failure) return undefined;
      throw error;
    }
  },
  empty: 'absent',
  refusal: (name) =>
    `failed to decode: schema: error converting value for "${name}": expected a bag of cells in base64`,
};

/** Parses a bag of cells with one root from base64 and hashes it. Throws a `CellError` or a `Failure` with the reason. */
export function readBase64Boc(text: string): CellBag {
  const bag = readRootBoc(decodeBase64(text));
  // Only hashing shows whether Merkle cells hold what they claim.
  bag.hashAll();
  return bag;
}

/** A parameter with one cell and what is below it, as a bag of cells in base64. */
export const bocParam = scalarOf(bocKind);
