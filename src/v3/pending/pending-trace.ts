import type { WholeTransaction } from '../../db/queries/whole-transactions.ts';
import { written } from '../../http/serializer.ts';
import type { PendingTrace } from '../../pending/pending-traces.ts';
import type { V3Call } from '../call.ts';
import type { TraceJson } from '../traces/trace.ts';
import { buildTraceTree, writeTraceTree } from '../traces/trace-tree.ts';
import { inOrder } from '../unindexed/in-order.ts';
import { formatHash } from '../value-texts.ts';
import { pendingRow, toPendingTransaction, traceIdOf } from './pending-rows.ts';

/** A pending trace as it is shown, and the rows that it was made of. */
interface ShownTrace {
  readonly json: TraceJson;
  readonly rows: readonly WholeTransaction[];
}

/** Writes a pending trace: what has happened of it, and what is foreseen. */
export function toPendingTrace(call: V3Call, trace: PendingTrace): ShownTrace {
  const ordered = inOrder(trace.transactions);
  const rows = ordered.map((transaction) => pendingRow(call, trace, transaction));
  const shown = ordered.map((transaction, at) => toPendingTransaction(call, trace, transaction, rows[at]!));
  const { root, isMissingNodes } = buildTraceTree(rows);
  const [id, first] = [traceIdOf(trace), rows[0]!.row];
  const messages = (counted: readonly WholeTransaction[]) =>
    counted.reduce((sum, row) => sum + messagesOf(row), 0);
  const json: TraceJson = {
    trace_id: id === undefined ? null : formatHash(id),
    external_hash: formatHash(trace.externalHash),
    mc_seqno_start: String(first.mc_seqno),
    mc_seqno_end: String(Math.max(...rows.map(({ row }) => row.mc_seqno))),
    start_lt: first.lt,
    start_utime: Number(first.now),
    end_lt: rows.at(-1)!.row.lt,
    end_utime: Math.max(...rows.map(({ row }) => Number(row.now))),
    trace_info: {
      trace_state: 'pending',
      messages: messages(rows),
      transactions: rows.length,
      pending_messages: messages(rows.filter((_, at) => ordered[at]!.emulated)),
      classification_state: trace.classification.state,
    },
    is_incomplete: trace.bound !== undefined,
    ...(isMissingNodes && { warning: 'missing node in trace found' }),
    ...(root && { trace: written(writeTraceTree(root)) }),
    transactions_order: shown.map(({ hash }) => hash),
    transactions: Object.fromEntries(shown.map((transaction) => [transaction.hash, transaction])),
  };
  return { json, rows };
}

/** Each message once: those that a transaction sent, and the one from outside where it came in. */
function messagesOf({ inMessage, outMessages }: WholeTransaction): number {
  return outMessages.length + (inMessage !== undefined && inMessage.peer === null ? 1 : 0);
}
