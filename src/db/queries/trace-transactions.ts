import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import type { TraceRow } from './trace-order.ts';
import { readWholeTransactions, type TransactionKey, type WholeTransaction } from './whole-transactions.ts';

/** Reads the transactions of traces, in the order of lt and account, by hex of the trace id; for all traces at once. */
export async function readTraceTransactions(
  db: Kysely<Tables>,
  { traces }: { readonly traces: readonly TraceRow[] },
): Promise<ReadonlyMap<string, readonly WholeTransaction[]>> {
  if (traces.length === 0) return new Map();
  const first = Math.min(...traces.map(({ mc_seqno_start }) => mc_seqno_start));
  const last = Math.max(...traces.map(({ mc_seqno_end }) => mc_seqno_end));
  // The seqnos leave out partitions, which have an index each.
  const { rows: keys } = await sql<TransactionKey>`
    select account, lt, mc_seqno from transactions
    where trace_id = any(${traces.map(({ trace_id }) => trace_id)}::bytea[]) and mc_seqno between ${first} and ${last}
    order by lt, get_byte(account, 0) < 128, account`.execute(db);
  const transactions = await readWholeTransactions(db, { keys });
  return Map.groupBy(transactions, ({ row }) => row.trace_id.toString('hex'));
}
