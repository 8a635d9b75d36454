import Type from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getTransactionsStdExamples } from '../examples/get-transactions-std.ts';
import { historyParameters, historyStart } from '../params/history.ts';
import { historyRefusals } from '../params/history-refusals.ts';
import { readAccountHistory } from '../reads/account-history.ts';
import { TransactionWriter } from '../reads/transaction-writer.ts';
import { RawTransaction, rawTransaction } from '../shapes/transaction.ts';
import { TransactionId, transactionId } from '../shapes/transaction-id.ts';

/** The history of an account, with the place where it goes on. */
export const getTransactionsStd = defineOperation({
  name: 'getTransactionsStd',
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Transactions of an account, newest first, and the one before them',
  description:
    'As getTransactions, in the form of tonlib. `previous_transaction_id` is where to go on; a `lt` of "0" is the ' +
    'beginning of the history.',
  parameters: historyParameters(),
  result: Type.Object({
    '@type': Type.Literal('raw.transactions'),
    transactions: Type.Array(RawTransaction),
    previous_transaction_id: TransactionId,
  }),
  cache: 'immutable',
  examples: [...getTransactionsStdExamples, ...historyRefusals],
  handler: async ({ address, limit, lt, hash, to_lt: toLt, archival }, call: V2Call) => {
    const from = historyStart(lt, hash);
    const writer = new TransactionWriter({
      workchain: address.workchain,
      write: rawTransaction,
      limit: 'limit',
    });
    const wanted = { from, limit, toLt, archival };
    const previous = await readAccountHistory(call, address, wanted, (found) => writer.add(found));
    call.lasting = from !== undefined;
    return {
      '@type': 'raw.transactions' as const,
      transactions: writer.written,
      previous_transaction_id: transactionId(previous.lt, previous.lt === 0n ? NO_HASH : previous.hash),
    };
  },
});

const NO_HASH = Buffer.alloc(32);
