/**
 * A local chain with its lite server: fills a chain in memory, then makes no more blocks.
 * Arguments: the folder of its global config, blocks, payments per block, every how many of them one is a jetton transfer,
 * shards. With a further folder, the chain is also exported there as pack files.
 */
import { openLiteServer } from '../../src/localnet/chain/start-localnet.ts';
import type { ChainStep } from '../../src/localnet/store/chain-store.ts';
import { exportSteps } from '../../test/localnet/support/export-steps.ts';
import { startLocalChain } from '../../test/localnet/support/local-chain.ts';
import { makeTraffic } from './traffic.ts';

/** The message to the parent process when the lite server is ready. */
export interface ChainReady {
  readonly globalConfigPath: string;
  readonly seqno: number;
}

const [folder = '', blocks = '', payments = '', jettonsEvery = '', shards = '', packs] =
  process.argv.slice(2);
const steps: ChainStep[] = [];
const chain = await startLocalChain(
  { shards: Number(shards) as 1 },
  ({ step }) => void steps.push(step),
  64 * 2 ** 20,
);
await makeTraffic(chain, {
  blocks: Number(blocks),
  payments: Number(payments),
  jettonsEvery: Number(jettonsEvery),
});
await chain.close();
const { store } = chain;
if (packs !== undefined) await exportSteps({ genesis: chain.genesis, steps, to: packs });
const refuse = async () => {
  throw new Error('This chain makes no more blocks');
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
console.error(`Chain ready ${JSON.stringify(ready)}`);
