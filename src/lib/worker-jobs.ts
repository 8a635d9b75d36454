/**
 * The inside of a worker thread: does the jobs that its pool (`worker-pool.ts`) sends, and the two counters that both
 * sides share.
 */
import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { lowerPriority } from './thread-priority.ts';

export interface WorkerStart {
  /** Prepared by an earlier thread of the pool. */
  readonly prepared: unknown;
  /** One counter for the steps of jobs, which the time limit watches, and one for the jobs of a batch that were begun. */
  readonly progress: Int32Array;
  /** Whether other threads come first when processors are short. */
  readonly isBackground: boolean;
}

/** The first message of a thread: it takes jobs from now on. */
export interface WorkerReady {
  readonly prepared: unknown;
}

/** A message of a thread after that: the reply to a job, and how long the thread worked on it. */
export type WorkerReply<Reply> = readonly [reply: Reply, ms: number];

interface ServeOptions<Reply> {
  /** Something that later threads of the pool reuse, as a compiled module. */
  readonly prepared?: unknown;
  /** The parts of a reply that are moved instead of copied. */
  readonly transfer?: (reply: Reply) => readonly Transferable[];
}

/** The value that an earlier thread of the pool passed to `serveJobs` as `prepared`; undefined in the first thread. */
export function readPrepared<T>(): T | undefined {
  return (workerData as WorkerStart).prepared as T | undefined;
}

/**
 * Does the jobs of the pool one after another. `work` calls `step` before and after each part of a job that the time
 * limit applies to. If it throws, the thread ends and its pool starts another.
 */
export function serveJobs<Message, Reply>(
  work: (message: Message, step: () => void) => Reply | Promise<Reply>,
  { prepared, transfer }: ServeOptions<Reply> = {},
): void {
  const port = parentPort!;
  const { progress, isBackground } = workerData as WorkerStart;
  const step = (): void => countStep(progress);
  if (isBackground) lowerPriority();

  async function serveBatch(batch: readonly Message[]): Promise<void> {
    for (let next = 1, goesOn = true; goesOn; next++) {
      const timer = startTimer();
      const reply = await work(batch[next - 1]!, step);
      const ms = timer();
      goesOn = next < batch.length && claimJob(progress, next);
      port.postMessage([reply, ms] satisfies WorkerReply<Reply>, transfer?.(reply) ?? []);
    }
  }

  let last = Promise.resolve();
  port.on('message', (batch: readonly Message[]) => {
    last = last.then(() => serveBatch(batch));
  });
  port.postMessage({ prepared } satisfies WorkerReady);
}

/** The processor time of a thread is counted in steps of a few milliseconds. */
const COUNTED_FROM_MS = 10;

/** Starts to measure a job. What is returned gives its processor time, so that it does not pay for a busy machine. */
function startTimer(): () => number {
  const startedAt = performance.now();
  const startCpuMs = threadCpuMs();
  return () => {
    const ms = performance.now() - startedAt;
    if (ms <= COUNTED_FROM_MS || startCpuMs === undefined) return ms;
    return Math.max(COUNTED_FROM_MS, threadCpuMs()! - startCpuMs);
  };
}

/** Undefined in Node 22, which does not tell. */
function threadCpuMs(): number | undefined {
  const usage = process.threadCpuUsage?.();
  return usage && (usage.user + usage.system) / 1000;
}

const STEPS_AT = 0;
const JOBS_AT = 1;
const RECLAIMED = -1;

export function createProgress(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** In the thread: counts the start or the end of a step. */
function countStep(progress: Int32Array): void {
  Atomics.add(progress, STEPS_AT, 1);
}

/** In the pool: starts and ends of steps so far. */
export function readSteps(progress: Int32Array): number {
  return Atomics.load(progress, STEPS_AT);
}

/** In the pool, before it sends a batch: the first job counts as begun. */
export function openBatch(progress: Int32Array): void {
  Atomics.store(progress, JOBS_AT, 1);
}

/** In the thread, before it replies to the job before: whether it may begin a job, or the pool has reclaimed it. */
function claimJob(progress: Int32Array, index: number): boolean {
  return Atomics.compareExchange(progress, JOBS_AT, index, index + 1) === index;
}

/** In the pool: reclaims the jobs that were not begun and returns how many were; undefined if called before. */
export function reclaimJobs(progress: Int32Array): number | undefined {
  const begun = Atomics.exchange(progress, JOBS_AT, RECLAIMED);
  return begun === RECLAIMED ? undefined : begun;
}
