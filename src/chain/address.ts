import { crc16 } from './boc/checksums.ts';

/** An account, named by its workchain and the 32 bytes of its address. */
export interface AccountId {
  readonly workchain: number;
  readonly hash: Buffer;
}

/** An account address with what its text form says about it. */
export interface ParsedAddress extends AccountId {
  readonly form: 'raw' | 'friendly' | 'bare';
  /** Flags of a friendly form; a raw or bare form means bounceable and not test-only. */
  readonly bounceable: boolean;
  readonly testOnly: boolean;
}

const RAW = /^(-?[0-9]{1,10}):([0-9a-fA-F]{64})$/;
const BARE = /^[0-9a-fA-F]{64}$/;

const BOUNCEABLE_TAG = 0x11;
const NON_BOUNCEABLE_BIT = 0x40;
const TEST_ONLY_BIT = 0x80;
const MAX_WORKCHAIN = 2 ** 31 - 1;
/** The workchain part of a raw form has at most this many characters, its sign included. */
const MAX_WORKCHAIN_CHARS = 10;

/**
 * Reads an address in any of its forms: `workchain:hex`, 48 characters of base64 or base64url (mixing is
 * allowed), or 64 hex digits alone, which mean the masterchain. Returns undefined for anything else.
 */
export function parseAddress(text: string): ParsedAddress | undefined {
  if (text.length === 48) return parseFriendly(text);
  if (text.length === 64) return parseBare(text);
  return parseRaw(text);
}

function parseRaw(text: string): ParsedAddress | undefined {
  const match = text.length <= MAX_WORKCHAIN_CHARS + 65 ? RAW.exec(text) : null;
  if (match === null || match[1]!.length > MAX_WORKCHAIN_CHARS) return undefined;
  // `+ 0` turns the -0 of "-0:…" into 0.
  const workchain = Number(match[1]) + 0;
  if (Math.abs(workchain) > MAX_WORKCHAIN) return undefined;
  return { workchain, hash: Buffer.from(match[2]!, 'hex'), form: 'raw', bounceable: true, testOnly: false };
}

function parseBare(text: string): ParsedAddress | undefined {
  if (!BARE.test(text)) return undefined;
  return { workchain: -1, hash: Buffer.from(text, 'hex'), form: 'bare', bounceable: true, testOnly: false };
}

function parseFriendly(text: string): ParsedAddress | undefined {
  const bytes = decodeFriendly(text);
  if (bytes === undefined) return undefined;
  const tag = bytes[0]!;
  if ((tag & 0x3f) !== BOUNCEABLE_TAG || crc16(bytes, 0, 34) !== bytes.readUInt16BE(34)) return undefined;
  return {
    workchain: bytes.readInt8(1),
    hash: bytes.subarray(2, 34),
    form: 'friendly',
    bounceable: (tag & NON_BOUNCEABLE_BIT) === 0,
    testOnly: (tag & TEST_ONLY_BIT) !== 0,
  };
}

/** Value of each character of both base64 alphabets, by its code; -1 for all others. */
const VALUES = new Int8Array(128).fill(-1);
for (const [value, char] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  VALUES[char.charCodeAt(0)] = value;
}
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;

const FRIENDLY_CHARS = 48;

/**
 * Decodes 48 characters of base64 in either alphabet, also mixed, into 36 bytes; undefined for any other character.
 * A lookup table is faster than a pattern plus Node's decoder, and this runs for every request with an account.
 */
function decodeFriendly(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(36);
  for (let at = 0, out = 0; at < FRIENDLY_CHARS; at += 4, out += 3) {
    const bits =
      (valueAt(text, at) << 18) |
      (valueAt(text, at + 1) << 12) |
      (valueAt(text, at + 2) << 6) |
      valueAt(text, at + 3);
    // An unknown character is -1, which sets every bit.
    if (bits < 0) return undefined;
    bytes[out] = bits >> 16;
    bytes[out + 1] = bits >> 8;
    bytes[out + 2] = bits;
  }
  return bytes;
}

function valueAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? VALUES[code]! : -1;
}

const FRIENDLY_BYTES = 36;

interface FriendlyFlags {
  readonly bounceable: boolean;
  readonly testOnly: boolean;
}

/** Whether an address has a friendly form, which holds the workchain in one signed byte. */
export function hasFriendlyForm(workchain: number): boolean {
  return workchain >= -128 && workchain <= 127;
}

/** `workchain:hex`, in upper or lower case. */
export function formatRaw(address: AccountId, hexCase: 'upper' | 'lower'): string {
  const hex = address.hash.toString('hex');
  return `${address.workchain}:${hexCase === 'upper' ? hex.toUpperCase() : hex}`;
}

export function formatFriendly(address: AccountId, flags: FriendlyFlags): string {
  const bytes = Buffer.allocUnsafe(FRIENDLY_BYTES);
  writeFriendly(bytes, 0, address, flags);
  return bytes.toString('base64url');
}

interface FriendlyForms {
  readonly b64: string;
  readonly b64url: string;
}

export function formatFriendlyForms(
  address: AccountId,
  testOnly: boolean,
): { readonly bounceable: FriendlyForms; readonly nonBounceable: FriendlyForms } {
  // 36 bytes are 48 characters without padding, so both forms can be encoded in one call.
  const bytes = Buffer.allocUnsafe(2 * FRIENDLY_BYTES);
  writeFriendly(bytes, 0, address, { bounceable: true, testOnly });
  writeFriendly(bytes, FRIENDLY_BYTES, address, { bounceable: false, testOnly });
  const b64 = bytes.toString('base64');
  const b64url = bytes.toString('base64url');
  return {
    bounceable: { b64: b64.slice(0, FRIENDLY_CHARS), b64url: b64url.slice(0, FRIENDLY_CHARS) },
    nonBounceable: { b64: b64.slice(FRIENDLY_CHARS), b64url: b64url.slice(FRIENDLY_CHARS) },
  };
}

function writeFriendly(bytes: Buffer, at: number, address: AccountId, flags: FriendlyFlags): void {
  if (!hasFriendlyForm(address.workchain)) {
    throw new RangeError(`workchain ${address.workchain} has no friendly form`);
  }
  bytes[at] = (flags.bounceable ? 0x11 : 0x51) | (flags.testOnly ? 0x80 : 0);
  bytes[at + 1] = address.workchain;
  bytes.set(address.hash, at + 2);
  const crc = crc16(bytes, at, at + 34);
  bytes[at + 34] = crc >> 8;
  bytes[at + 35] = crc;
}

/** Bytes of an account: its workchain as one signed byte, then its hash. */
export const ACCOUNT_BYTES = 33;

/** The 33-byte key of an account. */
export function accountKey(workchain: number, hash: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(ACCOUNT_BYTES);
  key[0] = workchain;
  for (let i = 0; i < 32; i++) key[1 + i] = hash[i]!;
  return key;
}

export function toAccountBytes({ workchain, hash }: AccountId): Buffer {
  return accountKey(workchain, hash);
}

export function fromAccountBytes(account: Buffer): AccountId {
  return { workchain: account.readInt8(0), hash: account.subarray(1) };
}

const RAW_UPPER = /^(-?\d{1,3}):([0-9A-F]{64})$/;

/**
 * Encodes a column that holds accounts and, for a few action types, other texts: keys, ids of other chains. A raw
 * address becomes the 33 bytes of an account, any other text is UTF-8.
 */
export function toAccountOrText(text: string): Buffer {
  const match = RAW_UPPER.exec(text);
  const workchain = Number(match?.[1]);
  return match !== null && workchain >= -128 && workchain <= 127
    ? accountKey(workchain, Buffer.from(match[2]!, 'hex'))
    : Buffer.from(text, 'utf8');
}

export function fromAccountOrText(bytes: Buffer): string {
  if (bytes.length !== ACCOUNT_BYTES) return bytes.toString('utf8');
  return formatRaw(fromAccountBytes(bytes), 'upper');
}

/** Whether two account ids are equal; an undefined one never is. */
export function sameAccount(one: AccountId | undefined, other: AccountId): boolean {
  return one !== undefined && one.workchain === other.workchain && one.hash.equals(other.hash);
}
