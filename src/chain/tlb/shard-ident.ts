import { CellFault } from '../boc/cell-fault.ts';
import type { Slice } from '../boc/slice.ts';

/** The name of a shard; `shard` is a signed 64-bit number. */
export interface ShardIdent {
  readonly workchain: number;
  readonly shard: bigint;
}

const MAX_PREFIX_BITS = 60;

/** Reads a ShardIdent. */
export function readShardIdent(slice: Slice): ShardIdent {
  if (slice.uint(2) !== 0) throw new CellFault('a shard name of an unknown form');
  const prefixBits = slice.uint(6);
  if (prefixBits > MAX_PREFIX_BITS) throw new CellFault('a shard name that is too long');
  const workchain = slice.int(32);
  const end = 1n << BigInt(63 - prefixBits);
  const prefix = slice.uint64();
  // The one that ends a shard's name may be there already: some zero states have it.
  if ((prefix & (end - 1n)) !== 0n) throw new CellFault('a shard name with bits after its end');
  return { workchain, shard: BigInt.asIntN(64, prefix | end) };
}
