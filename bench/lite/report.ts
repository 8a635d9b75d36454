import { type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { Verdict } from './measure.ts';

export interface Report extends RunInfo {
  readonly rounds: number;
  readonly queriesPerRound: number;
  readonly blockBytes: number;
  readonly queriesPerSecond: Verdict;
  readonly queriesPerCpuSecond: Verdict;
  readonly cpuMsPerBlock: Verdict;
}

export function toMarkdown(report: Report): string {
  const line = (name: string, { ours, theirs, ratio, goal }: Verdict): string =>
    row([name, ours, theirs, ratio, goal ?? '']);
  return [
    '# Lite-server benchmark',
    '',
    'Written by `npm run bench:lite`. A lite server in its own process responds from memory; our connection and the engine of',
    'ton-lite-client query it alternately from this process, each over one socket and with its own codecs. Figures are medians',
    'of the rounds; a ratio says how many times better ours is, as the median over adjacent rounds.',
    '',
    ...runInfoLines(report),
    `- ${report.rounds} rounds of ${report.queriesPerRound} concurrent getMasterchainInfo queries, then getBlock of ${report.blockBytes} bytes`,
    '',
    row(['', 'ours', 'ton-lite-client', 'ratio', 'goal']),
    row(['---', '--:', '--:', '--:', '--:']),
    line('small queries per second', report.queriesPerSecond),
    line('small queries per CPU second', report.queriesPerCpuSecond),
    line('CPU time per block, ms', report.cpuMsPerBlock),
    '',
    'CPU time is that of the client. Queries per second are also limited by the server.',
    '',
  ].join('\n');
}
