import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { ExtBlkRef } from '../../chain/tlb/ext-blk-ref.ts';
import {
  type McStateExtra,
  type McStateInfo,
  readMcStateExtra,
  readMcStateInfo,
} from '../../chain/tlb/mc-state-extra.ts';
import { readShardHashes } from '../../chain/tlb/shard-hashes.ts';
import type { ShardDescr } from '../../chain/tlb/shard-hashes-descr.ts';
import { readShardState, type ShardState } from '../../chain/tlb/shard-state.ts';
import { type RunSurroundings, SurroundingsReader } from '../run-surroundings.ts';
import type { AccountPrefix } from '../store/chain-store.ts';
import { type ChainConfig, readChainConfig } from './chain-config.ts';
import { holds } from './routing.ts';

/** The masterchain block that new blocks build on or refer to, and what they take from the state after it. */
export interface MasterchainView {
  readonly id: BlockId;
  readonly root: number;
  readonly state: ShardState;
  readonly extra: McStateExtra;
  readonly info: McStateInfo;
  readonly shards: readonly ShardDescr[];
  readonly config: ChainConfig;
  /** What every run of the virtual machine is given. */
  readonly surroundings: RunSurroundings;
}

/** What a masterchain block knew of the shards, and where it ended itself. */
export interface KnownShards {
  readonly state: Pick<ShardState, 'genLt'>;
  readonly shards: readonly ShardDescr[];
}

/** Opens masterchain states one after another. */
export class MasterchainViews {
  readonly #surroundings = new SurroundingsReader();

  /** The view at a masterchain block whose state is in the arena. */
  open(arena: BuildingArena, id: BlockId, root: number): MasterchainView {
    const state = readShardState(arena, root);
    const extra = readMcStateExtra(arena, state.custom);
    const info = readMcStateInfo(arena, extra.info);
    return {
      id,
      root,
      state,
      extra,
      info,
      shards: readShardHashes(arena, extra.shardHashes),
      config: readChainConfig(arena, extra.config),
      surroundings: this.#surroundings.read(id, { cells: arena, root }),
    };
  }
}

/** How a block of the next seqno refers to the block of a view. */
export function viewRef({ id, state }: MasterchainView): ExtBlkRef {
  return { endLt: state.genLt, seqno: id.seqno, rootHash: id.rootHash, fileHash: id.fileHash };
}

/** The last key block up to the block of a view; undefined if that is none. */
export function lastKeyBlock(view: MasterchainView): ExtBlkRef | undefined {
  return view.info.afterKeyBlock ? viewRef(view) : view.info.lastKeyBlock;
}

/** The end of what a masterchain state knows of the shard at a place; 0 where there is no such shard. */
export function endLtAt(view: KnownShards, place: AccountPrefix): bigint {
  if (place.workchain === MASTERCHAIN) return view.state.genLt;
  return view.shards.find((descr) => holds(descr, place))?.endLt ?? 0n;
}
