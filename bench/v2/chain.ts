import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { askChild, type MeasuredProcess, probe } from '../support/servers.ts';
import type { ChainContent, ChainReady } from './chain-process.ts';

/** The local chain in a child process. */
export interface Chain extends Pick<MeasuredProcess, 'usage' | 'stop'>, ChainReady {
  /** Waits until all sent messages are in blocks. */
  readonly drain: () => Promise<void>;
}

const POLL_MS = 200;

/** Starts the chain of a folder; a new chain is filled first, which takes a while. */
export async function startChain(folder: string, blockMs: number, content: ChainContent): Promise<Chain> {
  const program = fileURLToPath(new URL('./chain-process.ts', import.meta.url));
  const child = fork(program, [folder, String(blockMs), content], { execArgv: ['--import', probe] });
  const exited = once(child, 'exit').then(() => Promise.reject(new Error('Chain process exited')));
  const [ready] = (await Promise.race([once(child, 'message'), exited])) as [ChainReady];
  return {
    ...ready,
    usage: () => askChild(child, 'usage'),
    async drain() {
      while ((await askChild<number>(child, 'waiting')) > 0) await sleep(POLL_MS);
    },
    async stop() {
      child.kill();
      await exited.catch(() => {});
    },
  };
}
