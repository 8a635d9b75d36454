import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import {
  type Augmentation,
  Dictionary,
  type DictionaryCodec,
  lookUp,
  readLabel,
  setKeyBit,
} from './dictionary.ts';
import { emittedLt } from './message-envelope.ts';

/** The messages of a shard that wait to be delivered. Dictionaries are named by their root, -1 when empty. */
interface OutMsgQueueInfo {
  /** By workchain and first 64 bits of the next hop, and hash of the message: keys of 352 bits, augmented. */
  readonly outQueue: number;
  /** What has been processed, by shard and masterchain seqno: keys of 96 bits. */
  readonly processedInfo: number;
  readonly extra: OutMsgQueueExtra | undefined;
}

/** What nodes added to the queue later. */
interface OutMsgQueueExtra {
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
  if (slice.uint(4) !== 0) throw new CellError('an outbound queue of an unknown form');
  const dispatchQueue = readAugmentedRoot(slice);
  return { dispatchQueue, outQueueSize: slice.boolean() ? Number(slice.bigUint(SIZE_BITS)) : undefined };
}

/** The root of a dictionary that adds up the least logical time. */
function readAugmentedRoot(slice: Slice): number {
  const root = slice.maybeRef();
  slice.skip(LT_BITS);
  return root;
}

const EXTRA = 0;

/** Makes the cell of OutMsgQueueInfo. */
export function buildOutMsgQueueInfo(arena: BuildingArena, info: OutMsgQueueInfo): number {
  const { outQueue, processedInfo, extra } = info;
  const builder = new CellBuilder();
  new Dictionary(arena, OUT_MSG_QUEUE).store(builder, outQueue);
  builder.maybeRef(processedInfo).boolean(extra !== undefined);
  if (extra !== undefined) {
    const { dispatchQueue, outQueueSize } = extra;
    new Dictionary(arena, DISPATCH_QUEUE).store(builder.uint(EXTRA, 4), dispatchQueue);
    builder.boolean(outQueueSize !== undefined);
    if (outQueueSize !== undefined) builder.bigUint(BigInt(outQueueSize), SIZE_BITS);
  }
  return arena.build(builder);
}

/** A message that waits to be delivered. */
export interface EnqueuedMsg {
  readonly enqueuedLt: bigint;
  /** The cell of its envelope. */
  readonly envelope: number;
}

/** The messages of a shard that wait to be delivered; `outMsgQueueKey` makes the keys. */
export const OUT_MSG_QUEUE: DictionaryCodec<EnqueuedMsg, bigint> = {
  keyBits: 352,
  write: writeEnqueuedMsg,
  augmentation: minLtAugmentation(({ envelope }, arena) => emittedLt(arena, envelope)),
};

/** The key of a message that waits: workchain and first 64 bits of its next stop, and its hash. */
export function outMsgQueueKey(workchain: number, prefix: bigint, messageHash: Buffer): Buffer {
  const key = Buffer.allocUnsafe(44);
  key.writeInt32BE(workchain, 0);
  key.writeBigUInt64BE(BigInt.asUintN(64, prefix), 4);
  messageHash.copy(key, 12);
  return key;
}

/** Writes an EnqueuedMsg. */
function writeEnqueuedMsg(builder: CellBuilder, { enqueuedLt, envelope }: EnqueuedMsg): void {
  builder.uint64(enqueuedLt).ref(envelope);
}

/** What queues add up: the least logical time of their messages, 0 for none. */
function minLtAugmentation<Value>(of: Augmentation<Value, bigint>['of']): Augmentation<Value, bigint> {
  return {
    empty: 0n,
    of,
    combine: (left, right) => (left < right ? left : right),
    read: (slice: Slice) => slice.uint64(),
    write: (builder, lt) => builder.uint64(lt),
  };
}

const NO_LT = 2n ** 64n - 1n;

/** Deferred messages by the account that sent them. */
export const DISPATCH_QUEUE: DictionaryCodec<AccountDispatchQueue, bigint> = {
  keyBits: 256,
  write: (builder, { messages, count }) => builder.maybeRef(messages).bigUint(BigInt(count), 48),
  augmentation: minLtAugmentation(({ messages }, arena) => leastKey(arena, messages)),
};

/** Deferred messages of one account by the logical time of their creation. */
export const ACCOUNT_DISPATCH_QUEUE: DictionaryCodec<EnqueuedMsg> = {
  keyBits: LT_BITS,
  write: writeEnqueuedMsg,
};

/** The first key of a dictionary by logical time. */
function leastKey(cells: Cells, root: number): bigint {
  if (root < 0) return NO_LT;
  const key = Buffer.alloc(8);
  const slice = new Slice(cells, root);
  for (let at = 0; ; at = setKeyBit(key, at, 0)) {
    at = readLabel(slice, LT_BITS - at, key, at);
    if (at === LT_BITS) return key.readBigUInt64BE();
    slice.open(slice.ref());
  }
}

/** Up to which message a shard has taken in what the others sent it. */
export interface ProcessedUpto {
  readonly lastMsgLt: bigint;
  readonly lastMsgHash: Buffer;
}

/** What a shard has taken in, by shard and masterchain seqno; `processedInfoKey` makes the keys. */
export const PROCESSED_INFO: DictionaryCodec<ProcessedUpto> = {
  keyBits: 96,
  write: (builder, { lastMsgLt, lastMsgHash }) => builder.uint64(lastMsgLt).hash(lastMsgHash),
};

/** The key of what a shard had taken in when the masterchain was at a block. */
export function processedInfoKey(shard: bigint, mcSeqno: number): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeBigUInt64BE(BigInt.asUintN(64, shard), 0);
  key.writeUInt32BE(mcSeqno, 8);
  return key;
}
