import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Round } from './measure.ts';

/** One side of a case; the ratio is that of the floor's answers a second. */
export interface SideResult {
  readonly side: string;
  readonly ratio: number;
  readonly figures: Round;
}

export interface CaseResult {
  readonly operation: string;
  /** The floor first, tongate last. */
  readonly sides: readonly SideResult[];
  readonly ratio: number;
  readonly aim: number;
  /** Whether answers were known before where they should be, and only there. */
  readonly isHonest: boolean;
}

export interface Report {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly connections: { readonly hot: number; readonly cold: number };
  readonly blockMs: number;
  readonly threads: number;
  readonly results: readonly CaseResult[];
}

export function toMarkdown(report: Report): string {
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const rows = report.results.flatMap(({ operation, sides, aim }) =>
    sides.map(({ side, ratio, figures }, index) =>
      row([
        index === 0 ? operation : '',
        side,
        Math.round(figures.answersPerSecond),
        index === 0 ? '1' : ratio.toFixed(2),
        index === sides.length - 1 ? aim : '',
        figures.p50Ms.toFixed(1),
        figures.p99Ms.toFixed(1),
        Math.round(figures.serverCpu) || '',
        Math.round(figures.loopCpu) || '',
        Math.round(figures.chainCpu),
        Math.round(figures.clientCpu),
        `${Math.round(figures.cachedShare * 100)} %`,
      ]),
    ),
  );
  return [
    '# v2 benchmark',
    '',
    'Written by `npm run bench:v2`. tongate runs as `npm run serve` does, with key and limit checks, with proofs checked and',
    'with its log written to a file; the local chain with its lite server is a process of its own and makes blocks all the',
    'while. The client is a third process, and for the floors it is the one that asks the lite server or runs the emulator',
    'itself. Figures are medians of the rounds; a ratio is the median of the ratios of neighbouring rounds.',
    '',
    `- ${report.date}, Node ${report.node}`,
    `- ${report.machine}`,
    `- ${report.rounds} rounds of ${report.secondsPerRound} s a side, ${report.connections.hot} hot or ${report.connections.cold} cold requests at a time, a block every ${report.blockMs} ms`,
    `- get-methods in ${report.threads} thread${report.threads === 1 ? '' : 's'}; their floor is what one thread does, times that number`,
    '',
    row([
      'operation',
      'side',
      'answers/s',
      'ratio',
      'aim',
      'p50 ms',
      'p99 ms',
      'CPU µs: server',
      'its loop',
      'chain',
      'client',
      'known before',
    ]),
    row(['---', '---', ...Array.from({ length: 10 }, () => '--:')]),
    ...rows,
    '',
    'Hot questions are the same again and again, so that nearly all answers are known before. Cold ones differ: each needs',
    'its own lite query or its own run, and the last column shows that none was known. Processor times are for each',
    'answer; that of the chain has the making of blocks in it. Latencies are those of a server that is kept busy, a direct',
    'call of the emulator excepted, which is one at a time.',
    '',
  ].join('\n');
}

const resultFile = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));

/** Keeps the last result beside the program. */
export function writeReport(report: Report): void {
  writeFileSync(resultFile('v2.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(resultFile('v2.md'), toMarkdown(report));
}
