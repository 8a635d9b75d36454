import { randomBytes } from 'node:crypto';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';
import type { BlockInfo } from '../../chain/tlb/block-info.ts';
import type { ShardDescr } from '../../chain/tlb/shard-hashes-descr.ts';
import type { Vm } from '../../vm/create-vm.ts';
import { TVM_VERSION } from '../../vm/tvm-version.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { ChainStep } from '../store/create-chain-store.ts';
import { collateMasterchain } from './collate-masterchain.ts';
import { type CollatedBlock, collateShard } from './collate-shard.ts';
import { checkExternal, type External, type ExternalOutcome } from './external-messages.ts';
import { outcomesOf } from './external-outcomes.ts';
import { knownShards } from './known-shards.ts';
import { type MasterchainView, MasterchainViews } from './masterchain-view.ts';
import { neighbourOf, neighboursOf } from './neighbour.ts';
import { type OpenState, openState, splitState } from './open-state.ts';
import { holds } from './routing.ts';
import { successors } from './shard-config.ts';
import { type BlockSigner, signBlock } from './sign-block.ts';
import { StateArena } from './state-arena.ts';
import { groupOf } from './validator-group.ts';

export interface CollatorOptions {
  readonly store: ChainStore;
  readonly vm: Vm;
  readonly signer: BlockSigner;
  /** Gives the seed of a block's random numbers, 32 bytes. */
  readonly randomSeed?: () => Buffer;
  /** Room for states; older ones are forgotten when it is used up. */
  readonly maxStateBytes?: number;
}

/** The blocks of one masterchain seqno. */
export interface Collated {
  /** For `GrowingChainStore.append`, with the signatures. */
  readonly step: ChainStep;
  readonly externals: readonly ExternalOutcome[];
  readonly transactions: number;
}

/** Makes blocks. */
export interface Collator {
  /**
   * Makes the blocks of the next masterchain seqno: one for every shard, then that of the masterchain. Nothing is
   * added to the store. One step is made at a time.
   */
  collate(input: { readonly now: number; readonly externals: readonly External[] }): Promise<Collated>;
}

const MASTERCHAIN_SHARD = { workchain: MASTERCHAIN, shard: WHOLE_SHARD };
/** What blocks say about the program that made them: the rules and the capabilities it knows. */
const SOFTWARE: BlockInfo['genSoftware'] = { version: TVM_VERSION, capabilities: 0b1110_1110n };
const SEED_BYTES = 32;
const MAX_STATE_BYTES = 64 * 2 ** 20;

/** Creates the part of a chain that makes its blocks. */
export function createCollator(options: CollatorOptions): Collator {
  const { store, vm, signer, randomSeed = () => randomBytes(SEED_BYTES) } = options;
  const states = new StateArena(store, options.maxStateBytes ?? MAX_STATE_BYTES);
  const views = new MasterchainViews();
  const { arena } = states;
  let last: Promise<unknown> = Promise.resolve();

  function openView(): MasterchainView {
    const { head } = store;
    const view = views.open(arena, head, states.rootOf(head));
    const isSame = !states.tidy([head, ...view.shards]);
    return isSame ? view : views.open(arena, head, states.rootOf(head));
  }

  const openAfter = (id: BlockId): OpenState => openState(arena, states.rootOf(id));

  async function collate(now: number, externals: readonly External[]): Promise<Collated> {
    const view = openView();
    const masterchain = openAfter(view.id);
    const endLtAt = knownShards(store, view);
    const shared = () => ({
      arena,
      vm,
      view,
      endLtAt,
      now,
      software: SOFTWARE,
      randSeed: randomSeed(),
    });
    const checked = externals.map((external) => ({ external, sound: checkExternal(external) }));
    const sound = checked.map(({ sound: one }) => one).filter((one) => typeof one !== 'string');

    const collateHalf = (previous: ShardDescr, shard: bigint): Promise<CollatedBlock> => {
      const ident = { workchain: previous.workchain, shard };
      const whole = openAfter(previous);
      return collateShard({
        ...shared(),
        shard: ident,
        before: previous.beforeSplit ? splitState(arena, whole, shard) : whole,
        neighbours: [neighbourOf(masterchain), ...neighboursOf(arena, view.shards, openAfter, ident)],
        previous,
        rounds: [sound.filter(({ place }) => holds(ident, place))],
      });
    };
    const shards = await allOf(
      view.shards.flatMap((descr) => successors(descr).map((shard) => collateHalf(descr, shard))),
    );
    const shardBlocks = shards.map(({ block }) => block);
    for (const { id, state } of shardBlocks) states.keep(id, state);

    const top = await collateMasterchain({
      ...shared(),
      shard: MASTERCHAIN_SHARD,
      before: masterchain,
      stateOf: openAfter,
      shardBlocks,
      rounds: [sound.filter(({ place }) => holds(MASTERCHAIN_SHARD, place))],
    });
    states.keep(top.block.id, top.block.state);
    const group = groupOf(view, MASTERCHAIN_SHARD);
    const signatures = signBlock(group, top.block.id, view.id, store.signatures(view.id), signer);
    const all = [...shards, top];
    return {
      step: {
        shards: shardBlocks.map(({ boc }) => ({ load: () => boc })),
        masterchain: { load: () => top.block.boc, signatures },
      },
      externals: outcomesOf(checked, all),
      transactions: all.reduce((sum, { block }) => sum + block.transactions, 0),
    };
  }

  return {
    collate({ now, externals }) {
      const turn = last.then(() => collate(now, externals));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** All results, or the first failure; but never while one of them is still under way. */
async function allOf<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
