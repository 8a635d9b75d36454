import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { hashOfRest } from '../boc/slice-hash.ts';
import { type MessageInfo, readMessageInfo } from './message-info.ts';
import { type MessagePart, partBetween, restOf, sliceOf, wholeCell } from './message-part.ts';
import { readStateInit, type StateInit } from './state-init.ts';

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
export interface MessageInit {
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
