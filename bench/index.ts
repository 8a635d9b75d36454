/**
 * Speed of indexing a chain from its first block to its head, and the size of the index.
 * Usage: npm run bench:index [-- --rounds 3 --sparse 1500 --dense 60 --tokens 60]. Exits with 1 if a goal is missed.
 * `--only mainnet` prints the section about mainnet blocks alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ChainReady } from './index/chain-process.ts';
import { type Chain, DENSE, INDEXER_OPTIONS, startProgram } from './index/chains.ts';
import { measureRules } from './index/classifying.ts';
import { measureDecoding } from './index/decoding.ts';
import type { IndexRun } from './index/index-process.ts';
import { measureMainnetBlocks } from './index/mainnet-blocks.ts';
import {
  bytesPerTransaction,
  type ChainResult,
  describeMainnet,
  type Report,
  toMarkdown,
} from './index/report.ts';
import { runInfo, writeResults } from './support/report.ts';

const GOALS = {
  transactionsPerSecond: 6000,
  tokenTransactionsPerSecond: 1500,
  sparseSeqnosPerSecond: 350,
  memoryBytes: 600e6,
  decodeShare: 1 / 3,
  classifiedPerSecond: 5000,
  bytesPerTransaction: 1300,
};

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    sparse: { type: 'string', default: '1500' },
    dense: { type: 'string', default: '60' },
    tokens: { type: 'string', default: '60' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), 'tongate-bench-index-'));

interface MeasuredChain extends Chain {
  readonly blocks: number;
}

const SPARSE: MeasuredChain = {
  name: 'Sparse chain',
  blocks: Number(values.sparse),
  payments: 2,
  jettonsEvery: 2,
  shards: 1,
  description:
    'Few transactions per block, as on mainnet since blocks are made every 400 ms, half of them jetton transfers',
};
const TOKENS: MeasuredChain = {
  name: 'Token chain',
  blocks: Number(values.tokens),
  payments: 100,
  jettonsEvery: 2,
  shards: 4,
  description: 'Full blocks in four shards, half of the payments are jetton transfers',
};

async function measure(chain: MeasuredChain): Promise<ChainResult> {
  const { name, description, blocks, payments, jettonsEvery, shards } = chain;
  const server = startProgram(
    'chain-process.ts',
    [folder, blocks, payments, jettonsEvery, shards].map(String),
  );
  const { globalConfigPath } = (await server.message) as ChainReady;
  const runs: IndexRun[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const data = mkdtempSync(join(folder, 'data-'));
      const indexer = startProgram('index-process.ts', [globalConfigPath, data], INDEXER_OPTIONS);
      const run = (await indexer.message) as IndexRun;
      await indexer.exited.catch(() => {});
      runs.push(run);
      rmSync(data, { recursive: true, force: true });
      console.error(`${name}: ${run.seconds.toFixed(1)} s`);
    }
  } finally {
    server.child.kill();
    await server.exited.catch(() => {});
  }
  const allSeconds = runs.map(({ seconds }) => seconds.toFixed(1)).join(', ');
  const run = runs.toSorted((a, b) => a.seconds - b.seconds)[(runs.length - 1) >> 1]!;
  return { name, description, run, allSeconds };
}

function missedGoals({ chains, rules, mainnet }: Report): string[] {
  const [sparse, dense, tokens] = chains.map(({ run }) => run) as [IndexRun, IndexRun, IndexRun];
  const classified = ({ classifiedAlone: { transactions, seconds } }: IndexRun) => transactions / seconds;
  const all = Object.values(dense.steps).reduce((sum, ms) => sum + ms, 0);
  const checks: [what: string, found: number, isMet: boolean][] = [
    [
      'transactions per second',
      (dense.counts.transactions ?? 0) / dense.seconds,
      (dense.counts.transactions ?? 0) / dense.seconds >= GOALS.transactionsPerSecond,
    ],
    [
      'sparse seqnos per second',
      (sparse.counts.seqnos ?? 0) / sparse.seconds,
      (sparse.counts.seqnos ?? 0) / sparse.seconds >= GOALS.sparseSeqnosPerSecond,
    ],
    [
      'transactions per second with tokens',
      (tokens.counts.transactions ?? 0) / tokens.seconds,
      (tokens.counts.transactions ?? 0) / tokens.seconds >= GOALS.tokenTransactionsPerSecond,
    ],
    ...chains.map(({ name, run }): [string, number, boolean] => [
      `bytes of memory, ${name}`,
      run.maxMemoryBytes,
      run.maxMemoryBytes <= GOALS.memoryBytes,
    ]),
    [
      'share of decoding',
      (dense.steps.decode ?? 0) / all,
      (dense.steps.decode ?? 0) / all <= GOALS.decodeShare,
    ],
    ...[dense, tokens].map((run): [string, number, boolean] => [
      'bytes per transaction',
      bytesPerTransaction(run),
      bytesPerTransaction(run) <= GOALS.bytesPerTransaction,
    ]),
    ...[dense, tokens].map((run): [string, number, boolean] => [
      'classified transactions per second, with reading and writing',
      classified(run),
      classified(run) >= GOALS.classifiedPerSecond,
    ]),
  ];
  if (rules !== undefined)
    checks.push([
      'classified transactions per second',
      rules.transactionsPerSecond,
      rules.transactionsPerSecond >= GOALS.classifiedPerSecond,
    ]);
  if (mainnet !== undefined)
    checks.push([
      'bytes per transaction of mainnet blocks',
      mainnet.asInBlocks.bytes,
      mainnet.asInBlocks.bytes <= GOALS.bytesPerTransaction,
    ]);
  return checks
    .filter(([, , isMet]) => !isMet)
    .map(([what, found]) => `${what}: ${found.toPrecision(3)} misses the goal`);
}

async function measureAll(): Promise<void> {
  const sparse = await measure(SPARSE);
  const dense = await measure({ ...DENSE, blocks: Number(values.dense) });
  const tokens = await measure(TOKENS);
  const report: Report = {
    ...runInfo(),
    rounds,
    decode: measureDecoding(),
    rules: measureRules(),
    chains: [sparse, dense, tokens],
    mainnet: await measureMainnet(),
  };
  writeResults('index', report, toMarkdown(report));
  console.log(toMarkdown(report));
  const missed = missedGoals(report);
  for (const line of missed) console.log(line);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

function measureMainnet() {
  return measureMainnetBlocks(mkdtempSync(join(folder, 'mainnet-')));
}

try {
  if (values.only === undefined) await measureAll();
  else if (values.only === 'mainnet') console.log(describeMainnet(await measureMainnet()).join('\n'));
  else throw new Error('--only must be mainnet');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
