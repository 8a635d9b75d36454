import { goalLines, type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { Effort } from './measure-case.ts';

/** An index that was measured. */
export interface HistorySize {
  readonly transactions: number;
  readonly seqnos: number;
  readonly databaseBytes: number;
}

/** The median time of a case, one for each history. */
export interface HistoryCase {
  readonly name: string;
  readonly p50Ms: readonly number[];
}

export interface HistoryReport extends RunInfo {
  readonly effort: Effort;
  readonly histories: readonly HistorySize[];
  readonly cases: readonly HistoryCase[];
}

/** Cases whose time must not depend on the length of the history. */
export const HISTORY_CASES: ReadonlySet<string> = new Set([
  'blocks by seqno',
  'transactions by hash',
  'messages by hash',
  'traces by trace_id',
  'traces by tx_hash',
  'traces by msg_hash',
  'transactions by account',
  'messages by source',
  'traces by account',
  'transactions, newest',
  'traces, newest',
]);

/** How much slower the slowest history may be: among indexes of equally many transactions, and among all. */
const MAX_FACTOR_BY_LENGTH = 1.3;
const MAX_FACTOR_BY_SIZE = 1.5;

/** Whether indexes differ only in the length of their history. */
export function haveOneSize(histories: readonly Pick<HistorySize, 'transactions'>[]): boolean {
  return histories.every(({ transactions }) => transactions === histories[0]!.transactions);
}

function maxFactor({ histories }: HistoryReport): number {
  return haveOneSize(histories) ? MAX_FACTOR_BY_LENGTH : MAX_FACTOR_BY_SIZE;
}

function factorOf({ p50Ms }: HistoryCase): number {
  return Math.max(...p50Ms) / Math.min(...p50Ms);
}

/** One line per missed goal. */
export function missedHistoryGoals(report: HistoryReport): string[] {
  const max = maxFactor(report);
  return report.cases
    .filter((one) => factorOf(one) > max)
    .map((one) => `${one.name}: a factor of ${factorOf(one).toFixed(2)}, more than ${max}`);
}

export function historyMarkdown(report: HistoryReport): string {
  const { effort, histories } = report;
  const size = ({ transactions, seqnos, databaseBytes }: HistorySize) =>
    `- ${transactions} transactions in ${seqnos} masterchain seqnos, a database of ${(databaseBytes / 1e9).toFixed(1)} GB`;
  const short = ({ transactions, seqnos }: HistorySize) => `${transactions / 1e6} M in ${seqnos / 1e6} M`;
  return [
    haveOneSize(histories) ? '# v3 by length of history' : '# v3 by number of transactions',
    '',
    'Written by `npm run bench:v3 -- --histories`. The same queries on generated indexes that are as long as given, with one',
    'request at a time, each sent once before: milliseconds, the median of the medians of the rounds. In each round all indexes',
    'take a turn, and get every query at least once. The factor is that between the slowest and the fastest.',
    '',
    ...runInfoLines(report),
    ...histories.map(size),
    `- ${effort.rounds} rounds of about ${effort.seconds} s`,
    `- goal: a factor of at most ${maxFactor(report)}`,
    '',
    row(['query', ...histories.map(short), 'factor']),
    row(['---', ...histories.map(() => '--:'), '--:']),
    ...report.cases.map((one) =>
      row([one.name, ...one.p50Ms.map((ms) => ms.toFixed(2)), factorOf(one).toFixed(2)]),
    ),
    '',
    ...goalLines(missedHistoryGoals(report)),
    '',
  ].join('\n');
}
