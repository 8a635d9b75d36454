/**
 * Indexes a chain from its first block to its head, twice, and reports the figures of the second time as JSON: the first
 * time goes by with starting threads and compiling code, which takes as much CPU as the chain itself.
 * Arguments: the global config of the chain, the folder for the database. With the URL of a database as a third one, it is
 * indexed there once, and only the figures of that are reported.
 */
import { useNativeSha256 } from '../../src/chain/boc/ton-core.ts';
import { createClassifier } from '../../src/classify/classifier.ts';
import { readLiteGroups } from '../../src/cli/lite-groups.ts';
import { openLiteServers } from '../../src/cli/lite-servers.ts';
import { openDatabase } from '../../src/cli/open-database.ts';
import { readSettings } from '../../src/config/settings.ts';
import { createDetection } from '../../src/detect/create-detection.ts';
import type { DetectionStats } from '../../src/detect/detection.ts';
import { DETECTORS } from '../../src/detect/detectors/all-detectors.ts';
import { knownContracts } from '../../src/detect/known-contracts.ts';
import { wipeIndex } from '../../src/index/coverage.ts';
import { createWriter } from '../../src/index/write/writer.ts';
import { createDecoder } from '../../src/ingest/decode/decoder.ts';
import { createIndexer } from '../../src/ingest/indexer.ts';
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

const [config = '', folder = '', databaseUrl] = process.argv.slice(2);
useNativeSha256();
// As src/main.ts sets it.
Buffer.poolSize = 8192;
const log = { info() {}, warn: console.error, error: console.error };
const settings = readSettings({
  NETWORK: 'custom',
  TON_CONFIG: config,
  DATA_DIR: folder,
  DATABASE_URL: databaseUrl,
});
const { database, url, close } = await openDatabase(settings, log);
const groups = await readLiteGroups({ settings, isChainHere: false, log });
const lite = await openLiteServers({ settings, groups, log });
await lite.settle(10_000);
const decoder = createDecoder({ threads: THREADS, log });
const writer = createWriter({ url, log, metadata: createChainMetadataReader() });
const vm = createVm({ threads: THREADS, log, queueLimit: 100_000 });
const pool = lite.pool(undefined);
const check = { verify: true, shardProofs: new ShardProofCache() };
const db = database.primary;
const classifier = createClassifier({ url, log });
const head = pool.head!.seqno;
classifier.start();

/** Indexes the chain into an empty index, and waits for the actions. */
async function index(): Promise<OneRun> {
  const counts: Record<string, number> = {};
  const steps: Record<string, number> = {};
  // What it has learnt is dropped with it.
  const detection = createDetection({
    vm,
    db,
    pool,
    check,
    log,
    detectors: DETECTORS,
    known: knownContracts('other'),
  });
  const indexer = createIndexer({
    pool,
    check,
    db,
    decoder,
    writer,
    detection,
    vm,
    log,
    from: 1,
    partitionSeqnos: 1_000_000,
    lanes: LANES,
    metrics: {
      count(what, count) {
        counts[what] = (counts[what] ?? 0) + count;
      },
      time(step, ms) {
        steps[step] = (steps[step] ?? 0) + ms;
      },
    },
  });
  const cpu0 = process.cpuUsage();
  const loop0 = process.threadCpuUsage();
  const startedMs = performance.now();
  indexer.start();
  while ((counts.seqnos ?? 0) < head) await new Promise((done) => setTimeout(done, POLL_MS));
  const seconds = (performance.now() - startedMs) / 1000;
  const cpu = process.cpuUsage(cpu0);
  const loop = process.threadCpuUsage(loop0);
  await untilClassified(db);
  const actionsBehindSeconds = (performance.now() - startedMs) / 1000 - seconds;
  await indexer.close();
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
if (databaseUrl !== undefined) await closeAll();
const run = databaseUrl === undefined ? await indexAgain(first) : first;
await lite.close();
await close();
process.send?.(run);
process.stdout.write(`${JSON.stringify(run)}\n`);
process.disconnect?.();
