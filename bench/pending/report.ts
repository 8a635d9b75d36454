import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One way of making the transactions of a trace: medians of the rounds. */
export interface Speed {
  readonly tracesPerSecond: number;
  readonly transactionsPerSecond: number;
  /** Of the processor time of the whole process. */
  readonly transactionsPerCpuSecond: number;
}

/** What a message came to. */
export interface CaseResult {
  readonly name: string;
  readonly transactions: number;
  /** The emulator called directly, in this thread. */
  readonly raw: Speed;
  /** Emulations, many at once, on one thread of the virtual machine. */
  readonly traces: Speed;
  /** Of the transactions a second of processor time when the emulator is called directly. */
  readonly ratio: number;
  /** One emulation at a time, in milliseconds: on accounts that were read before, and at a new block. */
  readonly latency: Latency;
  readonly freshLatency: Latency;
}

export interface Latency {
  readonly median: number;
  readonly p95: number;
}

/** What became of a message, in milliseconds from when it was accepted until it is shown. */
export interface LifeResult {
  readonly name: string;
  readonly shown: Latency;
  readonly shownAtNewBlock: Latency;
}

export interface Report {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly atOnce: number;
  readonly emulation: readonly CaseResult[];
  readonly life: readonly LifeResult[];
}

export function toMarkdown(report: Report): string {
  return [
    '# Pending benchmark',
    '',
    'Written by `npm run bench:pending`. Messages from outside are emulated as whole traces on a local chain with the',
    'demo, behind its lite server with proofs, with one thread of the virtual machine. Raw is the same transactions one',
    'after another, with the emulator called in this thread and nothing else done. Figures are medians of the rounds, in',
    'which all ways take turns. A ratio is the share of the raw transactions a second of processor time.',
    '',
    `- ${report.date}, Node ${report.node}`,
    `- ${report.machine}`,
    `- ${report.rounds} rounds of ${report.secondsPerRound} s a case and way; ${report.atOnce} emulations at once`,
    '',
    '## Emulation of traces',
    '',
    row([
      'message',
      'transactions',
      'raw tx/s',
      'raw traces/s',
      'traces/s',
      'tx/s',
      'tx/s of processor time',
      'ratio',
    ]),
    row(['---', ...Array(7).fill('--:')]),
    ...report.emulation.map(({ name, transactions, raw, traces, ratio }) =>
      row([
        name,
        transactions,
        raw.transactionsPerSecond,
        raw.tracesPerSecond,
        traces.tracesPerSecond,
        traces.transactionsPerSecond,
        traces.transactionsPerCpuSecond,
        ratio,
      ]),
    ),
    '',
    '## Latency of one emulation',
    '',
    'At a new block the accounts have to be read from the lite server first, which is in this process.',
    '',
    row(['message', 'median ms', 'p95 ms', 'at a new block: median ms', 'p95 ms']),
    row(['---', ...Array(4).fill('--:')]),
    ...report.emulation.map(({ name, latency, freshLatency }) =>
      row([name, latency.median, latency.p95, freshLatency.median, freshLatency.p95]),
    ),
    '',
    '## From accepted to visible',
    '',
    'A message as `sendBoc` hands it over: it is emulated, classified into actions beside an index of the chain, and kept.',
    '',
    row(['message', 'median ms', 'p95 ms', 'at a new block: median ms', 'p95 ms']),
    row(['---', ...Array(4).fill('--:')]),
    ...report.life.map(({ name, shown, shownAtNewBlock }) =>
      row([name, shown.median, shown.p95, shownAtNewBlock.median, shownAtNewBlock.p95]),
    ),
    '',
  ].join('\n');
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

const resultFile = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));

/** Keeps the last result beside the program. */
export function writeReport(report: Report): void {
  writeFileSync(resultFile('pending.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(resultFile('pending.md'), toMarkdown(report));
}
