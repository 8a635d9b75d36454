import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import { Failure } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Payer } from '../lib/payer.ts';
import { type BudgetShare, createPayerBudget, type PayerBudget } from '../lib/payer-budget.ts';
import { createWorkerPool, type JobLimits, type PoolState } from '../lib/worker-pool.ts';
import { type WorkerFault, workerFile } from '../lib/worker-thread.ts';
import { VmClosed, VmCrash, VmOverloaded, VmRunTooLong, VmTimeout } from './errors.ts';
import {
  DEFAULT_GAS_LIMIT,
  decodeGetMethod,
  decodeTransaction,
  encodeGetMethod,
  encodeTransaction,
  type GetMethodResult,
  type GetMethodRun,
  type RunReply,
  type TransactionOutcome,
  type TransactionRun,
  textsOfGetMethod,
  textsOfTransaction,
} from './runs.ts';
import type { SharedBoc } from './shared-inputs.ts';
import { createWorkEncoder, type Work, type WorkReply } from './work-encoder.ts';

/** How long a caller waits for a run, who pays for it, and what is known of it. */
export interface RunLimits extends JobLimits {
  /** Transactions that are certain to be short, which need not wait behind heavy runs. */
  readonly isLight?: boolean | undefined;
}

/** TVM in threads of this process. */
export type Vm = Readonly<ReturnType<typeof createVm>>;

/** Where runs wait: light and heavy ones, or one lane for all. */
type LaneName = 'light' | 'heavy' | 'all';

export interface VmOptions {
  readonly log: Log;
  readonly metrics?: Partial<VmMetrics>;
  /** About 100 MB each. By default the number of CPUs minus one, from 1 to 8. */
  readonly threads?: number;
  /**
   * Threads of their own for heavy runs: transactions of unknown contracts, and get-methods that need more than
   * `LIGHT_GAS`. They start when they are needed, and have a lower priority. None by default.
   */
  readonly heavyThreads?: number;
  /** How much time callers may use; no limit by default. */
  readonly budget?: PayerBudget;
  /** How many jobs may wait for a thread, in each lane. */
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

type JobOutcome = 'ok' | 'overloaded' | 'timeout' | 'aborted' | 'failed';

/** Why a thread was replaced: it failed, a run took too long, or it had done or held enough. */
type ThreadEnd = 'crash' | 'timeout' | 'runs' | 'memory';

/** Counters; gauges are read from `state()`. */
interface VmMetrics {
  jobDone(outcome: JobOutcome, runs: number, seconds: number): void;
  /** A thread is done with a job, which had waited for it. */
  threadTime(lane: LaneName, seconds: number, waitedSeconds: number): void;
  /** A caller had no time left. */
  timeSpent(): void;
  threadEnded(reason: ThreadEnd): void;
}

const NO_METRICS: VmMetrics = { jobDone() {}, threadTime() {}, timeSpent() {}, threadEnded() {} };

const MAX_DEFAULT_THREADS = 8;

export function defaultThreads(): number {
  return Math.min(MAX_DEFAULT_THREADS, Math.max(1, availableParallelism() - 1));
}

/**
 * Gas of a get-method in the light lane: enough for nearly all, and at most 30 ms of CPU time. Out of gas cannot be
 * caught in TVM, so a method that does not run out has the same result as with more gas.
 */
export const LIGHT_GAS = 30_000;
/** The lane's own time limit: a contract can raise its gas limit, and large states take time without gas. */
const LIGHT_RUN_MS = 1000;
/** Code and data in base64 that are not parsed in the light lane. */
const LIGHT_CHARS = 400_000;
const OUT_OF_GAS = -14;
const UNLIMITED = createPayerBudget({ unitsPerRps: undefined, savedSeconds: 0, minSaved: 0, expected: 0 });

/** Creates the virtual machine. No thread runs before it is needed. */
export function createVm(options: VmOptions) {
  const { threads = defaultThreads(), heavyThreads = 0, runLimitMs = 8000, timeoutMs = 10_000 } = options;
  const { budget = UNLIMITED } = options;
  const metrics = { ...NO_METRICS, ...options.metrics };
  const hasLanes = heavyThreads > 0;
  const light = createLane(options, metrics, {
    name: hasLanes ? 'light' : 'all',
    threads,
    runLimitMs: hasLanes ? Math.min(LIGHT_RUN_MS, runLimitMs) : runLimitMs,
  });
  const heavy = hasLanes
    ? createLane(options, metrics, { name: 'heavy', threads: heavyThreads, runLimitMs })
    : light;
  const heavyMethods = new HeavyMethods();

  async function run({ name, pool }: VmLane, work: Work, limits: RunLimits): Promise<readonly RunReply[]> {
    const { payer, signal, onEnd } = limits;
    const permit = payer && budget.take(payer);
    const startedAt = performance.now();
    let outcome: JobOutcome = 'ok';
    try {
      const { replies } = await pool.run(work, {
        timeoutMs: limits.timeoutMs ?? timeoutMs,
        signal,
        payer,
        onEnd(ms, waitedMs) {
          permit?.charge(ms);
          metrics.threadTime(name, ms / 1000, waitedMs / 1000);
          onEnd?.(ms, waitedMs);
        },
      });
      return replies;
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      metrics.jobDone(outcome, work.runs.length, (performance.now() - startedAt) / 1000);
    }
  }

  async function runMethod(lane: VmLane, method: GetMethodRun, limits: RunLimits): Promise<GetMethodResult> {
    const work = { runs: [encodeGetMethod(method)], texts: textsOfGetMethod(method) };
    const [reply] = await run(lane, work, limits);
    return decodeGetMethod(reply!);
  }

  /** The result of a run in the light lane; undefined if it needs the heavy one. */
  async function tryLightly(method: GetMethodRun, limits: RunLimits): Promise<GetMethodResult | undefined> {
    if (method.code.length + method.data.length > LIGHT_CHARS || heavyMethods.has(method)) return undefined;
    try {
      const result = await runMethod(light, { ...method, gasLimit: LIGHT_GAS }, limits);
      // With less gas used, it ran out of what it had limited itself to.
      if (result.exitCode !== OUT_OF_GAS || result.gasUsed < LIGHT_GAS) return result;
      heavyMethods.add(method);
    } catch (error) {
      if (!(error instanceof VmRunTooLong)) throw error;
      heavyMethods.addCode(method);
    }
    return undefined;
  }

  async function runGetMethod(method: GetMethodRun, limits: RunLimits = {}): Promise<GetMethodResult> {
    const { gasLimit = DEFAULT_GAS_LIMIT } = method;
    if (!hasLanes || gasLimit <= LIGHT_GAS) return runMethod(light, method, limits);
    const deadlineMs = performance.now() + (limits.timeoutMs ?? timeoutMs);
    const match = await tryLightly(method, limits);
    if (match !== undefined) return match;
    const result = await runMethod(heavy, method, { ...limits, timeoutMs: deadlineMs - performance.now() });
    if (result.gasUsed < LIGHT_GAS) heavyMethods.remove(method);
    return result;
  }

  async function runTransactions(
    runs: readonly TransactionRun[],
    limits: RunLimits = {},
  ): Promise<TransactionOutcome[]> {
    const texts = new Set<SharedBoc>(runs.flatMap(textsOfTransaction));
    const work = { runs: runs.map(encodeTransaction), texts: [...texts] };
    return (await run(limits.isLight ? light : heavy, work, limits)).map(decodeTransaction);
  }

  const pools = new Set([light.pool, heavy.pool]);
  return {
    /** Throws VmTimeSpent if a payer has used up its time; called before the work of a call begins. */
    admit(payer: Payer | undefined): void {
      try {
        checkVmBudget(budget, payer);
      } catch (error) {
        metrics.timeSpent();
        throw error;
      }
    },
    runGetMethod,
    /** Runs get-methods one after another in one thread, to save round trips; a result or a failure each. */
    async runGetMethods(
      methods: readonly GetMethodRun[],
      limits: RunLimits = {},
    ): Promise<(GetMethodResult | Failure)[]> {
      const texts = new Set<SharedBoc>(methods.flatMap(textsOfGetMethod));
      const work = { runs: methods.map(encodeGetMethod), texts: [...texts] };
      return (await run(heavy, work, limits)).map(resultOrFailure);
    },
    async runTransaction(transaction: TransactionRun, limits?: RunLimits): Promise<TransactionOutcome> {
      const [outcome] = await runTransactions([transaction], limits);
      return outcome!;
    },
    /** Executes transactions one after another in one thread, to save round trips; one outcome each. */
    runTransactions,
    /** Starts all threads for light runs now instead of on demand. */
    warm: light.pool.warm,
    state(): PoolState {
      const states = [...pools].map((pool) => pool.state());
      const sum = (of: keyof PoolState) => states.reduce((total, state) => total + state[of], 0);
      return { threads: sum('threads'), busy: sum('busy'), queued: sum('queued') };
    },
    /** Ends all threads; jobs in flight are rejected. */
    async close(): Promise<void> {
      await Promise.all([...pools].map((pool) => pool.close()));
    },
  };
}

function resultOrFailure(reply: RunReply): GetMethodResult | Failure {
  try {
    return decodeGetMethod(reply);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function outcomeOf(error: unknown): JobOutcome {
  if (!(error instanceof Failure)) return 'aborted';
  return error.kind === 'timeout' || error.kind === 'overloaded' ? error.kind : 'failed';
}

const START_LIMIT_MS = 30_000;
/** Enough for the log of a run that uses all its gas in the shortest steps (45 MB), several times over. */
const JS_HEAP_MB = 512;

/** Threads that share a queue. */
type VmLane = Readonly<ReturnType<typeof createLane>>;

function createLane(
  { queueLimit = 1000, maxRuns = 100_000, maxMemoryBytes = 512 * 2 ** 20, log }: VmOptions,
  metrics: VmMetrics,
  { name, threads, runLimitMs }: { name: LaneName; threads: number; runLimitMs: number },
) {
  const pool = createWorkerPool<Work, WorkReply>({
    name: name === 'all' ? 'vm' : `vm-${name}`,
    file: workerFile('./worker/vm-worker', import.meta.url),
    threads,
    queueLimit,
    jobs: 'short',
    heapMb: JS_HEAP_MB,
    startLimitMs: START_LIMIT_MS,
    stepLimitMs: runLimitMs,
    isBackground: name === 'heavy',
    createEncoder: () => createWorkEncoder({ maxRuns, maxMemoryBytes }),
    toError: (fault, what, cause) => vmError(fault, what, cause, runLimitMs),
    log,
    onThreadEnded: (reason) => metrics.threadEnded(reason as ThreadEnd),
  });
  return { name, pool };
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

const MAX_METHODS = 10_000;

/**
 * The get-methods that need the heavy lane. A mistake costs time and not correctness: one that is missing here is run
 * twice, and one that is light again is removed when that shows.
 */
class HeavyMethods {
  readonly #methods = new LRUCache<string, true>({ max: MAX_METHODS });

  has(run: GetMethodRun): boolean {
    if (this.#methods.size === 0) return false;
    const code = codeOf(run);
    return (this.#methods.get(`${code} ${run.methodId}`) ?? this.#methods.get(code)) !== undefined;
  }

  /** The method used up the gas of a light run. */
  add(run: GetMethodRun): void {
    this.#methods.set(`${codeOf(run)} ${run.methodId}`, true);
  }

  /** The code took too long in spite of the gas limit, so none of its methods is trusted. */
  addCode(run: GetMethodRun): void {
    this.#methods.set(codeOf(run), true);
  }

  /** The method was light after all: it had other arguments before, or the machine was busy. */
  remove(run: GetMethodRun): void {
    const code = codeOf(run);
    this.#methods.delete(`${code} ${run.methodId}`);
    this.#methods.delete(code);
  }
}

function codeOf({ codeHash, code }: GetMethodRun): string {
  return codeHash ?? hash('sha256', code);
}

export class VmTimeSpent extends Failure {
  constructor(retryAfterSeconds: number) {
    super('rate_limited', 'Ratelimit exceeded: the TVM time of this caller is used up', {
      retryAfterSeconds,
    });
  }
}

/** The slowest payer too can run a get-method that uses all its gas, which takes 1 to 4 s; a usual emulation takes 20 ms. */
const BUDGET = { savedSeconds: 20, minSaved: 4000, expected: 20 };

/**
 * Creates the budget that all runs of a process draw on, whatever operation they are for. `msPerRps` are milliseconds per
 * second, per request a second that a payer may make; undefined for no limit.
 */
export function createVmBudget(options: {
  readonly msPerRps: number | undefined;
  /** Set where several processes count together. */
  readonly share?: BudgetShare | undefined;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}): PayerBudget {
  const { msPerRps: unitsPerRps, share, now } = options;
  return createPayerBudget({ ...BUDGET, unitsPerRps, share, now });
}

/**
 * Throws if a payer has no time left. It is asked before the work of a call begins: a call that has begun goes on, and
 * what it takes more is owed. Without a payer it is work of our own.
 */
export function checkVmBudget(budget: PayerBudget, payer: Payer | undefined): void {
  const seconds = payer === undefined ? 0 : budget.retrySeconds(payer);
  if (seconds > 0) throw new VmTimeSpent(seconds);
}
