import { CellFault } from '../boc/cell-fault.ts';
import { Slice } from '../boc/slice.ts';
import { digestOfCell, digestOfRest, hashOfParts } from '../boc/slice-hash.ts';
import type { Message } from './message.ts';
import { sliceOf } from './message-part.ts';
import { skipMsgAddress } from './msg-address.ts';

const TAG_BITS = 2;
// Source `addr_none`, a fee of zero, no StateInit, and a body by reference: what senders may vary is the same for all.
const HEAD = 0b10_00_0000;
const HEAD_BITS = 4;
const TAIL_BITS = 6;

/**
 * The hash of a message from outside in the form of TEP-467, which is the same however the sender packed it. Other
 * messages cannot be repacked by anybody: theirs is their own hash.
 */
export function normalizedHash(message: Message): Buffer {
  const { cells, body } = message;
  if (message.info.kind !== 'external-in') return message.hash;
  const slice = new Slice(cells, message.cell);
  slice.skip(TAG_BITS);
  skipMsgAddress(slice);
  const destAt = slice.bit;
  skipMsgAddress(slice);
  const destBits = slice.bit - destAt;
  if (destBits < HEAD_BITS) throw new CellFault('a message from outside without a destination');
  const bits = HEAD_BITS + destBits + TAIL_BITS;
  const data = Buffer.alloc((bits + 7) >> 3);
  slice.bit = destAt;
  data[0] = HEAD | slice.uint(HEAD_BITS);
  slice.copyBits(destBits - HEAD_BITS, data, 1);
  setBit(data, bits - 1);
  const digest = body.whole ? digestOfCell(cells, body.cell) : digestOfRest(sliceOf(cells, body));
  return hashOfParts(data, bits, [digest]);
}

function setBit(data: Buffer, at: number): void {
  data[at >> 3] = data[at >> 3]! | (0x80 >> (at & 7));
}
