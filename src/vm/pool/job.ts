import { VmTimeout } from '../errors.ts';
import type { RunReply } from '../worker/wire.ts';
import type { Work } from './worker-thread.ts';

/** How long a caller waits for a job. */
export interface JobLimits {
  /** In all, waiting for its turn included. */
  readonly timeoutMs: number;
  /** Ends the waiting earlier. */
  readonly signal?: AbortSignal | undefined;
}

/** A job on its way; it is settled once, by whoever comes first. */
export interface Job {
  readonly work: Work;
  readonly result: Promise<readonly RunReply[]>;
  readonly settled: boolean;
  resolve(replies: readonly RunReply[]): void;
  reject(reason: unknown): void;
}

/** Makes a job that gives up when its time is over; `onGiveUp` is told then. */
export function createJob(work: Work, { timeoutMs, signal }: JobLimits, onGiveUp: (job: Job) => void): Job {
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
