import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type ActionRow, isOfTypes, type WantedTypes } from './action-order.ts';
import type { TraceRow } from './trace-order.ts';

/** Reads the actions of traces in the order in which they began, by hex of the trace id; for all traces at once. */
export async function readTraceActions(
  db: Kysely<Tables>,
  { traces, types }: { readonly traces: readonly TraceRow[]; readonly types: WantedTypes },
): Promise<ReadonlyMap<string, readonly ActionRow[]>> {
  if (traces.length === 0) return new Map();
  const seqnos = traces.map(({ mc_seqno_end }) => mc_seqno_end);
  // The seqnos leave out partitions, which have an index each.
  const { rows } = await sql<ActionRow>`
    select * from actions
    where trace_id = any(${traces.map(({ trace_id }) => trace_id)}::bytea[])
      and trace_mc_seqno_end between ${Math.min(...seqnos)} and ${Math.max(...seqnos)} and ${isOfTypes(types)}
    order by start_lt, end_lt, action_id`.execute(db);
  return Map.groupBy(rows, ({ trace_id }) => trace_id.toString('hex'));
}
