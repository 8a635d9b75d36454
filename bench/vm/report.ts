import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a task came to: medians of the rounds. */
export interface Result {
  readonly task: string;
  readonly runsPerSecond: number;
  readonly runsPerCpuSecond: number;
  /** Of the runs a second of processor time when the emulator is called directly. */
  readonly ratio: number | undefined;
}

export interface Report {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly secondsPerRound: number;
  /** From nothing to the first answer, and until a further thread is ready, in milliseconds. */
  readonly firstAnswerMs: number;
  readonly furtherThreadMs: number;
  /** Runs a second of a fresh thread over its first hundred get-methods. */
  readonly coldRunsPerSecond: number;
  readonly results: readonly Result[];
}

export function toMarkdown(report: Report): string {
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [
    '# Virtual machine benchmark',
    '',
    'Written by `node bench/vm.ts`. One thread runs get-methods and payments of a wallet of the version 4 on a',
    'configuration of the mainnet (2928 cells); a job of a hundred payments is one account after another. Figures are',
    'medians of the rounds, in which all tasks take turns. The processor time is that of the whole process. A ratio is',
    'the share of what the same emulator does when it is called in this thread.',
    '',
    `- ${report.date}, Node ${report.node}`,
    `- ${report.machine}`,
    `- ${report.rounds} rounds of ${report.secondsPerRound} s a task`,
    `- from nothing to the first answer: ${report.firstAnswerMs} ms; a further thread is ready after ${report.furtherThreadMs} ms`,
    `- a fresh thread, its first hundred get-methods: ${report.coldRunsPerSecond} a second`,
    '',
    row(['task', 'runs/s', 'runs/s of processor time', 'ratio']),
    row(['---', '--:', '--:', '--:']),
    ...report.results.map(({ task, runsPerSecond, runsPerCpuSecond, ratio }) =>
      row([task, runsPerSecond, runsPerCpuSecond, ratio ?? '']),
    ),
    '',
  ].join('\n');
}

const resultFile = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));

/** Keeps the last result beside the program. */
export function writeReport(report: Report): void {
  writeFileSync(resultFile('vm.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(resultFile('vm.md'), toMarkdown(report));
}
