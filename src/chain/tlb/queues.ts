import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { type Augmentation, Dictionary, type DictionaryCodec, readLabel, setKeyBit } from './dictionary.ts';
import { emittedLt } from './msg-descr.ts';

// _ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo;
// out_msg_queue_extra#0 dispatch_queue:DispatchQueue out_queue_size:(Maybe uint48) = OutMsgQueueExtra;

/** The outbound queues of a shard. Dictionaries are given by their root, -1 when empty. */
type OutMsgQueueInfo = Readonly<ReturnType<typeof readOutMsgQueueInfo>>;

const EXTRA = 0;
const LT_BITS = 64;
const SIZE_BITS = 48;

/** Reads `ShardState.outMsgQueueInfo`. */
export function readOutMsgQueueInfo(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  return {
    /** By workchain and first 64 bits of the next hop, and hash of the message: keys of 352 bits, augmented. */
    outQueue: readAugmentedRoot(slice),
    /** Processed messages by shard and masterchain seqno: keys of 96 bits. */
    processedInfo: slice.maybeRef(),
    extra: slice.boolean() ? readExtra(slice) : undefined,
  };
}

/** Later additions to the queue. */
function readExtra(slice: Slice) {
  if (slice.uint(4) !== 0) throw new CellError('unknown tag of an outbound queue');
  return {
    /** Deferred messages by sender: keys of 256 bits, augmented; `readAccountDispatchQueue` reads an entry. */
    dispatchQueue: readAugmentedRoot(slice),
    /** The number of messages in the queue; may be missing. */
    outQueueSize: slice.boolean() ? Number(slice.bigUint(SIZE_BITS)) : undefined,
  };
}

/** The root of a dictionary whose extra is the lowest logical time. */
function readAugmentedRoot(slice: Slice): number {
  const root = slice.maybeRef();
  slice.skip(LT_BITS);
  return root;
}

/** Builds the cell of an OutMsgQueueInfo. */
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

// _ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg;
// _ (HashmapAugE 352 EnqueuedMsg uint64) = OutMsgQueue;

/** An enqueued message. */
export interface EnqueuedMsg {
  readonly enqueuedLt: bigint;
  /** The cell of its envelope. */
  readonly envelope: number;
}

/** The outbound queue of a shard; `outMsgQueueKey` makes the keys. */
export const OUT_MSG_QUEUE: DictionaryCodec<EnqueuedMsg, bigint> = {
  keyBits: 352,
  write: writeEnqueuedMsg,
  augmentation: minLtAugmentation(({ envelope }, arena) => emittedLt(arena, envelope)),
};

/** The key of an enqueued message: workchain and first 64 bits of its next hop, and its hash. */
export function outMsgQueueKey(workchain: number, prefix: bigint, messageHash: Buffer): Buffer {
  const key = Buffer.allocUnsafe(44);
  key.writeInt32BE(workchain, 0);
  key.writeBigUInt64BE(BigInt.asUintN(64, prefix), 4);
  messageHash.copy(key, 12);
  return key;
}

function writeEnqueuedMsg(builder: CellBuilder, { enqueuedLt, envelope }: EnqueuedMsg): void {
  builder.uint64(enqueuedLt).ref(envelope);
}

/** The extra of queues: the lowest logical time of their messages, 0 for none. */
function minLtAugmentation<Value>(of: Augmentation<Value, bigint>['of']): Augmentation<Value, bigint> {
  return {
    empty: 0n,
    of,
    combine: (left, right) => (left < right ? left : right),
    read: (slice: Slice) => slice.uint64(),
    write: (builder, lt) => builder.uint64(lt),
  };
}

// _ messages:(HashmapE 64 EnqueuedMsg) count:uint48 = AccountDispatchQueue;
// _ (HashmapAugE 256 AccountDispatchQueue uint64) = DispatchQueue;

/** Deferred messages of one account. */
export type AccountDispatchQueue = Readonly<ReturnType<typeof readAccountDispatchQueue>>;

/** Reads an entry of the dispatch queue, which starts with its extra: the lowest logical time. */
export function readAccountDispatchQueue(entry: Slice) {
  entry.skip(LT_BITS);
  return {
    /** By the logical time of their creation: keys of 64 bits; -1 when empty. */
    messages: entry.maybeRef(),
    count: Number(entry.bigUint(SIZE_BITS)),
  };
}

/** Deferred messages by the sending account. */
export const DISPATCH_QUEUE: DictionaryCodec<AccountDispatchQueue, bigint> = {
  keyBits: 256,
  write: (builder, { messages, count }) => builder.maybeRef(messages).bigUint(BigInt(count), SIZE_BITS),
  augmentation: minLtAugmentation(({ messages }, arena) => firstLt(arena, messages)),
};

const MAX_LT = 2n ** 64n - 1n;

/** The first key of a dictionary by logical time. */
function firstLt(cells: Cells, root: number): bigint {
  if (root < 0) return MAX_LT;
  const key = Buffer.alloc(8);
  const slice = new Slice(cells, root);
  for (let at = 0; ; at = setKeyBit(key, at, 0)) {
    at = readLabel(slice, LT_BITS - at, key, at);
    if (at === LT_BITS) return key.readBigUInt64BE();
    slice.open(slice.ref());
  }
}

// processed_upto$_ last_msg_lt:uint64 last_msg_hash:bits256 = ProcessedUpto;
// _ (HashmapE 96 ProcessedUpto) = ProcessedInfo;

/** The last message that a shard has processed. */
export interface ProcessedUpto {
  readonly lastMsgLt: bigint;
  readonly lastMsgHash: Buffer;
}

/** Processed messages by shard and masterchain seqno; `processedInfoKey` makes the keys. */
export const PROCESSED_INFO: DictionaryCodec<ProcessedUpto> = {
  keyBits: 96,
  write: (builder, { lastMsgLt, lastMsgHash }) => builder.uint64(lastMsgLt).hash(lastMsgHash),
};

/** The key of a shard at a masterchain seqno in `PROCESSED_INFO`. */
export function processedInfoKey(shard: bigint, mcSeqno: number): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeBigUInt64BE(BigInt.asUintN(64, shard), 0);
  key.writeUInt32BE(mcSeqno, 8);
  return key;
}
