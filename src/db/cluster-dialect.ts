import { type Kysely, type RawBuilder, sql } from 'kysely';
import { ClusterAdapter } from './driver.ts';
import type { Tables } from './tables/tables.ts';

/** Whether tables are distributed over a cluster. */
export function isCluster(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof ClusterAdapter;
}

/** Locks rows of a queue that nobody else has locked; Citus cannot, so there `inQueueOrder` lets one at a time take rows. */
export function skipLocked(db: Kysely<Tables>, table: keyof Tables): RawBuilder<unknown> {
  return isCluster(db) ? sql`` : sql`for update of ${sql.table(table)} skip locked`;
}

/** Runs work on a queue of a distributed table, on a cluster one process at a time. */
export function inQueueOrder<T>(
  db: Kysely<Tables>,
  lock: string,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  if (!isCluster(db)) return work(db);
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction);
    return work(transaction);
  });
}

/**
 * Ends a subquery of a lateral join: with it PostgreSQL looks up each row by itself, whatever it knows of the table; other
 * kinds of joins might read whole partitions. Citus does not take it, and workers know the values when they plan.
 */
export function fence(db: Kysely<Tables>): RawBuilder<unknown> {
  return isCluster(db) ? sql`` : sql`offset 0`;
}
