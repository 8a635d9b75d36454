import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
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
import { readShardStateTotals } from '../../chain/tlb/shard-state-totals.ts';
import { prevBlocksOf, writePrevBlocks } from '../../vm/prev-blocks.ts';
import { type SharedBoc, shareBoc } from '../../vm/shared-boc.ts';
import { prepareConfig, type VmConfig } from '../../vm/vm-config.ts';
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
  readonly surroundings: Surroundings;
}

/** What a masterchain block knew of the shards, and where it ended itself. */
export interface KnownShards {
  readonly state: Pick<ShardState, 'genLt'>;
  readonly shards: readonly ShardDescr[];
}

/** What runs take from the masterchain. */
export interface Surroundings {
  readonly config: VmConfig;
  readonly libraries: SharedBoc | undefined;
  readonly prevBlocks: SharedBoc;
}

/** Opens masterchain states one after another. */
export class MasterchainViews {
  readonly #config = new LastMade<VmConfig>();
  readonly #libraries = new LastMade<SharedBoc>();

  /** The view at a masterchain block whose state is in the arena. */
  open(arena: BuildingArena, id: BlockId, root: number): MasterchainView {
    const state = readShardState(arena, root);
    const extra = readMcStateExtra(arena, state.custom);
    const info = readMcStateInfo(arena, extra.info);
    const { libraries } = readShardStateTotals(arena, state.totals);
    const config = this.#config.get(arena.hash(extra.config), () =>
      prepareConfig(bocOf(arena, extra.config)),
    );
    const prevBlocks = writePrevBlocks(prevBlocksOf(arena, info, id, config.globalVersion));
    return {
      id,
      root,
      state,
      extra,
      info,
      shards: readShardHashes(arena, extra.shardHashes),
      config: readChainConfig(arena, extra.config),
      surroundings: {
        config,
        libraries:
          libraries < 0
            ? undefined
            : this.#libraries.get(arena.hash(libraries), () => shareBoc(bocOf(arena, libraries))),
        prevBlocks,
      },
    };
  }
}

/** Keeps what was made last of something that hardly ever changes. */
class LastMade<Value> {
  #made: { readonly hash: Buffer; readonly value: Value } | undefined;

  get(hash: Buffer, make: () => Value): Value {
    if (!this.#made?.hash.equals(hash)) this.#made = { hash: Buffer.from(hash), value: make() };
    return this.#made.value;
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

/** A cell with everything below it as a bag of cells. */
export function bocOf(arena: BuildingArena, cell: number): Buffer {
  return writeBoc({ cells: arena, roots: [cell] }, { order: 'core', crc: false });
}
