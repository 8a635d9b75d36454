import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Starts the local chain of a data directory in a process of its own; resolves when its lite server is up. */
export async function startLocalnetProcess(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const chain = spawn(process.execPath, [MAIN, 'localnet'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of chain.stdout) {
    output += chunk;
    if (/ running\n {2}lite/.test(output)) break;
  }
  chain.stdout.resume();
  return chain;
}

/** Processes of a PostgreSQL: the postmaster and those that it started. */
export function databaseProcesses(postmaster: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]) === postmaster;
    } catch {
      return false;
    }
  });
  return [postmaster, ...children.map(Number)];
}

/** Sends a signal to processes; a connection of PostgreSQL may have ended in the meantime. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
