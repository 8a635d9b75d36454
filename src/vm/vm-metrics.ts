/** How a job ended: done, never begun, too slow, or without an answer. */
export type JobOutcome = 'ok' | 'overloaded' | 'timeout' | 'aborted' | 'failed';

/** Why a thread was ended: it failed, a run took too long, or it had done or eaten enough. */
export type ThreadEnd = 'crash' | 'timeout' | 'runs' | 'memory';

/** Where the virtual machine counts; gauges are read from its `state()`. */
export interface VmMetrics {
  jobDone(outcome: JobOutcome, runs: number, seconds: number): void;
  threadEnded(reason: ThreadEnd): void;
}

/** Counts nothing. */
export const NO_METRICS: VmMetrics = { jobDone() {}, threadEnded() {} };
