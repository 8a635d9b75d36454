/**
 * A local chain with its lite server, in a process of its own: fills a chain in memory, then stands still.
 * Arguments: the folder of its global config, blocks, payments a block, every how many of them one is of jettons, shards.
 */

import { openLiteServer } from '../../src/localnet/chain/open-lite-server.ts';
import { startLocalChain } from '../../test/localnet/support/local-chain.ts';
import { makeTraffic } from './traffic.ts';

/** What the process says when it is ready. */
export interface ChainReady {
  readonly globalConfigPath: string;
  readonly seqno: number;
}

const [folder = '', blocks = '', payments = '', jettonsEvery = '', shards = ''] = process.argv.slice(2);
const chain = await startLocalChain({ shards: Number(shards) as 1 }, undefined, 64 * 2 ** 20);
await makeTraffic(chain, {
  blocks: Number(blocks),
  payments: Number(payments),
  jettonsEvery: Number(jettonsEvery),
});
await chain.close();
const { store } = chain;
const refuse = async () => {
  throw new Error('the chain stands still');
};
const server = await openLiteServer(folder, {
  store,
  host: '127.0.0.1',
  port: 0,
  now: () => chain.now,
  log: { info() {}, warn: console.error, error: console.error },
  sendMessage: refuse,
  runGetMethod: refuse,
});
process.once('SIGTERM', () => void server.close());
const ready: ChainReady = { globalConfigPath: server.globalConfigPath, seqno: store.head.seqno };
process.send?.(ready);
console.error(`ready ${JSON.stringify(ready)}`);
