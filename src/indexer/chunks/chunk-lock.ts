import { type Kysely, sql, type Transaction } from 'kysely';
import { CHUNK_LOCK } from '../../db/advisory-locks.ts';
import type { Tables } from '../../db/tables.ts';

/** Runs work in a transaction while no other process of any machine hands out chunks. */
export function withChunkLock<T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${CHUNK_LOCK})`.execute(trx);
    return work(trx);
  });
}

/** The time of the statement; `now()` is that of the transaction, which may have waited for the lock. */
export const rightNow = sql<Date>`clock_timestamp()`;

/** Whether a chunk may be taken: nobody has it, or its owner has not been heard of for too long. */
export function isFree(leaseMs: number) {
  return sql<boolean>`(owner is null or beat < ${rightNow} - ${leaseMs} * interval '1 millisecond')`;
}
