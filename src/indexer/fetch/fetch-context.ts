import type { Log } from '../../lib/log.ts';
import type { LitePool } from '../../lite/pool.ts';
import type { CheckOptions } from '../../lite/proofs/proof-scope.ts';
import type { LiteTarget } from '../../lite/session.ts';
import type { FetchGate } from './fetch-gate.ts';

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
