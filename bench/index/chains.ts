import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A local chain that is indexed. */
export interface Chain {
  readonly name: string;
  readonly description: string;
  readonly payments: number;
  readonly jettonsEvery: number;
  readonly shards: number;
}

export const DENSE: Chain = {
  name: 'Dense chain',
  payments: 150,
  jettonsEvery: 0,
  shards: 4,
  description: 'Full blocks in four shards',
};

/** As `npm run index` has it. */
export const INDEXER_OPTIONS = ['--max-semi-space-size=8'];

/** Forks a program of this folder; `message` is the first message that it sends. */
export function startProgram(program: string, args: readonly string[], execArgv: string[] = []) {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args, {
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`${program} exited early`)));
  exited.catch(() => {});
  const message = Promise.race([once(child, 'message').then(([first]) => first as unknown), exited]);
  return { child, message, exited };
}
