import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ClassifyRun, RulesResult } from './classifying.ts';
import type { IndexRun } from './index-process.ts';

/** One chain and how it was indexed: the run in the middle by time, and the seconds of all. */
export interface ChainResult {
  readonly name: string;
  readonly description: string;
  readonly run: IndexRun;
  readonly allSeconds: string;
}

export interface Report {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly decode: DecodeResult | undefined;
  readonly rules: RulesResult | undefined;
  readonly chains: readonly ChainResult[];
}

/** Decoding alone, of blocks of mainnet. */
export interface DecodeResult {
  readonly blocks: number;
  readonly transactions: number;
  readonly transactionsPerSecond: number;
}

const perSecond = (count: number | undefined, seconds: number) => Math.round((count ?? 0) / seconds);
const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

export function toMarkdown(report: Report): string {
  return [
    '# Index benchmark',
    '',
    'Written by `npm run bench:index`. A local chain is filled and served by our lite server from memory, in a process of',
    'its own; another process indexes it from the first block to the head into an empty embedded PostgreSQL, with proofs',
    'checked, one decoding thread, one thread for get-methods, one that classifies traces, and two lanes of backfill.',
    'Everything shares the processors of one machine. Steps run at the same time, so their shares are of the sum of their',
    'times and not of the time that passed; times of fetching and writing are mostly waiting. When everything is there, all',
    'traces are classified once more, with nothing beside. The middle one of the rounds.',
    '',
    `- ${report.date}, Node ${report.node}`,
    `- ${report.machine}`,
    `- ${report.rounds} rounds`,
    '',
    ...report.chains.flatMap(describeChain),
    ...(report.decode === undefined ? [] : describeDecode(report.decode)),
    ...(report.rules === undefined ? [] : describeRules(report.rules)),
  ].join('\n');
}

function describeChain({ name, description, run, allSeconds }: ChainResult): string[] {
  const { seconds, counts, steps, detected, maxMemoryBytes, databaseBytes } = run;
  const { seqnos = 0, transactions = 0, messages = 0 } = counts;
  const all = Object.values(steps).reduce((sum, ms) => sum + ms, 0);
  const share = (step: string) => `${Math.round((100 * (steps[step] ?? 0)) / all)} %`;
  return [
    `## ${name}`,
    '',
    `${description}: ${seqnos} masterchain seqnos, ${transactions} transactions, ${messages} rows of messages.`,
    '',
    '| what | figure |',
    '| --- | --: |',
    `| seconds of all rounds | ${allSeconds} |`,
    `| masterchain seqnos a second | ${perSecond(seqnos, seconds)} |`,
    `| transactions a second | ${perSecond(transactions, seconds)} |`,
    ...Object.entries(steps).map(
      ([step, ms]) => `| ${step} | ${(ms / 1000).toFixed(1)} s, ${share(step)} of the steps |`,
    ),
    `| get-methods that were run | ${detected.runs}, ${perSecond(detected.runs, seconds)} a second |`,
    `| their results that were known | ${hitRate(detected)} |`,
    `| share of time in which contracts were judged | ${Math.round(detected.busyMs / seconds / 10)} % |`,
    `| actions of all traces, after the last block | ${run.actionsBehindSeconds.toFixed(1)} s |`,
    ...describeClassified(run.classifiedAlone),
    `| processor time of the indexer | ${run.cpuSeconds.toFixed(1)} s, of it ${run.loopSeconds.toFixed(1)} s in the main thread |`,
    `| memory of the indexer, at most | ${mb(maxMemoryBytes)} |`,
    `| database with indexes | ${mb(databaseBytes)}, ${Math.round(databaseBytes / transactions)} bytes a transaction |`,
    '',
    '| table | rows | bytes |',
    '| --- | --: | --: |',
    ...run.tables
      .filter(({ rows }) => rows > 0)
      .map((table) => `| ${table.table} | ${table.rows} | ${table.bytes} |`),
    '',
  ];
}

function describeClassified({ traces, transactions, actions, seconds, ms }: ClassifyRun): string[] {
  return [
    `| classified once more | ${traces} traces, ${transactions} transactions, ${actions} actions |`,
    `| transactions a second, with reading and writing | ${perSecond(transactions, seconds)} |`,
    `| transactions a second, by the rules alone | ${perSecond(transactions, ms.classify / 1000)} |`,
  ];
}

function hitRate({ runs, hits }: IndexRun['detected']): string {
  return runs + hits === 0 ? 'none was asked for' : `${Math.round((100 * hits) / (runs + hits))} %`;
}

function describeDecode({ blocks, transactions, transactionsPerSecond }: DecodeResult): string[] {
  return [
    '## Decoding alone',
    '',
    `${blocks} blocks of mainnet with ${transactions} transactions, again and again in one thread: ${transactionsPerSecond} transactions a second.`,
    '',
  ];
}

function describeRules({ traces, transactions, transactionsPerSecond }: RulesResult): string[] {
  return [
    '## Classifying alone',
    '',
    `${traces} traces of mainnet with ${transactions} transactions, again and again in one thread: ${transactionsPerSecond} transactions a second.`,
    '',
  ];
}

const resultFile = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));

/** Keeps the last result beside the program. */
export function writeReport(report: Report): void {
  writeFileSync(resultFile('index.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(resultFile('index.md'), toMarkdown(report));
}
