import { sql } from 'kysely';
import { METADATA_LOCK } from '../../db/advisory-locks.ts';
import { anyOf, inQueueOrder, skipLocked } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { REQUESTED_PRIORITY } from '../read/address-info.ts';

/**
 * Queues accounts to be read from a lite server and detected again, and the documents of those that are tokens to be
 * fetched again. Indexers and metadata fetchers do the work. Returns the accounts that the index does not have; then none is
 * queued.
 */
export async function requestReindex(db: Db, accounts: readonly Buffer[]): Promise<Buffer[]> {
  const known = await db
    .selectFrom('latest_account_states')
    .select(['account', 'last_trans_lt'])
    .where('account', '=', anyOf(accounts))
    // The common lock order, against deadlocks.
    .orderBy('account')
    .execute();
  const found = new Set(known.map(({ account }) => bytesKey(account)));
  const missing = accounts.filter((account) => !found.has(bytesKey(account)));
  if (missing.length > 0) return missing;
  await db
    .insertInto('missing_cells')
    .values(
      known.map((row) => ({ account: row.account, last_trans_lt: row.last_trans_lt, undetected: true })),
    )
    // As for a new transaction: whoever works on it now does it again.
    .onConflict((conflict) =>
      conflict.column('account').doUpdateSet({ undetected: true, tries: 0, next_try: sql<Date>`now()` }),
    )
    .execute();
  await refetchMetadata(db, accounts);
  return [];
}

/** Rows that others hold are being fetched right now. */
async function refetchMetadata(db: Db, accounts: readonly Buffer[]): Promise<void> {
  await inQueueOrder(db, METADATA_LOCK, (queue) =>
    sql`
    with asked as (
      select account, kind from token_metadata
      -- There is something to fetch.
      where account = any(${accounts}::bytea[]) and (next_try is not null or expires_at is not null)
      order by account, kind ${skipLocked(db, 'token_metadata')}
    )
    update token_metadata token set priority = ${REQUESTED_PRIORITY}::smallint, tries = 0, next_try = now()
    from asked where token.account = asked.account and token.kind = asked.kind
  `.execute(queue),
  );
}
