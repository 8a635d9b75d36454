import { type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { Verdict } from './measure.ts';

export interface Report extends RunInfo {
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly connections: number;
  readonly goal: number;
  readonly verdicts: readonly Verdict[];
}

export function toMarkdown(report: Report): string {
  const rows = report.verdicts.flatMap(({ call, bare, tongate, throughputRatio, cpuRatio }) => [
    row([
      call,
      'bare Fastify',
      bare.requestsPerSecond,
      '1',
      bare.cpuMicrosecondsPerRequest,
      '1',
      bare.serverBusy,
      bare.clientBusy,
    ]),
    row([
      call,
      'tongate',
      tongate.requestsPerSecond,
      throughputRatio,
      tongate.cpuMicrosecondsPerRequest,
      cpuRatio,
      tongate.serverBusy,
      tongate.clientBusy,
    ]),
  ]);
  return [
    '# HTTP benchmark',
    '',
    'Written by `npm run bench:http`. tongate checks API keys and rate limits and writes its log to a file; the bare Fastify',
    'route only returns the same JSON. Both servers and the client are separate processes. Figures are medians of the',
    'rounds; a ratio is the median of the ratios of adjacent rounds.',
    '',
    ...runInfoLines(report),
    `- ${report.rounds} rounds of ${report.secondsPerRound} s per server and call, ${report.connections} connections, no pipelining`,
    `- goal: a CPU ratio of at least ${report.goal}`,
    '',
    row([
      'call',
      'server',
      'requests/s',
      'ratio',
      'CPU µs/request',
      'CPU ratio',
      'server busy',
      'client busy',
    ]),
    row(['---', '---', '--:', '--:', '--:', '--:', '--:', '--:']),
    ...rows,
    '',
    'Busy is the share of time in which the event loop had work. If the server is well below 1, something else was the',
    'bottleneck (the client, or other load on the machine), and the CPU ratio is more reliable.',
    '',
  ].join('\n');
}
