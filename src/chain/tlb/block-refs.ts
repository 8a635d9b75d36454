import type { CellBuilder } from '../boc/builder.ts';
import { CellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { MAX_PREFIX_BITS, shardPrefixBits } from '../shards.ts';

// shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent;

/** A shard of a workchain; `shard` is a signed 64-bit number. */
export interface ShardIdent {
  readonly workchain: number;
  readonly shard: bigint;
}

/** Reads a ShardIdent. */
export function readShardIdent(slice: Slice): ShardIdent {
  if (slice.uint(2) !== 0) throw new CellError('unknown tag of a shard id');
  const prefixBits = slice.uint(6);
  if (prefixBits > MAX_PREFIX_BITS) throw new CellError('shard prefix is too long');
  const workchain = slice.int(32);
  const end = 1n << BigInt(63 - prefixBits);
  const prefix = slice.uint64();
  // The one that ends the prefix may be there already: some zero states have it.
  if ((prefix & (end - 1n)) !== 0n) throw new CellError('shard prefix has bits after its end');
  return { workchain, shard: BigInt.asIntN(64, prefix | end) };
}

/** Writes a ShardIdent. */
export function writeShardIdent(builder: CellBuilder, { workchain, shard }: ShardIdent): void {
  const prefixBits = shardPrefixBits(shard);
  const prefix = BigInt.asUintN(64, shard) ^ (1n << BigInt(63 - prefixBits));
  builder.uint(0b00, 2).uint(prefixBits, 6).int(workchain, 32).uint64(prefix);
}

// ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef;

/** A reference to a block of a chain that is known from the context. */
export type ExtBlkRef = Readonly<ReturnType<typeof readExtBlkRef>>;

/** Reads an ExtBlkRef. */
export function readExtBlkRef(slice: Slice) {
  return { endLt: slice.uint64(), seqno: slice.uint(32), rootHash: slice.hash(), fileHash: slice.hash() };
}

/** Writes an ExtBlkRef. */
export function writeExtBlkRef(builder: CellBuilder, { endLt, seqno, rootHash, fileHash }: ExtBlkRef): void {
  builder.uint64(endLt).uint(seqno, 32).hash(rootHash).hash(fileHash);
}
