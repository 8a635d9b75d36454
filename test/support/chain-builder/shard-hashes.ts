import { type Builder, beginCell, type Cell, Dictionary } from '@ton/core';
import type { BlockRef } from './block-names.ts';

/** The newest block of a shard, as masterchain blocks and states name it. */
export interface ShardTop extends BlockRef {
  readonly startLt: bigint;
  readonly utime: number;
}

/** Writes ShardHashes; the shards of a workchain must be all leaves of a tree. */
export function storeShardHashes(builder: Builder, tops: readonly ShardTop[]): Builder {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  const WHOLE = 1n << 63n;
  for (const workchain of new Set(tops.map(({ id }) => id.workchain))) {
    const own = tops.filter(({ id }) => id.workchain === workchain);
    dictionary.set(workchain, binaryTree(own, WHOLE));
  }
  return builder.storeDict(dictionary);
}

function binaryTree(tops: readonly ShardTop[], shard: bigint): Cell {
  const here = tops.find(({ id }) => BigInt.asUintN(64, id.shard) === shard);
  if (here !== undefined) return shardLeaf(here);
  const half = (shard & -shard) >> 1n;
  if (half === 0n) throw new Error('the shards are not all leaves of a tree');
  return beginCell()
    .storeBit(1)
    .storeRef(binaryTree(tops, shard - half))
    .storeRef(binaryTree(tops, shard + half))
    .endCell();
}

/** A leaf of the tree: its bit, and a ShardDescr of the newer form. */
function shardLeaf({ id, startLt, endLt, utime }: ShardTop): Cell {
  const amounts = beginCell().storeCoins(0).storeBit(0).storeCoins(0).storeBit(0).endCell();
  return beginCell()
    .storeBit(0)
    .storeUint(0xa, 4)
    .storeUint(id.seqno, 32)
    .storeUint(0, 32)
    .storeUint(startLt, 64)
    .storeUint(endLt, 64)
    .storeBuffer(id.rootHash)
    .storeBuffer(id.fileHash)
    .storeUint(0, 8)
    .storeUint(0, 32)
    .storeInt(id.shard, 64)
    .storeUint(0, 32)
    .storeUint(utime, 32)
    .storeBit(0)
    .storeRef(amounts)
    .endCell();
}
