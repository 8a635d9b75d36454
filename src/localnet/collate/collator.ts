import { randomBytes } from 'node:crypto';
import { type BlockId, MASTERCHAIN, shortBlockName, WHOLE_SHARD } from '../../chain/block-id.ts';
import { BuildingArena } from '../../chain/state/building-arena.ts';
import type { BlockInfo } from '../../chain/tlb/block.ts';
import type { ShardDescr } from '../../chain/tlb/shard-hashes.ts';
import { TVM_VERSION, type Vm } from '../../vm/vm.ts';
import type { ChainStep, ChainStore } from '../store/chain-store.ts';
import { VmContextReader } from '../vm-context.ts';
import { type CollatedBlock, collateMasterchain, collateShard } from './collate-block.ts';
import {
  checkExternal,
  type External,
  type ExternalOutcome,
  type ValidExternal,
} from './external-messages.ts';
import { createEndLtLookup, type MasterchainView, openMasterchainView } from './masterchain-view.ts';
import { neighbourOf, neighboursOf, type OpenState, openState, splitState } from './open-state.ts';
import { holds } from './routing.ts';
import { successors } from './shard-config.ts';
import { type BlockSigner, signBlock, validatorGroupOf } from './validator-group.ts';

interface CollatorOptions {
  readonly store: ChainStore;
  readonly vm: Vm;
  readonly signer: BlockSigner;
  /** Memory for states; older ones are dropped when it is used up. */
  readonly maxStateBytes?: number;
  /**
   * Leaves ticks and tocks out of blocks that change nothing, to keep blocks small. Public networks have them all; lite
   * clients cannot tell. Default false.
   */
  readonly skipIdleTicks?: boolean;
}

/** The blocks of one masterchain seqno. */
export interface CollatedStep {
  /** For `GrowingChainStore.append`, with the signatures. */
  readonly step: ChainStep;
  readonly externals: readonly ExternalOutcome[];
  readonly transactions: number;
}

export type Collator = ReturnType<typeof createCollator>;

const MASTERCHAIN_SHARD = { workchain: MASTERCHAIN, shard: WHOLE_SHARD };
/** Software version in block headers: the global version and capabilities it supports. */
const SOFTWARE: BlockInfo['genSoftware'] = { version: TVM_VERSION, capabilities: 0b1110_1110n };
const SEED_BYTES = 32;
const MAX_STATE_BYTES = 16 * 2 ** 20;

export function createCollator(options: CollatorOptions) {
  const { store, vm, signer, maxStateBytes = MAX_STATE_BYTES, skipIdleTicks = false } = options;
  const states = new StateArena(store, maxStateBytes);
  const contexts = new VmContextReader();
  const { arena } = states;
  let last: Promise<unknown> = Promise.resolve();

  function openView(): MasterchainView {
    const { head } = store;
    const open = () => openMasterchainView(arena, head, states.rootOf(head), contexts);
    const view = open();
    return states.tidy([head, ...view.shards]) ? open() : view;
  }

  const openAfter = (id: BlockId): OpenState => openState(arena, states.rootOf(id));

  async function collate(now: number, externals: readonly External[]): Promise<CollatedStep> {
    const view = openView();
    const masterchain = openAfter(view.id);
    const endLtAt = createEndLtLookup(store, view);
    const shared = () => {
      const randSeed = randomBytes(SEED_BYTES);
      return { arena, vm, view, endLtAt, now, software: SOFTWARE, randSeed };
    };
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
    for (const { id, state } of shardBlocks) states.set(id, state);

    const top = await collateMasterchain({
      ...shared(),
      shard: MASTERCHAIN_SHARD,
      before: masterchain,
      skipIdleTicks,
      stateOf: openAfter,
      shardBlocks,
      rounds: [sound.filter(({ place }) => holds(MASTERCHAIN_SHARD, place))],
    });
    states.set(top.block.id, top.block.state);
    const group = validatorGroupOf(view, MASTERCHAIN_SHARD);
    const signatures = signBlock(group, top.block.id, view.id, store.signatures(view.id), signer);
    const all = [...shards, top];
    return {
      step: {
        shards: shardBlocks.map(({ boc }) => ({ load: () => boc })),
        masterchain: { load: () => top.block.boc, signatures: () => signatures },
      },
      externals: outcomesOf(checked, all),
      transactions: all.reduce((sum, { block }) => sum + block.transactions, 0),
    };
  }

  return {
    /**
     * Makes the blocks of the next masterchain seqno: one for every shard, then that of the masterchain. Nothing is
     * added to the store. One step is made at a time.
     */
    collate({ now, externals }: { readonly now: number; readonly externals: readonly External[] }) {
      const turn = last.then(() => collate(now, externals));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** All results, or the first failure, but only after all have settled. */
async function allOf<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

const NO_SUCH_SHARD = 'destination of an inbound external message is an invalid blockchain address';

function outcomesOf(
  checked: readonly { readonly external: External; readonly sound: ValidExternal | string }[],
  blocks: readonly CollatedBlock[],
): ExternalOutcome[] {
  const results = new Map<ValidExternal, ExternalOutcome>();
  for (const { block, externals: processed } of blocks)
    for (const { external, verdict } of processed) {
      const { id } = external;
      const isIn = verdict.outcome === 'included';
      results.set(external, isIn ? { id, outcome: 'included', block: block.id } : { id, ...verdict });
    }
  return checked.map(({ external: { id }, sound }) => {
    if (typeof sound === 'string') return { id, outcome: 'rejected', text: sound };
    return results.get(sound) ?? { id, outcome: 'rejected', text: NO_SUCH_SHARD };
  });
}

/** States that blocks are built on, in an arena where the next ones can be built. */
class StateArena {
  readonly arena = new BuildingArena();
  readonly #store: ChainStore;
  /** Roots by the hash of the block. */
  readonly #roots = new Map<string, number>();
  readonly #maxBytes: number;
  #limit: number;

  /** States take about `maxBytes` before old ones are dropped. */
  constructor(store: ChainStore, maxBytes: number) {
    this.#store = store;
    this.#maxBytes = maxBytes;
    this.#limit = maxBytes;
  }

  /** Root of the state after a block: built here, or else taken from the store. */
  rootOf(id: BlockId): number {
    const name = nameOf(id);
    const cached = this.#roots.get(name);
    if (cached !== undefined) return cached;
    const tree = this.#store.state(id);
    if (tree === undefined || tree === 'gone')
      throw new Error(`the state after block ${shortBlockName(id)} is not there to build on`);
    const root = this.arena.add(tree.cells, tree.cell);
    this.#roots.set(name, root);
    return root;
  }

  set(id: BlockId, root: number): void {
    this.#roots.set(nameOf(id), root);
  }

  /**
   * Forgets all but the states after some blocks if there are too many. All numbers of cells change then, and it gives
   * true.
   */
  tidy(needed: readonly BlockId[]): boolean {
    if (this.arena.memory <= this.#limit) return false;
    const roots = this.arena.compact(needed.map((id) => this.rootOf(id)));
    this.#roots.clear();
    for (const [i, id] of needed.entries()) this.#roots.set(nameOf(id), roots[i]!);
    // A state that is itself this large would be copied again and again.
    this.#limit = Math.max(this.#maxBytes, 2 * this.arena.memory);
    return true;
  }
}

function nameOf({ rootHash }: BlockId): string {
  return rootHash.toString('latin1');
}
