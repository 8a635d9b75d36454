/**
 * Indexes a chain from its first block to its head, twice, and reports the figures of the second time as JSON: the first
 * time goes by with starting threads and compiling code, which takes as much CPU as the chain itself.
 * Arguments: the global config of the chain, the folder for the database. With the URL of a database as a third one, it is
 * indexed there once, and only the figures of that are reported. With a folder of packs as a fourth one, the chain is
 * imported from them, without its lite server.
 */
import type { CellRef } from '../../src/chain/boc/cells.ts';
import { useNativeSha256 } from '../../src/chain/boc/ton-core.ts';
import { createClassifier } from '../../src/classify/classifier.ts';
import { isIndexed } from '../../src/cli/import-blocks.ts';
import { readLiteGroups } from '../../src/cli/lite-groups.ts';
import { openLiteServers } from '../../src/cli/lite-servers.ts';
import { openDatabase } from '../../src/cli/open-database.ts';
import { type OpenPacks, openPacks } from '../../src/cli/open-packs.ts';
import { readSettings } from '../../src/config/settings.ts';
import { type CountedDetection, createDetection } from '../../src/detect/create-detection.ts';
import type { DetectionStats } from '../../src/detect/detection.ts';
import { DETECTORS } from '../../src/detect/detectors/all-detectors.ts';
import { knownContracts } from '../../src/detect/known-contracts.ts';
import { openOrigin, wipeIndex } from '../../src/index/coverage.ts';
import { createWriter } from '../../src/index/write/writer.ts';
import { createDecoder } from '../../src/ingest/decode/decoder.ts';
import { importPacks } from '../../src/ingest/import-packs.ts';
import { createIndexer } from '../../src/ingest/indexer.ts';
import type { IndexerMetrics } from '../../src/ingest/indexer-options.ts';
import { createNoServers } from '../../src/lite/fetch-context.ts';
import { ShardProofCache } from '../../src/lite/methods/proofs.ts';
import { createChainMetadataReader } from '../../src/metadata/token-fields.ts';
import { createVm } from '../../src/vm/vm.ts';
import { type ClassifyRun, measureClassifying, untilClassified } from './classifying.ts';
import { readVacuumedSizes } from './mainnet-blocks.ts';

/** Figures of indexing a chain. */
export interface IndexRun extends OneRun {
  /** The first time in the process. */
  readonly coldSeconds: number;
  readonly classifiedAlone: ClassifyRun;
  readonly maxMemoryBytes: number;
  readonly databaseBytes: number;
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly bytes: number }[];
}

/** Figures of indexing it once. */
export interface OneRun {
  readonly seconds: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Milliseconds by step; steps run concurrently. */
  readonly steps: Readonly<Record<string, number>>;
  /** CPU seconds of the process, and of its main thread. */
  readonly cpuSeconds: number;
  readonly loopSeconds: number;
  /** Contract detection. */
  readonly detected: DetectionStats;
  /** Time from the last block to the actions of all traces. */
  readonly actionsBehindSeconds: number;
}

const POLL_MS = 20;
const THREADS = 1;
const LANES = 2;
const PARTITION_SEQNOS = 1_000_000;

const [config = '', folder = '', databaseUrl, packFolder] = process.argv.slice(2);
useNativeSha256();
// As src/main.ts sets it.
Buffer.poolSize = 8192;
const log = { info() {}, warn: console.error, error: console.error };
const settings = readSettings({
  NETWORK: 'custom',
  TON_CONFIG: config,
  DATA_DIR: folder,
  DATABASE_URL: databaseUrl === '' ? undefined : databaseUrl,
});
const { database, url, close } = await openDatabase(settings, log);
const lite = packFolder === undefined ? await openLite() : undefined;
const packs = packFolder === undefined ? undefined : await openPacksOf(packFolder);
const decoder = createDecoder({ threads: THREADS, log });
const writer = createWriter({
  url,
  log,
  isRepeatable: packs !== undefined,
  metadata: createChainMetadataReader(),
});
const vm = createVm({ threads: THREADS, log, queueLimit: 100_000 });
const pool = lite?.pool(undefined) ?? createNoServers(packs!.zeroState);
const check = { verify: true, shardProofs: new ShardProofCache() };
const db = database.primary;
const classifier = createClassifier({ url, log, isBackground: packs !== undefined });
const head = lite === undefined ? await lastSeqno(packs!) : pool.head!.seqno;
classifier.start();

async function openLite() {
  const groups = await readLiteGroups({ settings, isChainHere: false, log });
  const opened = await openLiteServers({ settings, groups, log });
  await opened.settle(10_000);
  return opened;
}

function openPacksOf(path: string): Promise<OpenPacks> {
  return openPacks({ settings, folders: [path], log, isIndexed: (id) => isIndexed(database.primary, id) });
}

async function lastSeqno({ index, folder: { slices } }: OpenPacks): Promise<number> {
  return (await index.seqnosIn(slices.at(-1)!.paths)).at(-1)!;
}

/** Starts to index the chain; returns what stops it. */
async function begin(
  metrics: IndexerMetrics,
): Promise<{ detection: CountedDetection; end: () => Promise<void> }> {
  const params = Promise.withResolvers<CellRef>();
  let newest = params.promise;
  // What it has learnt is dropped with it.
  const detection = createDetection({
    vm,
    db,
    pool,
    check,
    log,
    detectors: DETECTORS,
    known: knownContracts('other'),
    readConfig: packs && (() => newest),
  });
  if (packs === undefined) {
    const rest = { from: 1, partitionSeqnos: PARTITION_SEQNOS, lanes: LANES, metrics };
    const indexer = createIndexer({ pool, check, db, decoder, writer, detection, vm, log, ...rest });
    indexer.start();
    return { detection, end: () => indexer.close() };
  }
  const origin = await openOrigin(db, {
    zeroState: packs.zeroState.rootHash,
    firstSeqno: 1,
    partitionSeqnos: PARTITION_SEQNOS,
  });
  const imported = importPacks({
    ...packs,
    db,
    decoder,
    writer,
    detection,
    origin,
    log,
    metrics,
    signal: new AbortController().signal,
    wanted: { first: 1, last: head },
    onConfig(found) {
      params.resolve(found);
      newest = Promise.resolve(found);
    },
  });
  return { detection, end: async () => void (await imported) };
}

/** Indexes the chain into an empty index, and waits for the actions. */
async function index(): Promise<OneRun> {
  const counts: Record<string, number> = {};
  const steps: Record<string, number> = {};
  const cpu0 = process.cpuUsage();
  const loop0 = process.threadCpuUsage();
  const startedMs = performance.now();
  const { detection, end } = await begin({
    count(what, count) {
      counts[what] = (counts[what] ?? 0) + count;
    },
    time(step, ms) {
      steps[step] = (steps[step] ?? 0) + ms;
    },
  });
  while ((counts.seqnos ?? 0) < head) await new Promise((done) => setTimeout(done, POLL_MS));
  const seconds = (performance.now() - startedMs) / 1000;
  const cpu = process.cpuUsage(cpu0);
  const loop = process.threadCpuUsage(loop0);
  await untilClassified(db);
  const actionsBehindSeconds = (performance.now() - startedMs) / 1000 - seconds;
  await end();
  return {
    seconds,
    counts,
    steps,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    loopSeconds: (loop.user + loop.system) / 1e6,
    detected: detection.stats(),
    actionsBehindSeconds,
  };
}

/** Indexes it a second time, and measures the result. */
async function indexAgain({ seconds: coldSeconds }: OneRun): Promise<IndexRun> {
  await wipeIndex(db);
  writer.reset();
  const warm = await index();
  await closeAll();
  const sizes = await readVacuumedSizes(db);
  const classifiedAlone = await measureClassifying(db, url, log);
  return {
    ...warm,
    coldSeconds,
    classifiedAlone,
    maxMemoryBytes: process.resourceUsage().maxRSS * 1024,
    databaseBytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    tables: sizes.map(({ table, rows, bytes }) => ({ table, rows, bytes })),
  };
}

async function closeAll(): Promise<void> {
  await classifier.close();
  await Promise.all([decoder.close(), writer.close(), vm.close()]);
}

const first = await index();
const isOnce = settings.databaseUrl !== undefined;
if (isOnce) await closeAll();
const run = !isOnce ? await indexAgain(first) : first;
await lite?.close();
await packs?.close();
await close();
process.send?.(run);
process.stdout.write(`${JSON.stringify(run)}\n`);
process.disconnect?.();
