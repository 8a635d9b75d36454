import type { AccountId } from '../../chain/tl/names.ts';
import type { AccountTransaction } from '../proofs/account-transactions.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { getTransactions, MAX_HISTORY_PAGE, type TransactionPlace } from './get-transactions.ts';

/** Which part of an account's history to read. */
export interface HistoryPart {
  /** The newest transaction to read. */
  readonly from: TransactionPlace;
  readonly limit: number;
  /** Transactions up to this logical time are left out. */
  readonly toLt?: bigint | undefined;
}

/** A part of an account's history, newest transaction first. */
export interface History {
  readonly transactions: readonly AccountTransaction[];
  /** The transaction before the last one that was read, also if that was left out; a time of zero for none. */
  readonly previous: TransactionPlace;
}

/** Reads an account's history in as many pages as it takes. */
export async function readHistory(
  ask: Ask,
  account: AccountId,
  { from, limit, toLt = 0n }: HistoryPart,
  options: CheckOptions,
): Promise<History> {
  const transactions: AccountTransaction[] = [];
  let previous = from;
  while (transactions.length < limit && previous.lt > toLt) {
    const count = Math.min(MAX_HISTORY_PAGE, limit - transactions.length);
    const page = await getTransactions(ask, account, previous, count, options);
    const { prevTransLt: lt, prevTransHash: hash } = page.at(-1)!;
    previous = { lt, hash };
    transactions.push(...page.filter((transaction) => transaction.lt > toLt));
  }
  return { transactions, previous };
}
