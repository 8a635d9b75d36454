import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MASTERCHAIN, sameBlock } from '../../../src/chain/block-id.ts';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';
import { parseBlock } from '../../../src/localnet/store/parse-block.ts';
import { sampled } from '../../support/long-run.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { openPlainChain } from './plain-chain.ts';

const PROGRAM = fileURLToPath(new URL('./plain-chain-process.ts', import.meta.url));
const LINE = /^block (\d+) ([0-9a-f]{64})$/gm;
const ROUNDS = sampled(1, 15);
const TIMEOUT_MS = sampled(600_000, 600_000);

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = makeTemporaryDirectory('killed');
});
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await removeTemporaryDirectory(folder);
});

function startChain(command = process.execPath, args: readonly string[] = []) {
  const started = spawn(command, [...args, PROGRAM, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  child = started;
  let output = '';
  started.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const until = async (text: string): Promise<void> => {
    while (!output.includes(text) && started.exitCode === null) await sleep(5);
  };
  const kill = async (): Promise<Map<number, string>> => {
    started.kill('SIGKILL');
    if (started.exitCode === null && started.signalCode === null) await once(started, 'close');
    return new Map([...output.matchAll(LINE)].map(([, seqno, hash]) => [Number(seqno), hash!]));
  };
  return { started, until, kill, output: () => output };
}

/** All masterchain blocks from the first on, each proven to follow the one before. */
function chainOf(store: ChainStore): Map<number, string> {
  const found = new Map([[0, store.zeroState.rootHash.toString('hex')]]);
  for (let seqno = 1; seqno <= store.head.seqno; seqno++) {
    const { id } = store.masterchainBlock(seqno)!;
    const { previous } = parseBlock(store.open(store.block(id)!).bytes);
    const before = seqno === 1 ? undefined : store.masterchainBlock(seqno - 1)!.id;
    expect(previous[0]).toMatchObject({ workchain: MASTERCHAIN, seqno: seqno - 1 });
    if (before !== undefined) expect(sameBlock(previous[0]!, before)).toBe(true);
    found.set(seqno, id.rootHash.toString('hex'));
  }
  return found;
}

describe('a killed local chain', () => {
  it(
    `loses no visible block and repeats none when killed at ${ROUNDS} random moments`,
    async () => {
      const seen = new Map<number, string>();
      for (let round = 0; round < ROUNDS; round++) {
        const { kill, until } = startChain();
        // Some are killed on the way up, most while they make blocks.
        if (round % 4 !== 3) await until('block');
        await sleep(Math.random() * 150);
        for (const [seqno, hash] of await kill()) {
          expect(seen.get(seqno) ?? hash).toBe(hash);
          seen.set(seqno, hash);
        }
      }
      const localnet = await openPlainChain({ folder });
      const chain = chainOf(localnet.store);
      for (const [seqno, hash] of seen) expect(chain.get(seqno)).toBe(hash);
      await localnet.mine(1);
      await localnet.stop();
    },
    TIMEOUT_MS,
  );
});

/** Part of util-linux. */
const LIMITER = 'prlimit';
const noLimits = spawnSync(LIMITER, ['--version']).status === 0 ? '' : ' (skipped: prlimit is not there)';

describe.skipIf(noLimits)(`a local chain on a full disk${noLimits}`, () => {
  it(
    'reports the error, loses nothing, and continues once there is space',
    async () => {
      // The limit on the size of files stands for a disk that is full: writes stop in the middle of a record.
      const { started, until, kill, output } = startChain(LIMITER, [
        '--fsize=30000:unlimited',
        process.execPath,
      ]);
      await until('fault');
      expect(output()).toContain('fault the local chain cannot use its files: EFBIG');
      const last = [...output().matchAll(LINE)].at(-1)!;
      spawnSync(LIMITER, ['--pid', String(started.pid), '--fsize=unlimited:unlimited']);
      await until(`block ${Number(last[1]) + 3} `);
      const seen = await kill();
      const localnet = await openPlainChain({ folder });
      const chain = chainOf(localnet.store);
      for (const [seqno, hash] of seen) expect(chain.get(seqno)).toBe(hash);
      await localnet.stop();
    },
    TIMEOUT_MS,
  );
});
