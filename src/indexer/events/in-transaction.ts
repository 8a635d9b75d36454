import { CompiledQuery, Kysely, type Transaction } from 'kysely';
import type { ClientBase } from 'pg';
import { EVENT_LOCK } from '../../db/advisory-locks.ts';
import type { Tables } from '../../db/tables.ts';

/** A connection with a transaction, of pg or of Kysely. */
export type InTransaction = ClientBase | Transaction<Tables>;

/** Runs a statement. */
export async function run<Row>(db: InTransaction, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } =
    db instanceof Kysely
      ? await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
      : await db.query(text, [...values]);
  return rows;
}

/**
 * Waits until no other transaction is at work on events, and keeps others out until the end of this one: one that lets an
 * event wait and one that finds out what its account is must not miss each other.
 */
export async function lockEvents(db: InTransaction): Promise<void> {
  await run(db, 'select pg_advisory_xact_lock($1)', [EVENT_LOCK]);
}
