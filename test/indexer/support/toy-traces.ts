import { IN_EXTERNAL, IN_INTERNAL, IN_NONE } from '../../../src/indexer/decode/decoded-seqno.ts';
import { type ToyTransaction, utimeOf } from './toy-chain.ts';

/** What the tables must have of these transactions, made in the simplest way, from all of them at once. */
export function expectedTraces(transactions: readonly ToyTransaction[]) {
  const senders = new Map<string, ToyTransaction>();
  for (const transaction of transactions) for (const out of transaction.outs) senders.set(out, transaction);
  const receivers = new Map<string, ToyTransaction>();
  for (const transaction of transactions)
    if (transaction.inKind === IN_INTERNAL) receivers.set(transaction.inHash!, transaction);

  const rootOf = (transaction: ToyTransaction): ToyTransaction => {
    const isSent = transaction.inKind === IN_INTERNAL && senders.has(transaction.inHash!);
    return isSent ? rootOf(senders.get(transaction.inHash!)!) : transaction;
  };
  const members = Map.groupBy(transactions, rootOf);
  const traces = [...members].map(([root, parts]) => {
    const waiting = parts.flatMap(({ outs }) => outs).filter((out) => !receivers.has(out));
    const sent = parts.reduce((sum, { outs }) => sum + outs.length, 0);
    const logs = parts.reduce((sum, part) => sum + part.logs, 0);
    const broken = root.inKind === IN_INTERNAL;
    const hasRootMessage = root.inKind !== IN_NONE && !broken;
    return {
      trace_id: root.hash,
      external_hash: hasRootMessage ? root.inHash! : null,
      external_hash_norm: (root.inKind === IN_EXTERNAL ? root.normHash : undefined) ?? null,
      mc_seqno_start: root.mcSeqno,
      mc_seqno_end: Math.max(...parts.map(({ mcSeqno }) => mcSeqno)),
      start_lt: String(root.lt),
      start_utime: String(utimeOf(root.mcSeqno)),
      end_lt: String(Math.max(...parts.map(({ lt }) => lt))),
      end_utime: String(Math.max(...parts.map(({ mcSeqno }) => utimeOf(mcSeqno)))),
      nodes: parts.length,
      edges: sent - waiting.length + logs + (hasRootMessage ? 1 : 0),
      pending_edges: waiting.length,
      broken,
      accounts: [...new Set(parts.map(({ account }) => account))].sort(),
    };
  });
  const isOpen = (trace: (typeof traces)[number]) => trace.broken || trace.pending_edges > 0;
  return {
    transactions: transactions
      .map((transaction) => ({ hash: transaction.hash, trace_id: rootOf(transaction).hash }))
      .sort(by('hash')),
    traces: traces
      .filter((trace) => !isOpen(trace))
      .map(({ pending_edges, broken, accounts, ...trace }) => trace)
      .sort(by('trace_id')),
    trace_accounts: traces
      .filter((trace) => !isOpen(trace))
      .flatMap(({ trace_id, end_lt, end_utime, mc_seqno_end, accounts }) =>
        accounts.map((account) => ({ account, end_lt, trace_id, mc_seqno_end, end_utime })),
      )
      .sort(by('trace_id', 'account')),
    open_traces: traces
      .filter(isOpen)
      .map(({ accounts, ...trace }) => trace)
      .sort(by('trace_id')),
    pending_messages: [...senders]
      .filter(([hash]) => !receivers.has(hash))
      .map(([hash, sender]) => ({ hash, trace_id: rootOf(sender).hash, mc_seqno: sender.mcSeqno }))
      .sort(by('hash')),
    orphan_messages: [...receivers]
      .filter(([hash]) => !senders.has(hash))
      .map(([hash, receiver]) => ({ hash, trace_id: receiver.hash, mc_seqno: receiver.mcSeqno }))
      .sort(by('hash')),
  };
}

function by(...keys: string[]) {
  const keyOf = (row: object) => keys.map((key) => (row as Record<string, unknown>)[key]).join();
  return (a: object, b: object) => (keyOf(a) < keyOf(b) ? -1 : 1);
}
