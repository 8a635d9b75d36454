import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { chainPaths } from '../../src/localnet/chain/chain-folder.ts';
import { startLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { prepareDemo } from '../../src/localnet/demo/run-demo.ts';
import { createQuietLog } from './quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from './temporary-directory.ts';

/**
 * Puts a chain that is filled with the demo into a folder. To fill one takes seconds, so it is done once in a run for
 * each number of shards, and what others get is a copy.
 */
export async function copyDemoChain(folder: string, shards: 1 | 2 | 4): Promise<void> {
  // A program beside the tests is no part of a run.
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
    folder,
    settings: { blockMs: 3_600_000, mine: 'interval', shards },
    host: '127.0.0.1',
    port: 0,
    log,
    prepare: async (localnet) => void (await prepareDemo(localnet, chainPaths(folder).demo, log)),
  });
  await running.stop();
  try {
    await rename(folder, filled);
  } catch (error) {
    // Two at once: one of them is as good as the other.
    if (!existsSync(filled)) throw error;
    await removeTemporaryDirectory(folder);
  }
}
