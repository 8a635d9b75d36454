import { formatRaw } from '../../chain/address.ts';
import { CellError } from '../../chain/boc/cells.ts';
import type { Slice } from '../../chain/boc/slice.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { readSnake } from '../../chain/contracts/snake.ts';
import { type MsgAddress, readMsgAddress } from '../../chain/tlb/msg-address.ts';
import type { Block } from './block.ts';
import { RuleMismatch } from './rule.ts';

/**
 * An account, raw with upper-case digits; null for no address. One of another kind is not what rules are for. An anycast
 * prefix is not applied: no account has one, so what looks like it is something else, told as it is written.
 */
export function readAccount(slice: Slice): string | null {
  return accountAt(readMsgAddress(slice));
}

/** The account that an address names, as `readAccount` has it. */
export function accountAt(address: MsgAddress): string | null {
  if (address.kind === 'none') return null;
  if (address.kind !== 'std') throw new RuleMismatch('not the address of an account');
  return formatRaw({ workchain: address.workchain, hash: address.hash }, 'upper');
}

/** An account that must be there. */
export function readSomeAccount(slice: Slice): string {
  const account = readAccount(slice);
  if (account === null) throw new RuleMismatch('no address');
  return account;
}

/** A cursor into a cell that may be there. */
export function readMaybeRef(slice: Slice): Slice | undefined {
  return slice.boolean() ? slice.refSlice() : undefined;
}

/** What is left of a slice as a bag of cells in base64. */
export function restAsBoc(slice: Slice, { crc = true } = {}): string {
  return writeBoc(slice, { order: 'core', crc }).toString('base64');
}

/** What a reader gives; undefined where the cells have another layout. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellError || error instanceof RuleMismatch) return undefined;
    throw error;
  }
}

/** The amount behind the query id: where transfers, burns, mints and the notices of them have it. */
export function readAmount(block: Block): bigint {
  const body = block.bodyAfterOpcode();
  body.skip(64);
  return body.coins();
}

/** A remark in a message: text, or base64 of what only its readers can decrypt. */
export interface Comment {
  readonly comment: string | null;
  readonly encrypted: boolean;
}

/** The opcode of a remark that only its readers can decrypt. */
export const ENCRYPTED_COMMENT = 0x2167da4b;
/** More than a block could hold: every remark is read whole. */
const MAX_BYTES = 1 << 21;

/**
 * The remark in the body of a transfer, which begins with an opcode of 32 bits; null where it has none. In the body of a
 * message it has a byte at least; in a payload `any` goes.
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

/** Text with bytes that are not UTF-8 written as `\xNN`, and without zero characters, which PostgreSQL cannot keep. */
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

/** Bytes of the character at a place; 0 where none begins. */
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
