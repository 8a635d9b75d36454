import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { chainPaths } from '../../src/localnet/chain/chain-folder.ts';
import { startLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { DEMO_SECONDS, prepareDemo } from '../../src/localnet/demo/run-demo.ts';
import { createQuietLog } from './quiet-log.ts';
import { sharedVm } from './shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from './temporary-directory.ts';

/**
 * Puts a chain with the demo into a folder. Filling a chain takes seconds, so it is done once per run and number of shards;
 * other callers get a copy.
 */
export async function copyDemoChain(folder: string, shards: 1 | 2 | 4): Promise<void> {
  // Programs outside of a test run (benchmarks) have no run directory.
  if (!process.env.VITEST) return fill(folder, shards);
  const filled = join(inject('runDirectory'), `demo-${shards}`);
  if (!existsSync(filled)) await fill(filled, shards);
  await mkdir(folder, { recursive: true });
  const [from, to] = [chainPaths(filled), chainPaths(folder)];
  await Promise.all([copyFile(from.chain, to.chain), copyFile(from.demo, to.demo)]);
}

async function fill(filled: string, shards: 1 | 2 | 4): Promise<void> {
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('demo');
  const running = await startLocalnet({
    routineTransactions: true,
    secondsBehind: DEMO_SECONDS,
    vm: sharedVm(),
    folder,
    settings: { blockMs: 3_600_000, mine: 'message', shards },
    host: '127.0.0.1',
    port: 0,
    log,
    prepare: async (localnet) => void (await prepareDemo(localnet, { path: chainPaths(folder).demo, log })),
  });
  await running.stop();
  try {
    await rename(folder, filled);
  } catch (error) {
    // Another process was faster; its chain is as good.
    if (!existsSync(filled)) throw error;
    await removeTemporaryDirectory(folder);
  }
}
