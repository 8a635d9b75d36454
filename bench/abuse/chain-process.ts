/** The local chain with its lite server. Arguments: its folder, the block interval. */
import { startLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import type { ChainReady } from '../v2/chain-process.ts';
import { fillChain } from './content.ts';

const [folder = '', blockMs = ''] = process.argv.slice(2);
const running = await startLocalnet({
  folder,
  host: '127.0.0.1',
  port: 0,
  settings: { blockMs: Number(blockMs), mine: 'interval', shards: 1 },
  log: { info() {}, warn: console.error, error: console.error },
  prepare: fillChain,
});
process.once('SIGTERM', () => void running.stop());
const ready: ChainReady = {
  globalConfigPath: running.globalConfigPath,
  zeroState: running.localnet.store.zeroState.rootHash.toString('hex'),
};
process.send?.(ready);
