import { goalLines, type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { Effort } from './measure-case.ts';
import type { IndexResult } from './measure-index.ts';

/** The same cases on an index of some size. */
export interface HistoryResult extends IndexResult {
  readonly transactions: number;
  readonly seqnos: number;
  readonly databaseBytes: number;
}

export interface HistoryReport extends RunInfo {
  readonly effort: Effort;
  readonly histories: readonly HistoryResult[];
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

/** How much slower the slowest history may be. */
const MAX_FACTOR = 1.3;

interface CaseLine {
  readonly name: string;
  /** By history; undefined where it failed. */
  readonly p50Ms: readonly (number | undefined)[];
  readonly factor: number;
}

function linesOf({ histories }: HistoryReport): CaseLine[] {
  return [...HISTORY_CASES].map((name) => {
    const p50Ms = histories.map(({ results }) => results.find((one) => one.name === name)?.aloneP50Ms);
    const known = p50Ms.filter((ms) => ms !== undefined);
    return { name, p50Ms, factor: Math.max(...known) / Math.min(...known) };
  });
}

/** One line per missed goal. */
export function missedHistoryGoals(report: HistoryReport): string[] {
  const slow = linesOf(report).filter(({ factor }) => factor > MAX_FACTOR);
  return [
    ...report.histories.flatMap(({ failed }) => failed),
    ...slow.map(({ name, factor }) => `${name}: a factor of ${factor.toFixed(2)}, more than ${MAX_FACTOR}`),
  ];
}

export function historyMarkdown(report: HistoryReport): string {
  const { effort, histories } = report;
  const size = ({ transactions, seqnos, databaseBytes }: HistoryResult) =>
    `- ${transactions} transactions in ${seqnos} masterchain seqnos, a database of ${(databaseBytes / 1e9).toFixed(1)} GB`;
  const short = ({ transactions, seqnos }: HistoryResult) => `${transactions / 1e6} M in ${seqnos / 1e6} M`;
  return [
    '# v3 by length of history',
    '',
    'Written by `npm run bench:v3 -- --histories`. The same queries on generated indexes that are as long as given, with one',
    'request at a time: milliseconds, the median of all requests. The factor is that between the slowest and the fastest.',
    '',
    ...runInfoLines(report),
    ...histories.map(size),
    `- one round of ${effort.seconds} s`,
    `- goal: a factor of at most ${MAX_FACTOR}`,
    '',
    row(['query', ...histories.map(short), 'factor']),
    row(['---', ...histories.map(() => '--:'), '--:']),
    ...linesOf(report).map(({ name, p50Ms, factor }) =>
      row([name, ...p50Ms.map((ms) => ms?.toFixed(2) ?? 'failed'), factor.toFixed(2)]),
    ),
    '',
    ...goalLines(missedHistoryGoals(report)),
    '',
  ].join('\n');
}
