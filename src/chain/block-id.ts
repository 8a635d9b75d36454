/** A block's full name; `shard` is a signed 64-bit number, hashes have 32 bytes. */
export interface BlockId {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Buffer;
  readonly fileHash: Buffer;
}

/** The shard that is a whole workchain. */
export const WHOLE_SHARD = -0x8000000000000000n;

/** The workchain of the masterchain. */
export const MASTERCHAIN = -1;

/** Whether two names are the same block. */
export function sameBlock(a: BlockId, b: BlockId): boolean {
  return (
    a.seqno === b.seqno &&
    a.workchain === b.workchain &&
    a.shard === b.shard &&
    a.rootHash.equals(b.rootHash) &&
    a.fileHash.equals(b.fileHash)
  );
}

/** A block's name in the form nodes print: `(-1,8000000000000000,17)`. */
export function shortBlockName(id: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>): string {
  return `(${id.workchain},${BigInt.asUintN(64, id.shard).toString(16).padStart(16, '0')},${id.seqno})`;
}
