import { type Account, Address, Cell } from '@ton/core';
import type { DemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import type { Scene } from '../../../src/localnet/demo/story.ts';
import { CONFIG_ID } from '../../../src/localnet/genesis/special-accounts.ts';
import type { ProcessGround } from '../support/process-ground.ts';

const CONFIG_CONTRACT = new Address(-1, CONFIG_ID);

/** What the terms of contracts are reckoned from; any time will do. */
export const BEGINNING = 1_700_000_000;

/** The chain of another process, as far as the acts of the demo want to know it before they happen. */
export async function readDemoChain(
  { get }: ProcessGround,
  { basechain, masterchain }: Scene['faucets'],
): Promise<DemoChain> {
  const accounts = new Map<string, Account>();
  for (const address of [basechain.address, masterchain.address, CONFIG_CONTRACT]) {
    const { body } = await get(`/api/v2/getAddressInformation?address=${address.toRawString()}`);
    const data = Cell.fromBase64(body.result.data);
    const storage = { state: { type: 'active', state: { data } } };
    accounts.set(address.toRawString(), { storage } as unknown as Account);
  }
  return {
    ...{ id: '', beginning: BEGINNING },
    now: () => Math.floor(Date.now() / 1000),
    account: (address: Address) => accounts.get(address.toRawString()),
    deliver: async () => {
      throw new Error('nothing is delivered this way');
    },
  };
}
