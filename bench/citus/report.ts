import { type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { NodeSeconds } from './bench-cluster.ts';
import type { LookupResult } from './measure-lookups.ts';

/** Work that was written to a cluster. */
export interface WriteResult {
  readonly name: string;
  readonly transactions: number;
  readonly seconds: number;
  readonly cpu: NodeSeconds;
  /** Bytes on each node afterwards. */
  readonly bytes: readonly number[];
}

/** Figures of a cluster with some workers. */
export interface ClusterResult {
  readonly workers: number;
  /** Of the generated index, per transaction. */
  readonly placesBytes: number;
  readonly writes: readonly WriteResult[];
  readonly lookups: readonly LookupResult[];
}

export interface CitusReport extends RunInfo {
  readonly transactions: number;
  readonly shards: number;
  readonly clusters: readonly ClusterResult[];
}

export function toMarkdown(report: CitusReport): string {
  const { transactions, shards, clusters } = report;
  return [
    '# Benchmark of a Citus cluster',
    '',
    'Written by `npm run bench:citus`. A coordinator with one worker is compared with a coordinator with two. All nodes, the',
    'server and whoever sends requests share the processors of one machine, so requests per second say little: more nodes are',
    'more processes for the same cores. What counts is the work of each node, in CPU time of all its processes, and how many',
    'shards a request asks. PostgreSQL does not wait for the disk (`fsync` off).',
    '',
    ...runInfoLines(report),
    `- ${shards} shards per group of tables, a generated index of ${transactions} transactions`,
    '',
    '## Writing',
    '',
    row([
      'what',
      'workers',
      'transactions/s',
      'CPU s: coordinator',
      'each worker',
      'MB: coordinator',
      'each worker',
    ]),
    row(['---', '--:', '--:', '--:', '--:', '--:', '--:']),
    ...pairs(clusters, ({ writes }) => writes).map(([workers, { name, ...result }]) =>
      row([
        name,
        workers,
        Math.round(result.transactions / result.seconds),
        ...nodes(result.cpu, (seconds) => seconds.toFixed(1)),
        ...nodes(result.bytes, (bytes) => (bytes / 1e6).toFixed(0)),
      ]),
    ),
    '',
    `In the generated index, \`hash_places\` takes ${clusters.map(({ placesBytes }) => placesBytes.toFixed(0)).join(' and ')} bytes per transaction.`,
    '',
    '## Requests',
    '',
    'Each of 200 requests is sent for the first time, four at a time, then one at a time. Statements are those that ask workers;',
    'a task is what one shard is asked by one statement. Shards per value: the most shards that a statement asks, divided by the',
    'values in its longest list, such as the hashes or accounts that it looks up. It is at most 1 where a statement knows where to look.',
    '',
    row([
      'query',
      'workers',
      'statements',
      'tasks',
      'shards per value',
      'requests/s',
      'alone: p50 ms',
      'CPU ms per request: coordinator',
      'each worker',
    ]),
    row(['---', ...Array.from({ length: 8 }, () => '--:')]),
    ...pairs(clusters, ({ lookups }) => lookups).map(([workers, { name, ...result }]) =>
      row([
        name,
        workers,
        result.statements.toFixed(1),
        result.tasks.toFixed(1),
        result.shardsPerValue.toFixed(1),
        Math.round(result.requestsPerSecond),
        result.aloneP50Ms.toFixed(1),
        ...nodes(result.cpuMs, (ms) => ms.toFixed(2)),
      ]),
    ),
    '',
  ].join('\n');
}

/** The results of the same thing next to each other. */
function pairs<T>(
  clusters: readonly ClusterResult[],
  resultsOf: (cluster: ClusterResult) => readonly T[],
): (readonly [workers: number, result: T])[] {
  const count = Math.max(0, ...clusters.map((cluster) => resultsOf(cluster).length));
  return Array.from({ length: count }, (_, at) =>
    clusters.flatMap((cluster) => {
      const result = resultsOf(cluster)[at];
      return result === undefined ? [] : [[cluster.workers, result] as const];
    }),
  ).flat();
}

function nodes([coordinator, ...workers]: readonly number[], format: (value: number) => string): string[] {
  return [format(coordinator ?? 0), workers.map(format).join(', ')];
}
