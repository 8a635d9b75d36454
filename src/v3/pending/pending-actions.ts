import Type from 'typebox';
import type { ActionRow } from '../../db/queries/action-order.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import type { PendingTrace } from '../../pending/pending-traces.ts';
import { type ActionJson, tracedActionSchema } from '../actions/action.ts';
import { supportedTypes } from '../actions/action-params.ts';
import { createActionWriter } from '../actions/action-writer.ts';
import { MAX_SHOWN_MESSAGES } from '../actions/load-actions.ts';
import { booksSchema, loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { booleanParam } from '../params/boolean.ts';
import { readIndex } from '../read-index.ts';
import type { TransactionJson } from '../transactions/transaction.ts';
import { inOrder } from '../unindexed/in-order.ts';
import { byEndBackwards, knownActions, toUnindexedAction } from '../unindexed/shown-action.ts';
import { asManyAsFit, findPending, MAX_SHOWN } from './find-pending.ts';
import { NEITHER, pendingActionsExample } from './pending-examples.ts';
import { pendingParams, toQuestion } from './pending-params.ts';
import { pendingRow, toPendingTransaction, traceIdOf } from './pending-rows.ts';

/** What will happen, in words. */
export function createPendingActions(): Operation<V3Call> {
  return defineOperation({
    name: 'pendingActions',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Actions of traces that are not complete yet',
    description:
      'What messages that were sent do and will do, in words. By the greatest logical time in their trace, the latest first, then by their own. At most 1000; with their transactions, those of as many traces as have 1000 together.',
    parameters: {
      ...pendingParams(),
      include_transactions: booleanParam({
        description: 'Show the transactions of each action.',
        fallback: false,
      }),
    },
    result: Type.Object({ actions: Type.Array(tracedActionSchema), ...booksSchema }),
    cache: 'head',
    examples: [pendingActionsExample, NEITHER],
    handler: async (params, call: V3Call) => {
      const known = new Set(supportedTypes(call, params));
      const { account, include_transactions: isFull } = params;
      const isOf = ({ accounts }: ActionRow) =>
        account === undefined || accounts.some((one) => one.equals(account));
      const found = (await findPending(call, toQuestion(params))).toSorted(byEnd);
      const chosen = (isFull ? asManyAsFit(found) : found)
        .flatMap((trace) =>
          knownActions(trace.classification.actions, known)
            .filter(isOf)
            .sort(byEndBackwards)
            .map((row) => ({ trace, row })),
        )
        .slice(0, MAX_SHOWN);
      return readIndex(call, async (db) => {
        const writer = createActionWriter(call);
        const plain = chosen.map(({ trace, row }) =>
          toUnindexedAction(writer, { ...trace, traceId: traceIdOf(trace) }, row),
        );
        const actions = isFull ? withTransactions(call, chosen, plain) : plain;
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

/** Actions with their transactions by logical time, each of which is read once; as many as an answer can bear. */
function withTransactions(
  call: V3Call,
  chosen: readonly { readonly trace: PendingTrace; readonly row: ActionRow }[],
  plain: readonly ActionJson[],
): ActionJson[] {
  const read = new Map<string, TransactionJson>();
  const full: ActionJson[] = [];
  let left = MAX_SHOWN_MESSAGES;
  for (const [at, { trace, row }] of chosen.entries()) {
    const wanted = new Set(row.tx_hashes.map((hash) => hash.toString('latin1')));
    const transactions_full = inOrder(trace.transactions).flatMap((one) => {
      const key = one.hash.toString('latin1');
      if (!wanted.has(key)) return [];
      const shown = read.get(key) ?? toPendingTransaction(call, trace, one, pendingRow(call, trace, one));
      read.set(key, shown);
      return [shown];
    });
    for (const { out_msgs } of transactions_full) left -= 1 + out_msgs.length;
    if (left < 0) break;
    full.push({ ...plain[at]!, transactions_full });
  }
  return full;
}
