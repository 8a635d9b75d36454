import type { Address } from '@ton/core';
import { until } from '../support/until.ts';
import { openLocalnetApp } from '../v2/support/v2-app.ts';

/** Serves v2 of a live local chain on a port, for clients that only know its URL. */
export async function openV2ClientContext(options: { readonly demo?: boolean } = {}) {
  const context = await openLocalnetApp({ blockMs: 150, ...options });
  const url = await context.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...context,
    url: `${url}/api/v2`,
    rpcUrl: `${url}/api/v2/jsonRPC`,
    /** Sends TON to an account and waits until it has arrived. */
    fund: async (address: Address, amount: bigint) => {
      await context.running.faucet.fund(address, amount);
      await until(async () => {
        const { body } = await context.call('getAddressBalance', { address: address.toRawString() });
        return BigInt(body.result) > 0n;
      });
    },
  };
}
