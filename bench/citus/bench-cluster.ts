import { readdirSync, readFileSync } from 'node:fs';
import { openDatabase } from '../../src/cli/open-database.ts';
import { readSettings } from '../../src/config/settings.ts';
import { joinCluster, onNode, startCitus } from '../../test/support/citus.ts';

const LOG = { info() {}, warn: console.error, error: console.error };
/** Clock ticks per second in `/proc`. */
const TICKS = 100;

/** CPU seconds of each node, the coordinator first. */
export type NodeSeconds = readonly number[];

/** A cluster whose nodes are measured. */
export interface BenchCluster {
  /** Creates a database with the tables of the index, distributed; returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** The result of some work, and the CPU time that each node spent on it. */
  measure<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly cpu: NodeSeconds }>;
  /** Bytes of a database on each node. */
  bytes(url: string): Promise<readonly number[]>;
  /** Bytes of the places of hashes, on all nodes. */
  placesBytes(url: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a coordinator and workers in a folder. */
export async function startBenchCluster(
  folder: string,
  { workers, shards }: { readonly workers: number; readonly shards: number },
): Promise<BenchCluster> {
  const cluster = await startCitus(folder, { workers });
  const nodes = [cluster.coordinator, ...cluster.workers];
  const pids = await Promise.all(
    nodes.map(async ({ url }) => {
      const { rows } = await onNode(
        url,
        "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
      );
      return Number(rows[0].pid);
    }),
  );
  const cpu = () => pids.map(serverSeconds);
  return {
    async createDatabase(name) {
      for (const { url } of nodes) await onNode(url, `create database ${name}`);
      const urls = nodes.map(({ url }) => withDatabase(url, name));
      await joinCluster(urls);
      const [url] = urls as [string];
      const settings = { NETWORK: 'localnet', DATABASE_URL: url, DATABASE_SHARDS: String(shards) };
      const { close } = await openDatabase(readSettings(settings), LOG);
      await close();
      return url;
    },
    async measure(work) {
      const before = cpu();
      const result = await work();
      return { result, cpu: cpu().map((seconds, node) => seconds - before[node]!) };
    },
    bytes: (url) =>
      Promise.all(
        nodes.map(async (node) => {
          const own = withDatabase(node.url, new URL(url).pathname.slice(1));
          const { rows } = await onNode(own, 'select pg_database_size(current_database())::float8 as bytes');
          return rows[0].bytes as number;
        }),
      ),
    async placesBytes(url) {
      const { rows } = await onNode(
        url,
        `select sum(citus_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
         where inhparent = 'hash_places'::regclass`,
      );
      return rows[0].bytes;
    },
    stop: () => cluster.stop(),
  };
}

/** The same server, another database. */
function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** CPU seconds of a PostgreSQL server with all its processes, also of those that have ended. */
function serverSeconds(pid: number): number {
  const own = readStat(pid);
  if (own === undefined) return 0;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? [])
    .filter(({ parent }) => parent === pid);
  return (own.ticks + own.ended + children.reduce((sum, { ticks }) => sum + ticks, 0)) / TICKS;
}

/** The parent of a process, its ticks, and those of its children that have ended. */
function readStat(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields follow the name, which may have spaces: state, parent, …
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) => fields[at]!);
    return { parent, ticks: user! + system!, ended: endedUser! + endedSystem! };
  } catch {
    return undefined;
  }
}
