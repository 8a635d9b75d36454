import { LiteBudgetSpent, NoLiteServer } from '../../lite/errors.ts';
import type { LitePool } from '../../lite/pool.ts';
import type { LiteSession } from '../../lite/session.ts';
import type { V2Call } from '../call.ts';

export interface SessionWish {
  /** Only servers with a whole archive. */
  readonly archival?: boolean | undefined;
  /** Masterchain block that will be asked about. */
  readonly seqno?: number | undefined;
  /** Put before the text when no server suits; some operations have it, by contract. */
  readonly refusalPrefix?: string;
}

/** What some operations say before the refusal of the pool. */
export const NO_SESSION = 'failed to get session: ';

/** How far ahead of us a block may be, and how long it is awaited. */
const NEAR_BLOCKS = 4;
const NEAR_MS = 2000;

/** Binds a lite server and a reference block to a call, within what is left of its time. */
export async function openSession(call: V2Call, wish: SessionWish = {}): Promise<LiteSession> {
  const { archival, seqno, refusalPrefix } = wish;
  const budgetMs = call.deadlineMs - performance.now();
  if (budgetMs <= 0) throw new LiteBudgetSpent();
  const pool = call.ports.pool(call.group);
  try {
    await awaitNearBlock(pool, seqno, Math.min(NEAR_MS, budgetMs), call.signal);
    const session = await pool.session({ archival, seqno, budgetMs, signal: call.signal });
    call.bound.push(session);
    return session;
  } catch (error) {
    if (refusalPrefix !== undefined && error instanceof NoLiteServer)
      throw new NoLiteServer(refusalPrefix + error.message);
    throw error;
  }
}

/**
 * Waits for a block that must come any moment: the caller knows it from elsewhere, such as another instance of ours
 * that saw it first. If it does not come, the refusal of a lite server tells why.
 */
async function awaitNearBlock(
  pool: LitePool,
  seqno: number | undefined,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const head = pool.head?.seqno;
  if (seqno === undefined || head === undefined || seqno <= head || seqno > head + NEAR_BLOCKS) return;
  await pool.waitForSeqno(seqno, { timeoutMs, signal }).catch(() => undefined);
}
