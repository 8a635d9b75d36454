import type { BlockId } from '../chain/block-id.ts';
import type { BusyTime } from '../lib/busy-time.ts';
import type { Log } from '../lib/log.ts';
import { LiteTimeout, NoLiteServer } from './errors.ts';
import type { CheckOptions } from './methods/proofs.ts';
import type { LitePool } from './pool.ts';
import type { LiteTarget } from './session.ts';

/** The part of the lite server pool that fetching needs. */
export type FetchPool = Pick<LitePool, 'zeroState' | 'head' | 'session' | 'waitForSeqno'>;

/** A pool without servers, for work that must not read from any. */
export function createNoServers(zeroState: BlockId): FetchPool {
  const refuse = async (): Promise<never> => {
    throw new NoLiteServer('this process reads from no lite server');
  };
  return { zeroState, head: undefined, session: refuse, waitForSeqno: refuse };
}

export interface FetchContext {
  readonly pool: FetchPool;
  readonly check: CheckOptions;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Limits the concurrency of everything fetched with this context. */
  readonly gate: FetchGate;
  /** Called for failures that are retried. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Blocks may be large and servers slow; each query has its own, shorter timeout. */
const BUDGET_MS = 60_000;

/** Runs work on a server that has a masterchain block. */
export async function onServer<T>(
  { pool, signal }: Pick<FetchContext, 'pool' | 'signal'>,
  seqno: number,
  work: (target: LiteTarget) => Promise<T>,
): Promise<T> {
  const session = await pool.session({ seqno, budgetMs: BUDGET_MS, signal });
  return session.run(work);
}

const MIN_CONCURRENCY = 2;
const SLOWDOWN = 0.6;

/**
 * Limits concurrent fetches; the others wait in order of arrival. The limit shrinks on timeouts and grows again with each
 * success: every query has its own timeout, and too many at once on a slow line would all time out.
 */
export class FetchGate {
  readonly #max: number;
  readonly #busy: BusyTime | undefined;
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;

  /** `busy` measures the time during which anything is fetched. */
  constructor(max: number, busy?: BusyTime) {
    this.#max = max;
    this.#busy = busy;
    this.#limit = max;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  async run<T>(fetch: () => Promise<T>): Promise<T> {
    if (this.#running >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      const result = await (this.#busy === undefined ? fetch() : this.#busy.during(fetch));
      this.#limit = Math.min(this.#max, this.#limit + 1 / this.#limit);
      return result;
    } catch (error) {
      if (error instanceof LiteTimeout) this.#limit = Math.max(MIN_CONCURRENCY, this.#limit * SLOWDOWN);
      throw error;
    } finally {
      this.#release();
    }
  }

  /** Passes the slot on, unless the limit has shrunk below the number of running fetches. */
  #release(): void {
    this.#running -= 1;
    while (this.#running < this.limit && this.#waiting.length > 0) {
      this.#running += 1;
      this.#waiting.shift()!();
    }
  }
}
