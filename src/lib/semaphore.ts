/** Lets a limited number run at a time; the others wait in the order they came, each until its own deadline. */
export class Semaphore {
  readonly #limit: number;
  readonly #timeoutError: () => Error;
  readonly #queue = new Set<() => void>();
  #running = 0;

  /** `timeoutError` creates what a waiter whose time is over is rejected with. */
  constructor(limit: number, timeoutError: () => Error) {
    this.#limit = limit;
    this.#timeoutError = timeoutError;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Takes a permit, which `release` gives back. Returns undefined when one is free, else a promise that rejects with
   * the timeout error or the reason of the signal.
   */
  acquire(timeoutMs: number, signal?: AbortSignal): Promise<void> | undefined {
    if (this.#running < this.#limit) {
      this.#running += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#queue.delete(admit);
      };
      const onAbort = (): void => {
        stop();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        stop();
        reject(this.#timeoutError());
      }, timeoutMs);
      const admit = (): void => {
        stop();
        resolve();
      };
      signal?.addEventListener('abort', onAbort);
      this.#queue.add(admit);
    });
  }

  /** Gives the permit to the first waiter. */
  release(): void {
    const [admit] = this.#queue;
    if (admit === undefined) this.#running -= 1;
    else admit();
  }
}
