/**
 * The index on a coordinator with one worker and with two: what each node does, and how many shards requests ask.
 * Usage: npm run bench:citus [-- --transactions 20000 --shards 8 --seconds 0.5 --sparse 60 --dense 6 --workers 1,2].
 * Needs an installed PostgreSQL with the extension citus.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { partitionSeqnosFor } from '../src/index/coverage.ts';
import { noCitus } from '../test/support/citus.ts';
import { type BenchCluster, startBenchCluster } from './citus/bench-cluster.ts';
import { measureLookups } from './citus/measure-lookups.ts';
import {
  type CitusReport,
  type ClusterResult,
  toMarkdown,
  toStored,
  type WriteResult,
} from './citus/report.ts';
import { fillIndex } from './fill/fill-index.ts';
import { TRANSACTIONS_PER_SEQNO } from './fill/plan.ts';
import type { Samples } from './fill/samples.ts';
import type { ChainReady } from './index/chain-process.ts';
import type { OneRun } from './index/index-process.ts';
import { runInfo, writeResults } from './support/report.ts';
import { createCases } from './v3/cases.ts';

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '20000' },
    shards: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '0.5' },
    sparse: { type: 'string', default: '60' },
    dense: { type: 'string', default: '6' },
    workers: { type: 'string', default: '1,2' },
  },
});
const [transactions, shards, seconds] = [values.transactions, values.shards, values.seconds].map(Number) as [
  number,
  number,
  number,
];
const QUIET = { info() {}, warn: console.error, error: console.error };

/** Look-ups, lists of an account, and some lists that need all workers. */
const CASES: ReadonlySet<string> = new Set([
  'transactions by hash',
  'messages by hash',
  'traces by trace_id',
  'traces by tx_hash',
  'traces by msg_hash',
  'blocks by seqno',
  'blocks by mc_seqno',
  'accountStates of 1',
  'transactions by account',
  'traces by account',
  'jetton/transfers by owner',
  'transactions by mc_seqno',
  'messages by source',
  'transactions, newest',
]);

/** Chains like those of bench:index: blocks, payments per block, every how many of them one is a jetton transfer, shards. */
const CHAINS = [
  { name: 'sparse chain', args: [values.sparse, '2', '2', '1'] },
  { name: 'dense chain', args: [values.dense, '150', '0', '4'] },
];

/** Forks a program of bench:index and waits for its first message. */
async function start<T>(program: string, args: readonly string[]) {
  const child = fork(fileURLToPath(new URL(`./index/${program}`, import.meta.url)), args, {
    execArgv: ['--max-semi-space-size=8'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const early = exited.then(() => Promise.reject(new Error(`${program} exited early`)));
  const [message] = (await Promise.race([once(child, 'message'), early])) as [T];
  early.catch(() => {});
  return { child, message, exited };
}

async function fill(
  cluster: BenchCluster,
): Promise<{ readonly url: string; readonly samples: Samples; readonly written: WriteResult }> {
  const url = await cluster.createDatabase('bench_v3');
  const startedMs = performance.now();
  const { result: samples, cpu } = await cluster.measure(() =>
    fillIndex(
      {
        transactions,
        seqnos: Math.ceil(transactions / TRANSACTIONS_PER_SEQNO / 10) * 10,
        seed: 1,
        lanes: 2,
        partitionSeqnos: partitionSeqnosFor('all'),
      },
      { url, log: QUIET, actions: false, keepIndexes: true, restart: false, onProgress: console.error },
    ),
  );
  const took = (performance.now() - startedMs) / 1000;
  const bytes = await cluster.bytes(url);
  return { url, samples, written: { name: 'generated index', transactions, seconds: took, cpu, bytes } };
}

/** Indexes a chain from its first block to its head. */
async function indexChain(
  cluster: BenchCluster,
  config: string,
  name: string,
  database: string,
): Promise<WriteResult> {
  const url = await cluster.createDatabase(database);
  const { result, cpu } = await cluster.measure(async () => {
    const { message, exited } = await start<OneRun>('index-process.ts', [config, folder, url]);
    await exited;
    return message;
  });
  const { seconds: took, counts } = result;
  const bytes = await cluster.bytes(url);
  return { name, transactions: counts.transactions ?? 0, seconds: took, cpu, bytes };
}

async function measure(workers: number, configs: readonly string[]): Promise<ClusterResult> {
  const cluster = await startBenchCluster(join(folder, `workers-${workers}`), { workers, shards });
  try {
    const { url, samples, written } = await fill(cluster);
    const cases = createCases(samples).filter(({ name }) => CASES.has(name));
    const lookups = await measureLookups(cluster, url, { cases, seconds });
    const writes = [written];
    for (const [at, { name }] of CHAINS.entries())
      writes.push(await indexChain(cluster, configs[at]!, name, `bench_${at}`));
    const placesBytes = (await cluster.placesBytes(url)) / transactions;
    return { workers, placesBytes, writes, lookups };
  } finally {
    await cluster.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tongate-bench-citus-'));
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o755);

async function measureAll(): Promise<void> {
  const servers = [];
  try {
    for (const { args } of CHAINS) {
      const own = mkdtempSync(join(folder, 'chain-'));
      servers.push(await start<ChainReady>('chain-process.ts', [own, ...args]));
    }
    const configs = servers.map(({ message }) => message.globalConfigPath);
    const clusters: ClusterResult[] = [];
    for (const workers of values.workers.split(',').map(Number))
      clusters.push(await measure(workers, configs));
    const report: CitusReport = { ...runInfo(), transactions, shards, clusters };
    writeResults('citus', toStored(report), toMarkdown(report));
    console.log(toMarkdown(report));
  } finally {
    for (const { child, exited } of servers) {
      child.kill();
      await exited;
    }
  }
}

try {
  if (noCitus === undefined) await measureAll();
  else {
    console.error(noCitus);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
