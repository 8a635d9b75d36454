import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { Binaries } from '../../src/db/embedded/programs.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { createQuietLog, type LogLine } from './quiet-log.ts';
import { copyWithOwners, makeTemporaryDirectory, removeTemporaryDirectory } from './temporary-directory.ts';

/** Another process that uses an embedded PostgreSQL. */
export interface EmbeddedProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly location: string;
  readonly adopted: boolean;
  readonly log: readonly LogLine[];
  /** Stops it gracefully. */
  stop(): Promise<void>;
  /** Kills it. */
  kill(): Promise<void>;
}

/** A directory in which a test starts PostgreSQL servers; `clean` removes all processes and files. */
export function createEmbeddedSandbox(name: string) {
  const root = makeTemporaryDirectory(name);
  const dataDir = join(root, 'data');
  const fallbackRoot = join(root, 'fallback');
  const log = createQuietLog();
  const opened: { stop(): Promise<void> }[] = [];
  const children: ChildProcess[] = [];

  return {
    root,
    dataDir,
    fallbackRoot,
    log,

    /**
     * Copies a new data directory, so that the first start does not run initdb, which takes a second.
     */
    async seed(directory = dataDir): Promise<void> {
      const pristine = inject('pristineCluster');
      if (pristine === '') {
        await (await startEmbeddedPostgres({ dataDir: directory, fallbackRoot, log })).stop();
        rmSync(join(directory, 'postgres', 'socket'), { recursive: true, force: true });
        return;
      }
      const location = join(directory, 'postgres');
      mkdirSync(location, { recursive: true });
      for (const created of [directory, location]) chmodSync(created, 0o755);
      copyWithOwners(pristine, join(location, 'cluster'));
    },

    async start(
      options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {},
    ): Promise<EmbeddedPostgres> {
      const postgres = await startEmbeddedPostgres({ dataDir, fallbackRoot, log, ...options });
      opened.push(postgres);
      return postgres;
    },

    async startProcess(
      options: { dataDir?: string; binaries?: Binaries } = {},
      user: { uid?: number; gid?: number } = {},
    ): Promise<EmbeddedProcess> {
      const program = new URL('embedded-process.ts', import.meta.url);
      const argument = JSON.stringify({ dataDir, fallbackRoot, ...options });
      const child = fork(program, [argument], { ...user, stdio: 'inherit' } as object);
      const exit = once(child, 'exit');
      const stop = async () => {
        if (child.connected) child.send('stop');
        await exit;
      };
      opened.push({ stop });
      children.push(child);
      const [reply] = await Promise.race([once(child, 'message'), exit]);
      if (reply?.url === undefined) throw new Error(reply?.failed ?? 'Process exited');
      const kill = async () => {
        child.kill('SIGKILL');
        await exit;
      };
      return { child, stop, kill, ...reply };
    },

    /** Kills the processes of `startProcess`. */
    killProcesses(): void {
      for (const child of children) child.kill('SIGKILL');
    },

    /** The postmasters of this sandbox. */
    processes: () => postgresProcesses(root),

    async clean(): Promise<void> {
      await Promise.all(opened.map((server) => server.stop().catch(() => {})));
      for (const { pid } of postgresProcesses(root)) process.kill(pid, 'SIGKILL');
      while (postgresProcesses(root).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await removeTemporaryDirectory(root);
    },
  };
}

export type EmbeddedSandbox = ReturnType<typeof createEmbeddedSandbox>;

/** Postmasters whose command line names the directory; their child processes have other command lines. */
function postgresProcesses(root: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: commandOf(name) }))
    .filter(({ command }) => command.includes('bin/postgres') && command.includes(root));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** The process id of the postmaster of a location. */
export function postmasterOf({ location }: { readonly location: string }): number {
  return Number.parseInt(readFileSync(join(location, 'cluster', 'postmaster.pid'), 'utf8'), 10);
}

/** Runs one statement on a new connection. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
