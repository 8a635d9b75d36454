import { type Kysely, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';

import type { V3Call } from './call.ts';
import { withTimeout } from './deadline.ts';

/**
 * Reads one snapshot of the index within the time that the caller allows: late statements are cancelled, and waiting for
 * a free connection counts.
 */
export async function readIndex<T>(
  { ports, options }: Pick<V3Call, 'ports' | 'options'>,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const read = ports.database.read((db) =>
    db.connection().execute((connection) => inSnapshot(connection, options.timeoutMs, work)),
  );
  return withTimeout(options.timeoutMs, read);
}

/** Runs work in one transaction, so that all parts of a response are of the same state of the index. */
async function inSnapshot<T>(
  db: Kysely<Tables>,
  timeoutMs: number,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  // Sent as one message, since it has no parameters.
  const begin = `begin isolation level repeatable read read only; set local statement_timeout = ${Math.ceil(timeoutMs)}`;
  await sql.raw(begin).execute(db);
  try {
    return await work(db);
  } finally {
    // A broken connection shows at its next use.
    await sql
      .raw('rollback')
      .execute(db)
      .catch(() => {});
  }
}
