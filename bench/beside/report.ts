import { type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { ComparedAnswers } from './compare-answers.ts';
import type { Figures, MeasuredLoad } from './measure-case.ts';

export interface ReportedCase {
  readonly name: string;
  readonly keys: number;
  readonly answers: ComparedAnswers;
  readonly loads: readonly MeasuredLoad[];
}

export interface Report extends RunInfo {
  readonly urls: readonly [string, string];
  /** Wanted of each kind. */
  readonly keys: number;
  readonly cases: readonly ReportedCase[];
}

/** Places of a case that are listed; the rest is counted. */
const MAX_PLACES = 5;

export function toMarkdown(report: Report): string {
  const { urls, cases } = report;
  const loads = cases.flatMap(({ loads }) => loads);
  return [
    '# Two endpoints side by side',
    '',
    ...runInfoLines(report),
    `- A: ${urls[0]}`,
    `- B: ${urls[1]}`,
    `- up to ${report.keys} keys of each kind, sampled from A; both get the same requests in turns`,
    '',
    row([
      'case',
      'keys',
      'connections',
      'B/A',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'CPU ms',
      'again: B/A',
      'again: requests/s',
      'failures',
    ]),
    row(['---', '--:', '--:', '--:', '--:', '--:', '--:', '--:', '--:', '--:', '--:']),
    ...cases.flatMap(caseRows),
    '',
    `Geometric mean of B/A: ${geometricMean(loads.map(({ ratio }) => ratio)).toFixed(2)}. Pairs are A, B. The first columns are of keys that`,
    'are asked for the first time, as long as there are enough; "again" is of the same requests directly after. p99 is of all rounds.',
    '',
    '## Answers',
    '',
    row(['case', 'compared', 'equal', 'differences']),
    row(['---', '--:', '--:', '---']),
    ...cases.map(({ name, answers }) => row([name, answers.compared, answers.equal, placesOf(answers)])),
    '',
  ].join('\n');
}

function caseRows({ name, keys, loads }: ReportedCase): string[] {
  return loads.map(({ connections, first, again, ratio }, at) => {
    const pair = (of: (figures: Figures) => number | undefined, digits: number, [a, b] = first): string =>
      [of(a), of(b)].map((value) => value?.toFixed(digits) ?? '–').join(', ');
    const failures = [0, 1].map((side) => first[side]!.failures + again[side]!.failures).join(', ');
    return row([
      ...(at === 0 ? [name, keys] : ['', '']),
      connections,
      ratio.toFixed(2),
      pair(({ rate }) => rate, 0),
      pair(({ p50 }) => p50, 1),
      pair(({ p99 }) => p99, 1),
      pair(({ cpuMs }) => cpuMs, 2),
      (again[1].rate / again[0].rate).toFixed(2),
      pair(({ rate }) => rate, 0, again),
      failures,
    ]);
  });
}

function placesOf({ differences }: ComparedAnswers): string {
  const listed = differences.slice(0, MAX_PLACES).map(({ place, answers }) => `\`${place}\` (${answers})`);
  const more = differences.length - listed.length;
  return [...listed, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

function geometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
