import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type Codec, HASH, MAYBE_REF, maybe, REF, record, tagged, UINT64, type ValueOf } from './codecs.ts';
import { type Augmentation, Dictionary, type DictionaryCodec, readLabel, setKeyBit } from './dictionary.ts';
import { emittedLt } from './msg-descr.ts';

// _ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg;
// _ (HashmapAugE 352 EnqueuedMsg uint64) = OutMsgQueue;

const LT_BITS = 64;

/** An enqueued message; `envelope` is a cell. */
const ENQUEUED_MSG = record({ enqueuedLt: UINT64, envelope: REF });

export type EnqueuedMsg = ValueOf<typeof ENQUEUED_MSG>;

/** The outbound queue of a shard; `outMsgQueueKey` makes the keys. */
export const OUT_MSG_QUEUE: DictionaryCodec<EnqueuedMsg, bigint> = {
  keyBits: 352,
  write: ENQUEUED_MSG.write,
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

/** The extra of queues: the lowest logical time of their messages, 0 for none. */
function minLtAugmentation<Value>(of: Augmentation<Value, bigint>['of']): Augmentation<Value, bigint> {
  return {
    empty: 0n,
    of,
    combine: (left, right) => (left < right ? left : right),
    ...UINT64,
  };
}

// _ messages:(HashmapE 64 EnqueuedMsg) count:uint48 = AccountDispatchQueue;
// _ (HashmapAugE 256 AccountDispatchQueue uint64) = DispatchQueue;

const UINT48: Codec<number> = {
  read: (slice) => Number(slice.bigUint(48)),
  write: (builder, value) => builder.uint(value, 48),
};

/** Deferred messages of one account, by the logical time of their creation: keys of 64 bits; -1 when empty. */
const ACCOUNT_DISPATCH_QUEUE = record({ messages: MAYBE_REF, count: UINT48 });

export type AccountDispatchQueue = ValueOf<typeof ACCOUNT_DISPATCH_QUEUE>;

/** Reads an entry of the dispatch queue, which starts with its extra: the lowest logical time. */
export function readAccountDispatchQueue(entry: Slice): AccountDispatchQueue {
  entry.skip(LT_BITS);
  return ACCOUNT_DISPATCH_QUEUE.read(entry);
}

export const DISPATCH_QUEUE: DictionaryCodec<AccountDispatchQueue, bigint> = {
  keyBits: 256,
  write: ACCOUNT_DISPATCH_QUEUE.write,
  augmentation: minLtAugmentation(({ messages }, arena) => firstLt(arena, messages)),
};

const MAX_LT = 2n ** 64n - 1n;

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

// _ (HashmapE 96 ProcessedUpto) = ProcessedInfo;

/** The last message that a shard has processed. */
const PROCESSED_UPTO = record({ lastMsgLt: UINT64, lastMsgHash: HASH });

export type ProcessedUpto = ValueOf<typeof PROCESSED_UPTO>;

/** Processed messages by shard and masterchain seqno; `processedInfoKey` makes the keys. */
export const PROCESSED_INFO: DictionaryCodec<ProcessedUpto> = { keyBits: 96, write: PROCESSED_UPTO.write };

/** The key of a shard at a masterchain seqno in `PROCESSED_INFO`. */
export function processedInfoKey(shard: bigint, mcSeqno: number): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeBigUInt64BE(BigInt.asUintN(64, shard), 0);
  key.writeUInt32BE(mcSeqno, 8);
  return key;
}

/** The root of a queue, whose extra is the lowest logical time. */
function queueRoot<Value>(codec: DictionaryCodec<Value, bigint>): Codec<number> {
  return {
    read(slice) {
      const root = slice.maybeRef();
      slice.skip(LT_BITS);
      return root;
    },
    write: (builder, root, arena) => new Dictionary(arena, codec).store(builder, root),
  };
}

/** The outbound queues of a shard: `ShardState.outMsgQueueInfo`. Dictionaries are given by their root, -1 when empty. */
const OUT_MSG_QUEUE_INFO = record({
  outQueue: queueRoot(OUT_MSG_QUEUE),
  processedInfo: MAYBE_REF,
  extra: maybe(
    tagged('out_msg_queue_extra#0', 'unknown tag of an outbound queue', {
      /** `readAccountDispatchQueue` reads an entry. */
      dispatchQueue: queueRoot(DISPATCH_QUEUE),
      outQueueSize: maybe(UINT48),
    }),
  ),
});

export const { open: readOutMsgQueueInfo, build: buildOutMsgQueueInfo } = OUT_MSG_QUEUE_INFO;
