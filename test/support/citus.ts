import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { copyWithOwners } from './temporary-directory.ts';

/** A PostgreSQL server of a cluster, which a test may kill, pause and restart on the same port. */
export interface ClusterNode {
  /** Of the database `postgres`. */
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Ends all its processes at once; nothing that they would do at their end is done. */
  kill(): Promise<void>;
  /** Ends it without a checkpoint, but with nothing left in memory. */
  stop(): Promise<void>;
  pause(): void;
  resume(): void;
}

/** A Citus cluster: the coordinator and its workers. */
export interface CitusCluster {
  readonly coordinator: ClusterNode;
  readonly workers: readonly ClusterNode[];
  stop(): Promise<void>;
}

const programs = findPrograms();

/** Why tests that need Citus are skipped; undefined if they can run. */
export const noCitus =
  programs === undefined ? 'PostgreSQL with the extension citus is not installed' : undefined;

/** The programs of an installed PostgreSQL that has the extension. */
function findPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).filter((version) =>
    existsSync(`/usr/share/postgresql/${version}/extension/citus.control`),
  );
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest && join(root, newest, 'bin');
}

/** PostgreSQL refuses to run as root. */
function accountOf(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  max_connections: '400',
  // Each database of a test has one for itself.
  max_worker_processes: '100',
  max_prepared_transactions: '400',
  shared_buffers: '64MB',
  // Test data need not survive a power failure, only a killed process.
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'logical',
  autovacuum_naptime: '10min',
  jit: 'off',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_statistics_collection': 'off',
  'citus.max_client_connections': '-1',
};

/** Starts a cluster in an empty directory. Databases become part of it by `joinCluster`. */
export async function startCitus(
  directory: string,
  { workers = 2 }: { readonly workers?: number } = {},
): Promise<CitusCluster> {
  if (programs === undefined) throw new Error(noCitus);
  const account = accountOf();
  mkdirSync(directory, { recursive: true });
  if (account !== undefined) chownSync(directory, account.uid, account.gid);
  const pristine = join(directory, 'pristine');
  const options = { ...account, cwd: '/', stdio: 'pipe' } as const;
  execFileSync(
    join(programs, 'initdb'),
    ['-D', pristine, '-U', 'tongate', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'],
    options,
  );
  const nodes: ClusterNode[] = [];
  for (let number = 0; number <= workers; number++) {
    const cluster = join(directory, number === 0 ? 'coordinator' : `worker-${number}`);
    copyWithOwners(pristine, cluster);
    nodes.push(await createNode(cluster, account));
  }
  await Promise.all(nodes.map((node) => node.start()));
  const [coordinator, ...others] = nodes;
  return {
    coordinator: coordinator!,
    workers: others,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

async function createNode(
  cluster: string,
  account: { uid: number; gid: number } | undefined,
): Promise<ClusterNode> {
  const port = await freePort();
  const url = `postgresql://tongate@127.0.0.1:${port}/postgres`;
  const settings = Object.entries({ ...SETTINGS, port: `${port}` }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  let server: ReturnType<typeof spawn> | undefined;
  const hasExited = () => server === undefined || server.exitCode !== null || server.signalCode !== null;
  return {
    url,
    port,
    async start() {
      const log = openSync(`${cluster}.log`, 'a');
      // The server gets SIGQUIT when this process dies: a killed run leaves nothing behind.
      const whileWeLive = ['--pdeathsig', 'QUIT', join(programs!, 'postgres')];
      server = spawn('setpriv', [...whileWeLive, '-D', cluster, ...settings], {
        ...account,
        cwd: '/',
        stdio: ['ignore', log, log],
      });
      while (!(await answers(url))) {
        if (hasExited()) throw new Error(`PostgreSQL exited, see ${cluster}.log`);
        await sleep(50);
      }
    },
    async kill() {
      if (hasExited()) return;
      const exited = once(server!, 'exit');
      // While it is paused it starts no others.
      server!.kill('SIGSTOP');
      const children = childrenOf(server!.pid!);
      for (const child of children) process.kill(child, 'SIGKILL');
      server!.kill('SIGKILL');
      await exited;
      // It cannot be restarted while one of them has its memory.
      while (children.some(isRunning)) await sleep(5);
    },
    async stop() {
      if (hasExited()) return;
      const exited = once(server!, 'exit');
      server!.kill('SIGQUIT');
      await exited;
    },
    pause: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
  };
}

/** The processes that a process has started. */
function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await onNode(url, 'select 1');
    return true;
  } catch {
    return false;
  }
}

/** Makes databases one of a cluster, the first on the coordinator and the others on workers; all have the same name. */
export async function joinCluster([coordinator, ...workers]: readonly string[]): Promise<void> {
  const nodeOf = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port}`;
  for (const url of [coordinator!, ...workers]) await onNode(url, 'create extension citus');
  await onNode(coordinator!, `select citus_set_coordinator_host(${nodeOf(coordinator!)})`);
  for (const url of workers) await onNode(coordinator!, `select citus_add_node(${nodeOf(url)})`);
}

/** Runs statements on a node. */
export async function onNode(url: string, statements: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(statements);
  } finally {
    await client.end();
  }
}
