import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { isOwnerGone } from './owner-name.ts';

/** Frees the chunks of processes that ended on this machine, so that nobody waits for the end of their leases. */
export async function releaseDead(db: Kysely<Tables>): Promise<void> {
  const rows = await db
    .selectFrom('index_chunks')
    .select('owner')
    .distinct()
    .where('owner', 'is not', null)
    .execute();
  const gone = rows.flatMap(({ owner }) => (owner !== null && isOwnerGone(owner) ? [owner] : []));
  if (gone.length > 0)
    await db.updateTable('index_chunks').set({ owner: null }).where('owner', 'in', gone).execute();
}
