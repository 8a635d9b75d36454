/**
 * Transactions per second of the local chain, the cost of execution, block building and hashing, and the time of restores.
 * Usage: npm run bench:localnet [-- --rounds 5 --wallets 200 --tests 100]. Exits with 1 if the goal is missed.
 */
import { parseArgs } from 'node:util';
import type { Cell } from '@ton/core';
import {
  faucetOf,
  type LocalChain,
  payment,
  startLocalChain,
  TestWallet,
  TON,
} from '../test/localnet/support/local-chain.ts';
import { meterHashes } from './localnet/hash-meter.ts';
import { type Report, toMarkdown } from './localnet/report.ts';
import { measureRestores } from './localnet/restores.ts';
import { median } from './support/measure.ts';
import { runInfo, writeResults } from './support/report.ts';

/** Transactions per CPU second. */
const GOAL = 300;
const FUNDED_AT_ONCE = 4;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    wallets: { type: 'string', default: '200' },
    tests: { type: 'string', default: '100' },
  },
});
const rounds = Number(values.rounds);
const wallets = Array.from({ length: Number(values.wallets) }, (_, i) => new TestWallet(i));

/** One round: every wallet pays the next. Times are in milliseconds. */
interface Round {
  readonly transactions: number;
  readonly wall: number;
  /** CPU time of this thread for collation. */
  readonly collating: number;
  /** CPU time of this thread for adding blocks to the store. */
  readonly storing: number;
  /** CPU time of the VM threads. */
  readonly execution: number;
  readonly bytes: number;
}

function createTransfers(): Cell[] {
  return wallets.map((wallet, i) =>
    wallet.send([payment(wallets[(i + 1) % wallets.length]!.address, TON / 100n)]),
  );
}

async function measure(chain: LocalChain, externals: readonly Cell[]): Promise<Round> {
  const process0 = process.cpuUsage();
  const thread0 = process.threadCpuUsage();
  const startedMs = performance.now();
  let transactions = 0;
  let bytes = 0;
  let storing = 0;
  let left = externals.map((cell, i) => ({ id: String(i), body: cell.toBoc({ idx: false }) }));
  do {
    chain.now++;
    const collated = await chain.collator.collate({ now: chain.now, externals: left });
    const postponed = new Set(
      collated.externals.filter(({ outcome }) => outcome === 'postponed').map(({ id }) => id),
    );
    left = left.filter(({ id }) => postponed.has(id));
    transactions += collated.transactions;
    for (const { load } of [...collated.step.shards, collated.step.masterchain]) bytes += load().length;
    const before = process.threadCpuUsage();
    chain.store.append(collated.step);
    storing += millisecondsOf(process.threadCpuUsage(before));
  } while (left.length > 0);
  const all = millisecondsOf(process.cpuUsage(process0));
  const own = millisecondsOf(process.threadCpuUsage(thread0));
  return {
    transactions,
    bytes,
    wall: performance.now() - startedMs,
    collating: own - storing,
    storing,
    execution: all - own,
  };
}

function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

async function fund(chain: LocalChain): Promise<void> {
  const faucet = faucetOf(chain.genesis);
  await chain.steps(3);
  for (let i = 0; i < wallets.length; i += FUNDED_AT_ONCE) {
    const some = wallets.slice(i, i + FUNDED_AT_ONCE);
    await chain.step([faucet(some.map(({ address }) => payment(address, 1000n * TON)))]);
  }
}

const chain = await startLocalChain({ shards: 1 }, undefined, 64 * 2 ** 20);
try {
  await fund(chain);
  const empty: Round[] = [];
  const found: Round[] = [];
  for (let round = -2; round < rounds; round++) {
    const externals = createTransfers();
    const result = await measure(chain, externals);
    const nothing = await measure(chain, []);
    // The first two rounds warm up and deploy the wallets.
    if (round < 0) continue;
    found.push(result);
    empty.push(nothing);
  }
  const externals = createTransfers();
  let metered = 0;
  const hashes = await meterHashes(async () => {
    const { transactions } = await measure(chain, externals);
    metered = transactions;
  });
  const per = (pick: (round: Round) => number): number =>
    median(found.map((round) => pick(round) / round.transactions));
  const fixed = (number: number, digits = 2): number => Number(number.toFixed(digits));
  const cpu = per(({ collating, storing, execution }) => collating + storing + execution);
  const hashing = hashes.milliseconds / metered;
  const report: Report = {
    ...runInfo(),
    rounds,
    transfersPerRound: wallets.length,
    transactionsPerSecond: Math.round(1000 / per(({ wall }) => wall)),
    transactionsPerCpuSecond: Math.round(1000 / cpu),
    transfersPerCpuSecond: Math.round(1000 / cpu / 2),
    cost: {
      execution: fixed(per(({ execution }) => execution)),
      building: fixed(per(({ collating }) => collating) - hashing),
      hashing: fixed(hashing),
      storing: fixed(per(({ storing }) => storing)),
    },
    hashesPerTransaction: Math.round(hashes.count / metered),
    blockBytesPerTransaction: Math.round(per(({ bytes }) => bytes)),
    emptyStep: fixed(
      median(empty.map(({ collating, storing, execution }) => collating + storing + execution)),
      1,
    ),
    restores: await measureRestores(Number(values.tests)),
  };
  writeResults('localnet', report, toMarkdown(report));
  console.log(toMarkdown(report));
  process.exitCode = report.transactionsPerCpuSecond < GOAL ? 1 : 0;
} finally {
  await chain.close();
}
