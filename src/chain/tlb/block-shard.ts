import { WHOLE_SHARD } from '../block-id.ts';
import { CellFault } from '../boc/cell-fault.ts';

/** The two halves of a shard, left one first. Shards are signed 64-bit numbers: a prefix, a one, and zeros. */
export function shardHalves(shard: bigint): readonly [left: bigint, right: bigint] {
  const half = lowestBit(shard) >> 1n;
  return [BigInt.asIntN(64, shard - half), BigInt.asIntN(64, shard + half)];
}

/** The shard that a shard is a half of. */
export function parentShard(shard: bigint): bigint {
  if (shard === WHOLE_SHARD) throw new CellFault('a whole workchain has no parent shard');
  const bit = lowestBit(shard);
  return BigInt.asIntN(64, (shard - bit) | (bit << 1n));
}

function lowestBit(shard: bigint): bigint {
  return BigInt.asUintN(64, shard & -shard);
}
