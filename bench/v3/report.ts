import { type RunInfo, row, runInfoLines, writeResults } from '../support/report.ts';
import type { Effort } from './measure-case.ts';
import type { IndexResult } from './measure-index.ts';

export interface Report extends RunInfo, IndexResult {
  readonly transactions: number;
  readonly seqnos: number;
  readonly databaseBytes: number;
  readonly effort: Effort;
  readonly poolSize: number;
}

/** Minimum ratio to the bare statements, and maximum latencies: p99 of one request at a time, and the slowest request. */
const GOALS = { ratio: 0.6, p99Ms: 50, maxMs: 500 };

/** One line per missed goal. */
export function missedGoals({ results, failed }: IndexResult): string[] {
  const missed = results.flatMap(({ name, ratio, aloneP99Ms, maxMs }) => [
    ...(ratio < GOALS.ratio ? [`${name}: ratio ${ratio} is below ${GOALS.ratio}`] : []),
    ...(aloneP99Ms >= GOALS.p99Ms ? [`${name}: p99 of ${aloneP99Ms} ms is not below ${GOALS.p99Ms} ms`] : []),
    ...(maxMs > GOALS.maxMs
      ? [`${name}: slowest request took ${maxMs} ms, more than ${GOALS.maxMs} ms`]
      : []),
  ]);
  return [...failed, ...missed];
}

export function toMarkdown(report: Report): string {
  const { effort, results } = report;
  const missed = missedGoals(report);
  return [
    '# v3 benchmark',
    '',
    'Written by `npm run bench:v3`. The application with v3 runs in its own process on an embedded PostgreSQL with a generated',
    'index, without rate limits and with its log written to a file. The baseline is another process that sends exactly the',
    'statements of the same requests, with the same parameters, through a bare pool of the driver; the ratio compares requests',
    'per second. Every query runs with 200 different parameters. All processes share the processors of one machine. Figures',
    'are medians of the rounds; a ratio is the median of the ratios of adjacent rounds. The same look-ups on histories of 10,',
    '100 and 1000 million seqnos are in `v3-history.md`, those on 1 and 10 million transactions in `v3-size.md`.',
    '',
    ...runInfoLines(report),
    `- ${report.transactions} transactions in ${report.seqnos} masterchain seqnos, a database of ${(report.databaseBytes / 1e9).toFixed(1)} GB, ${report.poolSize} connections to it`,
    `- ${effort.rounds} rounds of ${effort.seconds} s per side with ${effort.concurrency} concurrent requests, then one round with one request at a time`,
    `- goals: a ratio of ${GOALS.ratio}, p99 below ${GOALS.p99Ms} ms for one request at a time, no request above ${GOALS.maxMs} ms`,
    '',
    row([
      'query',
      'requests/s',
      'first/s',
      'bare/s',
      'ratio',
      'p50 ms',
      'p99 ms',
      'alone: p50 ms',
      'p99 ms',
      'slowest ms',
      'CPU µs',
      'statements',
      'bytes',
    ]),
    row(['---', ...Array.from({ length: 12 }, () => '--:')]),
    ...results.map((result) =>
      row([
        result.name,
        Math.round(result.requestsPerSecond),
        Math.round(result.firstPerSecond),
        Math.round(result.barePerSecond),
        result.ratio.toFixed(2),
        ...[result.p50Ms, result.p99Ms, result.aloneP50Ms, result.aloneP99Ms, result.maxMs].map((ms) =>
          ms.toFixed(1),
        ),
        Math.round(result.serverCpu),
        result.statements,
        result.bytes,
      ]),
    ),
    '',
    'The second figure is that of the first time that each of the 200 requests is sent, when nothing of them is cached.',
    'Lists have a limit of 100. The first two latencies are those of a saturated server; CPU is that of the server per request,',
    'without PostgreSQL. Statements include the two of the transaction.',
    '',
    ...(missed.length === 0 ? ['All goals met.'] : ['Missed:', '', ...missed.map((line) => `- ${line}`)]),
    '',
  ].join('\n');
}

/** Writes the report; failed cases become one string, because the formatter and JSON.stringify disagree about short lists. */
export function writeReport(report: Report): void {
  const stored = { ...report, failed: report.failed.join('; ') };
  writeResults('v3', stored, toMarkdown(report));
}
