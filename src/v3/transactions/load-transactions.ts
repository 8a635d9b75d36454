import type { Kysely } from 'kysely';
import Type, { type Static } from 'typebox';
import { readWholeTransactions, type TransactionKey } from '../../db/queries/whole-transactions.ts';
import type { Tables } from '../../db/tables.ts';
import { bookSchema, loadBook } from '../books.ts';
import type { V3Call } from '../call.ts';
import { accountsOf, toTransaction, transactionSchema } from './transaction.ts';

/** The answer of operations that list transactions. */
export const transactionsSchema = Type.Object({
  transactions: Type.Array(transactionSchema),
  ...bookSchema,
});

/** The answer with the transactions of some keys, in their order. */
export async function loadTransactions(
  call: V3Call,
  db: Kysely<Tables>,
  keys: readonly TransactionKey[],
): Promise<Static<typeof transactionsSchema>> {
  const whole = await readWholeTransactions(db, { keys });
  const transactions = whole.map((one) => toTransaction(one, call.bodies));
  return { transactions, ...(await loadBook(call, db, accountsOf(whole))) };
}
