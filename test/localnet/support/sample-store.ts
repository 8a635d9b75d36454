import { sameBlock } from '../../../src/chain/block-id.ts';
import {
  type ChainStep,
  type ChainStoreOptions,
  createChainStore,
  type WritableChainStore,
} from '../../../src/localnet/store/chain-store.ts';
import type { NewBlock } from '../../../src/localnet/store/parse-block.ts';
import type { BuiltBlock } from '../../support/chain-builder/block.ts';
import { bagOf } from '../../support/chain-builder/cells.ts';
import { type SampleChain, sampleChain } from '../../support/chain-builder/sample-chain.ts';

/** A built network and its store. */
interface SampleStore {
  readonly chain: SampleChain;
  readonly zeroStates: readonly Buffer[];
  readonly steps: readonly ChainStep[];
  readonly store: WritableChainStore;
}

// Shared: it is immutable, and building it takes a while.
let chain: SampleChain | undefined;

/** Builds the network; its store has the first `stepCount` steps, or all. */
export function sampleStore(stepCount?: number, options: Partial<ChainStoreOptions> = {}): SampleStore {
  chain ??= sampleChain();
  const zeroStates = [chain.zeroState.bytes, bagOf(chain.shardBlocks[0]!.parts.oldState)];
  const store = createChainStore({ ...options, zeroStates });
  const steps = stepsOf(chain);
  for (const step of steps.slice(0, stepCount)) store.append(step);
  return { chain, zeroStates, steps, store };
}

/** Each masterchain block with its new shard blocks. */
function stepsOf({ masterchain, shardBlocks }: SampleChain): ChainStep[] {
  let done = 0;
  return masterchain.map((block) => {
    const tops = block.parts.masterchain!.shards;
    const end = shardBlocks.findLastIndex(({ id }) => tops.some((top) => sameBlock(top.id, id))) + 1;
    const shards = shardBlocks.slice(done, end).map(newBlock);
    done = Math.max(done, end);
    return { masterchain: newBlock(block), shards };
  });
}

/** The state updates in built blocks are completely pruned. */
function newBlock({ bytes, state }: BuiltBlock): NewBlock {
  return { load: () => bytes, state: bagOf(state) };
}
