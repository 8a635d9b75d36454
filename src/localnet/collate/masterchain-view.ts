import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { readBlockExtra, readBlockInfo, readBlockRoot } from '../../chain/tlb/block.ts';
import type { ExtBlkRef } from '../../chain/tlb/block-refs.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import {
  type McStateExtra,
  type McStateInfo,
  readMcStateExtra,
  readMcStateInfo,
} from '../../chain/tlb/masterchain-state.ts';
import { readShardHashes, type ShardDescr } from '../../chain/tlb/shard-hashes.ts';
import { readShardState, type ShardState } from '../../chain/tlb/shard-state.ts';
import type { AccountPrefix, ChainStore } from '../store/chain-store.ts';
import { type VmContext, VmContextReader } from '../vm-context.ts';
import { type ChainConfig, readChainConfig } from './chain-config.ts';
import type { EndLtAt } from './processed-upto.ts';
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
  readonly vmContext: VmContext;
}

/** What a masterchain block knew of the shards, and where it ended itself. */
interface KnownShards {
  readonly state: Pick<ShardState, 'genLt'>;
  readonly shards: readonly ShardDescr[];
}

/** Opens masterchain states one after another. */
export class MasterchainViews {
  readonly #surroundings = new VmContextReader();

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
      vmContext: this.#surroundings.read(id, { cells: arena, cell: root }),
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

/** How far masterchain blocks up to that of a view knew the shards. Blocks tell it; their states may be gone. */
export function createEndLtLookup(store: ChainStore, view: MasterchainView): EndLtAt {
  const known = new Map<number, KnownShards>([[view.id.seqno, view]]);
  return (mcSeqno, place) => {
    const seqno = Math.min(mcSeqno, view.id.seqno);
    let at = known.get(seqno);
    if (at === undefined) {
      at = shardsAt(store, seqno);
      known.set(seqno, at);
    }
    return endLtAt(at, place);
  };
}

function shardsAt(store: ChainStore, seqno: number): KnownShards {
  const stored = store.masterchainBlock(seqno);
  if (stored === undefined) return { state: { genLt: 0n }, shards: [] };
  const { cells, cell: root } = store.open(stored);
  const { info, extra } = readBlockRoot(cells, root);
  const { masterchain } = readBlockExtra(cells, extra);
  return {
    state: { genLt: readBlockInfo(cells, info).endLt },
    shards: readShardHashes(cells, readMasterchainExtra(cells, masterchain).shardHashes),
  };
}
