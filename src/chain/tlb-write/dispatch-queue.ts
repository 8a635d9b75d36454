import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { readLabel, setKeyBit } from '../tlb/dictionary-label.ts';
import type { AccountDispatchQueue } from '../tlb/out-msg-queue-info.ts';
import type { DictionaryForm } from './dictionary-form.ts';
import { type EnqueuedMsg, leastLt, writeEnqueuedMsg } from './out-msg-queue.ts';

const LT_BITS = 64;
const NO_LT = 2n ** 64n - 1n;

/** Deferred messages by the account that sent them. */
export const DISPATCH_QUEUE: DictionaryForm<AccountDispatchQueue, bigint> = {
  keyBits: 256,
  write: (builder, { messages, count }) => builder.maybeRef(messages).bigUint(BigInt(count), 48),
  augmentation: leastLt(({ messages }, arena) => leastKey(arena, messages)),
};

/** Deferred messages of one account by the logical time of their creation. */
export const ACCOUNT_DISPATCH_QUEUE: DictionaryForm<EnqueuedMsg> = {
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
