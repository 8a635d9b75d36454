import { MASTERCHAIN } from '../../chain/block-id.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { forwardFee, sizeOfCells } from '../../chain/fees/forward-fee.ts';
import { type Message, readMessage } from '../../chain/tlb/message.ts';
import type { MessagePart } from '../../chain/tlb/message-part.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import type { FeePrices } from './fee-prices.ts';
import { internalFault } from './internal-fault.ts';

const SEND_MESSAGE = 0x0ec3c86d;
const SET_CODE = 0xad4de08e;
const RESERVE = 0x36e6b809;
const CHANGE_LIBRARY = 0x26fa1dd4;
const MAX_ACTIONS = 20;
/** Bits of the mode of sending that tonlib does not know; two others exclude each other. */
const UNKNOWN_MODES = 0x0c;
const EXCLUSIVE_MODES = 0xc0;

/**
 * What it costs to forward the messages that a list of actions sends. The limits and texts are tonlib's, which
 * clients of estimates know, and not those of the chain.
 */
export function actionFees(
  { cells, cell }: FoundCell,
  fromMasterchain: boolean,
  { forward, masterchainForward }: FeePrices,
): bigint {
  let total = 0n;
  for (const action of actionsOf(cells, cell)) {
    const slice = new Slice(cells, action);
    slice.ref();
    const tag = slice.bitsLeft < 32 ? undefined : slice.uint(32);
    if (tag === SET_CODE) throw internalFault('estimate_fee: action_set_code unsupported');
    if (tag === SEND_MESSAGE) {
      const message = readSent(slice);
      const isMasterchain = fromMasterchain || goesToMasterchain(message);
      total += forwardFee(sizeOf(message), isMasterchain ? masterchainForward : forward);
    } else if (tag !== RESERVE && tag !== CHANGE_LIBRARY)
      throw internalFault('action list invalid: invalid tag');
  }
  return total;
}

/** The cells of the actions, the first one first: each refers to the one before it. */
function actionsOf(cells: Cells, last: number): number[] {
  const actions: number[] = [];
  for (let cell = last; cells.bits[cell]! > 0 || cells.refCount(cell) > 0; cell = cells.ref(cell, 0)) {
    if (cells.refCount(cell) === 0)
      throw internalFault('action list invalid: entry found with data but no next reference');
    actions.push(cell);
    if (actions.length > MAX_ACTIONS)
      throw internalFault(`action list too long: more than ${MAX_ACTIONS} actions`);
  }
  return actions.reverse();
}

function readSent(slice: Slice): Message {
  try {
    const mode = slice.uint(8);
    const cell = slice.ref();
    slice.end();
    const message = readMessage(slice.cells, cell);
    const isKnownMode = (mode & UNKNOWN_MODES) === 0 && (mode & EXCLUSIVE_MODES) !== EXCLUSIVE_MODES;
    if (isKnownMode && message.info.kind !== 'external-in') return message;
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
  }
  throw internalFault("estimate_fee: can't parse send_msg");
}

function goesToMasterchain({ info }: Message): boolean {
  if (info.kind !== 'internal') return false;
  const { dest } = info;
  if (dest.kind === 'none' || dest.kind === 'extern')
    throw internalFault('estimate_fee: messages with external addresses are unsupported');
  return dest.kind === 'std' && dest.workchain === MASTERCHAIN;
}

/** Init and body are paid for, except for what of them lies in the root. */
function sizeOf({ cells, init, body }: Message) {
  const refs = [init?.part, body].flatMap((part) => (part === undefined ? [] : cellsOf(cells, part)));
  return sizeOfCells(cells, refs);
}

function cellsOf(cells: Cells, { cell, whole, refAt, refEnd }: MessagePart): number[] {
  if (whole) return [cell];
  return Array.from({ length: refEnd - refAt }, (_, i) => cells.ref(cell, refAt + i));
}
