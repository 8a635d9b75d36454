import { fromAccountBytes } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import { type AccountCells, accountCells } from '../../chain/contracts/account-cells.ts';
import type { AccountChange } from '../../index/write/decoded-seqno.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { mapInOrder } from '../../lib/concurrency.ts';
import type { FetchContext } from '../../lite/fetch-context.ts';
import { getAccountState } from '../../lite/methods/accounts.ts';
import type { LiteSession } from '../../lite/session.ts';

interface StateRequest {
  readonly account: Buffer;
  /** The expected hash of the state; a newer state is useless. */
  readonly hash: Buffer;
}

/** Fetches the cells of an account at a masterchain block; undefined when its state has another hash there. */
export async function fetchAccountCells(
  session: LiteSession,
  check: FetchContext['check'],
  block: BlockId,
  { account, hash }: StateRequest,
): Promise<AccountCells | undefined> {
  const id = fromAccountBytes(account);
  const found = await session.run((target) => getAccountState(target.query, block, id, check));
  if (found.account === undefined) return undefined;
  const { cells, cell } = found.account;
  return cells.hash(cell, 0).equals(hash) ? accountCells(found.account) : undefined;
}

interface FetchStatesOptions {
  /** The masterchain block of a change. */
  readonly blockOf: (mcSeqno: number) => BlockId;
  readonly max?: number;
  readonly concurrency?: number;
  /** Time limit for all of them. */
  readonly timeoutMs?: number;
}

const MAX_STATES = 64;
const CONCURRENCY = 8;
const TIMEOUT_MS = 2000;

/** Fetches the states after changes, as many as the limits permit. States that fail are left out. */
export async function fetchStates(
  { pool, check, signal }: Pick<FetchContext, 'pool' | 'check' | 'signal'>,
  changes: readonly (StateRequest & Pick<AccountChange, 'mcSeqno'>)[],
  { blockOf, max = MAX_STATES, concurrency = CONCURRENCY, timeoutMs = TIMEOUT_MS }: FetchStatesOptions,
): Promise<Map<string, AccountCells>> {
  const found = new Map<string, AccountCells>();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  await mapInOrder(changes.slice(0, max), concurrency, async (change) => {
    if (limit.aborted) return;
    const seqno = change.mcSeqno;
    try {
      const session = await pool.session({ seqno, budgetMs: timeoutMs, signal: limit });
      const cells = await fetchAccountCells(session, check, blockOf(seqno), change);
      if (cells !== undefined) found.set(bytesKey(change.account), cells);
    } catch {
      // It is fetched later, at the head.
    }
  });
  signal.throwIfAborted();
  return found;
}
