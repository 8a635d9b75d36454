import { type Transferable, Worker } from 'node:worker_threads';
import { startWork } from './loop-work.ts';
import {
  createProgress,
  openBatch,
  readSteps,
  reclaimJobs,
  type WorkerReady,
  type WorkerReply,
  type WorkerStart,
} from './worker-jobs.ts';

/** Writes jobs as messages to one thread. Each thread has its own, so it can keep track of what the thread knows. */
export interface JobEncoder<Job, Reply> {
  /** One message per job. Only the first job is certain to be done by this thread. */
  encode(jobs: readonly Job[]): {
    readonly messages: readonly unknown[];
    readonly transfer?: readonly Transferable[];
  };
  /** Called with every reply: a reason why the thread should be replaced, for instance the memory it holds. */
  wearOf?(reply: Reply): string | undefined;
}

/**
 * Limit for young objects of a thread. With the 48 MB of V8 an indexer takes 740 MB, with this 550 to 640 at the same CPU:
 * what a job makes is garbage by the next one.
 */
export const YOUNG_HEAP_MB = 24;

/** Why a pool or a thread did not do a job. */
export type WorkerFault = 'closed' | 'overloaded' | 'timeout' | 'hung' | 'crash';

export interface ThreadOptions<Job, Reply> {
  /** Shown in the names of threads and in the log. */
  readonly name: string;
  /** The program of a thread, see `workerFile`; it calls `serveJobs`. */
  readonly file: URL;
  readonly heapMb: number;
  readonly startLimitMs: number;
  /** How long one step of a job may take; the thread is ended soon after. */
  readonly stepLimitMs: number;
  /** Whether other threads come first when processors are short. */
  readonly isBackground?: boolean;
  readonly createEncoder: () => JobEncoder<Job, Reply>;
  /** The error that callers get. */
  readonly toError: (fault: WorkerFault, what: string, cause?: unknown) => Error;
}

/** Hears of the jobs of a batch. */
interface BatchEvents<Reply> {
  /** A job is done, in order, after so much time of the thread. */
  readonly onReply: (reply: Reply, ms: number) => void;
  /** A step has taken half of its time: the thread may have to be ended soon. */
  readonly onSlow: () => void;
  /** Only the first `begun` jobs will be done here; called once at most. */
  readonly onReclaimed: (begun: number) => void;
}

/** A worker thread that does jobs in the order in which it gets them. */
export type WorkerThread<Job, Reply> = ReturnType<typeof startThread<Job, Reply>>;

/** Jobs that a thread has not begun after this time may be done sooner by another. */
const RECLAIM_AFTER_MS = 10;
/** How often a step is looked at within its time limit. */
const LOOKS_PER_STEP = 4;

/** The program of threads, relative to the caller and without its extension: TypeScript in a checkout, JavaScript in a build. */
export function workerFile(path: string, callerUrl: string): URL {
  return new URL(`${path}${callerUrl.endsWith('.ts') ? '.ts' : '.js'}`, callerUrl);
}

/** Starts a thread. It keeps the process alive while it starts or works, not while it is idle. */
export function startThread<Job, Reply>(options: ThreadOptions<Job, Reply>, prepared: unknown) {
  const { name, file, heapMb, startLimitMs, stepLimitMs, isBackground = false, toError } = options;
  const progress = createProgress();
  const worker = new Worker(file, {
    workerData: { prepared, progress, isBackground } satisfies WorkerStart,
    name: `tongate-${name}`,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  const encoder = options.createEncoder();
  const batches: Batch<Reply>[] = [];
  let reason: Error | undefined;
  let hung = false;
  let wear: string | undefined;
  const ready = Promise.withResolvers<unknown>();
  let isReady = false;

  worker.on('message', (message) => {
    startWork('thread');
    if (isReady) onReply(message as WorkerReply<Reply>);
    else {
      isReady = true;
      ready.resolve((message as WorkerReady).prepared);
    }
  });
  worker.on('messageerror', (error) => void end(toError('crash', 'unreadable reply', error)));
  worker.on('error', (error) => {
    reason ??= toError('crash', String(error), error);
  });
  worker.on('exit', (code) => {
    reason ??= toError('crash', `exit code ${code}`);
    ready.reject(reason);
    for (const batch of batches.splice(0)) {
      batch.reclaim();
      batch.finished.reject(reason);
    }
  });

  function onReply([reply, ms]: WorkerReply<Reply>): void {
    const batch = batches[0]!;
    wear = encoder.wearOf?.(reply) ?? wear;
    batch.replied++;
    batch.onReply(reply, ms);
    if (batch.replied < batch.begun) return;
    batches.shift();
    batch.finished.resolve();
  }

  async function end(why: Error): Promise<void> {
    reason ??= why;
    await worker.terminate();
  }

  async function start(): Promise<unknown> {
    const late = (): Promise<void> => end(toError('crash', `not ready after ${startLimitMs} ms`));
    const timer = setTimeout(late, startLimitMs);
    try {
      return await ready.promise;
    } finally {
      clearTimeout(timer);
      worker.unref();
    }
  }

  function addBatch(jobs: readonly Job[], events: BatchEvents<Reply>): Batch<Reply> {
    const batch: Batch<Reply> = {
      begun: jobs.length,
      replied: 0,
      finished: Promise.withResolvers<void>(),
      onReply: events.onReply,
      reclaim() {
        const begun = reclaimJobs(progress) ?? batch.begun;
        if (begun >= batch.begun) return;
        batch.begun = begun;
        events.onReclaimed(begun);
      },
    };
    batches.push(batch);
    return batch;
  }

  /**
   * Does a batch of at least one job. Jobs that are not begun soon are reclaimed. Rejects when the thread ends before,
   * after reclaiming what was not begun.
   */
  async function run(jobs: readonly Job[], events: BatchEvents<Reply>): Promise<void> {
    if (reason !== undefined) throw reason;
    const { messages, transfer = [] } = encoder.encode(jobs);
    openBatch(progress);
    worker.postMessage(messages, transfer);
    worker.ref();
    const batch = addBatch(jobs, events);
    const reclaimTimer = jobs.length > 1 ? setTimeout(batch.reclaim, RECLAIM_AFTER_MS) : undefined;
    // A step is over time when it was the same at so many looks in a row. The first look compares with the start of the
    // first step, so that a batch that hangs at once is found in time.
    let seen = readSteps(progress) + 1;
    let looks = 0;
    const watch = setInterval(() => {
      const now = readSteps(progress);
      looks = now === seen ? looks + 1 : 0;
      seen = now;
      if (looks === LOOKS_PER_STEP / 2) events.onSlow();
      if (looks < LOOKS_PER_STEP) return;
      hung ||= reason === undefined;
      void end(toError('hung', `step took more than ${stepLimitMs} ms`));
    }, stepLimitMs / LOOKS_PER_STEP);
    try {
      await batch.finished.promise;
    } finally {
      clearTimeout(reclaimTimer);
      clearInterval(watch);
      if (batches.length === 0) worker.unref();
    }
  }

  return {
    /** Prepared by the thread for later ones; rejects if it does not start. */
    ready: start(),
    get ended(): boolean {
      return reason !== undefined;
    },
    /** Ended because a step took too long. */
    get hung(): boolean {
      return hung;
    },
    /** Why it should be replaced after the job it is doing. */
    get wear(): string | undefined {
      return wear;
    },
    run,
    /** Resolves when the jobs that it has are settled. */
    idle: () => Promise.allSettled(batches.map(({ finished }) => finished.promise)),
    end,
  };
}

interface Batch<Reply> {
  /** How many of them the thread does. */
  begun: number;
  replied: number;
  readonly finished: PromiseWithResolvers<void>;
  readonly onReply: (reply: Reply, ms: number) => void;
  /** Takes back what was not begun. */
  reclaim(): void;
}
