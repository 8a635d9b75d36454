import { type RunInfo, runInfoLines } from '../support/report.ts';
import type { RestoreFigures } from './restores.ts';

export interface Report extends RunInfo {
  readonly rounds: number;
  readonly transfersPerRound: number;
  /** Medians of the rounds. */
  readonly transactionsPerSecond: number;
  readonly transactionsPerCpuSecond: number;
  readonly transfersPerCpuSecond: number;
  /** CPU milliseconds per transaction. */
  readonly cost: {
    readonly execution: number;
    readonly building: number;
    readonly hashing: number;
    readonly storing: number;
  };
  readonly hashesPerTransaction: number;
  readonly blockBytesPerTransaction: number;
  /** CPU milliseconds of an empty block. */
  readonly emptyStep: number;
  readonly restores: RestoreFigures;
}

export function toMarkdown(report: Report): string {
  const { cost, restores } = report;
  const share = (ms: number): string => `${Math.round(ms)} ms (${(ms / restores.rebuild).toFixed(3)})`;
  return [
    '# Localnet benchmark',
    '',
    'Written by `npm run bench:localnet`. Wallets (v3r2) of one shard pay each other: each transfer is two transactions, one of',
    'the sender and one of the receiver, in the same block. CPU time includes all threads of the process, so figures per CPU',
    'second are those of one core. Medians of the rounds.',
    '',
    ...runInfoLines(report),
    `- ${report.rounds} rounds of ${report.transfersPerRound} transfers`,
    '',
    '| measure | figure |',
    '| --- | --: |',
    `| transactions per CPU second | ${report.transactionsPerCpuSecond} |`,
    `| transfers per CPU second | ${report.transfersPerCpuSecond} |`,
    `| transactions per second | ${report.transactionsPerSecond} |`,
    `| per transaction: execution | ${cost.execution} ms |`,
    `| per transaction: building blocks and states | ${cost.building} ms |`,
    `| per transaction: hashing | ${cost.hashing} ms |`,
    `| per transaction: adding blocks to the store | ${cost.storing} ms |`,
    `| hashes per transaction | ${report.hashesPerTransaction} |`,
    `| block bytes per transaction | ${report.blockBytesPerTransaction} |`,
    `| empty block | ${report.emptyStep} ms |`,
    '',
    `## Restores between tests`,
    '',
    `A server with the demo chain, \`LOCALNET_MINE=message\`. Each of ${restores.tests} tests sends the same message of the same wallet (a TON and`,
    'a jetton transfer), waits for its actions in v3 and restores the snapshot. Times are those of `POST /localnet/restore`,',
    'which responds when v3 agrees; in brackets the share of the time when the index is filled anew instead.',
    '',
    '| measure | figure |',
    '| --- | --: |',
    `| restore, median | ${share(restores.median)} |`,
    `| restore, 90th percentile | ${share(restores.p90)} |`,
    `| restore with an index that is filled anew | ${share(restores.rebuild)} |`,
    `| resident memory after half of the tests, and after all | ${restores.residentMb.half} MB, ${restores.residentMb.all} MB |`,
    '',
  ].join('\n');
}
