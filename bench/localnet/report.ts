import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Report {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly transfersPerRound: number;
  /** Medians of the rounds. */
  readonly transactionsPerSecond: number;
  readonly transactionsPerCpuSecond: number;
  readonly transfersPerCpuSecond: number;
  /** Processor time of a transaction, in milliseconds. */
  readonly cost: {
    readonly execution: number;
    readonly building: number;
    readonly hashing: number;
    readonly storing: number;
  };
  readonly hashesPerTransaction: number;
  readonly blockBytesPerTransaction: number;
  /** A step without messages, in milliseconds of processor time. */
  readonly emptyStep: number;
}

export function toMarkdown(report: Report): string {
  const { cost } = report;
  return [
    '# Localnet benchmark',
    '',
    'Written by `npm run bench:localnet`. Wallets (v3r2) of one shard pay each other: each transfer is two transactions,',
    'that of the wallet and that of the receiver, in the same block. All threads of the process are counted, so figures',
    'by processor time are those of one core. Medians of the rounds.',
    '',
    `- ${report.date}, Node ${report.node}`,
    `- ${report.machine}`,
    `- ${report.rounds} rounds of ${report.transfersPerRound} transfers`,
    '',
    '| what | figure |',
    '| --- | --: |',
    `| transactions a second of processor time | ${report.transactionsPerCpuSecond} |`,
    `| transfers a second of processor time | ${report.transfersPerCpuSecond} |`,
    `| transactions a second by the clock | ${report.transactionsPerSecond} |`,
    `| a transaction: execution | ${cost.execution} ms |`,
    `| a transaction: building of blocks and states | ${cost.building} ms |`,
    `| a transaction: hashing of what is built | ${cost.hashing} ms |`,
    `| a transaction: adding the blocks to the store | ${cost.storing} ms |`,
    `| hashes for a transaction | ${report.hashesPerTransaction} |`,
    `| bytes of blocks for a transaction | ${report.blockBytesPerTransaction} |`,
    `| a step without messages | ${report.emptyStep} ms |`,
    '',
  ].join('\n');
}

const resultFile = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));

/** Keeps the last result beside the program. */
export function writeReport(report: Report): void {
  writeFileSync(resultFile('localnet.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(resultFile('localnet.md'), toMarkdown(report));
}
