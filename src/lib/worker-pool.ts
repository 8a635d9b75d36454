import type { Log } from './log.ts';
import { startThread, type ThreadOptions, type WorkerThread } from './worker-thread.ts';

export interface WorkerPoolOptions<Job, Reply> extends ThreadOptions<Job, Reply> {
  /** How many threads there are at most. */
  readonly threads: number;
  /** How many jobs may wait. */
  readonly queueLimit: number;
  /**
   * Short jobs are sent to a thread several at a time while many wait: it need not sleep until the next one comes, which
   * costs a tenth of the speed. Of long jobs a thread has the next one at hand, however busy the sender is.
   */
  readonly jobs: 'short' | 'long';
  readonly log: Log;
  /** Called when a thread is replaced: 'crash', 'timeout', or what `wearOf` said. */
  readonly onThreadEnded?: (reason: string) => void;
}

/** How long a caller waits for a job. */
export interface JobLimits {
  /** Waiting for a thread included; left out, there is no limit. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PoolState {
  readonly threads: number;
  readonly busy: number;
  readonly queued: number;
}

/** Worker threads that do jobs in the order in which they come. A thread that crashes or hangs is replaced. */
export interface WorkerPool<Job, Reply> {
  run(job: Job, limits?: JobLimits): Promise<Reply>;
  /** Starts all threads that are not running yet. */
  warm(): Promise<void>;
  state(): PoolState;
  /** Ends all threads; jobs that are not done are rejected. */
  close(): Promise<void>;
}

const SHORT_JOBS_PER_BATCH = 4;
const LONG_JOBS_PER_THREAD = 2;

/** Creates a pool. Threads start when they are first needed, and stay. */
export function createWorkerPool<Job, Reply>(options: WorkerPoolOptions<Job, Reply>): WorkerPool<Job, Reply> {
  const { name, log, toError, onThreadEnded = () => {} } = options;
  const batchLimit = options.jobs === 'short' ? SHORT_JOBS_PER_BATCH : 1;
  const queue = new JobQueue<WaitingJob<Job, Reply>>();
  const live = new Set<WorkerThread<Job, Reply>>();
  let busy = 0;
  let prepared: Promise<unknown> | undefined;
  let closed = false;

  const closedError = (): Error => toError('closed', 'the pool is closed');

  async function start(): Promise<WorkerThread<Job, Reply>> {
    // The first thread prepares what all need; threads that start meanwhile wait for it.
    const known = prepared && (await prepared.catch(() => undefined));
    if (closed) throw closedError();
    const thread = startThread(options, known);
    live.add(thread);
    if (known === undefined) prepared = thread.ready;
    try {
      await thread.ready;
      return thread;
    } catch (error) {
      live.delete(thread);
      if (prepared === thread.ready) prepared = undefined;
      throw error;
    }
  }

  async function retire(thread: WorkerThread<Job, Reply> | undefined): Promise<void> {
    if (thread === undefined) return;
    await thread.idle();
    await thread.end(closedError());
    live.delete(thread);
  }

  /** The place of one thread and its successors. */
  function createSlot(): Slot<Job, Reply> {
    let current: Promise<WorkerThread<Job, Reply>> | undefined;
    let running: WorkerThread<Job, Reply> | undefined;

    function set(starting: Promise<WorkerThread<Job, Reply>>): Promise<WorkerThread<Job, Reply>> {
      running = undefined;
      current = starting;
      starting.then(
        (thread) => {
          if (current === starting) running = thread;
        },
        () => {
          if (current === starting) current = undefined;
        },
      );
      return starting;
    }

    return {
      thread() {
        if (current !== undefined && !running?.ended) return current;
        if (running !== undefined) live.delete(running);
        return set(start());
      },
      async replace(old, reason) {
        // Another job of the same thread may have replaced it already.
        if (old === undefined ? current !== undefined : running !== old) return;
        if (closed) return;
        onThreadEnded(reason);
        try {
          await set(retire(old).then(start));
        } catch (error) {
          if (!closed) log.error({ err: error, pool: name }, 'Worker thread did not start');
        }
      },
    };
  }

  async function serve(slot: Slot<Job, Reply>): Promise<void> {
    for (let job = await queue.take(); job !== undefined; job = await queue.take()) {
      let thread: WorkerThread<Job, Reply> | undefined;
      let end: string | undefined;
      busy++;
      try {
        thread = await slot.thread();
        if (job.settled) continue;
        end = await assign(thread, job);
      } catch (error) {
        job.reject(error);
        end = failed(error, thread);
      } finally {
        busy--;
      }
      if (end !== undefined) await slot.replace(thread, end);
    }
  }

  /** Lets a thread do a job, and more of them where all threads have enough to do; returns why it must be replaced. */
  async function assign(
    thread: WorkerThread<Job, Reply>,
    first: WaitingJob<Job, Reply>,
  ): Promise<string | undefined> {
    const share = Math.floor(queue.size / options.threads);
    const batch = [first, ...queue.takeSome(Math.min(batchLimit - 1, share))];
    let replied = 0;
    try {
      const last = await thread.run(
        batch.map(({ job }) => job),
        {
          onReply: (reply) => batch[replied++]!.resolve(reply),
          onReclaimed: (begun) => requeue(batch.splice(begun)),
        },
      );
      batch.at(-1)!.resolve(last);
      return thread.wear;
    } catch (error) {
      for (const job of batch) job.reject(error);
      return failed(error, thread);
    }
  }

  function requeue(jobs: readonly WaitingJob<Job, Reply>[]): void {
    if (closed) for (const job of jobs) job.reject(closedError());
    else queue.giveBack(jobs.filter(({ settled }) => !settled));
  }

  function failed(error: unknown, thread: WorkerThread<Job, Reply> | undefined): string {
    if (!closed) log.warn({ err: error, pool: name }, 'Worker thread failed');
    return thread?.hung ? 'timeout' : 'crash';
  }

  const slots = Array.from({ length: options.threads }, createSlot);
  const jobsPerThread = options.jobs === 'short' ? 1 : LONG_JOBS_PER_THREAD;
  const served = slots.flatMap((slot) => Array.from({ length: jobsPerThread }, () => serve(slot)));

  return {
    run(job, limits = {}) {
      if (closed) return Promise.reject(closedError());
      const onTimeout = (): Error => toError('timeout', `not done in ${limits.timeoutMs} ms`);
      const waiting = createWaitingJob<Job, Reply>(job, limits, onTimeout, (late) => queue.remove(late));
      if (!waiting.settled && !queue.offer(waiting, options.queueLimit))
        waiting.reject(toError('overloaded', `${queue.size} jobs are waiting`));
      return waiting.result;
    },
    async warm() {
      await Promise.all(slots.map((slot) => slot.thread()));
    },
    state: () => ({ threads: live.size, busy, queued: queue.size }),
    async close() {
      closed = true;
      for (const job of queue.close()) job.reject(closedError());
      await Promise.all([...live].map((thread) => thread.end(closedError())));
      await Promise.all(served);
      live.clear();
    },
  };
}

interface Slot<Job, Reply> {
  /** The running thread; starts one if there is none. */
  thread(): Promise<WorkerThread<Job, Reply>>;
  /** Ends a thread and starts another, so that the next job finds it warm; does not reject. */
  replace(old: WorkerThread<Job, Reply> | undefined, reason: string): Promise<void>;
}

/** A job until it is settled: done, failed or given up, whichever is first. */
interface WaitingJob<Job, Reply> {
  readonly job: Job;
  readonly result: Promise<Reply>;
  readonly settled: boolean;
  resolve(reply: Reply): void;
  reject(reason: unknown): void;
}

/** Creates a job that is rejected when its time is over or its caller has gone; `onGiveUp` is called then. */
function createWaitingJob<Job, Reply>(
  job: Job,
  { timeoutMs, signal }: JobLimits,
  onTimeout: () => Error,
  onGiveUp: (waiting: WaitingJob<Job, Reply>) => void,
): WaitingJob<Job, Reply> {
  const result = Promise.withResolvers<Reply>();
  let settled = false;
  const settle = (act: () => void): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    act();
  };
  const waiting: WaitingJob<Job, Reply> = {
    job,
    result: result.promise,
    get settled() {
      return settled;
    },
    resolve: (reply) => settle(() => result.resolve(reply)),
    reject: (reason) => settle(() => result.reject(reason)),
  };
  const giveUp = (reason: unknown): void => {
    waiting.reject(reason);
    onGiveUp(waiting);
  };
  const abort = (): void => giveUp(signal!.reason);
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => giveUp(onTimeout()), timeoutMs);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  return waiting;
}

/** Jobs that wait, and takers that wait for jobs. Jobs are served first come first served, takers last come first served. */
export class JobQueue<Job> {
  readonly #jobs = new Set<Job>();
  readonly #takers: ((job: Job | undefined) => void)[] = [];
  #closed = false;

  /** Number of waiting jobs. */
  get size(): number {
    return this.#jobs.size;
  }

  /** Hands a job to a taker, or queues it if fewer than `limit` wait; else returns false. */
  offer(job: Job, limit: number): boolean {
    const taker = this.#takers.pop();
    if (taker !== undefined) taker(job);
    else if (this.#jobs.size >= limit) return false;
    else this.#jobs.add(job);
    return true;
  }

  /** Removes a waiting job. */
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

  /** Up to `count` of the oldest jobs. */
  takeSome(count: number): Job[] {
    const some: Job[] = [];
    for (const job of this.#jobs) {
      if (some.length >= count) break;
      this.#jobs.delete(job);
      some.push(job);
    }
    return some;
  }

  /** Puts jobs that were taken back before all others. */
  giveBack(jobs: readonly Job[]): void {
    const all = [...jobs, ...this.#jobs];
    this.#jobs.clear();
    for (const job of all) this.offer(job, Number.POSITIVE_INFINITY);
  }

  /** Ends the waiting of all takers; returns the jobs that are left. */
  close(): Job[] {
    this.#closed = true;
    for (const taker of this.#takers.splice(0)) taker(undefined);
    const left = [...this.#jobs];
    this.#jobs.clear();
    return left;
  }
}
