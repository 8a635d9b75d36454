import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import type { ActionRow } from './action-order.ts';

/** An action by its id, in a trace if one is given. */
export async function readActionById(
  db: Kysely<Tables>,
  { action_id, trace_id }: { readonly action_id: Buffer; readonly trace_id?: Buffer | undefined },
): Promise<Pick<ActionRow, 'trace_id' | 'start_lt' | 'tx_hashes'> | undefined> {
  const isInTrace = trace_id === undefined ? sql`true` : sql`trace_id = ${trace_id}`;
  const { rows } = await sql<ActionRow>`
    select trace_id, start_lt, tx_hashes from actions
    where action_id = ${action_id} and ${isInTrace} order by trace_end_lt desc limit 1`.execute(db);
  return rows[0];
}
