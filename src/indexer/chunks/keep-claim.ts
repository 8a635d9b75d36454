import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { rightNow } from './chunk-lock.ts';
import type { Claim } from './claim.ts';
import { ClaimLost } from './claim-lost.ts';

/** Says that the owner of a claim is alive; `ClaimLost` when it is the owner no longer. */
export async function beat(db: Kysely<Tables>, claim: Claim): Promise<void> {
  const row = await db
    .selectFrom('index_chunks')
    .select(['owner', 'first_seqno', 'done_seqno'])
    .where('first_seqno', '<=', claim.firstSeqno)
    .orderBy('first_seqno', 'desc')
    .limit(1)
    .executeTakeFirst();
  // A chunk that is finished belongs to nobody, and may have become part of its neighbour.
  if (row !== undefined && row.done_seqno >= (claim.lastSeqno ?? Number.POSITIVE_INFINITY)) return;
  if (row?.first_seqno !== claim.firstSeqno || row.owner !== claim.owner)
    throw new ClaimLost(`The chunk from ${claim.firstSeqno} belongs to ${row?.owner ?? 'nobody'} now`);
  // A row that is locked is being written by us, and the writing moves the beat itself.
  const unlocked = db
    .selectFrom('index_chunks')
    .select('first_seqno')
    .where('first_seqno', '=', claim.firstSeqno)
    .where('owner', '=', claim.owner)
    .forUpdate()
    .skipLocked();
  await db.updateTable('index_chunks').set({ beat: rightNow }).where('first_seqno', 'in', unlocked).execute();
}

/** Gives a claim back, so that another process need not wait for the end of the lease. */
export async function release(db: Kysely<Tables>, claim: Claim): Promise<void> {
  await db
    .updateTable('index_chunks')
    .set({ owner: null })
    .where('first_seqno', '=', claim.firstSeqno)
    .where('owner', '=', claim.owner)
    .execute();
}
