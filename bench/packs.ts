/**
 * Speed of pack files: reading them (find, hash and prove every block), and importing them, compared with indexing the same
 * chain from a lite server. Without folders a dense chain is made, as `bench:index` has it.
 * Usage: npm run bench:packs [-- --blocks 160 --rounds 3]. With `--packs DIR` these are read, and nothing else is measured;
 * NETWORK and TON_CONFIG as for the command import.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPacks } from '../src/cli/open-packs.ts';
import { readSettings } from '../src/config/settings.ts';
import { bytesOf } from '../src/ingest/fetch/fetch-seqnos.ts';
import { createPackSource, SeqnoUnavailable } from '../src/ingest/fetch/packs/pack-source.ts';
import type { ChainReady } from './index/chain-process.ts';
import { DENSE, INDEXER_OPTIONS, startProgram } from './index/chains.ts';
import type { IndexRun } from './index/index-process.ts';
import { goalLines, row, runInfo, runInfoLines, writeResults } from './support/report.ts';

const GOALS = { timesFaster: 1.3, megabytesPerSecond: 150, memoryBytes: 700e6 };
const AHEAD_BYTES = 16 * 2 ** 20;
const log = { info() {}, warn: console.error, error: console.error };
const { values } = parseArgs({
  options: {
    packs: { type: 'string', multiple: true, default: [] },
    blocks: { type: 'string', default: '160' },
    rounds: { type: 'string', default: '3' },
  },
});
const rounds = Number(values.rounds);

type ReadRun = Awaited<ReturnType<typeof readPacks>>;

/** Reads and proves all that packs have. */
async function readPacks(folders: readonly string[], env: NodeJS.ProcessEnv) {
  const settings = readSettings(env);
  const packs = await openPacks({ settings, folders, log, isIndexed: async () => false });
  const source = createPackSource({ ...packs, signal: new AbortController().signal });
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  let seqnos = 0;
  let blocks = 0;
  let bytes = 0;
  try {
    for await (const fetched of source.seqnos({ from: 1 }, { bytes: AHEAD_BYTES })) {
      seqnos++;
      blocks += 1 + fetched.shardBlocks.length;
      bytes += bytesOf(fetched);
    }
  } catch (error) {
    if (!(error instanceof SeqnoUnavailable)) throw error;
  }
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(startCpu);
  await packs.close();
  const run = { seqnos, blocks, bytes, seconds, cpuSeconds: (user + system) / 1e6 };
  console.error(
    `${seqnos} seqnos, ${blocks} blocks, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(2)} s: ` +
      `${megabytesPerSecond(run).toFixed(0)} MB/s, ${(blocks / seconds).toFixed(0)} blocks/s, ` +
      `${run.cpuSeconds.toFixed(2)} s of CPU, ${Math.round(process.memoryUsage.rss() / 1e6)} MB of memory`,
  );
  return run;
}

const megabytesPerSecond = ({ bytes, seconds }: ReadRun) => bytes / 1e6 / seconds;
const transactionsPerSecond = ({ counts, seconds }: IndexRun) => (counts.transactions ?? 0) / seconds;

/** The one in the middle by a figure. */
function median<T>(runs: readonly T[], of: (run: T) => number): T {
  return runs.toSorted((a, b) => of(a) - of(b))[(runs.length - 1) >> 1]!;
}

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tongate-bench-packs-'));
  try {
    const packs = join(folder, 'packs');
    const { payments, jettonsEvery, shards } = DENSE;
    const chain = [folder, values.blocks, payments, jettonsEvery, shards, packs].map(String);
    const server = startProgram('chain-process.ts', chain);
    try {
      const { globalConfigPath } = (await server.message) as ChainReady;
      const index = async (...more: readonly string[]): Promise<IndexRun> => {
        const data = mkdtempSync(join(folder, 'data-'));
        const program = startProgram('index-process.ts', [globalConfigPath, data, ...more], INDEXER_OPTIONS);
        const run = (await program.message) as IndexRun;
        await program.exited.catch(() => {});
        rmSync(data, { recursive: true, force: true });
        console.error(`${more.length > 0 ? 'Imported' : 'Indexed'} in ${run.seconds.toFixed(1)} s`);
        return run;
      };
      const indexed: IndexRun[] = [];
      const imported: IndexRun[] = [];
      for (let round = 0; round < rounds; round++) {
        indexed.push(await index());
        imported.push(await index('', packs));
      }
      const read: ReadRun[] = [];
      for (let round = 0; round < 2 * rounds + 1; round++)
        read.push(await readPacks([packs], { NETWORK: 'custom', TON_CONFIG: globalConfigPath }));
      report(indexed, imported, read);
    } finally {
      server.child.kill();
      await server.exited.catch(() => {});
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(indexed: readonly IndexRun[], imported: readonly IndexRun[], read: readonly ReadRun[]): void {
  const [servers, packs] = [indexed, imported].map((runs) => median(runs, transactionsPerSecond));
  const reading = median(read, megabytesPerSecond);
  const times = transactionsPerSecond(packs!) / transactionsPerSecond(servers!);
  const memory = Math.max(...imported.map(({ maxMemoryBytes }) => maxMemoryBytes));
  const missed = [
    ...(times < GOALS.timesFaster ? [`${times.toFixed(2)} times as fast as from lite servers`] : []),
    ...(megabytesPerSecond(reading) < GOALS.megabytesPerSecond
      ? [`${megabytesPerSecond(reading).toFixed(0)} MB/s of reading alone`]
      : []),
    ...(memory > GOALS.memoryBytes ? [`${(memory / 1e6).toFixed(0)} MB of memory`] : []),
  ];
  const info = runInfo();
  const { counts } = packs!;
  const cells = (name: string, of: (run: IndexRun) => string) => row([name, of(servers!), of(packs!)]);
  const all = (runs: readonly IndexRun[]) => runs.map(({ seconds }) => seconds.toFixed(1)).join(', ');
  const page = [
    '# Pack files benchmark',
    '',
    'Written by `npm run bench:packs`. The dense chain of `bench:index` is indexed from its lite server and imported from the',
    'pack files that it is exported to, in turns, each into an empty embedded PostgreSQL in a process with one decoding thread',
    'and one thread for get-methods. Both classify meanwhile in one thread. The second time in a process counts, as there. All processes share the processors of one machine; the lite server',
    'idles during an import. Then the packs are read alone: every block is found, hashed and proven, in the main thread. Figures',
    'are those of the median round.',
    '',
    ...runInfoLines(info),
    `- ${rounds} rounds`,
    `- ${counts.seqnos} masterchain seqnos, ${reading.blocks} blocks, ${counts.transactions} transactions, ${(reading.bytes / 1e6).toFixed(1)} MB`,
    '',
    row(['measure', 'lite server', 'packs']),
    row(['---', '--:', '--:']),
    row(['seconds of all rounds', all(indexed), all(imported)]),
    cells('transactions per second', (run) => transactionsPerSecond(run).toFixed(0)),
    cells('CPU seconds of the process', (run) => run.cpuSeconds.toFixed(1)),
    cells('of them in the main thread', (run) => run.loopSeconds.toFixed(1)),
    cells('seconds from the last block to the last action', (run) => run.actionsBehindSeconds.toFixed(1)),
    cells('peak memory', (run) => `${(run.maxMemoryBytes / 1e6).toFixed(0)} MB`),
    '',
    `Packs are ${times.toFixed(2)} times as fast. Reading alone: ${megabytesPerSecond(reading).toFixed(0)} MB/s, ${(reading.blocks / reading.seconds).toFixed(0)} blocks per second, ${((reading.cpuSeconds / reading.blocks) * 1e6).toFixed(0)} µs of CPU per block.`,
    '',
    ...goalLines(missed),
    '',
  ].join('\n');
  writeResults('packs', { ...info, rounds, indexed: servers, imported: packs, reading }, page);
  console.log(page);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

if (values.packs.length > 0)
  for (let round = 0; round < rounds; round++) await readPacks(values.packs, process.env);
else await measureAll();
