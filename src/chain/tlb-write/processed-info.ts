import type { DictionaryForm } from './dictionary-form.ts';

/** Up to which message a shard has taken in what the others sent it. */
export interface ProcessedUpto {
  readonly lastMsgLt: bigint;
  readonly lastMsgHash: Buffer;
}

/** What a shard has taken in, by shard and masterchain seqno; `processedInfoKey` makes the keys. */
export const PROCESSED_INFO: DictionaryForm<ProcessedUpto> = {
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
