import { Failure } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { VmClosed, VmOverloaded, VmRunTooLong, VmTimeout } from './errors.ts';
import type { RunReply, WorkReply } from './worker/protocol.ts';
import { startThread, type ThreadOptions, type Work, type WorkerThread } from './worker-thread.ts';

export interface PoolOptions extends Omit<ThreadOptions, 'module'> {
  /** How many threads there are at most. */
  readonly threads: number;
  /** How many jobs may wait. */
  readonly queueLimit: number;
  /** A thread is replaced after so many runs, or when its emulator holds more memory. */
  readonly maxRuns: number;
  readonly maxMemoryBytes: number;
  readonly log: Log;
  readonly metrics: VmMetrics;
}

/** What a pool is doing. */
export interface PoolState {
  readonly threads: number;
  readonly busy: number;
  readonly queued: number;
}

/** A thread gets so many jobs at once where many wait: it need not sleep until the next one comes, which costs a tenth. */
const JOBS_PER_BATCH = 4;

/** Threads that do jobs, each one at a time. */
export interface WorkerPool {
  /** Does a job: one reply for each of its runs. */
  run(work: Work, limits: JobLimits): Promise<readonly RunReply[]>;
  /** Starts all threads that are not running yet. */
  warm(): Promise<void>;
  state(): PoolState;
  /** Ends all threads; jobs that are not done are rejected. */
  close(): Promise<void>;
}

/** Creates a pool; threads start when they are first needed, and stay. */
export function createWorkerPool(options: PoolOptions): WorkerPool {
  const { log, metrics } = options;
  const queue = new JobQueue<Job>();
  const live = new Set<WorkerThread>();
  let busy = 0;
  let compiled: Promise<object> | undefined;
  let closed = false;

  async function start(): Promise<WorkerThread> {
    // The first thread compiles the emulator; those that come meanwhile wait for it.
    const module = compiled && (await compiled.catch(() => undefined));
    if (closed) throw new VmClosed();
    const thread = startThread({ ...options, module });
    live.add(thread);
    if (module === undefined) compiled = thread.ready;
    try {
      await thread.ready;
      return thread;
    } catch (error) {
      live.delete(thread);
      if (compiled === thread.ready) compiled = undefined;
      throw error;
    }
  }

  /** Ends a thread and starts another, so that the next job finds it warm. */
  async function replace(old: WorkerThread | undefined, end: ThreadEnd): Promise<WorkerThread | undefined> {
    if (old !== undefined) {
      live.delete(old);
      await old.end(new VmClosed());
    }
    if (closed) return undefined;
    metrics.threadEnded(end);
    try {
      return await start();
    } catch (error) {
      if (!closed) log.error({ err: error }, 'a thread of the virtual machine does not start');
      return undefined;
    }
  }

  /** The life of one thread and its successors. */
  async function serve(): Promise<void> {
    let thread: WorkerThread | undefined;
    for (let job = await queue.take(); job !== undefined; job = await queue.take()) {
      let end: ThreadEnd | undefined;
      busy++;
      try {
        if (thread === undefined || thread.ended) thread = await start();
        if (job.settled) continue;
        end = await give(thread, job);
      } catch (error) {
        job.reject(error);
        end = failed(error);
      } finally {
        busy--;
      }
      if (end !== undefined) thread = await replace(thread, end);
    }
    await thread?.end(new VmClosed());
  }

  /** Lets a thread do a job, and the next ones where all threads have enough to do; says why it cannot go on. */
  async function give(thread: WorkerThread, job: Job): Promise<ThreadEnd | undefined> {
    const share = Math.floor(queue.size / options.threads);
    const jobs = [job, ...queue.takeSome(Math.min(JOBS_PER_BATCH - 1, share))];
    let replied = 0;
    try {
      const last = await thread.run(
        jobs.map(({ work }) => work),
        {
          onReply: ({ replies }) => jobs[replied++]!.resolve(replies),
          onTakenBack: (begun) => giveBack(jobs.splice(begun)),
        },
      );
      jobs.at(-1)!.resolve(last.replies);
      return whySpent(thread, last);
    } catch (error) {
      for (const one of jobs) one.reject(error);
      return failed(error);
    }
  }

  function whySpent(thread: WorkerThread, reply: WorkReply): ThreadEnd | undefined {
    if (thread.runs >= options.maxRuns) return 'runs';
    return reply.memoryBytes > options.maxMemoryBytes ? 'memory' : undefined;
  }

  function giveBack(jobs: readonly Job[]): void {
    if (closed) for (const job of jobs) job.reject(new VmClosed());
    else queue.giveBack(jobs.filter(({ settled }) => !settled));
  }

  function failed(error: unknown): ThreadEnd {
    if (!closed) log.warn({ err: error }, 'a thread of the virtual machine failed');
    return error instanceof VmRunTooLong ? 'timeout' : 'crash';
  }

  function submit(work: Work, limits: JobLimits, queueLimit: number): Promise<readonly RunReply[]> {
    if (closed) return Promise.reject(new VmClosed());
    const job = createJob(work, limits, (late) => queue.remove(late));
    if (!job.settled && !queue.offer(job, queueLimit)) job.reject(new VmOverloaded());
    return job.result;
  }

  async function run(work: Work, limits: JobLimits): Promise<readonly RunReply[]> {
    const startedAt = performance.now();
    let outcome: JobOutcome = 'ok';
    try {
      return await submit(work, limits, options.queueLimit);
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      metrics.jobDone(outcome, work.runs.length, (performance.now() - startedAt) / 1000);
    }
  }

  const slots = Array.from({ length: options.threads }, serve);

  return {
    run,
    async warm() {
      // A job without runs goes to each slot that has nothing to do.
      const nothing: Work = { runs: [], texts: [] };
      const limits = { timeoutMs: 2 * options.startLimitMs };
      await Promise.all(slots.map(() => submit(nothing, limits, Number.POSITIVE_INFINITY)));
    },
    state: () => ({ threads: live.size, busy, queued: queue.size }),
    async close() {
      closed = true;
      for (const job of queue.close()) job.reject(new VmClosed());
      for (const thread of live) void thread.end(new VmClosed());
      await Promise.all(slots);
      live.clear();
    },
  };
}

function outcomeOf(error: unknown): JobOutcome {
  if (!(error instanceof Failure)) return 'aborted';
  return error.kind === 'timeout' || error.kind === 'overloaded' ? error.kind : 'failed';
}

/** How long a caller waits for a job. */
export interface JobLimits {
  /** In all, waiting for its turn included. */
  readonly timeoutMs: number;
  /** Ends the waiting earlier. */
  readonly signal?: AbortSignal | undefined;
}

/** A job on its way; it is settled once, by whoever comes first. */
interface Job {
  readonly work: Work;
  readonly result: Promise<readonly RunReply[]>;
  readonly settled: boolean;
  resolve(replies: readonly RunReply[]): void;
  reject(reason: unknown): void;
}

/** Makes a job that gives up when its time is over; `onGiveUp` is told then. */
function createJob(work: Work, { timeoutMs, signal }: JobLimits, onGiveUp: (job: Job) => void): Job {
  const result = Promise.withResolvers<readonly RunReply[]>();
  let settled = false;
  const settle = (act: () => void): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    act();
  };
  const job: Job = {
    work,
    result: result.promise,
    get settled() {
      return settled;
    },
    resolve: (replies) => settle(() => result.resolve(replies)),
    reject: (reason) => settle(() => result.reject(reason)),
  };
  const giveUp = (reason: unknown): void => {
    job.reject(reason);
    onGiveUp(job);
  };
  const abort = (): void => giveUp(signal!.reason);
  const timer = setTimeout(() => giveUp(new VmTimeout()), timeoutMs);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  return job;
}

/** Jobs that wait, and takers that wait for jobs. Jobs go by age; of the takers the one that came last is served. */
export class JobQueue<Job> {
  readonly #jobs = new Set<Job>();
  readonly #takers: ((job: Job | undefined) => void)[] = [];
  #closed = false;

  /** Jobs that wait. */
  get size(): number {
    return this.#jobs.size;
  }

  /** Hands a job to a taker, or lets it wait if fewer than `limit` do; else gives false. */
  offer(job: Job, limit: number): boolean {
    const taker = this.#takers.pop();
    if (taker !== undefined) taker(job);
    else if (this.#jobs.size >= limit) return false;
    else this.#jobs.add(job);
    return true;
  }

  /** Takes out a job that waits. */
  remove(job: Job): void {
    this.#jobs.delete(job);
  }

  /** The oldest job, as soon as there is one; undefined when the queue is closed. */
  take(): Promise<Job | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    for (const job of this.#jobs) {
      this.#jobs.delete(job);
      return Promise.resolve(job);
    }
    const { promise, resolve } = Promise.withResolvers<Job | undefined>();
    this.#takers.push(resolve);
    return promise;
  }

  /** The next jobs that wait, so many at most. */
  takeSome(count: number): Job[] {
    const some: Job[] = [];
    for (const job of this.#jobs) {
      if (some.length >= count) break;
      this.#jobs.delete(job);
      some.push(job);
    }
    return some;
  }

  /** Puts jobs that were taken before all others. */
  giveBack(jobs: readonly Job[]): void {
    const all = [...jobs, ...this.#jobs];
    this.#jobs.clear();
    for (const job of all) this.offer(job, Number.POSITIVE_INFINITY);
  }

  /** Sends all takers home; gives the jobs that were left. */
  close(): Job[] {
    this.#closed = true;
    for (const taker of this.#takers.splice(0)) taker(undefined);
    const left = [...this.#jobs];
    this.#jobs.clear();
    return left;
  }
}

/** How a job ended: done, never begun, too slow, or without an answer. */
type JobOutcome = 'ok' | 'overloaded' | 'timeout' | 'aborted' | 'failed';

/** Why a thread was ended: it failed, a run took too long, or it had done or eaten enough. */
type ThreadEnd = 'crash' | 'timeout' | 'runs' | 'memory';

/** Where the virtual machine counts; gauges are read from its `state()`. */
export interface VmMetrics {
  jobDone(outcome: JobOutcome, runs: number, seconds: number): void;
  threadEnded(reason: ThreadEnd): void;
}

/** Counts nothing. */
export const NO_METRICS: VmMetrics = { jobDone() {}, threadEnded() {} };
