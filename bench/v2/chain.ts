import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { askChild, type MeasuredProcess, probe } from '../http/measured-process.ts';
import type { ChainReady } from './chain-process.ts';

/** The local chain in a process of its own. */
export interface Chain extends Pick<MeasuredProcess, 'usage' | 'stop'> {
  /** The file by which lite clients find it. */
  readonly globalConfigPath: string;
  /** Waits until every message that was sent is in a block. */
  readonly drain: () => Promise<void>;
}

const LOOK_EVERY_MS = 200;

/** Starts the chain of a folder; a new one is filled first, which takes a while. */
export async function startChain(folder: string, blockMs: number): Promise<Chain> {
  const program = fileURLToPath(new URL('./chain-process.ts', import.meta.url));
  const child = fork(program, [folder, String(blockMs)], { execArgv: ['--import', probe] });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the chain ended')));
  const [{ globalConfigPath }] = (await Promise.race([once(child, 'message'), ended])) as [ChainReady];
  return {
    globalConfigPath,
    usage: () => askChild(child, 'usage'),
    async drain() {
      while ((await askChild<number>(child, 'waiting')) > 0) await sleep(LOOK_EVERY_MS);
    },
    async stop() {
      child.kill();
      await ended.catch(() => {});
    },
  };
}
