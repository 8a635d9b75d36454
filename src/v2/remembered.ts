import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../lite/single-flight.ts';

/** Who wants to know, and for how long. */
interface Asker {
  /** On the clock of `performance.now`. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** How much is remembered. */
interface Room<T> {
  readonly entries: number;
  readonly bytes: number;
  readonly bytesOf: (value: T) => number;
}

/** Facts by key that cannot change: each is read once, however many want it at the same time. */
export class Remembered<T extends object> {
  readonly #known: LRUCache<string, T>;
  /** Who reads is known by his `read`: one who tries again elsewhere must not get what his first attempt comes to. */
  readonly #underWay = new SingleFlight<() => Promise<T>, T>();

  constructor({ entries, bytes, bytesOf }: Room<T>) {
    this.#known = new LRUCache({ max: entries, maxSize: bytes, sizeCalculation: bytesOf });
  }

  /** What is known by a key, or else what `read` gives. A failure is not remembered. */
  async get(key: string, asker: Asker, read: () => Promise<T>): Promise<T> {
    for (;;) {
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      const patience = { timeoutMs: asker.deadlineMs - performance.now(), signal: asker.signal };
      const { owner, result } = this.#underWay.join(key, read, () => this.#read(key, read), patience);
      if (owner === read) return result;
      try {
        return await result;
      } catch (error) {
        // Whoever read had another server and may have had less time: the next round is not his.
        if (asker.signal.aborted || performance.now() >= asker.deadlineMs) throw error;
      }
    }
  }

  async #read(key: string, read: () => Promise<T>): Promise<T> {
    const value = await read();
    this.#known.set(key, value);
    return value;
  }
}
