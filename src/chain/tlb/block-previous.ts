import type { BlockId } from '../block-id.ts';
import type { BlockInfo } from './block-info.ts';
import { parentShard, shardHalves } from './block-shard.ts';

/** The full names of the blocks before a block: two after a merge, one of the parent shard after a split. */
export function previousBlocks(info: BlockInfo): BlockId[] {
  const { workchain, shard, afterMerge, afterSplit } = info;
  const shards = afterMerge ? shardHalves(shard) : [afterSplit ? parentShard(shard) : shard];
  return info.prevRefs.map(({ seqno, rootHash, fileHash }, i) => ({
    workchain,
    shard: shards[i]!,
    seqno,
    rootHash,
    fileHash,
  }));
}
