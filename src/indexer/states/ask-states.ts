import type { BlockId } from '../../chain/block-id.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import { getAccountState } from '../../lite/queries/get-account-state.ts';
import type { LiteSession } from '../../lite/session.ts';
import type { AccountChange } from '../decode/decoded-seqno.ts';
import type { FetchContext } from '../fetch/fetch-context.ts';
import { keyOf } from '../hash-key.ts';
import { type AccountCells, accountCells } from './account-cells.ts';

/** What is asked about one account. */
export interface StateWish {
  readonly account: Buffer;
  /** The hash that the state must have; an account that has moved on is of no use. */
  readonly hash: Buffer;
}

/** Asks for the cells of an account at a masterchain block; undefined when its state is another one by then. */
export async function askAccountCells(
  session: LiteSession,
  check: FetchContext['check'],
  block: BlockId,
  { account, hash }: StateWish,
): Promise<AccountCells | undefined> {
  const id = { workchain: account.readInt8(0), hash: account.subarray(1) };
  const found = await session.run((target) => getAccountState(target.query, block, id, check));
  if (found.account === undefined) return undefined;
  const { cells, cell } = found.account;
  return cells.hash(cell, 0).equals(hash) ? accountCells(found.account) : undefined;
}

export interface AskOptions {
  /** The masterchain block of a change. */
  readonly blockOf: (mcSeqno: number) => BlockId;
  /** Accounts that are asked for, at most. */
  readonly most?: number;
  readonly concurrency?: number;
  /** Time for all of them. */
  readonly timeoutMs?: number;
}

const MOST = 64;
const CONCURRENCY = 8;
const TIMEOUT_MS = 2000;

/** Asks for states right after changes, as many as can be had within limits. Failures are no more than gaps. */
export async function askStates(
  { pool, check, signal }: Pick<FetchContext, 'pool' | 'check' | 'signal'>,
  changes: readonly AccountChange[],
  { blockOf, most = MOST, concurrency = CONCURRENCY, timeoutMs = TIMEOUT_MS }: AskOptions,
): Promise<Map<string, AccountCells>> {
  const found = new Map<string, AccountCells>();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  await mapInOrder(changes.slice(0, most), concurrency, async (change) => {
    if (limit.aborted) return;
    const seqno = change.mcSeqno;
    try {
      const session = await pool.session({ seqno, budgetMs: timeoutMs, signal: limit });
      const cells = await askAccountCells(session, check, blockOf(seqno), change);
      if (cells !== undefined) found.set(keyOf(change.account), cells);
    } catch {
      // It is asked for later, at the head.
    }
  });
  signal.throwIfAborted();
  return found;
}
