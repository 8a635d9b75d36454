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
