import Type from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { supportedTypes } from '../actions/action-params.ts';
import { createActionWriter } from '../actions/action-writer.ts';
import { booksSchema, loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { Nullable } from '../nullable.ts';
import { readIndex } from '../read-index.ts';
import { traceSchema } from '../traces/trace.ts';
import { accountsOf } from '../transactions/transaction.ts';
import { byStart, knownActions, toUnindexedAction } from '../unindexed/shown-action.ts';
import { asManyAsFit, findPending } from './find-pending.ts';
import { NEITHER, pendingTracesExample } from './pending-examples.ts';
import { pendingParams, toQuestion } from './pending-params.ts';
import { traceIdOf } from './pending-rows.ts';
import { toPendingTrace } from './pending-trace.ts';

/** Traces that have not ended, or not begun. */
export function createPendingTraces(): Operation<V3Call> {
  return defineOperation({
    name: 'pendingTraces',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Traces that are not complete yet',
    description:
      'What messages that were sent do and will do: transactions that have happened, and those that an emulation foresees. Without order; those of newer messages first, as many as have 1000 transactions together.',
    parameters: pendingParams(),
    result: Type.Object({
      traces: Nullable(Type.Array(traceSchema, { description: 'Null when there is none.' })),
      ...booksSchema,
    }),
    cache: 'head',
    examples: [pendingTracesExample, NEITHER],
    handler: async (params, call: V3Call) => {
      const known = new Set(supportedTypes(call, params));
      const traces = asManyAsFit(await findPending(call, toQuestion(params)));
      if (traces.length === 0) return { traces: null, address_book: {}, metadata: {} };
      return readIndex(call, async (db) => {
        const writer = createActionWriter(call);
        const shown = traces.map((trace) => {
          const actions = knownActions(trace.classification.actions, known).sort(byStart);
          const standing = { ...trace, traceId: traceIdOf(trace) };
          const { json, rows } = toPendingTrace(call, trace);
          return {
            rows,
            json: { ...json, actions: actions.map((row) => toUnindexedAction(writer, standing, row)) },
          };
        });
        const accounts = [...shown.flatMap(({ rows }) => accountsOf(rows)), ...writer.accounts];
        return { traces: shown.map(({ json }) => json), ...(await loadBooks(call, db, accounts)) };
      });
    },
  });
}
