import { type Account, type Address, Cell, loadShardAccount } from '@ton/core';
import type { Localnet } from '../chain/localnet.ts';
import { accountAtHead } from '../chain/vm-runs.ts';
import { headState } from '../lite-server/known-blocks.ts';

/** What the demo needs of a chain. */
export interface DemoChain {
  /** The root hash of the masterchain's zero state in hex. */
  readonly id: string;
  /** Unix seconds at which the chain began: the same whenever it is opened. */
  readonly genesisTime: number;
  /** Unix seconds. */
  now(): number;
  /** An account as the newest block has it. */
  account(address: Address): Account | undefined;
  /**
   * Puts messages from outside into blocks and makes blocks until everything that follows from them, and whatever was
   * under way before, is delivered. Throws if one of them did not get into a block.
   */
  deliver(messages: readonly Cell[]): Promise<void>;
}

/** The data of a contract; undefined where none is. */
export function contractData(chain: DemoChain, address: Address): Cell | undefined {
  const state = chain.account(address)?.storage.state;
  return state?.type === 'active' ? (state.state.data ?? undefined) : undefined;
}

/** Shows a running chain to the demo. */
export function createDemoChain(
  localnet: Pick<Localnet, 'store' | 'genesis' | 'now' | 'send' | 'drain'>,
): DemoChain {
  const { store } = localnet;
  return {
    id: store.zeroState.rootHash.toString('hex'),
    genesisTime: localnet.genesis.now,
    // The machine's clock may have been put back, the chain's time may not.
    now: () => Math.max(localnet.now(), headState(store).state.genUtime),
    account({ workChain: workchain, hash }) {
      const found = accountAtHead(store, { workchain, hash });
      if (found === undefined) return undefined;
      return loadShardAccount(Cell.fromBoc(found.shardAccount)[0]!.beginParse()).account ?? undefined;
    },
    async deliver(messages) {
      const ends = [];
      for (const message of messages) ends.push((await localnet.send(message.toBoc())).end);
      await localnet.drain();
      for (const end of await Promise.all(ends))
        if (end.outcome !== 'included') throw new Error(`a message did not get into a block: ${end.text}`);
    },
  };
}
