import { type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { Round } from './measure.ts';

/** One side of a case; the ratio is relative to the baseline. */
export interface SideResult {
  readonly side: string;
  readonly ratio: number;
  readonly figures: Round;
}

/** The compared sides of a case. */
export interface CaseResult {
  readonly operation: string;
  /** The baseline first, tongate last. */
  readonly sides: readonly SideResult[];
  readonly ratio: number;
  readonly goal: number;
  /** Whether responses of hot cases, and only those, came from the cache. */
  readonly isValid: boolean;
}

export interface Report extends RunInfo {
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly connections: { readonly hot: number; readonly cold: number };
  readonly blockMs: number;
  readonly threads: number;
  readonly results: readonly CaseResult[];
  /** CPU microseconds of counting one call, where servers with and without it are compared. */
  readonly countingMicros?: number;
}

export function toMarkdown(report: Report): string {
  const rows = report.results.flatMap(({ operation, sides, goal }) =>
    sides.map(({ side, ratio, figures }, index) =>
      row([
        index === 0 ? operation : '',
        side,
        Math.round(figures.responsesPerSecond),
        index === 0 ? '1' : ratio.toFixed(2),
        index === sides.length - 1 ? goal : '',
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
    'Written by `npm run bench:v2`. tongate runs like `npm run serve`: it checks API keys, rate limits and proofs and writes',
    'its log to a file. The local chain with its lite server is a second process, which keeps making blocks. The client is a',
    'third process; for the baselines, it queries the lite server or runs the emulator itself. Figures are medians of the',
    'rounds; a ratio is the median of the ratios of adjacent rounds.',
    '',
    ...runInfoLines(report),
    `- ${report.rounds} rounds of ${report.secondsPerRound} s per side, ${report.connections.hot} hot or ${report.connections.cold} cold concurrent requests, a block every ${report.blockMs} ms`,
    `- get-methods in ${report.threads} thread${report.threads === 1 ? '' : 's'}; their baseline is the speed of one thread times that number`,
    '',
    row([
      'operation',
      'side',
      'responses/s',
      'ratio',
      'goal',
      'p50 ms',
      'p99 ms',
      'CPU µs: server',
      'its main thread',
      'chain',
      'client',
      'cached',
    ]),
    row(['---', '---', ...Array.from({ length: 10 }, () => '--:')]),
    ...rows,
    '',
    'Hot requests are always the same, so nearly all responses are cached. Cold requests differ: each needs its own lite query',
    'or get-method run, as the last column shows. CPU times are per response; that of the chain includes block production.',
    'Latencies are those of a saturated server, except for direct calls of the emulator, which run one at a time.',
    '',
    ...countingLines(report),
  ].join('\n');
}

/** Two processes with the same settings differ by several percent, so that counting itself is measured too. */
function countingLines({ countingMicros, results }: Report): string[] {
  if (countingMicros === undefined) return [];
  const cheapest = Math.min(...results.map(({ sides }) => sides.at(-1)!.figures.serverCpu));
  const share = ((100 * countingMicros) / cheapest).toFixed(2);
  return [
    `Counting one call takes ${countingMicros} µs of CPU time: ${share} % of the cheapest response. Ratios that are further apart`,
    'are differences between the two processes.',
    '',
  ];
}
