import { crc16 } from './crc16.ts';
import { decodeFriendly } from './decode-friendly.ts';

/** An account address together with what its text form said about it. */
export interface ParsedAddress {
  readonly workchain: number;
  /** The 32-byte account id. */
  readonly hash: Buffer;
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
