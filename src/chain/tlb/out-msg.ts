import { CellFault } from '../boc/cell-fault.ts';
import type { Slice } from '../boc/slice.ts';

/**
 * How a message left a block. Messages, envelopes, transactions and inbound messages are cells: `readMessage`,
 * `readMessageEnvelope`, `readTransaction` and `readInMsg` read them.
 */
export type OutMsg =
  /** To the outside. */
  | { readonly kind: 'ext'; readonly message: number; readonly transaction: number }
  /** Put into the queue (new), or into the sender's own queue (new_defer). */
  | { readonly kind: 'new' | 'new_defer'; readonly envelope: number; readonly transaction: number }
  /** Delivered in the same block. */
  | {
      readonly kind: 'imm';
      readonly envelope: number;
      readonly transaction: number;
      readonly reimport: number;
    }
  /** Passed on from another shard, requeued, or moved on from the sender's own queue. */
  | { readonly kind: 'tr' | 'tr_req' | 'deferred_tr'; readonly envelope: number; readonly imported: number }
  /** Taken from the queue and delivered in the same shard. */
  | { readonly kind: 'deq_imm'; readonly envelope: number; readonly reimport: number }
  /** Removed from the queue since another shard has it. */
  | { readonly kind: 'deq'; readonly envelope: number; readonly importBlockLt: bigint }
  | {
      readonly kind: 'deq_short';
      readonly envelopeHash: Buffer;
      readonly nextWorkchain: number;
      readonly nextAddrPrefix: bigint;
      readonly importBlockLt: bigint;
    };

/** Reads an OutMsg. */
export function readOutMsg(slice: Slice): OutMsg {
  switch (slice.uint(3)) {
    case 0b000:
      return { kind: 'ext', message: slice.ref(), transaction: slice.ref() };
    case 0b001:
      return { kind: 'new', envelope: slice.ref(), transaction: slice.ref() };
    case 0b010:
      return { kind: 'imm', envelope: slice.ref(), transaction: slice.ref(), reimport: slice.ref() };
    case 0b011:
      return { kind: 'tr', envelope: slice.ref(), imported: slice.ref() };
    case 0b100:
      return { kind: 'deq_imm', envelope: slice.ref(), reimport: slice.ref() };
    case 0b101:
      return readDeferred(slice);
    case 0b110:
      return slice.boolean() ? readShort(slice) : readDequeued(slice);
    default:
      return { kind: 'tr_req', envelope: slice.ref(), imported: slice.ref() };
  }
}

function readDeferred(slice: Slice): OutMsg {
  const tag = slice.uint(2);
  if (tag === 0b00) return { kind: 'new_defer', envelope: slice.ref(), transaction: slice.ref() };
  if (tag === 0b01) return { kind: 'deferred_tr', envelope: slice.ref(), imported: slice.ref() };
  throw new CellFault('an outbound message of an unknown kind');
}

function readDequeued(slice: Slice): OutMsg {
  return { kind: 'deq', envelope: slice.ref(), importBlockLt: slice.bigUint(63) };
}

function readShort(slice: Slice): OutMsg {
  return {
    kind: 'deq_short',
    envelopeHash: slice.hash(),
    nextWorkchain: slice.int(32),
    nextAddrPrefix: slice.uint64(),
    importBlockLt: slice.uint64(),
  };
}
