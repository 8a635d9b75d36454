import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { lookUp } from './dictionary.ts';

/** The messages of a shard that wait to be delivered. Dictionaries are named by their root, -1 when empty. */
export interface OutMsgQueueInfo {
  /** By workchain and first 64 bits of the next hop, and hash of the message: keys of 352 bits, augmented. */
  readonly outQueue: number;
  /** What has been processed, by shard and masterchain seqno: keys of 96 bits. */
  readonly processedInfo: number;
  readonly extra: OutMsgQueueExtra | undefined;
}

/** What nodes added to the queue later. */
export interface OutMsgQueueExtra {
  /** Deferred messages by sender: keys of 256 bits, augmented; for `lookUpDispatchQueue`. */
  readonly dispatchQueue: number;
  /** The number of messages in the queue; a state may leave it out. */
  readonly outQueueSize: number | undefined;
}

/** Deferred messages of one account. */
export interface AccountDispatchQueue {
  /** By the logical time of their creation: keys of 64 bits; -1 when empty. */
  readonly messages: number;
  readonly count: number;
}

const LT_BITS = 64;
const SIZE_BITS = 48;

/** Reads `ShardState.outMsgQueueInfo`. */
export function readOutMsgQueueInfo(cells: Cells, cell: number): OutMsgQueueInfo {
  const slice = new Slice(cells, cell);
  const outQueue = readAugmentedRoot(slice);
  const processedInfo = slice.maybeRef();
  return { outQueue, processedInfo, extra: slice.boolean() ? readExtra(slice) : undefined };
}

/** The deferred messages of an account, or undefined; `root` is `OutMsgQueueExtra.dispatchQueue`. */
export function lookUpDispatchQueue(
  cells: Cells,
  root: number,
  id: Buffer,
): AccountDispatchQueue | undefined {
  if (root < 0) return undefined;
  const value = lookUp(cells, root, 256, id);
  if (value === undefined) return undefined;
  value.skip(LT_BITS);
  return { messages: value.maybeRef(), count: Number(value.bigUint(SIZE_BITS)) };
}

function readExtra(slice: Slice): OutMsgQueueExtra {
  if (slice.uint(4) !== 0) throw new CellFault('an outbound queue of an unknown form');
  const dispatchQueue = readAugmentedRoot(slice);
  return { dispatchQueue, outQueueSize: slice.boolean() ? Number(slice.bigUint(SIZE_BITS)) : undefined };
}

/** The root of a dictionary that adds up the least logical time. */
function readAugmentedRoot(slice: Slice): number {
  const root = slice.maybeRef();
  slice.skip(LT_BITS);
  return root;
}
