/**
 * Reading blocks into cells with all hashes, and into transactions and messages: our flat reader compared with @ton/core.
 * Usage: npm run bench:cells [-- --rounds 5]. Exits with 1 if a ratio is below its goal.
 */
import { parseArgs } from 'node:util';
import { Cell } from '@ton/core';
import { readBoc } from '../src/chain/boc/bag.ts';
import { readBlockTransactions } from '../test/chain/support/block-readers.ts';
import { loadBlocks } from './cells/blocks.ts';
import { type Counts, compareReaders, readWithCore } from './cells/readers.ts';
import { type Report, toMarkdown, type Verdict } from './cells/report.ts';
import { cpuMs, median, retainedBytes } from './support/measure.ts';
import { runInfo, writeResults } from './support/report.ts';

interface Work {
  readonly name: string;
  readonly goal: number;
  core(bytes: Buffer): unknown;
  ours(bytes: Buffer): unknown;
}

const works: readonly Work[] = [
  {
    name: 'cells with all hashes',
    goal: 10,
    core: (bytes) => Cell.fromBoc(bytes),
    ours: (bytes) => {
      const bag = readBoc(bytes);
      bag.hashAll();
      return bag;
    },
  },
  {
    name: 'transactions and messages with their hashes',
    goal: 30,
    core: readWithCore,
    ours: (bytes) => {
      const bag = readBoc(bytes);
      return readBlockTransactions(bag, bag.root);
    },
  },
];

/** Passes of our reader in a round: one pass is too short for the resolution of the CPU clock. */
const OUR_RUNS = 20;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
const { source, files } = loadBlocks();

const sumCounts = (all: readonly Counts[]): Counts => ({
  cells: all.reduce((sum, { cells }) => sum + cells, 0),
  transactions: all.reduce((sum, { transactions }) => sum + transactions, 0),
  messages: all.reduce((sum, { messages }) => sum + messages, 0),
});
const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

function compare({ name, goal, core, ours }: Work): Verdict {
  const all = (read: (bytes: Buffer) => unknown) => () => {
    for (const bytes of files) read(bytes);
  };
  cpuMs(all(ours), OUR_RUNS);
  cpuMs(all(core), 1);
  const coreMs: number[] = [];
  const oursMs: number[] = [];
  for (let i = 0; i < rounds; i++) {
    coreMs.push(cpuMs(all(core), 1));
    oursMs.push(cpuMs(all(ours), OUR_RUNS));
  }
  const ratio = round(median(coreMs.map((ms, i) => ms / oursMs[i]!)));
  return { work: name, coreMs: round(median(coreMs)), oursMs: round(median(oursMs), 2), ratio, goal };
}

const counts = sumCounts(files.map(compareReaders));
/** Retained bytes per cell. A copy of the input is included, because the flat reader keeps using it. */
const retainedPerCell = async (read: (bytes: Buffer) => unknown): Promise<number> =>
  round((await retainedBytes(() => files.map((bytes) => read(Buffer.from(bytes))))) / counts.cells);

const report: Report = {
  ...runInfo(),
  source,
  bytes: files.reduce((sum, { length }) => sum + length, 0),
  counts,
  rounds,
  verdicts: works.map(compare),
  bytesPerCell: {
    core: await retainedPerCell((bytes) => Cell.fromBoc(bytes)),
    ours: await retainedPerCell(readBoc),
    oursWithHashes: await retainedPerCell((bytes) => works[0]!.ours(bytes)),
  },
};
writeResults('cells', report, toMarkdown(report));
console.log(toMarkdown(report));
const missed = report.verdicts.filter(({ ratio, goal }) => ratio < goal);
for (const { work, ratio, goal } of missed) console.error(`${work}: ${ratio} is below ${goal}`);
process.exitCode = missed.length > 0 ? 1 : 0;
