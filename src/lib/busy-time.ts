/**
 * Measures the time during which any work runs, however many run at once: the durations of each would mostly show how
 * long they wait for each other.
 */
export class BusyTime {
  readonly #report: (ms: number) => void;
  readonly #now: () => number;
  #running = 0;
  #sinceMs = 0;

  constructor(report: (ms: number) => void, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running++ === 0) this.#sinceMs = this.#now();
    try {
      return await work();
    } finally {
      const nowMs = this.#now();
      this.#report(nowMs - this.#sinceMs);
      this.#sinceMs = nowMs;
      this.#running -= 1;
    }
  }
}
