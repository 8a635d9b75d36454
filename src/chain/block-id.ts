import { ownBytes } from '../lib/bytes-key.ts';

/** A block's full id; `shard` is a signed 64-bit number, hashes have 32 bytes. */
export interface BlockId {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Buffer;
  readonly fileHash: Buffer;
}

/** A block id without hashes: what a look-up starts from. */
export type ShortBlockId = Pick<BlockId, 'workchain' | 'shard' | 'seqno'>;

export type ZeroStateId = Pick<BlockId, 'workchain' | 'rootHash' | 'fileHash'>;

export const WHOLE_SHARD = -0x8000000000000000n;

export const MASTERCHAIN = -1;

/** Nodes name a block that does not exist by this workchain, or by a shard of zero. */
export const INVALID_WORKCHAIN = -0x80000000;

export function sameBlock(a: BlockId, b: BlockId): boolean {
  return (
    a.seqno === b.seqno &&
    a.workchain === b.workchain &&
    a.shard === b.shard &&
    a.rootHash.equals(b.rootHash) &&
    a.fileHash.equals(b.fileHash)
  );
}

/** A block id to be kept: the hashes of a decoded response are views, which keep all of it in memory. */
export function copyBlockId(id: BlockId): BlockId {
  return { ...id, rootHash: ownBytes(id.rootHash), fileHash: ownBytes(id.fileHash) };
}

export function isMasterchain({ workchain, shard }: Pick<BlockId, 'workchain' | 'shard'>): boolean {
  return workchain === MASTERCHAIN && shard === WHOLE_SHARD;
}

/** Whether an id can be that of a masterchain block. */
export function isMasterchainBlock(id: ShortBlockId): boolean {
  return isMasterchain(id) && id.seqno >= 0;
}

/** Whether an id can be that of any block. */
export function isPossibleBlock(id: ShortBlockId): boolean {
  return id.workchain !== INVALID_WORKCHAIN && id.shard !== 0n && id.seqno >= 0;
}

/** A block id without hashes in the form nodes print: `(-1,8000000000000000,17)`. */
export function shortBlockName(id: ShortBlockId): string {
  return `(${id.workchain},${shardText(id.shard)},${id.seqno})`;
}

/** A block's full id in the form nodes print, which have an unsigned seqno. */
export function fullBlockName(id: BlockId): string {
  const place = shortBlockName({ workchain: id.workchain, shard: id.shard, seqno: id.seqno >>> 0 });
  return `${place}:${upperHex(id.rootHash)}:${upperHex(id.fileHash)}`;
}

/** A shard as 16 hexadecimal digits. */
export function shardText(shard: bigint): string {
  return BigInt.asUintN(64, shard).toString(16).padStart(16, '0');
}

function upperHex(hash: Buffer): string {
  return hash.toString('hex').toUpperCase();
}
