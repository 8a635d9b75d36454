import { beginCell } from '@ton/core';
import type { AccountId } from '../address.ts';
import type { CellBag } from '../boc/bag.ts';
import { CellError, type Cells, undefinedOnCellError } from '../boc/cells.ts';
import { digestOfCell, digestOfRest, hashOfParts, hashOfRest } from '../boc/hashes.ts';
import { Slice } from '../boc/slice.ts';
import { fromCoreCell, toCoreCell } from '../boc/ton-core.ts';
import { writeBoc } from '../boc/writer.ts';
import { readStateInit } from './account.ts';
import { readCurrencyCollection } from './currency.ts';
import { readMsgAddress, skipMsgAddress } from './msg-address.ts';

// message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X;

export type Message = Readonly<ReturnType<typeof readMessage>>;

const OPCODE_BITS = 32;

/** Reads a message from its cell, with its hashes. Body and init may be pruned. */
export function readMessage(cells: Cells, cell: number) {
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
    /** The first 32 bits of the body; undefined when it is shorter, or its cell is exotic. */
    opcode: whole ? opcodeOfCell(cells, bodyCell) : opcodeOfRest(slice),
  };
}

/** Reads the StateInit of a message, for an account that is not deployed yet; its hash is the address. */
function readInit(slice: Slice) {
  const { cells } = slice;
  if (slice.boolean()) {
    const part = wholeCell(cells, slice.ref());
    // Of an exotic cell only the hash is known.
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

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
//   value:CurrencyCollection extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32
//   = CommonMsgInfo;
// ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
// ext_out_msg_info$11 src:MsgAddressInt dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfo;

const EXTERNAL_IN = 0b10;

/** Whether a cell begins like a message from outside, which nodes check before they read it. */
export function beginsAsExternalIn(cells: Cells, cell: number): boolean {
  if (cells.bits[cell]! < 2 || cells.isExotic(cell)) return false;
  return cells.bytes[cells.starts[cell]!]! >> 6 === EXTERNAL_IN;
}

/** Global version from which `extraFlags` holds flags; before, it was the IHR fee. */
export const FLAGS_FROM_VERSION = 12;

type MessageInfo = Readonly<ReturnType<typeof readMessageInfo>>;

/** The header of a message from one account to another. */
export type InternalInfo = Readonly<ReturnType<typeof readInternal>>;

export type ExternalInInfo = Extract<MessageInfo, { kind: 'external-in' }>;

/** Reads a CommonMsgInfo. Addresses may be of any kind, as in messages that were not sent yet. */
export function readMessageInfo(slice: Slice) {
  if (!slice.boolean()) return readInternal(slice);
  if (!slice.boolean())
    return {
      kind: 'external-in' as const,
      src: readMsgAddress(slice),
      dest: readMsgAddress(slice),
      importFee: slice.coins(),
    };
  return {
    kind: 'external-out' as const,
    src: readMsgAddress(slice),
    dest: readMsgAddress(slice),
    createdLt: slice.uint64(),
    createdAt: slice.uint(32),
  };
}

function readInternal(slice: Slice) {
  return {
    kind: 'internal' as const,
    ihrDisabled: slice.boolean(),
    bounce: slice.boolean(),
    bounced: slice.boolean(),
    src: readMsgAddress(slice),
    dest: readMsgAddress(slice),
    value: readCurrencyCollection(slice),
    /** Flags from global version 12 on; before, this was ihr_fee, which was always 0. */
    extraFlags: slice.coins(),
    fwdFee: slice.coins(),
    createdLt: slice.uint64(),
    createdAt: slice.uint(32),
  };
}

/**
 * A part of a message that represents a cell: either a whole cell, or bits and references inside another one.
 * Numbers instead of a cursor, because a whole cell may be exotic (a library reference) and not readable.
 */
export interface MessagePart {
  readonly cell: number;
  readonly whole: boolean;
  readonly bit: number;
  readonly bitEnd: number;
  readonly refAt: number;
  readonly refEnd: number;
}

export function wholeCell(cells: Cells, cell: number): MessagePart {
  return {
    cell,
    whole: true,
    bit: 0,
    bitEnd: cells.bits[cell]!,
    refAt: 0,
    refEnd: cells.refCount(cell),
  };
}

function partBetween(from: { bit: number; refAt: number }, to: Slice): MessagePart {
  const { cell, bit, refAt } = to;
  return { cell, whole: false, bit: from.bit, bitEnd: bit, refAt: from.refAt, refEnd: refAt };
}

export function restOf(slice: Slice): MessagePart {
  const { cell, bit, bitEnd, refAt, refEnd } = slice;
  return { cell, whole: false, bit, bitEnd, refAt, refEnd };
}

/** Reads a body behind its opcode; undefined if it is too short or unreadable. */
export function readBehindOpcode<T>({ cells, body }: Message, read: (body: Slice) => T): T | undefined {
  return undefinedOnCellError(() => {
    const slice = sliceOf(cells, body);
    slice.skip(OPCODE_BITS);
    return read(slice);
  });
}

/** A cursor over a part; throws a CellError where the cell is exotic. */
export function sliceOf(cells: Cells, part: MessagePart): Slice {
  const slice = new Slice(cells, part.cell);
  slice.bit = part.bit;
  slice.bitEnd = part.bitEnd;
  slice.refAt = part.refAt;
  slice.refEnd = part.refEnd;
  return slice;
}

/** Writes a part as a bag of cells in tonlib order, with a checksum. */
export function writePart(cells: Cells, part: MessagePart): Buffer {
  return writeBoc(part.whole ? { cells, roots: [part.cell] } : sliceOf(cells, part), { order: 'tonlib' });
}

/** The parts of an inbound external message; `init` is for an account that has no code yet. */
export interface ExternalParts {
  /** Its workchain fits a byte. */
  readonly to: AccountId;
  readonly body: CellBag;
  readonly init?: { readonly code: CellBag; readonly data: CellBag } | undefined;
}

const MAX_BITS = 1023;
const MAX_REFS = 4;

/**
 * Builds an external message, cell for cell like tonlib: the init is inlined, and the body too where it
 * fits. An exotic body throws a CellError.
 */
export function writeExternalMessage({ to, body, init }: ExternalParts): CellBag {
  body.assertReadable(body.root);
  const message = beginCell().storeUint(0b10_00_100, 7).storeInt(to.workchain, 8).storeBuffer(to.hash);
  message.storeCoins(0).storeBit(init !== undefined);
  if (init !== undefined)
    // Inlined; no prefix length, not special; code and data but no libraries.
    message
      .storeUint(0b0_00110, 6)
      .storeRef(toCoreCell(init.code, init.code.root))
      .storeRef(toCoreCell(init.data, init.data.root));
  const cell = toCoreCell(body, body.root);
  const fits = message.bits + 1 + cell.bits.length <= MAX_BITS && message.refs + cell.refs.length <= MAX_REFS;
  if (fits) message.storeBit(0).storeSlice(cell.beginParse());
  else message.storeBit(1).storeRef(cell);
  return fromCoreCell(message.endCell());
}

const TAG_BITS = 2;
// Source `addr_none`, a fee of zero, no StateInit, and the body by reference: everything that senders may vary is fixed.
const HEAD = 0b10_00_0000;
const HEAD_BITS = 4;
const TAIL_BITS = 6;

/**
 * The normalised hash of an external message (TEP-467), which does not depend on how the sender packed it. Other
 * messages cannot be repacked: theirs is their own hash.
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
  if (destBits < HEAD_BITS) throw new CellError('external message without a destination');
  const bits = HEAD_BITS + destBits + TAIL_BITS;
  const data = Buffer.alloc((bits + 7) >> 3);
  slice.bit = destAt;
  data[0] = HEAD | slice.uint(HEAD_BITS);
  slice.copyBits(destBits - HEAD_BITS, data, 1);
  setBit(data, bits - 1);
  const digest = body.whole ? digestOfCell(cells, body.cell) : digestOfRest(sliceOf(cells, body));
  return hashOfParts(data, bits, [digest]);
}

/** The normalised hash of an external message that differs from its hash; otherwise undefined. */
export function normalizedUnlessSame(message: Message): Buffer | undefined {
  if (message.info.kind !== 'external-in') return undefined;
  const normalized = normalizedHash(message);
  return normalized.equals(message.hash) ? undefined : normalized;
}

function setBit(data: Buffer, at: number): void {
  data[at >> 3] = data[at >> 3]! | (0x80 >> (at & 7));
}
