import { type Kysely, sql } from 'kysely';
import { KEPT_PLAN } from '../kept-plans.ts';
import type { Tables } from '../tables.ts';
import type { TraceRow } from './trace-order.ts';

/** How far the classification of a trace is: it waits, it went by the rules, or the rules failed. */
export type ClassificationState = 'unclassified' | 'ok' | 'failed';

/**
 * Reads how far the classification of traces is, by hex of the trace id. One that waits to be classified again has the
 * actions of before. One that is too large stays as it is.
 */
export async function readClassificationStates(
  db: Kysely<Tables>,
  { traces }: { readonly traces: readonly TraceRow[] },
): Promise<ReadonlyMap<string, ClassificationState>> {
  if (traces.length === 0) return new Map();
  const { rows } = await sql<{ readonly trace_id: Buffer; readonly state: ClassificationState }>`${KEPT_PLAN}
    select asked.trace_id, case
      when fault.too_large then 'unclassified'
      when fault.trace_id is not null then 'failed'
      when waits.trace_id is not null and not waits.again then 'unclassified'
      when waits.trace_id is null and exists (
        select from classification_ranges
        where not again and asked.seqno between first_seqno and last_seqno) then 'unclassified'
      else 'ok' end as state
    from unnest(${traces.map(({ trace_id }) => trace_id)}::bytea[],
                ${traces.map(({ mc_seqno_end }) => mc_seqno_end)}::int[]) as asked (trace_id, seqno)
    left join classification_faults fault on fault.trace_id = asked.trace_id
    left join unclassified_traces waits on waits.trace_id = asked.trace_id`.execute(db);
  return new Map(rows.map(({ trace_id, state }) => [trace_id.toString('hex'), state]));
}
