import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { runCommand } from '../../src/cli/commands.ts';
import { copyWithOwners, makeTemporaryDirectory, removeTemporaryDirectory } from './temporary-directory.ts';

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A server that runs. */
export interface RunningTongate {
  readonly url: string;
  readonly output: () => string;
  /** Sends a signal and waits for the exit; resolves to exit code or signal. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
}

/** A tongate process, started like an operator does. */
export interface TongateProcess extends RunningTongate {
  readonly child: ChildProcess;
}

/** Creates a data directory. */
export function makeDataDir(): { path: string; remove: () => Promise<void> } {
  const path = makeTemporaryDirectory('cli');
  return { path, remove: () => removeTemporaryDirectory(path) };
}

/** Creates a data directory with a PostgreSQL cluster, which makes the first start faster. */
export function makeSeededDataDir(): ReturnType<typeof makeDataDir> {
  const dir = makeDataDir();
  const pristine = inject('pristineCluster');
  // Empty with TEST_DATABASE_URL.
  if (pristine === '') return dir;
  const location = join(dir.path, 'postgres');
  mkdirSync(location, { mode: 0o755 });
  chmodSync(location, 0o755);
  copyWithOwners(pristine, join(location, 'cluster'));
  return dir;
}

/** A server of a test has little to do: it has one thread of each kind, which takes half a second of CPU time to start. */
export const TEST_SETTINGS = {
  LOCALNET_DEMO: 'off',
  DRAIN_MS: '0',
  VM_THREADS: '1',
  INDEX_LANES: '1',
  INDEX_THREADS: '1',
  EMULATION_THREADS: '1',
  WORKERS: '1',
};

/** The environment of a tongate process: what it inherits, and what it is told. */
export function tongateEnvironment(env: Record<string, string>): NodeJS.ProcessEnv {
  return { ...plainEnvironment(), ...TEST_SETTINGS, ...env };
}

/** The part of the environment that child processes inherit. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE };
}

interface ProcessLimits {
  /** How many files and connections the process may have open. */
  readonly openFiles?: number;
}

function spawnTongate(
  args: readonly string[],
  env: Record<string, string>,
  { openFiles }: ProcessLimits = {},
) {
  const program = [process.execPath, MAIN, ...args];
  const [file, ...rest] =
    openFiles === undefined ? program : ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`, ...program];
  const child = spawn(file!, rest, {
    env: tongateEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const ended = once(child, 'close').then(([code, signal]): number | NodeJS.Signals => code ?? signal);
  return { child, ended, output: () => output };
}

/** Runs a command until it exits. */
export async function runTongate(args: readonly string[], env: Record<string, string>) {
  const { ended, output } = spawnTongate(args, env);
  return { code: await ended, output: output() };
}

/** Runs a command whose reader leaves before the first line. */
export async function runTongateUnread(args: readonly string[], env: Record<string, string>) {
  const { child, ended, output } = spawnTongate(args, env);
  child.stdout.destroy();
  return { code: await ended, output: output() };
}

/** Runs a command that ends by itself, in this process: starting another one takes a second. */
export async function runTongateHere(args: readonly string[], env: Record<string, string>) {
  let output = '';
  const stream = { write: (text: string) => (output += text) };
  const code = await runCommand(args, {
    env: { LOCALNET_DEMO: 'off', ...env },
    stdout: stream,
    stderr: stream,
  });
  return { code, output };
}

/** Starts a server and waits until it logs its URL. */
export async function startTongate(
  env: Record<string, string>,
  command: 'start' | 'serve' = 'start',
  limits: ProcessLimits = {},
): Promise<TongateProcess> {
  const { child, ended, output } = spawnTongate([command], { PORT: '0', ...env }, limits);
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /"url":"(http:[^"]+)","msg":"tongate is ready"/.exec(output());
      if (found !== null) resolve(found[1]!);
    };
    child.stdout.on('data', look);
    ended.then((code) => reject(new Error(`tongate exited with ${code} before it was ready:\n${output()}`)));
  });
  return {
    child,
    url,
    output,
    end: async (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts an indexer, which has no port; it runs until it is ended. */
export function startIndexer(env: Record<string, string>): Pick<TongateProcess, 'output' | 'end'> {
  const { child, ended, output } = spawnTongate(['index'], env);
  return {
    output,
    end: async (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** The API key that a localnet stores in its data directory. */
export function localnetKeyOf(dataDir: string): string {
  return readFileSync(join(dataDir, 'localnet-api-key'), 'utf8').trim();
}

/** Process ids of running postmasters below a directory. */
export function postmastersBelow(directory: string): number[] {
  try {
    const pid = Number(
      readFileSync(join(directory, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0],
    );
    process.kill(pid, 0);
    return [pid];
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? [-1] : [];
  }
}
