import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type MsgAddress, readMsgAddress } from './msg-address.ts';

/** A message on its way between shards. */
export interface MessageEnvelope {
  readonly current: IntermediateAddress;
  readonly next: IntermediateAddress;
  readonly fwdFeeRemaining: bigint;
  /** The cell of the message. */
  readonly message: number;
  /** When a deferred message left its sender's queue. */
  readonly emittedLt: bigint | undefined;
  readonly metadata: MessageMetadata | undefined;
}

/** A station on the way: the first bits of the destination, or a prefix of its own. */
export type IntermediateAddress =
  | { readonly kind: 'regular'; readonly destBits: number }
  | { readonly kind: 'prefix'; readonly workchain: number; readonly prefix: bigint };

/** Who started the chain of messages that led to this one. */
export interface MessageMetadata {
  readonly depth: number;
  readonly initiator: MsgAddress;
  readonly initiatorLt: bigint;
}

const ENVELOPE = 4;
const ENVELOPE_V2 = 5;
const METADATA = 0;
const MAX_DEST_BITS = 96;

/** Reads a MsgEnvelope of either version. */
export function readMessageEnvelope(cells: Cells, cell: number): MessageEnvelope {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(4);
  if (tag !== ENVELOPE && tag !== ENVELOPE_V2) throw new CellFault('not a message envelope');
  const current = readIntermediateAddress(slice);
  const next = readIntermediateAddress(slice);
  const fwdFeeRemaining = slice.coins();
  const message = slice.ref();
  const emittedLt = tag === ENVELOPE_V2 && slice.boolean() ? slice.uint64() : undefined;
  const metadata = tag === ENVELOPE_V2 && slice.boolean() ? readMetadata(slice) : undefined;
  return { current, next, fwdFeeRemaining, message, emittedLt, metadata };
}

function readIntermediateAddress(slice: Slice): IntermediateAddress {
  if (slice.boolean()) {
    const workchainBits = slice.boolean() ? 32 : 8;
    return { kind: 'prefix', workchain: slice.int(workchainBits), prefix: slice.uint64() };
  }
  const destBits = slice.uint(7);
  if (destBits > MAX_DEST_BITS) throw new CellFault('an intermediate address with too many bits');
  return { kind: 'regular', destBits };
}

function readMetadata(slice: Slice): MessageMetadata {
  if (slice.uint(4) !== METADATA) throw new CellFault('not message metadata');
  return { depth: slice.uint(32), initiator: readMsgAddress(slice), initiatorLt: slice.uint64() };
}
