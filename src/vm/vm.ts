import { availableParallelism } from 'node:os';
import { Failure } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { createWorkerPool, type JobLimits, type PoolState, type WorkerPool } from '../lib/worker-pool.ts';
import { type WorkerFault, workerFile } from '../lib/worker-thread.ts';
import { VmClosed, VmCrash, VmOverloaded, VmRunTooLong, VmTimeout } from './errors.ts';
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
import { createWorkEncoder, type Work } from './work-encoder.ts';
import type { RunReply, WorkReply } from './worker/protocol.ts';

/** TVM in threads of this process. */
export interface Vm {
  /** Runs a get-method. */
  runGetMethod(run: GetMethodRun, limits?: JobLimits): Promise<GetMethodResult>;
  /** Executes a transaction. */
  runTransaction(run: TransactionRun, limits?: JobLimits): Promise<TransactionOutcome>;
  /** Executes transactions one after another in one thread, to save round trips; one outcome each. */
  runTransactions(runs: readonly TransactionRun[], limits?: JobLimits): Promise<TransactionOutcome[]>;
  /** Starts all threads now instead of on demand. */
  warm(): Promise<void>;
  state(): PoolState;
  /** Ends all threads; jobs in flight are rejected. */
  close(): Promise<void>;
}

export interface VmOptions {
  readonly log: Log;
  readonly metrics?: VmMetrics;
  /** About 100 MB each. By default the number of CPUs minus one, from 1 to 8. */
  readonly threads?: number;
  /** How many jobs may wait for a thread. */
  readonly queueLimit?: number;
  /** Timeout of a job unless its caller sets one. */
  readonly timeoutMs?: number;
  /**
   * How long a single run may take before its thread is ended. A get-method that uses all its gas in the shortest steps
   * takes 1 to 4 s of CPU time.
   */
  readonly runLimitMs?: number;
  /** A thread is replaced after this many runs, or when its emulator holds more memory. */
  readonly maxRuns?: number;
  readonly maxMemoryBytes?: number;
}

/** How a job ended. */
type JobOutcome = 'ok' | 'overloaded' | 'timeout' | 'aborted' | 'failed';

/** Why a thread was replaced: it failed, a run took too long, or it had done or held enough. */
type ThreadEnd = 'crash' | 'timeout' | 'runs' | 'memory';

/** Counters; gauges are read from `state()`. */
interface VmMetrics {
  jobDone(outcome: JobOutcome, runs: number, seconds: number): void;
  threadEnded(reason: ThreadEnd): void;
}

const NO_METRICS: VmMetrics = { jobDone() {}, threadEnded() {} };

const MAX_DEFAULT_THREADS = 8;

/** Creates the virtual machine. No thread runs before it is needed. */
export function createVm(options: VmOptions): Vm {
  const { timeoutMs = 10_000, metrics = NO_METRICS } = options;
  const pool = createVmPool(options, metrics);

  async function run(work: Work, limits: JobLimits = {}): Promise<readonly RunReply[]> {
    const startedAt = performance.now();
    let outcome: JobOutcome = 'ok';
    try {
      const job = pool.run(work, { timeoutMs: limits.timeoutMs ?? timeoutMs, signal: limits.signal });
      return (await job).replies;
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      metrics.jobDone(outcome, work.runs.length, (performance.now() - startedAt) / 1000);
    }
  }

  async function runTransactions(
    runs: readonly TransactionRun[],
    limits?: JobLimits,
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

function outcomeOf(error: unknown): JobOutcome {
  if (!(error instanceof Failure)) return 'aborted';
  return error.kind === 'timeout' || error.kind === 'overloaded' ? error.kind : 'failed';
}

const START_LIMIT_MS = 30_000;
/** Enough for the log of a run that uses all its gas in the shortest steps (45 MB), several times over. */
const JS_HEAP_MB = 512;

function createVmPool(options: VmOptions, metrics: VmMetrics): WorkerPool<Work, WorkReply> {
  const {
    threads = Math.min(MAX_DEFAULT_THREADS, Math.max(1, availableParallelism() - 1)),
    queueLimit = 1000,
    runLimitMs = 8000,
    maxRuns = 100_000,
    maxMemoryBytes = 512 * 2 ** 20,
    log,
  } = options;
  return createWorkerPool<Work, WorkReply>({
    name: 'vm',
    file: workerFile('./worker/vm-worker', import.meta.url),
    threads,
    queueLimit,
    jobs: 'short',
    heapMb: JS_HEAP_MB,
    startLimitMs: START_LIMIT_MS,
    stepLimitMs: runLimitMs,
    createEncoder: () => createWorkEncoder({ maxRuns, maxMemoryBytes }),
    toError: (fault, what, cause) => vmError(fault, what, cause, runLimitMs),
    log,
    onThreadEnded: (reason) => metrics.threadEnded(reason as ThreadEnd),
  });
}

function vmError(fault: WorkerFault, what: string, cause: unknown, runLimitMs: number): Failure {
  switch (fault) {
    case 'closed':
      return new VmClosed();
    case 'overloaded':
      return new VmOverloaded();
    case 'timeout':
      return new VmTimeout();
    case 'hung':
      return new VmRunTooLong(runLimitMs);
    case 'crash':
      return new VmCrash(what, cause);
  }
}

/** The newest TVM version of the emulator, which was built from the node of December 2025. */
export const TVM_VERSION = 13;

/** Whether a network with this global version (config param 8) has a newer TVM than the emulator. */
export function isNewerThanEmulator(globalVersion: number): boolean {
  return globalVersion > TVM_VERSION;
}
