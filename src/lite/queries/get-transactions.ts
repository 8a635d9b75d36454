import type { AccountId } from '../../chain/tl/names.ts';
import { type AccountTransaction, checkTransactions } from '../proofs/account-transactions.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** A transaction by its logical time and hash; a logical time of zero stands for none. */
export interface TransactionPlace {
  readonly lt: bigint;
  readonly hash: Buffer;
}

/** Servers give no more than this in one answer. */
export const MAX_HISTORY_PAGE = 16;

/** Transactions of an account back from a given one, newest first; as many as a server gives in one answer. */
export async function getTransactions(
  ask: Ask,
  account: AccountId,
  { lt, hash }: TransactionPlace,
  count: number,
  options: CheckOptions,
): Promise<AccountTransaction[]> {
  if (lt === 0n) return [];
  const question = { count, account, lt, hash };
  const answer = await askFor(ask, { method: 'getTransactions', ...question }, 'VALIDATE_TRANSACTION');
  return checkTransactions(answer, question, options);
}
