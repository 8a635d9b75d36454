import { availableParallelism } from 'node:os';
import type { Log } from '../lib/log.ts';
import {
  decodeGetMethod,
  decodeTransaction,
  encodeGetMethod,
  encodeTransaction,
  type GetMethodResult,
  type GetMethodRun,
  type TransactionOutcome,
  type TransactionRun,
  textsOfGetMethod,
  textsOfTransaction,
} from './runs.ts';
import type { SharedBoc } from './shared-inputs.ts';
import {
  createWorkerPool,
  type JobLimits,
  NO_METRICS,
  type PoolState,
  type VmMetrics,
} from './worker-pool.ts';
import type { Work } from './worker-thread.ts';

/** TVM in threads of this process. */
export interface Vm {
  /** Runs a get-method. */
  runGetMethod(run: GetMethodRun, limits?: Partial<JobLimits>): Promise<GetMethodResult>;
  /** Makes a transaction. */
  runTransaction(run: TransactionRun, limits?: Partial<JobLimits>): Promise<TransactionOutcome>;
  /** Makes transactions one after another in one thread, to save the way there and back: one outcome for each. */
  runTransactions(
    runs: readonly TransactionRun[],
    limits?: Partial<JobLimits>,
  ): Promise<TransactionOutcome[]>;
  /** Starts all threads now instead of when they are needed. */
  warm(): Promise<void>;
  state(): PoolState;
  /** Ends all threads; what is under way is rejected. */
  close(): Promise<void>;
}

export interface VmOptions {
  readonly log: Log;
  readonly metrics?: VmMetrics;
  /** Threads; a thread takes about 100 MB. One less than there are processors unless told otherwise, at most 8. */
  readonly threads?: number;
  /** How many jobs may wait for a thread. */
  readonly queueLimit?: number;
  /** How long a job may take if its caller does not say. */
  readonly timeoutMs?: number;
  /**
   * How long a single run may take before its thread is ended. All the gas of a get-method, burnt in the shortest
   * steps there are, takes 1 to 4 s of a processor.
   */
  readonly runLimitMs?: number;
  /** A thread is replaced after so many runs, or when its emulator holds more memory. */
  readonly maxRuns?: number;
  readonly maxMemoryBytes?: number;
}

export const MAX_DEFAULT_THREADS = 8;
export const START_LIMIT_MS = 30_000;

/** Creates the virtual machine. No thread runs before it is needed. */
export function createVm(options: VmOptions): Vm {
  const {
    threads = Math.min(MAX_DEFAULT_THREADS, Math.max(1, availableParallelism() - 1)),
    queueLimit = 1000,
    timeoutMs = 10_000,
    runLimitMs = 8000,
    maxRuns = 100_000,
    maxMemoryBytes = 512 * 2 ** 20,
    metrics = NO_METRICS,
    log,
  } = options;
  const pool = createWorkerPool({
    file: workerFile(),
    threads,
    queueLimit,
    startLimitMs: START_LIMIT_MS,
    runLimitMs,
    maxRuns,
    maxMemoryBytes,
    log,
    metrics,
  });

  const run = (work: Work, limits: Partial<JobLimits> = {}) =>
    pool.run(work, { timeoutMs: limits.timeoutMs ?? timeoutMs, signal: limits.signal });

  async function runTransactions(
    runs: readonly TransactionRun[],
    limits?: Partial<JobLimits>,
  ): Promise<TransactionOutcome[]> {
    const texts = new Set<SharedBoc>(runs.flatMap(textsOfTransaction));
    const work = { runs: runs.map(encodeTransaction), texts: [...texts] };
    return (await run(work, limits)).map(decodeTransaction);
  }

  return {
    async runGetMethod(method, limits) {
      const work = { runs: [encodeGetMethod(method)], texts: textsOfGetMethod(method) };
      const [reply] = await run(work, limits);
      return decodeGetMethod(reply!);
    },
    async runTransaction(transaction, limits) {
      const [outcome] = await runTransactions([transaction], limits);
      return outcome!;
    },
    runTransactions,
    warm: pool.warm,
    state: pool.state,
    close: pool.close,
  };
}

/** The program of the threads, beside this file: TypeScript in a checkout, JavaScript in a build. */
export function workerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./worker/vm-worker.ts', import.meta.url)
    : new URL('./worker/vm-worker.js', import.meta.url);
}

/** The newest rules of TVM that the emulator knows: it was built from the node of December 2025. */
export const TVM_VERSION = 13;

/** Whether a network with this global version (parameter 8) has rules that the emulator does not know. */
export function isNewerThanEmulator(globalVersion: number): boolean {
  return globalVersion > TVM_VERSION;
}
