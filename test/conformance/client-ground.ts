import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '@ton/core';
import { openLocalnetApp } from '../v2/support/v2-app.ts';

/** v2 on a port of its own in front of a live local chain, for clients that know nothing but its URL. */
export async function openClientGround(options: { readonly demo?: boolean } = {}) {
  const ground = await openLocalnetApp({ blockMs: 150, ...options });
  const url = await ground.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...ground,
    url: `${url}/api/v2`,
    rpcUrl: `${url}/api/v2/jsonRPC`,
    /** Gives an account money and waits until it is there. */
    fund: async (address: Address, amount: bigint) => {
      await ground.running.faucet.fund(address, amount);
      await until(async () => {
        const { body } = await ground.call('getAddressBalance', { address: address.toRawString() });
        return BigInt(body.result) > 0n;
      });
    },
  };
}

const WAIT_MS = 100;
const TRIES = 200;

/** Waits for something to become true on the chain. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await isTrue()) return;
    await sleep(WAIT_MS);
  }
  throw new Error('it did not happen');
}
