import type { Selectable } from 'kysely';
import type { ClientBase } from 'pg';
import { databaseOf } from '../../db/driver.ts';
import { createQueue } from '../../db/queue.ts';
import type { Tables } from '../../db/tables/tables.ts';

/** The transactions of a pool in a masterchain seqno that wait for states. */
export type WaitingRow = Selectable<Tables['waiting_pools']>;

/** Pools that wait. Lite servers that have no old states do not get them later, but others may be configured. */
export const POOL_QUEUE = createQueue({
  table: 'waiting_pools',
  key: ['account', 'mc_seqno'],
  leaseSeconds: 60,
  pauseSeconds: [2, 6 * 3600],
});

/**
 * Removes a pool from the queue in the transaction that writes its events; false if it is not there any more. After blocks
 * were taken back the same seqno may wait again, with other transactions.
 */
export async function takeOff(client: ClientBase, row: WaitingRow): Promise<boolean> {
  const { numDeletedRows } = await databaseOf(client)
    .deleteFrom('waiting_pools')
    .where(POOL_QUEUE.isOneOf([row]))
    .where('last_trans_hash', 'is not distinct from', row.last_trans_hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
