import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
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
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it without giving it a chance. */
  kill(): Promise<void>;
}

/** A directory in which a test starts PostgreSQL in whatever way; `clean` leaves no process and no file. */
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
     * Puts a fresh data directory in place instead of leaving it to the first start, which takes a second.
     */
    async seed(directory = dataDir): Promise<void> {
      const pristine = inject('pristineCluster');
      if (pristine === '') {
        return (await startEmbeddedPostgres({ dataDir: directory, fallbackRoot, log })).stop();
      }
      const location = join(directory, 'postgres');
      mkdirSync(location, { recursive: true });
      for (const made of [directory, location]) chmodSync(made, 0o755);
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
      const place = JSON.stringify({ dataDir, fallbackRoot, ...options });
      const child = fork(program, [place], { ...user, stdio: 'inherit' } as object);
      const exit = once(child, 'exit');
      const stop = async () => {
        if (child.connected) child.send('stop');
        await exit;
      };
      opened.push({ stop });
      children.push(child);
      const [answer] = await Promise.race([once(child, 'message'), exit]);
      if (answer?.url === undefined) throw new Error(answer?.failed ?? 'it ended');
      const kill = async () => {
        child.kill('SIGKILL');
        await exit;
      };
      return { child, stop, kill, ...answer };
    },

    /** Ends the processes of `startProcess` without giving them a chance. */
    killProcesses(): void {
      for (const child of children) child.kill('SIGKILL');
    },

    /** The postmasters of this sandbox. */
    processes: () => postgresProcesses(root),

    async clean(): Promise<void> {
      await Promise.all(opened.map((one) => one.stop().catch(() => {})));
      for (const { pid } of postgresProcesses(root)) process.kill(pid, 'SIGKILL');
      while (postgresProcesses(root).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await removeTemporaryDirectory(root);
    },
  };
}

export type EmbeddedSandbox = ReturnType<typeof createEmbeddedSandbox>;

/** Processes whose command line names the directory; a postmaster's children show other words there. */
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

/** The process number of the PostgreSQL of a location. */
export function postmasterOf({ location }: { readonly location: string }): number {
  return Number.parseInt(readFileSync(join(location, 'cluster', 'postmaster.pid'), 'utf8'), 10);
}

/** Runs one statement over a connection of its own. */
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
