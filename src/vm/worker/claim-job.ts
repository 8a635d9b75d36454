const RUNS_AT = 0;
const JOBS_AT = 1;
const TAKEN_BACK = -1;

/** What a thread and its owner count together. */
export function createProgress(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Counts the beginning or the end of a run. */
export function countStep(progress: Int32Array): void {
  Atomics.add(progress, RUNS_AT, 1);
}

/** Beginnings and ends of runs so far. */
export function stepsOf(progress: Int32Array): number {
  return Atomics.load(progress, RUNS_AT);
}

/** The owner, before it sends jobs: the first one counts as begun. */
export function openJobs(progress: Int32Array): void {
  Atomics.store(progress, JOBS_AT, 1);
}

/** The thread, before it tells of the job before: whether it may go on with a job. */
export function claimJob(progress: Int32Array, index: number): boolean {
  return Atomics.compareExchange(progress, JOBS_AT, index, index + 1) === index;
}

/** The owner: takes back all jobs that have not begun, and gives the number of those that have; undefined the next time. */
export function takeBackJobs(progress: Int32Array): number | undefined {
  const begun = Atomics.exchange(progress, JOBS_AT, TAKEN_BACK);
  return begun === TAKEN_BACK ? undefined : begun;
}
