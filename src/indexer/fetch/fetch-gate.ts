import type { BusyTime } from '../../lib/busy-time.ts';
import { LiteTimeout } from '../../lite/errors.ts';

const FEWEST = 2;
const SLOWER = 0.6;

/**
 * Lets some fetches run at a time; the others wait in the order they came. Servers that are too slow for so many are
 * asked for fewer at a time, and for more again when they keep up: a query has a time of its own, and many at once on
 * a slow line would never come to an end.
 */
export class FetchGate {
  readonly #most: number;
  readonly #busy: BusyTime | undefined;
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;

  /** `busy` measures the time in which anything is fetched. */
  constructor(most: number, busy?: BusyTime) {
    this.#most = most;
    this.#busy = busy;
    this.#limit = most;
  }

  /** How many may run now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  async run<T>(fetch: () => Promise<T>): Promise<T> {
    if (this.#running >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      const result = await (this.#busy === undefined ? fetch() : this.#busy.during(fetch));
      this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit);
      return result;
    } catch (error) {
      if (error instanceof LiteTimeout) this.#limit = Math.max(FEWEST, this.#limit * SLOWER);
      throw error;
    } finally {
      this.#leave();
    }
  }

  /** A place is handed on, or kept free while there are more than there should be. */
  #leave(): void {
    this.#running -= 1;
    while (this.#running < this.limit && this.#waiting.length > 0) {
      this.#running += 1;
      this.#waiting.shift()!();
    }
  }
}
