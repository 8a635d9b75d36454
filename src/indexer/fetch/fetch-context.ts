import type { BusyTime } from '../../lib/busy-time.ts';
import type { Log } from '../../lib/log.ts';
import { LiteTimeout } from '../../lite/errors.ts';
import type { CheckOptions } from '../../lite/methods/proofs.ts';
import type { LitePool } from '../../lite/pool.ts';
import type { LiteTarget } from '../../lite/session.ts';

/** What fetching needs of the lite servers. */
export type FetchPool = Pick<LitePool, 'zeroState' | 'head' | 'session' | 'waitForSeqno'>;

/** What everything that fetches has in common. */
export interface FetchContext {
  readonly pool: FetchPool;
  readonly check: CheckOptions;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** For all that is fetched under this context. */
  readonly gate: FetchGate;
  /** Hears of what went wrong and is tried again. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

/** Blocks may be large and servers slow; each query has its own, shorter time. */
const BUDGET_MS = 60_000;

/** Runs work about a masterchain block on a server that has it. */
export async function onServer<T>(
  { pool, signal }: FetchContext,
  seqno: number,
  work: (target: LiteTarget) => Promise<T>,
): Promise<T> {
  const session = await pool.session({ seqno, budgetMs: BUDGET_MS, signal });
  return session.run(work);
}

const MIN_CONCURRENCY = 2;
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
      if (error instanceof LiteTimeout) this.#limit = Math.max(MIN_CONCURRENCY, this.#limit * SLOWER);
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
