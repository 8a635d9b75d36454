import { type RunInfo, row, runInfoLines } from '../support/report.ts';

/** Figures of a task: medians of the rounds. */
export interface Result {
  readonly task: string;
  readonly runsPerSecond: number;
  readonly runsPerCpuSecond: number;
  /** Runs per CPU second relative to the emulator called directly. */
  readonly ratio: number | undefined;
}

export interface Report extends RunInfo {
  readonly rounds: number;
  readonly secondsPerRound: number;
  /** From a cold start to the first result. */
  readonly firstAnswerMs: number;
  /** To start another thread. */
  readonly furtherThreadMs: number;
  /** The first hundred get-methods of a new thread. */
  readonly coldRunsPerSecond: number;
  readonly results: readonly Result[];
}

export function toMarkdown(report: Report): string {
  return [
    '# Virtual machine benchmark',
    '',
    'Written by `npm run bench:vm`. One thread runs get-methods and payments of a v4 wallet with the mainnet configuration',
    '(2928 cells); a job of a hundred payments runs them one after another on one account. Figures are medians of the rounds,',
    'which alternate between all tasks. CPU time is that of the whole process. A ratio is relative to the same emulator',
    'called directly in this thread.',
    '',
    ...runInfoLines(report),
    `- ${report.rounds} rounds of ${report.secondsPerRound} s per task`,
    `- cold start to the first result: ${report.firstAnswerMs} ms; start of another thread: ${report.furtherThreadMs} ms`,
    `- first hundred get-methods of a new thread: ${report.coldRunsPerSecond} per second`,
    '',
    row(['task', 'runs/s', 'runs per CPU second', 'ratio']),
    row(['---', '--:', '--:', '--:']),
    ...report.results.map(({ task, runsPerSecond, runsPerCpuSecond, ratio }) =>
      row([task, runsPerSecond, runsPerCpuSecond, ratio ?? '']),
    ),
    '',
  ].join('\n');
}
