import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { shardHalves } from '../../chain/tlb/block-shard.ts';
import type { ShardDescr } from '../../chain/tlb/shard-hashes-descr.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';
import { type OpenState, splitState } from './open-state.ts';
import type { ProcessedList } from './processed-upto.ts';

/** A shard whose messages come here and that takes in ours; a shard is its own neighbour too. */
export interface Neighbour extends ShardIdent {
  /** The root of its queue. */
  readonly queue: number;
  readonly processed: ProcessedList;
  readonly endLt: bigint;
}

/** A shard as a neighbour, by the state after its last block. */
export function neighbourOf({ state, queue, processed }: OpenState): Neighbour {
  const { workchain, shard, genLt } = state;
  return { workchain, shard, queue, processed, endLt: genLt };
}

/**
 * Shards as neighbours, each by the state after the block that the masterchain names. Of a shard that has just split,
 * its halves see each other; all others see it whole until the masterchain names blocks of the halves.
 */
export function neighboursOf(
  arena: BuildingArena,
  shards: readonly ShardDescr[],
  stateOf: (descr: ShardDescr) => OpenState,
  viewer: ShardIdent,
): Neighbour[] {
  return shards.flatMap((descr) => {
    const state = stateOf(descr);
    const halves: readonly bigint[] = descr.beforeSplit ? shardHalves(descr.shard) : [];
    if (descr.workchain !== viewer.workchain || !halves.includes(viewer.shard)) return [neighbourOf(state)];
    return halves.map((half) => neighbourOf(splitState(arena, state, half)));
  });
}
