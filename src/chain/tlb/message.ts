import { CellError, type Cells } from '../boc/cells.ts';
import { digestOfCell, digestOfRest, hashOfParts, hashOfRest } from '../boc/hashes.ts';
import { Slice } from '../boc/slice.ts';
import { readStateInit, type StateInit } from './account.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import { type MsgAddress, readMsgAddress, skipMsgAddress } from './msg-address.ts';

/** A message. Its cells are numbers in `cells`. */
export interface Message {
  readonly cells: Cells;
  readonly cell: number;
  readonly hash: Buffer;
  readonly info: MessageInfo;
  readonly init: MessageInit | undefined;
  readonly body: MessagePart;
  readonly bodyHash: Buffer;
  /** The first 32 bits of the body; undefined when it is shorter, or its cell is exotic. */
  readonly opcode: number | undefined;
}

/** What a message brings for an account that does not exist yet. */
interface MessageInit {
  readonly part: MessagePart;
  /** The hash of the StateInit as a cell of its own: the address of the account. */
  readonly hash: Buffer;
  /** Undefined where the cell is exotic, so that nothing is known of it but its hash. */
  readonly state: StateInit | undefined;
}

const OPCODE_BITS = 32;

/** Reads a message from the cell that holds it, with its hashes. A body or init that is pruned is no fault. */
export function readMessage(cells: Cells, cell: number): Message {
  const slice = new Slice(cells, cell);
  const info = readMessageInfo(slice);
  const init = slice.boolean() ? readInit(slice) : undefined;
  const bodyCell = slice.maybeRef();
  const whole = bodyCell >= 0;
  if (whole) slice.end();
  return {
    cells,
    cell,
    hash: cells.hash(cell, 0),
    info,
    init,
    body: whole ? wholeCell(cells, bodyCell) : restOf(slice),
    bodyHash: whole ? cells.hash(bodyCell, 0) : hashOfRest(slice),
    opcode: whole ? opcodeOfCell(cells, bodyCell) : opcodeOfRest(slice),
  };
}

function readInit(slice: Slice): MessageInit {
  const { cells } = slice;
  if (slice.boolean()) {
    const part = wholeCell(cells, slice.ref());
    const state = cells.isExotic(part.cell) ? undefined : readStateInit(new Slice(cells, part.cell));
    return { part, hash: cells.hash(part.cell, 0), state };
  }
  const from = { bit: slice.bit, refAt: slice.refAt };
  const state = readStateInit(slice);
  const part = partBetween(from, slice);
  return { part, hash: hashOfRest(sliceOf(cells, part)), state };
}

function opcodeOfRest(slice: Slice): number | undefined {
  return slice.bitsLeft < OPCODE_BITS ? undefined : slice.peek(OPCODE_BITS);
}

function opcodeOfCell(cells: Cells, cell: number): number | undefined {
  if (cells.bits[cell]! < OPCODE_BITS || cells.isExotic(cell)) return undefined;
  return cells.bytes.readUInt32BE(cells.starts[cell]!);
}

/** The header of a message from one account to another. */
export interface InternalInfo {
  readonly kind: 'internal';
  readonly ihrDisabled: boolean;
  readonly bounce: boolean;
  readonly bounced: boolean;
  readonly src: MsgAddress;
  readonly dest: MsgAddress;
  readonly value: CurrencyCollection;
  /** Flags from global version 12 on; before it this was the fee for instant routing, which nobody paid. */
  readonly extraFlags: bigint;
  readonly fwdFee: bigint;
  readonly createdLt: bigint;
  readonly createdAt: number;
}

/** The header of a message from outside. */
export interface ExternalInInfo {
  readonly kind: 'external-in';
  readonly src: MsgAddress;
  readonly dest: MsgAddress;
  readonly importFee: bigint;
}

/** The header of a message to the outside, a log entry. */
export interface ExternalOutInfo {
  readonly kind: 'external-out';
  readonly src: MsgAddress;
  readonly dest: MsgAddress;
  readonly createdLt: bigint;
  readonly createdAt: number;
}

/** The header of a message. */
type MessageInfo = InternalInfo | ExternalInInfo | ExternalOutInfo;

/** Reads a CommonMsgInfo. Addresses may be of any kind, as in messages that are not sent yet. */
export function readMessageInfo(slice: Slice): MessageInfo {
  if (!slice.boolean()) return readInternal(slice);
  if (!slice.boolean())
    return {
      kind: 'external-in',
      src: readMsgAddress(slice),
      dest: readMsgAddress(slice),
      importFee: slice.coins(),
    };
  return {
    kind: 'external-out',
    src: readMsgAddress(slice),
    dest: readMsgAddress(slice),
    createdLt: slice.uint64(),
    createdAt: slice.uint(32),
  };
}

function readInternal(slice: Slice): InternalInfo {
  return {
    kind: 'internal',
    ihrDisabled: slice.boolean(),
    bounce: slice.boolean(),
    bounced: slice.boolean(),
    src: readMsgAddress(slice),
    dest: readMsgAddress(slice),
    value: readCurrencyCollection(slice),
    extraFlags: slice.coins(),
    fwdFee: slice.coins(),
    createdLt: slice.uint64(),
    createdAt: slice.uint(32),
  };
}

/**
 * A piece of a message that stands for a cell: either a whole cell, or bits and references inside another one.
 * Numbers and no cursor, because a whole cell may be of a kind that cannot be read (a library reference, say).
 */
export interface MessagePart {
  readonly cell: number;
  /** True when the piece is the whole cell. */
  readonly whole: boolean;
  readonly bit: number;
  readonly bitEnd: number;
  readonly refAt: number;
  readonly refEnd: number;
}

/** A piece that is a whole cell. */
export function wholeCell(cells: Cells, cell: number): MessagePart {
  return { cell, whole: true, bit: 0, bitEnd: cells.bits[cell]!, refAt: 0, refEnd: cells.refCount(cell) };
}

/** The piece between two places of one cell. */
function partBetween(from: { bit: number; refAt: number }, to: Slice): MessagePart {
  const { cell, bit, refAt } = to;
  return { cell, whole: false, bit: from.bit, bitEnd: bit, refAt: from.refAt, refEnd: refAt };
}

/** All that a cursor has not read yet. */
export function restOf(slice: Slice): MessagePart {
  const { cell, bit, bitEnd, refAt, refEnd } = slice;
  return { cell, whole: false, bit, bitEnd, refAt, refEnd };
}

/** A cursor over a piece; throws a CellFault where the cell is exotic. */
export function sliceOf(cells: Cells, part: MessagePart): Slice {
  const slice = new Slice(cells, part.cell);
  slice.bit = part.bit;
  slice.bitEnd = part.bitEnd;
  slice.refAt = part.refAt;
  slice.refEnd = part.refEnd;
  return slice;
}

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
  if (destBits < HEAD_BITS) throw new CellError('a message from outside without a destination');
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
