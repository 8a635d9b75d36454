import type { CellBuilder } from '../boc/cell-builder.ts';
import type { Slice } from '../boc/slice.ts';
import type { Augmentation, DictionaryForm } from './dictionary-form.ts';
import { emittedLt } from './message-value.ts';

/** A message that waits to be delivered. */
export interface EnqueuedMsg {
  readonly enqueuedLt: bigint;
  /** The cell of its envelope. */
  readonly envelope: number;
}

/** The messages of a shard that wait to be delivered; `outMsgQueueKey` makes the keys. */
export const OUT_MSG_QUEUE: DictionaryForm<EnqueuedMsg, bigint> = {
  keyBits: 352,
  write: writeEnqueuedMsg,
  augmentation: leastLt(({ envelope }, arena) => emittedLt(arena, envelope)),
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
export function writeEnqueuedMsg(builder: CellBuilder, { enqueuedLt, envelope }: EnqueuedMsg): void {
  builder.uint64(enqueuedLt).ref(envelope);
}

/** What queues add up: the least logical time of their messages, 0 for none. */
export function leastLt<Value>(of: Augmentation<Value, bigint>['of']): Augmentation<Value, bigint> {
  return {
    empty: 0n,
    of,
    combine: (left, right) => (left < right ? left : right),
    read: (slice: Slice) => slice.uint64(),
    write: (builder, lt) => builder.uint64(lt),
  };
}
