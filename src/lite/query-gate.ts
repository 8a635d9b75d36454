import { LiteTimeout } from './errors.ts';

interface Waiting {
  readonly admit: () => void;
}

/** Lets so many queries run at a time; the others wait in the order they came, each until its own deadline. */
export class QueryGate {
  readonly #limit: number;
  readonly #queue = new Set<Waiting>();
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Takes a place, which `leave` gives back. Returns undefined when there is one at once, else a promise that rejects
   * with LiteTimeout or the reason of the signal when the wait was in vain.
   */
  enter(timeoutMs: number, signal?: AbortSignal): Promise<void> | undefined {
    if (this.#running < this.#limit) {
      this.#running += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#queue.delete(waiting);
      };
      const onAbort = (): void => {
        stop();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new LiteTimeout());
      }, timeoutMs);
      const waiting: Waiting = {
        admit: () => {
          stop();
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort);
      this.#queue.add(waiting);
    });
  }

  /** Gives the place to the next one in the queue. */
  leave(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#running -= 1;
    else next.admit();
  }
}
