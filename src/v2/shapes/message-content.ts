import { isUtf8 } from 'node:buffer';
import Type, { type Static } from 'typebox';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { readSnake } from '../../chain/contracts/snake.ts';
import type { Message } from '../../chain/tlb/message.ts';
import { type MessagePart, sliceOf } from '../../chain/tlb/message-part.ts';
import { PlainText } from '../../http/serializer.ts';
import { BocText, bocText, restText } from './cell-bytes.ts';

const COMMENT_OP = 0;
const ENCRYPTED_OP = 0x2167da4b;
const OP_BITS = 32;
/** More than a chain of cells can hold. */
const MAX_TEXT_BYTES = 2 ** 20;

/** `msg.dataRaw`, or `msg.dataText` or `msg.dataEncryptedText` with the bytes of a text in base64. */
export const MsgData = Type.Union([
  Type.Object({ '@type': Type.Literal('msg.dataRaw'), body: BocText(), init_state: BocText() }),
  Type.Object({ '@type': Type.Literal('msg.dataText'), text: PlainText() }),
  Type.Object({ '@type': Type.Literal('msg.dataEncryptedText'), text: PlainText() }),
]);

/** What a message says. */
export interface MessageContent {
  readonly data: Static<typeof MsgData>;
  /** For people: the comment, or else bits of the body; undefined for what only its receiver can read. */
  readonly text: string | undefined;
}

/** Reads what a message says: a comment, an encrypted one, or anything else. */
export function messageContent(message: Message): MessageContent {
  const { cells, body, init, opcode } = message;
  const bytes = opcode === COMMENT_OP || opcode === ENCRYPTED_OP ? textBytes(cells, body) : undefined;
  if (bytes === undefined) {
    const init_state = init === undefined ? '' : partText(cells, init.part);
    const data = { '@type': 'msg.dataRaw' as const, body: partText(cells, body), init_state };
    return { data, text: rootBits(cells, body) };
  }
  const text = bytes.toString('base64');
  if (opcode === ENCRYPTED_OP) return { data: { '@type': 'msg.dataEncryptedText', text }, text: undefined };
  return { data: { '@type': 'msg.dataText', text }, text: isUtf8(bytes) ? bytes.toString() : '' };
}

/** The bytes of the snake behind an op, or undefined where that is none. */
function textBytes(cells: Cells, body: MessagePart): Buffer | undefined {
  try {
    const slice = sliceOf(cells, body);
    slice.skip(OP_BITS);
    return readSnake(slice, MAX_TEXT_BYTES);
  } catch (error) {
    // A cell on the way that cannot be read, such as a reference to a library.
    if (error instanceof CellFault) return undefined;
    throw error;
  }
}

/** The bits of a piece without its references, filled up with zeros, in base64 and a line end; nothing for no bits. */
function rootBits(cells: Cells, part: MessagePart): string {
  const bits = part.bitEnd - part.bit;
  if (bits === 0) return '';
  const bytes = Buffer.alloc((bits + 7) >> 3);
  if (part.whole) cells.bytes.copy(bytes, 0, cells.starts[part.cell]!);
  else sliceOf(cells, part).copyBits(bits, bytes, 0);
  if (bits & 7) bytes[bits >> 3]! &= 0xff00 >> (bits & 7);
  return `${bytes.toString('base64')}\n`;
}

function partText(cells: Cells, part: MessagePart): string {
  return part.whole ? bocText(cells, part.cell) : restText(sliceOf(cells, part));
}
