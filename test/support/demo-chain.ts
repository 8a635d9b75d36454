import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { chainPaths } from '../../src/localnet/chain/chain-folder.ts';
import { startLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { DEMO_SECONDS, prepareDemo } from '../../src/localnet/demo/run-demo.ts';
import { onceInRun } from './database.ts';
import { copyFixture, fixtureHash, storeFixture } from './fixtures.ts';
import { createQuietLog } from './quiet-log.ts';
import { sharedVm } from './shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from './temporary-directory.ts';

/** Tests expect the demo to be about a week old, so an old one is not used again. */
const MAX_AGE_MS = 3_600_000;

/**
 * Puts a chain with the demo into a folder. Filling a chain takes seconds, so it is done once for each number of shards and
 * kept for the next runs; callers get a copy.
 */
export async function copyDemoChain(folder: string, shards: 1 | 2 | 4): Promise<void> {
  // Programs outside of a test run (benchmarks) have no run directory.
  if (!process.env.VITEST) return fill(folder, shards);
  await copyChain(await demoChain(shards), folder);
}

/** Tells one demo chain from another. */
export async function demoChainVersion(shards: 1 | 2 | 4): Promise<string> {
  const { chain } = chainPaths(await demoChain(shards));
  return hash('sha256', await readFile(chain)).slice(0, 8);
}

/** The folder of this run with a demo chain. */
async function demoChain(shards: 1 | 2 | 4): Promise<string> {
  const folder = join(inject('runDirectory'), `demo-${shards}`);
  if (existsSync(folder)) return folder;
  await onceInRun(folder, async () => {
    if (existsSync(folder)) return;
    const fixture = `demo-chain-${shards}-${fixtureHash('test/support/demo-chain.ts')}`;
    const draft = `${folder}-draft`;
    if (!copyFixture(fixture, draft, MAX_AGE_MS)) {
      await fill(draft, shards);
      storeFixture(draft, fixture);
    }
    await rename(draft, folder);
  });
  return folder;
}

/** Copies a chain that does not run, with the record of its demo. */
export async function copyChain(fromFolder: string, toFolder: string): Promise<void> {
  await mkdir(toFolder, { recursive: true });
  const [from, to] = [chainPaths(fromFolder), chainPaths(toFolder)];
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
  await copyChain(folder, filled);
  await removeTemporaryDirectory(folder);
}
