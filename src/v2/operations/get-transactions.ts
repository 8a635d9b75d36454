import Type from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getTransactionsExamples } from '../examples/get-transactions.ts';
import { historyParameters, historyStart } from '../params/history.ts';
import { historyRefusals } from '../params/history-refusals.ts';
import { readAccountHistory } from '../reads/account-history.ts';
import { TransactionWriter } from '../reads/transaction-writer.ts';
import { ExtTransaction, extTransaction } from '../shapes/transaction.ts';

/** The history of an account. */
export const getTransactions = defineOperation({
  name: 'getTransactions',
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Transactions of an account, newest first',
  description:
    'From the newest transaction, or from the one that `lt` and `hash` name, that one included. When a lite server ' +
    'lacks a part of the history, one that has the whole chain is asked; a list is never cut short.',
  parameters: historyParameters(),
  result: Type.Array(ExtTransaction),
  cache: 'immutable',
  examples: [...getTransactionsExamples, ...historyRefusals],
  handler: async ({ address, limit, lt, hash, to_lt: toLt, archival }, call: V2Call) => {
    // Clients send a time of 0 for "from the newest".
    const from = historyStart(lt === 0n ? undefined : lt, hash);
    const writer = new TransactionWriter({
      workchain: address.workchain,
      write: extTransaction,
      limit: 'limit',
    });
    await readAccountHistory(call, address, { from, limit, toLt, archival }, (found) => writer.add(found));
    call.lasting = from !== undefined;
    return writer.written;
  },
});
