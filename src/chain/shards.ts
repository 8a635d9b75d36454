import { WHOLE_SHARD } from './block-id.ts';
import { CellError } from './boc/cells.ts';

// A shard is a signed 64-bit number: the common prefix of its account ids, a one, and zeros.

export const MAX_PREFIX_BITS = 60;

/** Whether a shard contains the accounts or smaller shards that start with a 64-bit prefix. */
export function shardContains(shard: bigint, prefix: bigint): boolean {
  // The bits above the lowest one are the shard's own prefix.
  return BigInt.asUintN(64, shard ^ prefix) < lowestBit(shard) << 1n;
}

/** Whether one of two shards of a workchain contains the other. */
export function shardsIntersect(a: bigint, b: bigint): boolean {
  return lowestBit(a) > lowestBit(b) ? shardContains(a, b) : shardContains(b, a);
}

/** All shards that contain a prefix, the whole workchain first. */
export function shardsContaining(prefix: bigint): bigint[] {
  const shards: bigint[] = [];
  for (let bits = 0; bits <= MAX_PREFIX_BITS; bits++) {
    const end = 1n << BigInt(63 - bits);
    const high = BigInt.asUintN(64, prefix) & ~(2n * end - 1n);
    shards.push(BigInt.asIntN(64, high | end));
  }
  return shards;
}

export function accountPrefix(id: Buffer): bigint {
  return id.readBigInt64BE(0);
}

/** The smallest shard that contains a prefix, as nodes write it. */
export function leafShard(prefix: bigint): bigint {
  return prefix | 1n;
}

/** The one that ends the prefix of a shard, as an unsigned number. */
export function lowestBit(shard: bigint): bigint {
  return BigInt.asUintN(64, shard & -shard);
}

/** The two halves of a shard, left one first. */
export function childShards(shard: bigint): readonly [left: bigint, right: bigint] {
  const half = lowestBit(shard) >> 1n;
  return [BigInt.asIntN(64, shard - half), BigInt.asIntN(64, shard + half)];
}

export function parentShard(shard: bigint): bigint {
  if (shard === WHOLE_SHARD) throw new CellError('a whole workchain has no parent shard');
  const bit = lowestBit(shard);
  return BigInt.asIntN(64, (shard - bit) | (bit << 1n));
}

/** All shards with a prefix of a length inside of a shard, ascending; the length is not below that of the shard. */
export function shardsOfDepth(shard: bigint, bits: number): bigint[] {
  const isDeep = shardPrefixBits(shard) === bits;
  return isDeep ? [shard] : childShards(shard).flatMap((child) => shardsOfDepth(child, bits));
}

export function shardPrefixBits(shard: bigint): number {
  const bits = 64 - lowestBit(shard).toString(2).length;
  if (shard === 0n || bits > MAX_PREFIX_BITS) throw new CellError('not a shard id');
  return bits;
}

/** A shard as upper-case hex without prefix or padding. */
export function formatShardId(shard: bigint): string {
  return BigInt.asUintN(64, shard).toString(16).toUpperCase();
}
