import { CellFault } from '../../boc/cell-fault.ts';
import type { Slice } from '../../boc/slice.ts';
import type { AccountId } from '../../tl/names.ts';
import { type MessagePart, restOf, sliceOf, wholeCell } from '../../tlb/message-part.ts';
import { readMsgAddress } from '../../tlb/msg-address.ts';
import { accountIn, type BodyReader, readText } from './body-reader.ts';

/** What a payload for the receiver of jettons is; the amount is in the smallest units of the jetton. */
export type PayloadContent =
  | { readonly kind: 'none' | 'unknown' }
  | { readonly kind: 'text'; readonly text: string; readonly encrypted: boolean }
  | {
      readonly kind: 'stonfi_swap';
      readonly jettonWallet: AccountId | undefined;
      readonly minAmount: bigint;
      readonly user: AccountId | undefined;
    };

const TEXT = 0;
const ENCRYPTED_TEXT = 0x2167da4b;
const STONFI_SWAP = 0x25938561;
const OPCODE_BITS = 32;

/** Reads `Maybe ^Cell` as a bag of cells. */
export function readCustomPayload(body: BodyReader): Buffer | undefined {
  const cell = body.slice.maybeRef();
  return cell < 0 ? undefined : body.boc(wholeCell(body.slice.cells, cell));
}

/** Reads `Either Cell ^Cell`, which may be left out; undefined where nothing is in it. */
export function readForwardPayload(body: BodyReader): MessagePart | undefined {
  const { slice } = body;
  if (slice.bitsLeft === 0) return undefined;
  const inReference = slice.boolean();
  const part = inReference ? wholeCell(slice.cells, slice.ref()) : restOf(slice);
  return part.bitEnd === part.bit && part.refEnd === part.refAt ? undefined : part;
}

/** What a payload for the receiver of jettons says. */
export function readPayloadContent(body: BodyReader, payload: MessagePart | undefined): PayloadContent {
  if (payload === undefined) return { kind: 'none' };
  try {
    return readContent(sliceOf(body.slice.cells, payload));
  } catch (error) {
    if (error instanceof CellFault) return { kind: 'unknown' };
    throw error;
  }
}

function readContent(slice: Slice): PayloadContent {
  const opcode = slice.uint(OPCODE_BITS);
  if (opcode === TEXT || opcode === ENCRYPTED_TEXT)
    return { kind: 'text', text: readText(slice), encrypted: opcode === ENCRYPTED_TEXT };
  if (opcode !== STONFI_SWAP) return { kind: 'unknown' };
  return {
    kind: 'stonfi_swap',
    jettonWallet: accountIn(readMsgAddress(slice)),
    minAmount: slice.coins(),
    user: accountIn(readMsgAddress(slice)),
  };
}
