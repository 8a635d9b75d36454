import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Counts } from './same-result.ts';

/** One comparison: milliseconds of CPU for all blocks, and how many times as fast. */
export interface Verdict {
  readonly work: string;
  readonly coreMs: number;
  readonly oursMs: number;
  readonly ratio: number;
  readonly goal: number;
}

/** What a run found. */
export interface Report {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly source: string;
  readonly bytes: number;
  readonly counts: Counts;
  readonly rounds: number;
  readonly verdicts: readonly Verdict[];
  readonly bytesPerCell: { readonly core: number; readonly ours: number; readonly oursWithHashes: number };
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The report as a page. */
export function toMarkdown({ counts, bytesPerCell, ...report }: Report): string {
  return [
    '# Cells benchmark',
    '',
    'Written by `npm run bench:cells`. Both readers get the same bytes in turns, in one process, and must find the same',
    'hashes before they are measured. Figures are CPU time (garbage collection included), medians of the rounds; a ratio is',
    'the median of the ratios of neighbouring rounds. @ton/core runs as it comes, with its own sha256.',
    '',
    `- ${report.date}, Node ${report.node}`,
    `- ${report.machine}`,
    `- ${report.source}: ${report.bytes} bytes, ${counts.cells} cells, ${counts.transactions} transactions, ${counts.messages} messages`,
    `- ${report.rounds} rounds`,
    '',
    row(['work', '@ton/core ms', 'tongate ms', 'times as fast', 'goal', 'tongate transactions/s']),
    row(['---', '--:', '--:', '--:', '--:', '--:']),
    ...report.verdicts.map(({ work, coreMs, oursMs, ratio, goal }) =>
      row([work, coreMs, oursMs, ratio, goal, Math.round((counts.transactions * 1000) / oursMs)]),
    ),
    '',
    row(['memory that stays in use', 'bytes a cell']),
    row(['---', '--:']),
    row(['@ton/core `Cell`', bytesPerCell.core]),
    row(['tongate, parsed, the bytes of the bag included', bytesPerCell.ours]),
    row(['tongate, with all hashes', bytesPerCell.oursWithHashes]),
    '',
  ].join('\n');
}

const resultFile = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));

/** Keeps the last result beside the program. */
export function writeReport(report: Report): void {
  writeFileSync(resultFile('cells.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(resultFile('cells.md'), toMarkdown(report));
}
