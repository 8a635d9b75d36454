import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CaseResult, Effort } from './measure-case.ts';

export interface Report {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly transactions: number;
  readonly databaseBytes: number;
  readonly effort: Effort;
  readonly poolSize: number;
  readonly results: readonly CaseResult[];
  /** Cases that could not be measured, and why. */
  readonly failed: readonly string[];
}

/** What is aimed at: the share of bare statements, p99 of one request at a time, and the slowest of all. */
const AIMS = { ratio: 0.6, p99Ms: 50, maxMs: 500 };

/** What was missed, a line each. */
export function missedAims({ results, failed }: Pick<Report, 'results' | 'failed'>): string[] {
  const missed = results.flatMap(({ name, ratio, aloneP99Ms, maxMs }) => [
    ...(ratio < AIMS.ratio ? [`${name}: ratio ${ratio} is below ${AIMS.ratio}`] : []),
    ...(aloneP99Ms >= AIMS.p99Ms ? [`${name}: p99 of ${aloneP99Ms} ms is not below ${AIMS.p99Ms} ms`] : []),
    ...(maxMs > AIMS.maxMs ? [`${name}: one took ${maxMs} ms, more than ${AIMS.maxMs} ms`] : []),
  ]);
  return [...failed, ...missed];
}

export function toMarkdown(report: Report): string {
  const { effort, results } = report;
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const missed = missedAims(report);
  return [
    '# v3 benchmark',
    '',
    'Written by `npm run bench:v3`. The application with v3 runs in a process of its own on an embedded PostgreSQL with a',
    'generated index, without limits and with its log written to a file. The floor is another process that sends the very',
    'statements that the same requests send, with the same parameters, through a bare pool of the driver; the ratio is',
    'requests a second by such rounds a second. Every query is asked with 200 different parameters. Everything shares the',
    'processors of one machine. Figures are medians of the rounds; a ratio is the median of the ratios of neighbouring rounds.',
    '',
    `- ${report.date}, Node ${report.node}`,
    `- ${report.machine}`,
    `- ${report.transactions} transactions, a database of ${(report.databaseBytes / 1e9).toFixed(1)} GB, ${report.poolSize} connections to it`,
    `- ${effort.rounds} rounds of ${effort.seconds} s a side with ${effort.concurrency} requests at a time, then one of one at a time`,
    `- aims: a ratio of ${AIMS.ratio}, p99 below ${AIMS.p99Ms} ms one at a time, nothing above ${AIMS.maxMs} ms`,
    '',
    row([
      'query',
      'requests/s',
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
    row(['---', ...Array.from({ length: 11 }, () => '--:')]),
    ...results.map((result) =>
      row([
        result.name,
        Math.round(result.requestsPerSecond),
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
    'Lists have a limit of 100. Latencies beside the requests a second are those of a server that is kept busy; CPU is that of the',
    'server for each request, without PostgreSQL. Statements have the two of the transaction in them.',
    '',
    ...(missed.length === 0 ? ['All aims are met.'] : ['Missed:', '', ...missed.map((line) => `- ${line}`)]),
    '',
  ].join('\n');
}

const resultFile = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));

/** Keeps the last result beside the program. */
export function writeReport(report: Report): void {
  // One text, because the formatter and JSON.stringify disagree about short lists.
  const kept = { ...report, failed: report.failed.join('; ') };
  writeFileSync(resultFile('v3.json'), `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync(resultFile('v3.md'), toMarkdown(report));
}
