import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Verdict } from './comparison.ts';

export interface Report {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly connections: number;
  readonly goal: number;
  readonly verdicts: readonly Verdict[];
}

/** The machine in one line, because the numbers mean nothing without it. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() || 'unknown processor';
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} × ${model} (${process.arch}), ${memoryGb} GB, ${platform()} ${release()}`;
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
    'Written by `npm run bench:http`. tongate ran with key and limit checks and with its log written to a file; the',
    'bare Fastify route returns the same JSON and does nothing else. Each server is a process of its own, and so is the',
    'client. Figures are medians of the rounds; a ratio is the median of the ratios of neighbouring rounds.',
    '',
    `- ${report.date}, Node ${report.node}`,
    `- ${report.machine}`,
    `- ${report.rounds} rounds of ${report.secondsPerRound} s a server and call, ${report.connections} connections, no pipelining`,
    `- goal: at least ${report.goal} of the bare route's requests a second`,
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
    'Busy is the share of time in which the event loop had work. Where the server is well below 1 something else was the',
    'limit (the client, or neighbours on the machine), and the CPU ratio is the one to believe.',
    '',
  ].join('\n');
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const resultFile = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));

/** Keeps the last result beside the program. */
export function writeReport(report: Report): void {
  writeFileSync(resultFile('http.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(resultFile('http.md'), toMarkdown(report));
}
