import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { byTime } from '../../chain/logical-time.ts';
import {
  type IntermediateAddress,
  type MessageEnvelope,
  readMessageEnvelope,
} from '../../chain/tlb/message-envelope.ts';
import { type InternalInfo, readMessageInfo } from '../../chain/tlb/message-info.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';
import { shardPrefixBits } from '../../chain/tlb-write/shard-ident.ts';
import type { AccountPrefix } from '../store/chain-store.ts';
import type { Waiting } from './processed-upto.ts';
import { placeBetween, placeOf } from './routing.ts';
import { walkPrefix } from './walk-prefix.ts';

/** A message in a queue, not yet looked into. */
export interface QueueEntry {
  readonly key: Buffer;
  readonly lt: bigint;
  readonly hash: Buffer;
  readonly enqueuedLt: bigint;
  /** The cell of the envelope. */
  readonly envelope: number;
}

/** A message in a queue. */
export interface QueuedMessage extends QueueEntry, Waiting {
  readonly opened: MessageEnvelope;
  readonly info: InternalInfo;
  readonly destination: AccountPrefix;
}

const KEY_BITS = 352;
const PLACE_BYTES = 12;
const WORKCHAIN_BITS = 32;

/** The messages in a queue whose next station is in a shard, in the order in which they must be taken in. */
export function messagesFor(cells: Cells, queue: number, { workchain, shard }: ShardIdent): QueueEntry[] {
  const prefix = Buffer.alloc(PLACE_BYTES);
  prefix.writeInt32BE(workchain, 0);
  prefix.writeBigInt64BE(shard, 4);
  const found: QueueEntry[] = [];
  walkPrefix(cells, queue, KEY_BITS, prefix, WORKCHAIN_BITS + shardPrefixBits(shard), (key, value) => {
    found.push(readEntry(key, value));
  });
  return found.sort(byTime);
}

/** All messages of a queue in the order of their keys. */
export function allMessages(cells: Cells, queue: number): QueueEntry[] {
  const found: QueueEntry[] = [];
  walkPrefix(cells, queue, KEY_BITS, Buffer.alloc(0), 0, (key, value) => {
    found.push(readEntry(key, value));
  });
  return found;
}

/** Looks into a message of a queue. */
export function openQueued(cells: Cells, entry: QueueEntry): QueuedMessage {
  const opened = readMessageEnvelope(cells, entry.envelope);
  const info = readMessageInfo(new Slice(cells, opened.message));
  if (info.kind !== 'internal') throw new CellFault('a message in a queue that is not internal');
  const source = placeOf(info.src);
  const destination = placeOf(info.dest);
  const current = placeBetween(source, destination, bitsOf(opened.current));
  const next = placeBetween(source, destination, bitsOf(opened.next));
  return { ...entry, opened, info, destination, current, next };
}

function readEntry(key: Buffer, value: Slice): QueueEntry {
  const lt = value.uint64();
  const enqueuedLt = value.uint64();
  const copy = Buffer.from(key);
  return { key: copy, lt, hash: copy.subarray(PLACE_BYTES), enqueuedLt, envelope: value.ref() };
}

function bitsOf(address: IntermediateAddress): number {
  if (address.kind === 'regular') return address.destBits;
  throw new CellFault('an envelope with an address of its own');
}
