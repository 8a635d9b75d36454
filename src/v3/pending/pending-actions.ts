import Type from 'typebox';
import type { ActionRow } from '../../db/queries/action-order.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import type { PendingTrace } from '../../pending/pending-traces.ts';
import { type ActionJson, tracedActionSchema } from '../actions/action.ts';
import { supportedTypes } from '../actions/action-params.ts';
import { createActionWriter } from '../actions/action-writer.ts';
import { booksSchema, loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { booleanParam } from '../params/boolean.ts';
import { readIndex } from '../read-index.ts';
import { inOrder } from '../unindexed/in-order.ts';
import { byEndBackwards, knownActions, toUnindexedAction } from '../unindexed/shown-action.ts';
import { findPending } from './find-pending.ts';
import { NEITHER, pendingActionsExample } from './pending-examples.ts';
import { pendingParams, toQuestion } from './pending-params.ts';
import { pendingRow, toPendingTransaction, traceIdOf } from './pending-rows.ts';

/** More would make an answer that nobody reads; with transactions, each of which is read from its cells, less is enough. */
const [MAX_ACTIONS, MAX_FULL_ACTIONS] = [4000, 500];

/** What will happen, in words. */
export function createPendingActions(): Operation<V3Call> {
  return defineOperation({
    name: 'pendingActions',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Actions of traces that are not complete yet',
    description: `What messages that were sent do and will do, in words. By the greatest logical time in their trace, the latest first, then by their own. At most ${MAX_ACTIONS}, with transactions ${MAX_FULL_ACTIONS}.`,
    parameters: {
      ...pendingParams(),
      include_transactions: booleanParam({
        description: 'Show the transactions of each action.',
        fallback: false,
      }),
    },
    result: Type.Object({ actions: Type.Array(tracedActionSchema), ...booksSchema }),
    cache: 'none',
    examples: [pendingActionsExample, NEITHER],
    handler: async (params, call: V3Call) => {
      const known = new Set(supportedTypes(call, params));
      const { account, include_transactions: isFull } = params;
      const isOf = ({ accounts }: ActionRow) =>
        account === undefined || accounts.some((one) => one.equals(account));
      const chosen = (await findPending(call, toQuestion(params)))
        .toSorted(byEnd)
        .flatMap((trace) =>
          knownActions(trace.classification.actions, known)
            .filter(isOf)
            .sort(byEndBackwards)
            .map((row) => ({ trace, row })),
        )
        .slice(0, isFull ? MAX_FULL_ACTIONS : MAX_ACTIONS);
      return readIndex(call, async (db) => {
        const writer = createActionWriter(call);
        const actions = chosen.map(
          ({ trace, row }): ActionJson => ({
            ...toUnindexedAction(writer, { ...trace, traceId: traceIdOf(trace) }, row),
            ...(isFull && { transactions_full: transactionsOf(call, trace, row) }),
          }),
        );
        return { actions, ...(await loadBooks(call, db, writer.accounts)) };
      });
    },
  });
}

/** The trace with the latest transaction first. */
function byEnd(a: PendingTrace, b: PendingTrace): number {
  const [ofA, ofB] = [endOf(a), endOf(b)];
  return ofA === ofB ? 0 : ofA < ofB ? 1 : -1;
}

function endOf({ transactions }: PendingTrace): bigint {
  return transactions.reduce((latest, { lt }) => (lt > latest ? lt : latest), 0n);
}

function transactionsOf(call: V3Call, trace: PendingTrace, { tx_hashes }: ActionRow) {
  const wanted = new Set(tx_hashes.map((hash) => hash.toString('latin1')));
  return inOrder(trace.transactions)
    .filter(({ hash }) => wanted.has(hash.toString('latin1')))
    .map((one) => toPendingTransaction(call, trace, one, pendingRow(call, trace, one)));
}
