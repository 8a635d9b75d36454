import type { Slice } from '../../chain/boc/slice.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import {
  BLOCK_CREATE_STATS,
  type BlockCounters,
  type CreatorStats,
} from '../../chain/tlb-write/block-create-stats.ts';
import { Dictionary } from '../../chain/tlb-write/dictionary.ts';
import { counted, NO_BLOCKS } from './fading-counter.ts';

/** Stands for all validators together. */
const EVERYONE = Buffer.alloc(32);

/** Counts the blocks of one step for those who made them; gives the root of the new statistics. */
export function countCreators(
  arena: BuildingArena,
  root: number,
  masterchain: Buffer,
  shards: readonly Buffer[],
  now: number,
): number {
  const dictionary = new Dictionary(arena, BLOCK_CREATE_STATS);
  const count = (before: number, key: Buffer, mcBlocks: number, shardBlocks: number): number => {
    const found = dictionary.get(before, key);
    const old = found === undefined ? { mcBlocks: NO_BLOCKS, shardBlocks: NO_BLOCKS } : readStats(found);
    return dictionary.set(before, key, {
      mcBlocks: mcBlocks === 0 ? old.mcBlocks : counted(old.mcBlocks, mcBlocks, now),
      shardBlocks: shardBlocks === 0 ? old.shardBlocks : counted(old.shardBlocks, shardBlocks, now),
    });
  };
  let stats = root;
  for (const [, made] of Map.groupBy(shards, (key) => key.toString('latin1')))
    stats = count(stats, made[0]!, 0, made.length);
  stats = count(stats, masterchain, 1, 0);
  return count(stats, EVERYONE, 1, shards.length);
}

function readStats(slice: Slice): CreatorStats {
  slice.skip(4);
  return { mcBlocks: readCounters(slice), shardBlocks: readCounters(slice) };
}

function readCounters(slice: Slice): BlockCounters {
  return {
    lastUpdated: slice.uint(32),
    total: slice.uint64(),
    count2048: slice.uint64(),
    count65536: slice.uint64(),
  };
}
