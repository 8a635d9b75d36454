import { formatRaw } from '../../chain/address.ts';
import { CellError } from '../../chain/boc/cells.ts';
import type { Slice } from '../../chain/boc/slice.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { readSnake } from '../../chain/contracts/token-content.ts';
import { type MsgAddress, readMsgAddress } from '../../chain/tlb/msg-address.ts';
import { RuleMismatch } from './rule.ts';

/**
 * An account, raw with upper-case digits; null for addr_none. Throws RuleMismatch for other kinds. An anycast prefix is
 * ignored: no account has one.
 */
export function readAccount(slice: Slice): string | null {
  return accountAt(readMsgAddress(slice));
}

/** The account of an address, in the form of `readAccount`. */
export function accountAt(address: MsgAddress): string | null {
  if (address.kind === 'none') return null;
  if (address.kind !== 'std') throw new RuleMismatch('not an account address');
  return formatRaw({ workchain: address.workchain, hash: address.hash }, 'upper');
}

/** An account; throws RuleMismatch without an address. */
export function someAccount(account: string | null): string {
  if (account === null) throw new RuleMismatch('no address');
  return account;
}

/** The rest of a slice as a base64 bag of cells. */
export function restAsBoc(slice: Slice, { crc = true } = {}): string {
  return writeBoc(slice, { order: 'core', crc }).toString('base64');
}

export function bocOf(slice: Slice | undefined): string | null {
  return slice ? restAsBoc(slice) : null;
}

/** The result of a reader; undefined if the cells have another layout. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellError || error instanceof RuleMismatch) return undefined;
    throw error;
  }
}

/** A comment of a message: text, or base64 if it is encrypted. */
export interface Comment {
  readonly comment: string | null;
  readonly encrypted: boolean;
}

export const ENCRYPTED_COMMENT = 0x2167da4b;
/** More than a block can hold: comments are never truncated. */
const MAX_BYTES = 1 << 21;

/**
 * The comment in the body of a transfer, after its 32-bit opcode; null without one. In a message body it has at least one
 * byte; in a payload `any` length is accepted.
 */
export function readComment(body: Slice, form: 'message' | 'any' = 'message'): Comment {
  if (body.bitsLeft < 32) return { comment: null, encrypted: false };
  const encrypted = body.uint(32) === ENCRYPTED_COMMENT;
  if (form === 'message' && (body.bitsLeft < 8 || body.bitsLeft % 8 !== 0 || body.refsLeft > 1))
    return { comment: null, encrypted };
  const bytes = readSnake(body, MAX_BYTES);
  if (!bytes) return { comment: null, encrypted };
  return { comment: encrypted ? bytes.toString('base64') : textOf(bytes), encrypted };
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text with invalid UTF-8 bytes written as `\xNN`, and without NUL, which PostgreSQL cannot store. */
function textOf(bytes: Buffer): string {
  return decodeEscaping(bytes).replaceAll('\u0000', '');
}

function decodeEscaping(bytes: Buffer): string {
  try {
    return strict.decode(bytes);
  } catch {
    return escapePieces(bytes);
  }
}

function escapePieces(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      text += `\\x${bytes[at]!.toString(16).padStart(2, '0')}`;
      at++;
    } else {
      text += bytes.toString('utf8', at, at + length);
      at += length;
    }
  }
  return text;
}

/** Length of the UTF-8 character at a position; 0 if it is invalid. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length < 2) return length;
  try {
    strict.decode(bytes.subarray(at, at + length));
    return at + length <= bytes.length ? length : 0;
  } catch {
    return 0;
  }
}
