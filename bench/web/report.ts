import { goalLines, type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { PageFigures } from './measure-page.ts';

export interface Report extends RunInfo {
  readonly chromium: string;
  readonly runs: number;
  readonly pages: readonly PageFigures[];
}

const MAX_KB = 300;
const MAX_INTERACTIVE_MS = 2000;

const kilobytes = (bytes: number): number => Math.round(bytes / 100) / 10;

/** Each page may be the first that somebody opens. */
export function missedGoals({ pages }: Report): string[] {
  return pages.flatMap(({ name, fileBytes, answerBytes, interactive }) => {
    const sent = kilobytes(fileBytes + answerBytes);
    return [
      ...(sent >= MAX_KB ? [`${name}: ${sent} kB, goal ${MAX_KB}`] : []),
      ...(interactive >= MAX_INTERACTIVE_MS
        ? [`${name}: interactive after ${interactive} ms, goal ${MAX_INTERACTIVE_MS}`]
        : []),
    ];
  });
}

export function toMarkdown(report: Report): string {
  return `${[
    '# Pages in the browser',
    '',
    'Written by `npm run bench:web`. Each page of a server with the demo chain is opened with an empty cache and gzip, server and browser',
    'on the same machine. Sent are the page, its scripts and styles, and the answers of the API, with headers. A page is interactive when',
    'all of its content is there and no task keeps the main thread for more than 50 ms, for half a second. Medians of the runs.',
    '',
    ...runInfoLines(report),
    `- Chromium ${report.chromium}, ${report.runs} runs of each page`,
    `- goals for each page: less than ${MAX_KB} kB sent, interactive in less than ${MAX_INTERACTIVE_MS} ms`,
    '',
    row([
      'page',
      'requests',
      'files, kB',
      'answers, kB',
      'first paint, ms',
      'content, ms',
      'interactive, ms',
      'slowest run, ms',
    ]),
    row(['---', '--:', '--:', '--:', '--:', '--:', '--:', '--:']),
    ...report.pages.map((page) =>
      row([
        page.name,
        page.requests,
        kilobytes(page.fileBytes),
        kilobytes(page.answerBytes),
        page.firstPaint,
        page.content,
        page.interactive,
        page.slowestInteractive,
      ]),
    ),
    '',
    ...goalLines(missedGoals(report)),
  ].join('\n')}\n`;
}
