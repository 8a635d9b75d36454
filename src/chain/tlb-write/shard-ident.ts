import type { CellBuilder } from '../boc/cell-builder.ts';
import { CellFault } from '../boc/cell-fault.ts';
import type { ShardIdent } from '../tlb/shard-ident.ts';

const MAX_PREFIX_BITS = 60;

/** Writes a ShardIdent. */
export function writeShardIdent(builder: CellBuilder, { workchain, shard }: ShardIdent): void {
  const prefixBits = shardPrefixBits(shard);
  const prefix = BigInt.asUintN(64, shard) ^ (1n << BigInt(63 - prefixBits));
  builder.uint(0b00, 2).uint(prefixBits, 6).int(workchain, 32).uint64(prefix);
}

/** The number of bits that the accounts of a shard have in common: those of its name before the last one. */
export function shardPrefixBits(shard: bigint): number {
  const bits = 64 - BigInt.asUintN(64, shard & -shard).toString(2).length;
  if (shard === 0n || bits > MAX_PREFIX_BITS) throw new CellFault('not the name of a shard');
  return bits;
}
