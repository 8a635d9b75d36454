import { defineOperation, type Operation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { PendingTrace } from '../../pending/pending-traces.ts';
import { loadBook } from '../books.ts';
import type { V3Call } from '../call.ts';
import { accountsParam } from '../params/accounts.ts';
import { hashKind } from '../params/hash.ts';
import { listParam } from '../params/list.ts';
import { readIndex } from '../read-index.ts';
import { transactionsSchema } from '../transactions/load-transactions.ts';
import { accountsOf } from '../transactions/transaction.ts';
import { accountOf, inOrder } from '../unindexed/in-order.ts';
import { findPending, MAX_SHOWN, type TracedTransaction, withoutIndexed } from './find-pending.ts';
import { pendingTransactionsExample } from './pending-examples.ts';
import { pendingRow, toPendingTransaction, traceIdOf } from './pending-rows.ts';

const MAX_HASHES = 1000;

/** Transactions that will happen, as far as that can be foreseen. */
export function createPendingTransactions(): Operation<V3Call> {
  return defineOperation({
    name: 'pendingTransactions',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Transactions that are not in a block yet',
    description:
      'What messages that were sent will do at some accounts, as an emulation foresees it. Without order; at most 1000, those of newer messages first.',
    parameters: {
      account: accountsParam({
        description: 'Accounts of the transactions.',
        required: true,
        missingText: 'at least 1 account address required',
      }),
      trace_id: listParam(hashKind, {
        description: 'Ids of traces; only of those that have begun.',
        max: MAX_HASHES,
      }),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'Nothing is known for the accounts' }],
    cache: 'head',
    examples: [
      pendingTransactionsExample,
      {
        title: 'No account',
        params: {},
        failure: { code: 422, text: 'at least 1 account address required' },
      },
    ],
    handler: async ({ account: accounts, trace_id: ids }, call: V3Call) => {
      const found = (await findPending(call, { accounts })).filter((trace) => isOneOf(trace, ids));
      const foreseen = foreseenAt(accounts, found);
      if (foreseen.length === 0) throw new Failure('not_found', 'emulated traces not found');
      return readIndex(call, async (db) => {
        const shown = await withoutIndexed(db, foreseen);
        const rows = shown.map(({ trace, transaction }) => pendingRow(call, trace, transaction));
        const transactions = shown.map(({ trace, transaction }, at) =>
          toPendingTransaction(call, trace, transaction, rows[at]!),
        );
        return { transactions, ...(await loadBook(call, db, accountsOf(rows))) };
      });
    },
  });
}

function isOneOf(trace: PendingTrace, ids: readonly Buffer[]): boolean {
  return ids.length === 0 || ids.some((id) => traceIdOf(trace)?.equals(id));
}

/** Predicted transactions of some accounts. */
function foreseenAt(accounts: readonly Buffer[], traces: readonly PendingTrace[]): TracedTransaction[] {
  const asked = new Set(accounts.map((account) => account.toString('latin1')));
  return traces
    .flatMap((trace) =>
      inOrder(trace.transactions)
        .filter((one) => one.emulated && asked.has(accountOf(one).toString('latin1')))
        .map((transaction) => ({ trace, transaction })),
    )
    .slice(0, MAX_SHOWN);
}
