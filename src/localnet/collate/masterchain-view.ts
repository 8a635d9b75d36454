import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { type ExtBlkRef, readBlockExtra, readBlockInfo, readBlockRoot } from '../../chain/tlb/block.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import { readMcStateExtra, readMcStateInfo } from '../../chain/tlb/masterchain-state.ts';
import { readShardHashes, type ShardDescr } from '../../chain/tlb/shard-hashes.ts';
import { readShardState, type ShardState } from '../../chain/tlb/shard-state.ts';
import type { AccountPrefix } from '../store/block-index.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { VmContextReader } from '../vm-context.ts';
import { readChainConfig } from './chain-config.ts';
import type { EndLtAt } from './processed-upto.ts';
import { holds } from './routing.ts';

/** The masterchain block that new blocks build on or reference, and what they need from its state. */
export type MasterchainView = Readonly<ReturnType<typeof openMasterchainView>>;

/** Shards that a masterchain block references, and its own end. */
interface ReferencedShards {
  readonly state: Pick<ShardState, 'genLt'>;
  readonly shards: readonly ShardDescr[];
}

/** View at a masterchain block whose state is in the arena. */
export function openMasterchainView(
  arena: BuildingArena,
  id: BlockId,
  root: number,
  contexts: VmContextReader,
) {
  const state = readShardState(arena, root);
  const extra = readMcStateExtra(arena, state.custom);
  return {
    id,
    root,
    state,
    extra,
    info: readMcStateInfo(arena, extra.info),
    shards: readShardHashes(arena, extra.shardHashes),
    config: readChainConfig(arena, extra.config),
    /** Inputs of every VM run. */
    vmContext: contexts.read(id, { cells: arena, cell: root }),
  };
}

/** Reference of a block of the next seqno to the block of a view. */
export function viewRef({ id, state }: MasterchainView): ExtBlkRef {
  return { endLt: state.genLt, seqno: id.seqno, rootHash: id.rootHash, fileHash: id.fileHash };
}

/** Last key block up to the block of a view; undefined if there is none. */
export function lastKeyBlock(view: MasterchainView): ExtBlkRef | undefined {
  return view.info.afterKeyBlock ? viewRef(view) : view.info.lastKeyBlock;
}

/** End logical time of the shard at a prefix as a masterchain state knows it; 0 where there is no such shard. */
export function endLtAt(view: ReferencedShards, place: AccountPrefix): bigint {
  if (place.workchain === MASTERCHAIN) return view.state.genLt;
  return view.shards.find((descr) => holds(descr, place))?.endLt ?? 0n;
}

/** Shard ends known to masterchain blocks up to that of a view. Read from blocks, since their states may be gone. */
export function createEndLtLookup(store: ChainStore, view: MasterchainView): EndLtAt {
  const shardsBySeqno = new Map<number, ReferencedShards>([[view.id.seqno, view]]);
  return (mcSeqno, place) => {
    const seqno = Math.min(mcSeqno, view.id.seqno);
    let at = shardsBySeqno.get(seqno);
    if (at === undefined) {
      at = shardsAt(store, seqno);
      shardsBySeqno.set(seqno, at);
    }
    return endLtAt(at, place);
  };
}

function shardsAt(store: ChainStore, seqno: number): ReferencedShards {
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
