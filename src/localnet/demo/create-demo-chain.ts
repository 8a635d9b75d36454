import { Cell, loadShardAccount } from '@ton/core';
import { accountAtHead } from '../chain/check-acceptance.ts';
import type { Localnet } from '../chain/localnet.ts';
import { headState } from '../lite-server/head-state.ts';
import type { DemoChain } from './demo-chain.ts';

/** Shows a running chain to the demo. */
export function createDemoChain(
  localnet: Pick<Localnet, 'store' | 'genesis' | 'now' | 'send' | 'drain'>,
): DemoChain {
  const { store } = localnet;
  return {
    id: store.zeroState.rootHash.toString('hex'),
    beginning: localnet.genesis.now,
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
