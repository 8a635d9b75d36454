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
    '## Reading',
    '',
    ...reading(clusters),
    '',
  ].join('\n');
}

/** What the figures say: how work is divided, and which requests ask all workers. */
function reading(clusters: readonly ClusterResult[]): string[] {
  const [one, two] = [1, 2].map((count) => clusters.find(({ workers }) => workers === count));
  const lookups = clusters.at(-1)?.lookups ?? [];
  const narrow = lookups.filter(({ shardsPerValue }) => shardsPerValue <= 1);
  const wide = lookups.filter(({ shardsPerValue }) => shardsPerValue > 1);
  const namesOf = (list: readonly LookupResult[]) => list.map(({ name }) => name).join(', ');
  const lines = [
    `- Every statement asks at most one shard for each value that it looks up: ${namesOf(narrow)}.`,
    `- A statement asks all shards: ${namesOf(wide)}.`,
  ];
  if (one === undefined || two === undefined) return lines;
  const shareOf = (alone: readonly number[], both: readonly number[]) =>
    Math.round((100 * (sumOf(both.slice(1)) / 2)) / sumOf(alone.slice(1)));
  const bytes = one.writes.map((write, at) => shareOf(write.bytes, two.writes[at]!.bytes));
  const writing = one.writes.map((write, at) => shareOf(write.cpu, two.writes[at]!.cpu));
  const cpuOf = ({ lookups: all }: ClusterResult) =>
    all.reduce<number[]>((sums, { cpuMs }) => cpuMs.map((ms, node) => ms + (sums[node] ?? 0)), []);
  return [
    ...lines,
    `- Of what a single worker spends and stores, each of two needs ${writing.join(', ')} % of the CPU time for writing (in the order above), ` +
      `${shareOf(cpuOf(one), cpuOf(two))} % for all requests together, and ${bytes.join(', ')} % of the bytes, of which each database has some before the first row.`,
    '- The coordinator does the same work with either: it plans every statement and passes all rows on.',
  ];
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The report as it is stored: the figures of nodes are one text, because the formatter and JSON.stringify disagree about short lists. */
export function toStored(report: CitusReport): object {
  const round = (value: number) => Number(value.toPrecision(4));
  const text = JSON.stringify(report, (_, value: unknown) => {
    if (typeof value === 'number') return round(value);
    if (Array.isArray(value) && value.every((each) => typeof each === 'number'))
      return value.map(round).join(' ');
    return value;
  });
  return JSON.parse(text) as object;
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
