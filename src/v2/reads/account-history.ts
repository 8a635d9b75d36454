import type { AccountId } from '../../chain/tl/names.ts';
import type { AccountTransaction } from '../../lite/proofs/account-transactions.ts';
import { getAccountStatePruned } from '../../lite/queries/get-account-state-pruned.ts';
import { getTransactions, type TransactionPlace } from '../../lite/queries/get-transactions.ts';
import { type HistoryPart, readHistory } from '../../lite/queries/read-history.ts';
import type { LiteTarget } from '../../lite/session.ts';
import type { V2Call } from '../call.ts';
import { NO_SESSION, openSession } from './open-session.ts';
import { withoutBlame } from './without-blame.ts';

/** Which part of an account's history is wanted: from a transaction that the caller names, or from the newest one. */
export interface WantedHistory extends Omit<HistoryPart, 'from'> {
  readonly from: TransactionPlace | undefined;
  readonly archival: boolean | undefined;
}

/**
 * Reads an account's history, newest transaction first; gives the transaction before the last one that was read. A page
 * that was read stays read: when the session moves to another server, that one is asked for the rest.
 */
export async function readAccountHistory(
  call: V2Call,
  account: AccountId,
  { from: claimed, limit, toLt, archival }: WantedHistory,
  take: (transaction: AccountTransaction) => void,
): Promise<TransactionPlace> {
  const { check } = call.ports;
  const session = await openSession(call, { archival, refusalPrefix: NO_SESSION });
  const from = claimed ?? (await session.run(newestTransaction));
  return readHistory(
    (place, count) => session.run((target) => getPage(target, place, count)),
    { from, limit, toLt },
    take,
  );

  function getPage({ query }: LiteTarget, place: TransactionPlace, count: number) {
    const page = getTransactions(query, account, place, count, check);
    return place === claimed ? withoutBlame(page) : page;
  }

  async function newestTransaction({ query, reference }: LiteTarget): Promise<TransactionPlace> {
    const { lastTransLt, lastTransHash } = await getAccountStatePruned(query, reference, account, check);
    return { lt: lastTransLt, hash: lastTransHash };
  }
}
