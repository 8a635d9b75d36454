import Type, { type Static } from 'typebox';
import type { ClassificationState } from '../../db/queries/classification-states.ts';
import type { TraceRow } from '../../db/queries/trace-order.ts';
import type { WholeTransaction } from '../../db/queries/whole-transactions.ts';
import { PlainText, Written, written } from '../../http/serializer.ts';
import { actionOfTraceSchema } from '../actions/action.ts';
import type { DecodedBodies } from '../decoded-bodies.ts';
import { MapOf } from '../map-of.ts';
import { Nullable } from '../nullable.ts';
import { toTransaction, transactionSchema } from '../transactions/transaction.ts';
import { formatHash, formatHashOrNull } from '../value-texts.ts';
import { buildTraceTree, traceNodeSchema, writeTraceTree } from './trace-tree.ts';

const traceInfoSchema = Type.Object({
  trace_state: PlainText(),
  messages: Type.Integer(),
  transactions: Type.Integer(),
  pending_messages: Type.Integer(),
  classification_state: PlainText(),
});

/** A trace: the transactions that one began, and how they are connected. */
export const traceSchema = Type.Object({
  trace_id: Nullable(
    PlainText({ description: 'The hash of the first transaction; null as long as that is only predicted.' }),
  ),
  external_hash: Nullable(PlainText({ description: 'The hash of the message that began it.' })),
  mc_seqno_start: PlainText(),
  mc_seqno_end: PlainText(),
  start_lt: PlainText(),
  start_utime: Type.Integer(),
  end_lt: PlainText(),
  end_utime: Type.Integer(),
  trace_info: traceInfoSchema,
  is_incomplete: Type.Boolean({ description: 'True when it is too large for its transactions to be shown.' }),
  warning: Type.Optional(Type.String()),
  actions: Type.Optional(
    Type.Array(actionOfTraceSchema, {
      description: 'In the order in which they began, where they were asked for.',
    }),
  ),
  trace: Type.Optional(Written(traceNodeSchema)),
  transactions_order: Type.Optional(Type.Array(PlainText())),
  transactions: Type.Optional(MapOf(transactionSchema)),
});

export type TraceJson = Static<typeof traceSchema>;

/** Writes a trace with its transactions, or with the reason why they are not shown. */
export function toTrace(
  row: TraceRow,
  state: ClassificationState,
  transactions: readonly WholeTransaction[] | string,
  bodies: DecodedBodies,
): TraceJson {
  const facts = {
    trace_id: formatHash(row.trace_id),
    external_hash: formatHashOrNull(row.external_hash),
    mc_seqno_start: String(row.mc_seqno_start),
    mc_seqno_end: String(row.mc_seqno_end),
    start_lt: row.start_lt,
    start_utime: Number(row.start_utime),
    end_lt: row.end_lt,
    end_utime: Number(row.end_utime),
    trace_info: {
      trace_state: 'complete',
      messages: row.edges,
      transactions: row.nodes,
      pending_messages: 0,
      classification_state: state,
    },
  };
  if (typeof transactions === 'string') return { ...facts, is_incomplete: true, warning: transactions };
  const { root, isMissingNodes } = buildTraceTree(transactions);
  const shown = transactions.map((transaction) => toTransaction(transaction, bodies));
  return {
    ...facts,
    is_incomplete: false,
    ...(isMissingNodes && { warning: 'missing node in trace found' }),
    ...(root && { trace: written(writeTraceTree(root)) }),
    transactions_order: shown.map(({ hash }) => hash),
    transactions: Object.fromEntries(shown.map((transaction) => [transaction.hash, transaction])),
  };
}
