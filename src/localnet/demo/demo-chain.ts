import { type Account, type Address, type Cell, Dictionary } from '@ton/core';
import type { Localnet } from '../chain/localnet.ts';
import { readAccountAtHead } from '../chain/vm-runs.ts';
import { VALID_SECONDS } from '../contracts/wallets.ts';
import { adminKeys } from '../genesis/keys.ts';
import { CONFIG_CONTRACT, type ConfigChange, configChangeMessage } from '../genesis/special-accounts.ts';
import { headState } from '../store/head-state.ts';

/** A chain as the demo uses it. */
export interface DemoChain {
  /** The root hash of the masterchain's zero state in hex. */
  readonly id: string;
  /** Unix seconds of the genesis: the same whenever the chain is opened. */
  readonly genesisTime: number;
  /** Unix seconds. */
  now(): number;
  account(address: Address): Account | undefined;
  /**
   * Puts messages from outside into blocks and makes blocks until everything that follows from them, and whatever was
   * under way before, is delivered. Throws if one of them did not get into a block.
   */
  deliver(messages: readonly Cell[]): Promise<void>;
  /** Moves the clock forward to a unix time, if it is behind, and makes a block. */
  advanceTo(time: number): Promise<void>;
  mine(): Promise<void>;
}

/** Data of a contract; undefined where there is no contract. */
export function contractData(chain: DemoChain, address: Address): Cell | undefined {
  const state = chain.account(address)?.storage.state;
  return state?.type === 'active' ? (state.state.data ?? undefined) : undefined;
}

/** Adapts a running chain for the demo. */
export function createDemoChain(
  localnet: Pick<Localnet, 'store' | 'genesis' | 'now' | 'send' | 'drain' | 'advance' | 'mine'>,
): DemoChain {
  const { store } = localnet;
  // The machine's clock may have been set back, the chain's may not.
  const now = () => Math.max(localnet.now(), headState(store).state.genUtime);
  return {
    id: store.zeroState.rootHash.toString('hex'),
    genesisTime: localnet.genesis.now,
    now,
    account: (address) => readAccountAtHead(store, address),
    async deliver(messages) {
      const ends = [];
      for (const message of messages) ends.push((await localnet.send(message.toBoc())).end);
      await localnet.drain();
      for (const end of await Promise.all(ends))
        if (end.outcome !== 'included') throw new Error(`a message did not get into a block: ${end.text}`);
    },
    async advanceTo(time) {
      if (time > now()) await localnet.advance(time - localnet.now());
    },
    mine: async () => void (await localnet.mine()),
  };
}

/** Reads the seqno and the params of the config contract. */
export function readConfigContract(chain: DemoChain) {
  const data = contractData(chain, CONFIG_CONTRACT)!.beginParse();
  const params = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), data.loadRef());
  return { seqno: data.loadUint(32), params };
}

/** The external message by which the administrator changes the config. One fits into a round. */
export function configOrder(chain: DemoChain, change: ConfigChange['change']): Cell {
  return configChangeMessage({
    admin: adminKeys(),
    seqno: readConfigContract(chain).seqno,
    validUntil: chain.now() + VALID_SECONDS,
    change,
  });
}
