import type { Slice } from '../../chain/boc/slice.ts';
import { readSnake } from '../../chain/contracts/snake.ts';

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
