import type { CellBuilder } from '../boc/builder.ts';
import { CellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { shardPrefixBits } from '../shards.ts';

/** The name of a shard; `shard` is a signed 64-bit number. */
export interface ShardIdent {
  readonly workchain: number;
  readonly shard: bigint;
}

const MAX_PREFIX_BITS = 60;

/** Reads a ShardIdent. */
export function readShardIdent(slice: Slice): ShardIdent {
  if (slice.uint(2) !== 0) throw new CellError('a shard name of an unknown form');
  const prefixBits = slice.uint(6);
  if (prefixBits > MAX_PREFIX_BITS) throw new CellError('a shard name that is too long');
  const workchain = slice.int(32);
  const end = 1n << BigInt(63 - prefixBits);
  const prefix = slice.uint64();
  // The one that ends a shard's name may be there already: some zero states have it.
  if ((prefix & (end - 1n)) !== 0n) throw new CellError('a shard name with bits after its end');
  return { workchain, shard: BigInt.asIntN(64, prefix | end) };
}

/** Writes a ShardIdent. */
export function writeShardIdent(builder: CellBuilder, { workchain, shard }: ShardIdent): void {
  const prefixBits = shardPrefixBits(shard);
  const prefix = BigInt.asUintN(64, shard) ^ (1n << BigInt(63 - prefixBits));
  builder.uint(0b00, 2).uint(prefixBits, 6).int(workchain, 32).uint64(prefix);
}

/** A block of a chain that is known from the context. */
export interface ExtBlkRef {
  readonly endLt: bigint;
  readonly seqno: number;
  readonly rootHash: Buffer;
  readonly fileHash: Buffer;
}

/** Reads an ExtBlkRef. */
export function readExtBlkRef(slice: Slice): ExtBlkRef {
  return { endLt: slice.uint64(), seqno: slice.uint(32), rootHash: slice.hash(), fileHash: slice.hash() };
}

/** Writes an ExtBlkRef. */
export function writeExtBlkRef(builder: CellBuilder, { endLt, seqno, rootHash, fileHash }: ExtBlkRef): void {
  builder.uint64(endLt).uint(seqno, 32).hash(rootHash).hash(fileHash);
}
