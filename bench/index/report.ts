import { type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { ClassifyRun, RulesResult } from './classifying.ts';
import type { IndexRun } from './index-process.ts';
import type { MainnetResult, MainnetSize } from './mainnet-blocks.ts';

/** One chain: the median run by time, and the seconds of all runs. */
export interface ChainResult {
  readonly name: string;
  readonly description: string;
  readonly run: IndexRun;
  readonly allSeconds: string;
}

export interface Report extends RunInfo {
  readonly rounds: number;
  readonly decode: DecodeResult | undefined;
  readonly rules: RulesResult | undefined;
  readonly chains: readonly ChainResult[];
  readonly mainnet: MainnetResult | undefined;
}

/** Speed of decoding alone, on mainnet blocks. */
export interface DecodeResult {
  readonly blocks: number;
  readonly transactions: number;
  readonly transactionsPerSecond: number;
}

const perSecond = (count: number | undefined, seconds: number) => Math.round((count ?? 0) / seconds);
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Without tables that have no rows: their first pages do not grow with the index. */
export function bytesPerTransaction({ tables, counts }: Pick<IndexRun, 'tables' | 'counts'>): number {
  return filledBytes(tables) / (counts.transactions ?? 1);
}

function filledBytes(tables: IndexRun['tables']): number {
  return tables.reduce((sum, { rows, bytes }) => (rows > 0 ? sum + bytes : sum), 0);
}

export function toMarkdown(report: Report): string {
  return [
    '# Index benchmark',
    '',
    'Written by `npm run bench:index`. A local chain is filled and served from memory by our lite server, in its own process.',
    'Another process indexes it from the first block to the head into an empty embedded PostgreSQL, with proof checks, one',
    'decoding thread, one thread for get-methods, one classifier thread, and two backfill lanes. All processes share the',
    'processors of one machine. The process does so twice, with an empty index each time. The second time counts: the first',
    'one is mostly the start of threads and the compilation of their code, which no longer matters after ten seconds of a',
    'backfill. Steps run concurrently, so their shares are of the sum of their times, not of elapsed time; fetching and',
    'writing mostly wait. Sizes are those after a full vacuum of queues and of the tables with one row per account; the',
    'others are as the indexer wrote them. After indexing, all traces are classified again with nothing else running. Figures',
    'are those of the median round.',
    '',
    ...runInfoLines(report),
    `- ${report.rounds} rounds`,
    '',
    ...report.chains.flatMap(describeChain),
    ...(report.decode === undefined ? [] : describeDecode(report.decode)),
    ...(report.rules === undefined ? [] : describeRules(report.rules)),
    ...describeMainnet(report.mainnet),
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
    `${description}: ${seqnos} masterchain seqnos, ${transactions} transactions, ${messages} message rows.`,
    '',
    '| measure | figure |',
    '| --- | --: |',
    `| seconds of all rounds | ${allSeconds} |`,
    `| seconds of the first time in the process | ${run.coldSeconds.toFixed(1)} |`,
    `| masterchain seqnos per second | ${perSecond(seqnos, seconds)} |`,
    `| transactions per second | ${perSecond(transactions, seconds)} |`,
    ...Object.entries(steps).map(
      ([step, ms]) => `| ${step} | ${(ms / 1000).toFixed(1)} s, ${share(step)} of all steps |`,
    ),
    `| get-method runs | ${detected.runs}, ${perSecond(detected.runs, seconds)} per second |`,
    `| get-method cache hits | ${hitRate(detected)} |`,
    `| share of time spent on contract detection | ${Math.round(detected.busyMs / seconds / 10)} % |`,
    `| delay from the last block to the last action | ${run.actionsBehindSeconds.toFixed(1)} s |`,
    ...describeClassified(run.classifiedAlone),
    `| CPU time of the indexer | ${run.cpuSeconds.toFixed(1)} s, ${run.loopSeconds.toFixed(1)} s of it in the main thread |`,
    `| peak memory of the indexer | ${mb(maxMemoryBytes)} |`,
    `| database with indexes | ${mb(databaseBytes)}, ${mb(databaseBytes - filledBytes(run.tables))} of them in tables without rows |`,
    `| bytes per transaction in tables with rows | ${Math.round(bytesPerTransaction(run))} |`,
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
    `| classified again | ${traces} traces, ${transactions} transactions, ${actions} actions |`,
    `| transactions per second, with reading and writing | ${perSecond(transactions, seconds)} |`,
    `| transactions per second, rules only | ${perSecond(transactions, ms.classify / 1000)} |`,
  ];
}

function hitRate({ runs, hits }: IndexRun['detected']): string {
  return runs + hits === 0 ? 'no lookups' : `${Math.round((100 * hits) / (runs + hits))} %`;
}

function describeDecode({ blocks, transactions, transactionsPerSecond }: DecodeResult): string[] {
  return [
    '## Decoding alone',
    '',
    `${blocks} mainnet blocks with ${transactions} transactions, decoded repeatedly in one thread: ${transactionsPerSecond} transactions per second.`,
    '',
  ];
}

function describeRules({ traces, transactions, transactionsPerSecond }: RulesResult): string[] {
  return [
    '## Classifying alone',
    '',
    `${traces} mainnet traces with ${transactions} transactions, classified repeatedly in one thread: ${transactionsPerSecond} transactions per second.`,
    '',
  ];
}

/** The section about the size of mainnet blocks. */
export function describeMainnet(result: MainnetResult | undefined): string[] {
  const title = ['## Size of mainnet blocks', ''];
  if (result === undefined)
    return [...title, 'Skipped: there are no mainnet blocks in `../shared/data/mainnet`.', ''];
  const { blocks, transactions, messages, accounts, events, copies, asInBlocks, singly } = result;
  const sizes = [asInBlocks, singly];
  const tables = new Set(sizes.flatMap((size) => size.tables.map(({ table }) => table)));
  const tableCells = (name: string) =>
    sizes.flatMap((size) => {
      const { rows = 0, bytes = 0 } = size.tables.find(({ table }) => table === name) ?? {};
      return [rows, Math.round(bytes)];
    });
  const bytesOfOthers = (size: MainnetSize) =>
    Math.round(size.bytes - size.tables.reduce((sum, { bytes }) => sum + bytes, 0));
  return [
    ...title,
    `${blocks} mainnet blocks with ${transactions} transactions, ${messages} message rows and ${accounts} accounts, taken as one masterchain`,
    'seqno: decoded, written and classified by the indexer. Then all rows of partitioned tables were copied with other keys,',
    `copy after copy, so that indexes grow as they do while a chain is indexed. Sizes are those of ${copies} copies with`,
    `${copies * transactions} transactions, indexes included; rows are those of one copy.`,
    '',
    'The blocks are not neighbours, so traces are cut where a message comes from elsewhere or leaves. Such a message has one',
    'row if it was sent in the blocks and none if it was received there, and nothing waits for its other end, as if the',
    'blocks around were indexed too. The first figure is that of the traces that remain, a few of them with hundreds of',
    'transactions: on average, traces of mainnet are shorter. For the second one every transaction is a trace of its own,',
    'the most that traces can add. Actions are those that the rules find without knowing any contract, because recognising',
    `contracts needs a lite server; ${events} token requests stay in their queue for the same reason. Traces that the rules`,
    'reject because a receiver is missing have basic actions. Tables with a row per account or contract are not copied: they',
    'grow with accounts, not transactions. They are in the last line, with the queues and the first pages of empty tables.',
    '',
    row(['', 'traces as in the blocks', 'one transaction per trace']),
    row(['---', '--:', '--:']),
    row(['traces', ...sizes.map(({ traces }) => traces)]),
    row(['transactions per trace', ...sizes.map(({ traces }) => (transactions / traces).toFixed(1))]),
    row(['actions', ...sizes.map(({ actions }) => actions)]),
    row(['traces with basic actions only', ...sizes.map(({ faults }) => faults)]),
    row(['bytes per transaction', ...sizes.map(({ bytes }) => Math.round(bytes))]),
    '',
    row([
      'table',
      'rows',
      'bytes per transaction',
      'rows with one transaction per trace',
      'bytes per transaction',
    ]),
    row(['---', '--:', '--:', '--:', '--:']),
    ...[...tables].map((name) => row([name, ...tableCells(name)])),
    row(['all others', ...sizes.flatMap((size) => ['', bytesOfOthers(size)])]),
    '',
  ];
}
