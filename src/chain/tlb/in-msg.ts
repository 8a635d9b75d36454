import { CellFault } from '../boc/cell-fault.ts';
import type { Slice } from '../boc/slice.ts';

/**
 * How a message came into a block. Messages, envelopes and transactions are cells: `readMessage`,
 * `readMessageEnvelope` and `readTransaction` read them.
 */
export type InMsg =
  /** From outside. */
  | { readonly kind: 'ext'; readonly message: number; readonly transaction: number }
  | {
      readonly kind: 'ihr';
      readonly message: number;
      readonly transaction: number;
      readonly ihrFee: bigint;
      readonly proofCreated: number;
    }
  /** Sent in the same block (imm), taken from a queue (fin), or from the sender's own queue (deferred_fin). */
  | {
      readonly kind: 'imm' | 'fin' | 'deferred_fin';
      readonly envelope: number;
      readonly transaction: number;
      readonly fwdFee: bigint;
    }
  /** Passed on to another shard. */
  | {
      readonly kind: 'tr';
      readonly envelope: number;
      readonly outEnvelope: number;
      readonly transitFee: bigint;
    }
  | { readonly kind: 'deferred_tr'; readonly envelope: number; readonly outEnvelope: number }
  | {
      readonly kind: 'discard_fin';
      readonly envelope: number;
      readonly transactionId: bigint;
      readonly fwdFee: bigint;
    }
  | {
      readonly kind: 'discard_tr';
      readonly envelope: number;
      readonly transactionId: bigint;
      readonly fwdFee: bigint;
      readonly proofDelivered: number;
    };

/** Reads an InMsg. */
export function readInMsg(slice: Slice): InMsg {
  switch (slice.uint(3)) {
    case 0b000:
      return { kind: 'ext', message: slice.ref(), transaction: slice.ref() };
    case 0b001:
      return readDeferred(slice);
    case 0b010:
      return {
        kind: 'ihr',
        message: slice.ref(),
        transaction: slice.ref(),
        ihrFee: slice.coins(),
        proofCreated: slice.ref(),
      };
    case 0b011:
      return readFinal(slice, 'imm');
    case 0b100:
      return readFinal(slice, 'fin');
    case 0b101:
      return { kind: 'tr', envelope: slice.ref(), outEnvelope: slice.ref(), transitFee: slice.coins() };
    case 0b110:
      return {
        kind: 'discard_fin',
        envelope: slice.ref(),
        transactionId: slice.uint64(),
        fwdFee: slice.coins(),
      };
    default:
      return {
        kind: 'discard_tr',
        envelope: slice.ref(),
        transactionId: slice.uint64(),
        fwdFee: slice.coins(),
        proofDelivered: slice.ref(),
      };
  }
}

function readDeferred(slice: Slice): InMsg {
  const tag = slice.uint(2);
  if (tag === 0b00) return readFinal(slice, 'deferred_fin');
  if (tag === 0b01) return { kind: 'deferred_tr', envelope: slice.ref(), outEnvelope: slice.ref() };
  throw new CellFault('an inbound message of an unknown kind');
}

function readFinal(slice: Slice, kind: 'imm' | 'fin' | 'deferred_fin'): InMsg {
  return { kind, envelope: slice.ref(), transaction: slice.ref(), fwdFee: slice.coins() };
}
