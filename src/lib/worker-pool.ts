import { FairQueue } from './fair-queue.ts';
import type { Log } from './log.ts';
import type { Payer } from './payer.ts';
import { startThread, type ThreadOptions, type WorkerThread } from './worker-thread.ts';

export interface WorkerPoolOptions<Job, Reply> extends ThreadOptions<Job, Reply> {
  readonly threads: number;
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

/** How long a caller waits for a job, and who the job is for. */
export interface JobLimits {
  /** Waiting for a thread included; left out, there is no limit. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whose jobs take turns with those of others; left out, it is work of our own. */
  readonly payer?: Payer | undefined;
  /**
   * Called once when no thread works on the job any more, given up or not, with the time that it took of a thread and
   * the time that it waited for one.
   */
  readonly onEnd?: ((ms: number, waitedMs: number) => void) | undefined;
}

export interface PoolState {
  readonly threads: number;
  readonly busy: number;
  readonly queued: number;
}

const SHORT_JOBS_PER_BATCH = 4;
const LONG_JOBS_PER_THREAD = 2;
/** A spare thread that was not needed ends after this time. */
const SPARE_MS = 60_000;

/**
 * Creates worker threads that do jobs, fairly between payers. They start when they are first needed, and stay; one that
 * crashes or hangs is replaced.
 */
export function createWorkerPool<Job, Reply>(options: WorkerPoolOptions<Job, Reply>) {
  const { name, log, toError, onThreadEnded = () => {} } = options;
  const batchLimit = options.jobs === 'short' ? SHORT_JOBS_PER_BATCH : 1;
  const queue = new FairQueue<WaitingJob<Job, Reply>>();
  const live = new Set<WorkerThread<Job, Reply>>();
  let busy = 0;
  let prepared: Promise<unknown> | undefined;
  let closed = false;

  const closedError = (): Error => toError('closed', 'the pool is closed');

  async function start(): Promise<WorkerThread<Job, Reply>> {
    // The first thread prepares what all need; threads that start meanwhile wait for it.
    const ready = prepared && (await prepared.catch(() => undefined));
    if (closed) throw closedError();
    const thread = startThread(options, ready);
    live.add(thread);
    if (ready === undefined) prepared = thread.ready;
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

  const spare = createSpare(start, retire);

  /** The place of one thread and its successors. */
  function createSlot() {
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
      /** The running thread; starts one if there is none. */
      thread(): Promise<WorkerThread<Job, Reply>> {
        if (current !== undefined && !running?.ended) return current;
        if (running !== undefined) live.delete(running);
        return set(spare.take() ?? start());
      },
      /** Ends a thread and starts another, so that the next job finds it warm; does not reject. */
      async replace(old: WorkerThread<Job, Reply> | undefined, reason: string): Promise<void> {
        // Another job of the same thread may have replaced it already.
        if (old === undefined ? current !== undefined : running !== old) return;
        if (closed) return;
        onThreadEnded(reason);
        const retired = retire(old);
        try {
          await set(spare.take() ?? retired.then(start));
        } catch (error) {
          if (!closed) log.error({ err: error, pool: name }, 'Worker thread did not start');
        }
      },
    };
  }

  async function serve(slot: ReturnType<typeof createSlot>): Promise<void> {
    for (let job = await queue.take(); job !== undefined; job = await queue.take()) {
      let thread: WorkerThread<Job, Reply> | undefined;
      let end: string | undefined;
      busy++;
      try {
        thread = await slot.thread();
        if (job.settled) finish(job, 0);
        else end = await assign(thread, job);
      } catch (error) {
        finish(job, 0);
        job.reject(error);
        end = failed(error, thread);
      } finally {
        busy--;
      }
      if (end !== undefined) await slot.replace(thread, end);
    }
  }

  /** Lets a thread do a job, and more of them where all threads have enough to do; returns why it must be replaced. */
  async function assign(thread: WorkerThread<Job, Reply>, first: WaitingJob<Job, Reply>) {
    const share = Math.floor(queue.size / options.threads);
    const batch = [first, ...queue.takeSome(Math.min(batchLimit - 1, share))];
    for (const job of batch) job.taken();
    let replied = 0;
    let begunAt = performance.now();
    let last: Reply | undefined;
    try {
      await thread.run(
        batch.map(({ job }) => job),
        {
          onReply(reply, ms) {
            const job = batch[replied++]!;
            begunAt = performance.now();
            finish(job, ms);
            // The last caller hears of it when the thread is free.
            if (replied < batch.length) job.resolve(reply);
            else last = reply;
          },
          onReclaimed: (begun) => requeue(batch.splice(begun)),
          onSlow: spare.prepare,
        },
      );
      batch.at(-1)!.resolve(last!);
      return thread.wear;
    } catch (error) {
      for (const [at, job] of batch.entries()) {
        // The thread ended within the first job without a reply.
        finish(job, at === replied ? performance.now() - begunAt : 0);
        job.reject(error);
      }
      return failed(error, thread);
    }
  }

  function finish(job: WaitingJob<Job, Reply>, ms: number): void {
    queue.done(job, ms);
    job.end(ms);
  }

  function requeue(jobs: readonly WaitingJob<Job, Reply>[]): void {
    const [settled, unsettled] = [jobs.filter((job) => job.settled), jobs.filter((job) => !job.settled)];
    for (const job of settled) finish(job, 0);
    if (!closed) queue.giveBack(unsettled);
    else for (const job of unsettled) refuse(job, closedError());
  }

  /** Rejects a job that no thread has begun. */
  function refuse(job: WaitingJob<Job, Reply>, error: unknown): void {
    job.end(0);
    job.reject(error);
  }

  function failed(error: unknown, thread: WorkerThread<Job, Reply> | undefined): string {
    if (!closed) log.warn({ err: error, pool: name }, 'Worker thread failed');
    return thread?.hung ? 'timeout' : 'crash';
  }

  const slots = Array.from({ length: options.threads }, createSlot);
  const jobsPerThread = options.jobs === 'short' ? 1 : LONG_JOBS_PER_THREAD;
  const served = slots.flatMap((slot) => Array.from({ length: jobsPerThread }, () => serve(slot)));

  return {
    run(job: Job, limits: JobLimits = {}): Promise<Reply> {
      if (closed) return Promise.reject(closedError());
      const onTimeout = (): Error => toError('timeout', `not done in ${limits.timeoutMs} ms`);
      const waiting: WaitingJob<Job, Reply> = createWaitingJob(job, limits, onTimeout, () => {
        if (queue.remove(waiting)) waiting.end(0);
      });
      if (waiting.settled) waiting.end(0);
      else {
        const dropped = queue.offer(waiting, options.queueLimit);
        if (dropped !== undefined) refuse(dropped, toError('overloaded', `${queue.size} jobs are waiting`));
      }
      return waiting.result;
    },
    /** Starts all threads that are not running yet. */
    async warm(): Promise<void> {
      await Promise.all(slots.map((slot) => slot.thread()));
    },
    state: (): PoolState => ({ threads: live.size, busy, queued: queue.size }),
    /** Ends all threads; jobs that are not done are rejected. */
    async close(): Promise<void> {
      closed = true;
      spare.close();
      for (const job of queue.close()) refuse(job, closedError());
      await Promise.all([...live].map((thread) => thread.end(closedError())));
      await Promise.all(served);
      live.clear();
    },
  };
}

/** A thread that is started before it is needed, so that nobody waits for its start. */
function createSpare<Job, Reply>(
  start: () => Promise<WorkerThread<Job, Reply>>,
  retire: (thread: WorkerThread<Job, Reply>) => Promise<void>,
) {
  let starting: Promise<WorkerThread<Job, Reply>> | undefined;
  let expiry: NodeJS.Timeout | undefined;

  /** The one there is, if any. */
  function take(): Promise<WorkerThread<Job, Reply>> | undefined {
    clearTimeout(expiry);
    const taken = starting;
    starting = undefined;
    return taken;
  }

  /** Starts one unless there is one. */
  function prepare(): void {
    clearTimeout(expiry);
    expiry = setTimeout(() => take()?.then(retire, () => {}), SPARE_MS).unref();
    if (starting !== undefined) return;
    const one = start();
    starting = one;
    one.catch(() => {
      if (starting === one) starting = undefined;
    });
  }

  return { prepare, take, close: () => void take()?.catch(() => {}) };
}

/** A job until it is settled: done, failed or given up, whichever is first. */
type WaitingJob<Job, Reply> = ReturnType<typeof createWaitingJob<Job, Reply>>;

/** Creates a job that is rejected when its time is over or its caller has gone; `onGiveUp` is called then. */
function createWaitingJob<Job, Reply>(
  job: Job,
  { timeoutMs, signal, payer, onEnd }: JobLimits,
  onTimeout: () => Error,
  onGiveUp: () => void,
) {
  const result = Promise.withResolvers<Reply>();
  let settled = false;
  let ended = false;
  const createdAt = performance.now();
  let takenAt: number | undefined;
  const settle = (act: () => void): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    act();
  };
  const waiting = {
    job,
    result: result.promise,
    get settled(): boolean {
      return settled;
    },
    resolve: (reply: Reply) => settle(() => result.resolve(reply)),
    reject: (reason: unknown) => settle(() => result.reject(reason)),
    payer,
    /** A thread has got it. */
    taken(): void {
      takenAt = performance.now();
    },
    /** Tells how long a thread worked on it; only the first call counts. */
    end(ms: number): void {
      if (!ended) onEnd?.(ms, (takenAt ?? performance.now()) - createdAt);
      ended = true;
    },
  };
  const giveUp = (reason: unknown): void => {
    waiting.reject(reason);
    onGiveUp();
  };
  const abort = (): void => giveUp(signal!.reason);
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => giveUp(onTimeout()), Math.max(0, timeoutMs));
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) waiting.reject(signal.reason);
  return waiting;
}
