import { type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { Counts } from './readers.ts';

/** One comparison: CPU milliseconds for all blocks, and our speed-up. */
export interface Verdict {
  readonly work: string;
  readonly coreMs: number;
  readonly oursMs: number;
  readonly ratio: number;
  readonly goal: number;
}

/** The result of a run. */
export interface Report extends RunInfo {
  readonly source: string;
  readonly bytes: number;
  readonly counts: Counts;
  readonly rounds: number;
  readonly verdicts: readonly Verdict[];
  readonly bytesPerCell: { readonly core: number; readonly ours: number; readonly oursWithHashes: number };
}

/** The report as a page. */
export function toMarkdown({ counts, bytesPerCell, ...report }: Report): string {
  return [
    '# Cells benchmark',
    '',
    'Written by `npm run bench:cells`. Both readers read the same bytes alternately, in one process, after a check that their',
    'hashes agree. Figures are CPU time (garbage collection included), medians of the rounds; a ratio is the median of the',
    'ratios of adjacent rounds. @ton/core is used as published, with its own sha256.',
    '',
    ...runInfoLines(report),
    `- ${report.source}: ${report.bytes} bytes, ${counts.cells} cells, ${counts.transactions} transactions, ${counts.messages} messages`,
    `- ${report.rounds} rounds`,
    '',
    row(['work', '@ton/core ms', 'tongate ms', 'speed-up', 'goal', 'tongate transactions/s']),
    row(['---', '--:', '--:', '--:', '--:', '--:']),
    ...report.verdicts.map(({ work, coreMs, oursMs, ratio, goal }) =>
      row([work, coreMs, oursMs, ratio, goal, Math.round((counts.transactions * 1000) / oursMs)]),
    ),
    '',
    row(['retained memory', 'bytes per cell']),
    row(['---', '--:']),
    row(['@ton/core `Cell`', bytesPerCell.core]),
    row(['tongate, parsed, input bytes included', bytesPerCell.ours]),
    row(['tongate, with all hashes', bytesPerCell.oursWithHashes]),
    '',
  ].join('\n');
}
