import type { ClientBase } from 'pg';

/** A trace that was taken out of the queue, for a while. */
export interface TakenTrace {
  readonly traceId: Buffer;
  readonly mcSeqnoEnd: number;
  readonly nodes: number;
  /** Whether it is classified however large it is. */
  readonly anySize: boolean;
  /** How often it was begun, this time included; also tells whether it is still ours. */
  readonly tries: number;
}

/** What is taken at once. */
export interface TakeLimits {
  readonly traces: number;
  /** Transactions; one trace is taken however many it has. */
  readonly nodes: number;
}

/** Who takes traces has so long until others do. */
const TURN_SECONDS = 60;

/** Those that were never begun, or those that were: each has an index of its own. */
const take = (which: 'tries = 0' | 'tries > 0') => `
with due as (
  select trace_id, mc_seqno_end, nodes from unclassified_traces
  where ${which} and next_try <= clock_timestamp()
  order by mc_seqno_end desc limit $1 for update skip locked
), counted as (
  select trace_id, sum(nodes) over (order by mc_seqno_end desc, trace_id) - nodes as nodes_before from due
)
update unclassified_traces queue
set tries = tries + 1, next_try = clock_timestamp() + ${TURN_SECONDS} * interval '1 second'
from counted where queue.trace_id = counted.trace_id and counted.nodes_before < $2
returning queue.trace_id as "traceId", queue.mc_seqno_end as "mcSeqnoEnd", queue.nodes,
  queue.any_size as "anySize", queue.tries`;
const TAKE_FRESH = take('tries = 0');
const TAKE_BEGUN = take('tries > 0');

/** Takes the newest traces that nobody has begun with. */
export async function takeTraces(client: ClientBase, { traces, nodes }: TakeLimits): Promise<TakenTrace[]> {
  const { rows } = await client.query<TakenTrace>(TAKE_FRESH, [traces, nodes]);
  return rows;
}

/**
 * Takes the newest trace that was begun and not finished. One alone: it may have ended a thread, and would end everything
 * that is taken together with it.
 */
export async function takeUnfinished(client: ClientBase): Promise<TakenTrace[]> {
  const { rows } = await client.query<TakenTrace>(TAKE_BEGUN, [1, 1]);
  return rows;
}

/** Gives traces back, as if they had not been taken. */
export async function giveBackTraces(client: ClientBase, traces: readonly TakenTrace[]): Promise<void> {
  await client.query(
    `update unclassified_traces queue set next_try = clock_timestamp(), tries = queue.tries - 1
     from unnest($1::bytea[], $2::int[]) as taken (trace_id, tries)
     where queue.trace_id = taken.trace_id and queue.tries = taken.tries`,
    columnsOf(traces),
  );
}

/** Takes traces off the queue for good; gives the ids of those that were still ours. */
export async function finishTraces(client: ClientBase, traces: readonly TakenTrace[]): Promise<Buffer[]> {
  const { rows } = await client.query<{ trace_id: Buffer }>(
    `with ours as (
       select queue.trace_id from unclassified_traces queue
       join unnest($1::bytea[], $2::int[]) as taken (trace_id, tries)
         on queue.trace_id = taken.trace_id and queue.tries = taken.tries
       order by queue.trace_id for update of queue
     )
     delete from unclassified_traces queue using ours where queue.trace_id = ours.trace_id
     returning queue.trace_id`,
    columnsOf(traces),
  );
  return rows.map(({ trace_id }) => trace_id);
}

function columnsOf(traces: readonly TakenTrace[]): [Buffer[], number[]] {
  return [traces.map(({ traceId }) => traceId), traces.map(({ tries }) => tries)];
}
