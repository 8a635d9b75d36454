/**
 * The local chain with its lite server: fills a new chain, then makes blocks.
 * Arguments: its folder, the block interval, whose content it gets.
 */
import { startLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { fillChain as fillForAbuse } from '../abuse/content.ts';
import { fillChain } from './content.ts';

/** The message to the parent process when the chain is ready. */
export interface ChainReady {
  readonly globalConfigPath: string;
  /** Root hash of the zero state in hex. */
  readonly zeroState: string;
}

const FILLERS = { v2: fillChain, abuse: fillForAbuse };

/** The benchmark that a chain is filled for. */
export type ChainContent = keyof typeof FILLERS;

const [folder = '', blockMs = '', content = ''] = process.argv.slice(2);
const running = await startLocalnet({
  folder,
  host: '127.0.0.1',
  port: 0,
  settings: { blockMs: Number(blockMs), mine: 'interval', shards: 1 },
  log: { info() {}, warn: console.error, error: console.error },
  prepare: FILLERS[content as ChainContent],
});
process.on('message', (message) => {
  if (message === 'waiting') process.send?.(running.localnet.status().waitingMessages);
});
process.once('SIGTERM', () => void running.stop());
const ready: ChainReady = {
  globalConfigPath: running.globalConfigPath,
  zeroState: running.localnet.store.zeroState.rootHash.toString('hex'),
};
process.send?.(ready);
