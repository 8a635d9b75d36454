import { WHOLE_SHARD } from './block-id.ts';
import { CellError } from './boc/cells.ts';

// Shards are signed 64-bit numbers: the first bits of the account ids in them, a one, and zeros.

const MAX_PREFIX_BITS = 60;

/** Whether a shard holds the accounts, or the smaller shards, whose names start like a prefix of 64 bits. */
export function shardContains(shard: bigint, prefix: bigint): boolean {
  // What stands above the lowest one is the shard's own prefix.
  return BigInt.asUintN(64, shard ^ prefix) < lowestBit(shard) << 1n;
}

/** Whether one of two shards of a workchain is a part of the other, or the same. */
export function shardsIntersect(a: bigint, b: bigint): boolean {
  return lowestBit(a) > lowestBit(b) ? shardContains(a, b) : shardContains(b, a);
}

/** The shards around a prefix, the whole workchain first. */
export function shardsContaining(prefix: bigint): bigint[] {
  const shards: bigint[] = [];
  for (let bits = 0; bits <= MAX_PREFIX_BITS; bits++) {
    const end = 1n << BigInt(63 - bits);
    const high = BigInt.asUintN(64, prefix) & ~(2n * end - 1n);
    shards.push(BigInt.asIntN(64, high | end));
  }
  return shards;
}

/** The first 64 bits of an account id as a signed number. */
export function accountPrefix(id: Buffer): bigint {
  return id.readBigInt64BE(0);
}

/** The smallest shard around a prefix, as nodes name it. */
export function leafShard(prefix: bigint): bigint {
  return prefix | 1n;
}

function lowestBit(shard: bigint): bigint {
  return BigInt.asUintN(64, shard & -shard);
}

/** The two halves of a shard, left one first. Shards are signed 64-bit numbers: a prefix, a one, and zeros. */
export function childShards(shard: bigint): readonly [left: bigint, right: bigint] {
  const half = lowestBit(shard) >> 1n;
  return [BigInt.asIntN(64, shard - half), BigInt.asIntN(64, shard + half)];
}

/** The shard that a shard is a half of. */
export function parentShard(shard: bigint): bigint {
  if (shard === WHOLE_SHARD) throw new CellError('a whole workchain has no parent shard');
  const bit = lowestBit(shard);
  return BigInt.asIntN(64, (shard - bit) | (bit << 1n));
}

/** The number of bits that the accounts of a shard have in common: those of its name before the last one. */
export function shardPrefixBits(shard: bigint): number {
  const bits = 64 - BigInt.asUintN(64, shard & -shard).toString(2).length;
  if (shard === 0n || bits > MAX_PREFIX_BITS) throw new CellError('not the name of a shard');
  return bits;
}

/** A shard id as upper-case hex without prefix or padding; inside it is a signed 64-bit number. */
export function formatShardId(shard: bigint): string {
  return BigInt.asUintN(64, shard).toString(16).toUpperCase();
}
