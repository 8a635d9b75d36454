import { type RunInfo, row, runInfoLines } from '../support/report.ts';

/** Throughput: medians of the rounds. */
export interface Speed {
  readonly tracesPerSecond: number;
  readonly transactionsPerSecond: number;
  /** CPU time of the whole process. */
  readonly transactionsPerCpuSecond: number;
}

/** Figures of the emulation of a message. */
export interface CaseResult {
  readonly name: string;
  readonly transactions: number;
  /** The emulator called directly, in this thread. */
  readonly raw: Speed;
  /** Concurrent emulations on one VM thread. */
  readonly traces: Speed;
  /** Transactions per CPU second relative to the raw emulator. */
  readonly ratio: number;
  /** One emulation at a time, in milliseconds, with cached accounts. */
  readonly latency: Latency;
  /** The same at a new block, with accounts read from the lite server. */
  readonly freshLatency: Latency;
}

/** Milliseconds. */
export interface Latency {
  readonly median: number;
  readonly p95: number;
}

/** Time from accepting a message until its trace is visible. */
export interface LifeResult {
  readonly name: string;
  readonly shown: Latency;
  readonly shownAtNewBlock: Latency;
}

export interface Report extends RunInfo {
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
    'Written by `npm run bench:pending`. External messages are emulated as whole traces on a local chain with the demo, read',
    'from its lite server with proofs, on one VM thread. Raw runs the same transactions one after another, with the emulator',
    'called directly in this thread. Figures are medians of the rounds, which alternate between all variants. A ratio is',
    'relative to the transactions per CPU second of raw.',
    '',
    ...runInfoLines(report),
    `- ${report.rounds} rounds of ${report.secondsPerRound} s per case and variant; ${report.atOnce} concurrent emulations`,
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
      'tx per CPU second',
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
    '## Latency of an emulation',
    '',
    'At a new block the accounts are first read from the lite server, which is in this process.',
    '',
    row(['message', 'median ms', 'p95 ms', 'at a new block: median ms', 'p95 ms']),
    row(['---', ...Array(4).fill('--:')]),
    ...report.emulation.map(({ name, latency, freshLatency }) =>
      row([name, latency.median, latency.p95, freshLatency.median, freshLatency.p95]),
    ),
    '',
    '## From accepted to visible',
    '',
    'A message as passed on by `sendBoc`: it is emulated, classified into actions with an index of the chain, and stored.',
    '',
    row(['message', 'median ms', 'p95 ms', 'at a new block: median ms', 'p95 ms']),
    row(['---', ...Array(4).fill('--:')]),
    ...report.life.map(({ name, shown, shownAtNewBlock }) =>
      row([name, shown.median, shown.p95, shownAtNewBlock.median, shownAtNewBlock.p95]),
    ),
    '',
  ].join('\n');
}
