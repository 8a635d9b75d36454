import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { createClassifier } from '../../src/classify/classifier.ts';
import { createDatabase, type Database } from '../../src/db/connection.ts';
import { findCluster } from '../../src/index/cluster.ts';
import { openOrigin } from '../../src/index/coverage.ts';
import { ensurePartitions } from '../../src/index/partitions.ts';
import type { Log } from '../../src/lib/log.ts';
import { workerFile } from '../../src/lib/worker-thread.ts';
import { untilClassified } from '../index/classifying.ts';
import { sha256 } from './accounts.ts';
import { createIndex, dropIndexes, FillError, finishRun, openRun } from './fill-run.ts';
import type { BatchReport, LaneData, LaneReport } from './lane-thread.ts';
import { type FillOptions, ORIGIN_SEQNO, planFill } from './plan.ts';
import { joinSamples, type Samples } from './samples.ts';

/** How to fill; apart from the actions this does not change what is generated. */
export interface FillSettings {
  readonly url: string;
  readonly log: Log;
  /** Whether traces are classified too. */
  readonly actions: boolean;
  /** Whether rows are written to existing indexes, as by an indexer, instead of creating the indexes afterwards. */
  readonly keepIndexes: boolean;
  /** Whether an index that was filled with other options is replaced. */
  readonly restart: boolean;
  /** Interrupts it. */
  readonly signal?: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/**
 * Fills an empty, migrated database with a generated index and returns samples of its keys. What an interrupted call with the
 * same options has written is kept: the chain is generated again, but only the missing batches are written.
 */
export async function fillIndex(options: FillOptions, settings: FillSettings): Promise<Samples> {
  const { url, log, actions } = settings;
  const plan = planFill(options);
  const isCluster = await findCluster(url, 'auto');
  const database = createDatabase({ url, isCluster, replicaUrls: [], poolSize: 2, log });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const run = await openRun(client, database.primary, {
      options: { ...options, actions },
      restart: settings.restart,
    });
    if (run.samples !== null) return run.samples;
    const progress = createProgress(options, settings.onProgress);
    await openOrigin(database.primary, {
      zeroState: sha256(`fill ${options.seed}`),
      firstSeqno: ORIGIN_SEQNO,
      partitionSeqnos: options.partitionSeqnos,
    });
    await ensurePartitions(client, {
      from: ORIGIN_SEQNO,
      to: ORIGIN_SEQNO + options.seqnos,
      width: options.partitionSeqnos,
    });
    const indexes = run.indexes ?? (settings.keepIndexes ? [] : await dropIndexes(client));
    progress.step('partitions');
    const lanes = Math.min(options.lanes, plan.batchCount);
    const samples = await runLanes({ url: withoutSync(url), options }, lanes, settings.signal, progress.add);
    progress.step(`transactions: ${progress.summary()}`);
    await client.query(`set maintenance_work_mem = '512MB'`);
    for (const [at, index] of indexes.entries()) {
      await createIndex(client, index);
      if (indexes[at + 1]?.table !== index.table) progress.step(`indexes of ${index.table}`);
    }
    await client.query('vacuum analyze');
    progress.step('statistics');
    if (actions) {
      await classify(database, settings, progress.classified);
      progress.step('actions');
      await client.query('vacuum analyze');
    } else await client.query('truncate unclassified_traces');
    await finishRun(client, options, samples);
    return samples;
  } finally {
    await client.end();
    await database.close();
  }
}

/** Batches that a crash of PostgreSQL loses are generated again. */
function withoutSync(url: string): string {
  const changed = new URL(url);
  changed.searchParams.set('options', '-c synchronous_commit=off');
  return String(changed);
}

/** Runs each lane in its own thread. */
async function runLanes(
  data: Omit<LaneData, 'lane'>,
  count: number,
  signal: AbortSignal | undefined,
  onBatch: (report: BatchReport) => void,
): Promise<Samples> {
  const interrupted = Promise.withResolvers<never>();
  interrupted.promise.catch(() => {});
  const interrupt = () =>
    interrupted.reject(new FillError('Interrupted; start it again with the same options to continue'));
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();
  const workers: Worker[] = [];
  try {
    const lanes = Array.from({ length: count }, (_, lane) => {
      const worker = new Worker(workerFile('./lane-thread', import.meta.url), {
        name: `fill-${lane}`,
        execArgv: [],
        workerData: { ...data, lane } satisfies LaneData,
      });
      workers.push(worker);
      return endOfLane(worker, onBatch);
    });
    return joinSamples(await Promise.race([interrupted.promise, Promise.all(lanes)]));
  } finally {
    signal?.removeEventListener('abort', interrupt);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function endOfLane(worker: Worker, onBatch: (report: BatchReport) => void): Promise<Samples> {
  return new Promise((resolve, reject) => {
    worker.on('message', (report: LaneReport) => {
      if (report.kind === 'batch') onBatch(report);
      else resolve(report.samples);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`A thread ended with code ${code}`)));
  });
}

/** Classifies all traces with the classifier of the indexer. */
async function classify(
  database: Database,
  { url, log }: FillSettings,
  onBatch: (traces: number) => void,
): Promise<void> {
  const classifier = createClassifier({ url, log, onBatch: ({ traces }) => onBatch(traces) });
  classifier.start();
  await untilClassified(database.primary);
  await classifier.close();
}

const PROGRESS_MS = 5000;

/** Tells what was done, and how fast. */
function createProgress({ transactions }: FillOptions, print: (line: string) => void) {
  const startedMs = performance.now();
  const sums = { make: 0, decode: 0, wait: 0 };
  let [made, written, classified, printedMs] = [0, 0, 0, startedMs];
  const step = (text: string) =>
    print(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(8)} s  ${text}`);
  const rate = () => `${Math.round((written * 1000) / (performance.now() - startedMs))} per second`;
  const micros = (ms: number) => `${Math.round((ms * 1000) / Math.max(1, made))} µs`;
  const stepIfDue = (text: string) => {
    if (performance.now() - printedMs < PROGRESS_MS) return;
    printedMs = performance.now();
    step(text);
  };
  return {
    step,
    /** The times are those of a thread; all threads work at the same time. */
    summary: () =>
      `${rate()}; each took ${micros(sums.make)} to generate, ${micros(sums.decode)} to decode, ` +
      `${micros(sums.wait)} of waiting for PostgreSQL`,
    add(report: BatchReport) {
      made += report.transactions;
      if (report.isNew) written += report.transactions;
      for (const part of ['make', 'decode', 'wait'] as const) sums[part] += report.ms[part];
      stepIfDue(`${made} of ${transactions} transactions, ${rate()}`);
    },
    classified(traces: number) {
      classified += traces;
      stepIfDue(`${classified} traces classified`);
    },
  };
}
