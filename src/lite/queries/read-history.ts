import type { AccountTransaction } from '../proofs/account-transactions.ts';
import { MAX_HISTORY_PAGE, type TransactionPlace } from './get-transactions.ts';

/** Which part of an account's history to read. */
export interface HistoryPart {
  /** The newest transaction to read. */
  readonly from: TransactionPlace;
  readonly limit: number;
  /** Transactions up to this logical time are left out. */
  readonly toLt?: bigint | undefined;
}

/** Asks for one page; `getTransactions` does. */
export type GetHistoryPage = (
  from: TransactionPlace,
  count: number,
) => Promise<readonly AccountTransaction[]>;

/**
 * Reads an account's history in as many pages as it takes, newest transaction first. Gives the transaction before the
 * last one that was read, also if that was left out; a time of zero for none.
 */
export async function readHistory(
  getPage: GetHistoryPage,
  { from, limit, toLt = 0n }: HistoryPart,
  take: (transaction: AccountTransaction) => void,
): Promise<TransactionPlace> {
  let previous = from;
  let taken = 0;
  while (taken < limit && previous.lt > toLt && previous.lt > 0n) {
    const page = await getPage(previous, Math.min(MAX_HISTORY_PAGE, limit - taken));
    const { prevTransLt: lt, prevTransHash: hash } = page.at(-1)!;
    previous = { lt, hash };
    for (const transaction of page) {
      if (transaction.lt <= toLt) break;
      take(transaction);
      taken++;
    }
  }
  return previous;
}
