import type { ClientBase } from 'pg';

/** What is still to be classified. */
export interface QueueFigures {
  /** Traces in the queue; counted up to a million. */
  readonly traces: number;
  /** Masterchain seqnos of which the traces are not in the queue yet. */
  readonly seqnos: number;
  /** Traces that are classified again when it is known what some account is, once for each; counted up to a million. */
  readonly waiting: number;
}

const MOST_COUNTED = 1_000_000;

/** Counts what is still to be classified. */
export async function readQueueFigures(client: ClientBase): Promise<QueueFigures> {
  const { rows } = await client.query<QueueFigures>(
    `select (select count(*)::int from (select from unclassified_traces limit $1) one) as traces,
       (select coalesce(sum(last_seqno - first_seqno + 1), 0)::float8 from classification_ranges) as seqnos,
       (select count(*)::int from (select from waiting_traces limit $1) one) as waiting`,
    [MOST_COUNTED],
  );
  return rows[0]!;
}
