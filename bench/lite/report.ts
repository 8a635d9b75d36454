import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Round } from './round.ts';

/** Rounds of both clients, in the order they were run. */
export interface Rounds {
  readonly ours: readonly Round[];
  readonly theirs: readonly Round[];
}

interface Verdict {
  readonly ours: number;
  readonly theirs: number;
  /** How many times better ours is: median over pairs of neighbouring rounds. */
  readonly ratio: number;
  readonly goal: number | null;
}

export interface Report {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly queriesPerRound: number;
  readonly blockBytes: number;
  readonly queriesPerSecond: Verdict;
  readonly queriesPerCpuSecond: Verdict;
  readonly cpuMsPerBlock: Verdict;
}

/** Compares round by round, so that a neighbour's load that lasts longer than a round falls on both. */
export function judge(
  rounds: Rounds,
): Pick<Report, 'queriesPerSecond' | 'queriesPerCpuSecond' | 'cpuMsPerBlock'> {
  return {
    queriesPerSecond: verdict(rounds, (round) => round.queriesPerSecond, true, 3),
    queriesPerCpuSecond: verdict(rounds, (round) => round.queriesPerCpuSecond, true, null),
    cpuMsPerBlock: verdict(rounds, (round) => round.cpuMsPerBlock, false, 30),
  };
}

function verdict(
  { ours, theirs }: Rounds,
  value: (round: Round) => number,
  moreIsBetter: boolean,
  goal: number | null,
): Verdict {
  const ratios = ours.map((round, index) => {
    const ratio = value(round) / value(theirs[index] as Round);
    return moreIsBetter ? ratio : 1 / ratio;
  });
  return {
    ours: rounded(median(ours.map(value))),
    theirs: rounded(median(theirs.map(value))),
    ratio: rounded(median(ratios)),
    goal,
  };
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] as number) + (sorted[sorted.length >> 1] as number)) / 2;
};

const rounded = (value: number): number => Number(value.toFixed(value < 100 ? 1 : 0));

export function toMarkdown(report: Report): string {
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const line = (name: string, { ours, theirs, ratio, goal }: Verdict): string =>
    row([name, ours, theirs, ratio, goal ?? '']);
  return [
    '# Lite-server benchmark',
    '',
    'Written by `npm run bench:lite`. One lite server in a process of its own answers from memory; our connection and the',
    'engine of ton-lite-client ask it in turns from this process, each over one socket and with its own codecs. Figures',
    'are medians of the rounds; a ratio says how many times better ours is, as the median over neighbouring rounds.',
    '',
    `- ${report.date}, Node ${report.node}`,
    `- ${report.machine}`,
    `- ${report.rounds} rounds of ${report.queriesPerRound} times getMasterchainInfo at once, then getBlock of ${report.blockBytes} bytes`,
    '',
    row(['', 'ours', 'ton-lite-client', 'ratio', 'goal']),
    row(['---', '--:', '--:', '--:', '--:']),
    line('small queries a second', report.queriesPerSecond),
    line('small queries a second of processor time', report.queriesPerCpuSecond),
    line('processor time of a block, ms', report.cpuMsPerBlock),
    '',
    'The processor time is that of the client. Queries a second are bounded by the server as well.',
    '',
  ].join('\n');
}

const resultFile = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));

/** Keeps the last result beside the program. */
export function writeReport(report: Report): void {
  writeFileSync(resultFile('lite.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(resultFile('lite.md'), toMarkdown(report));
}
