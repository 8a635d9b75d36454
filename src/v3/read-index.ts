import { type Kysely, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { Failure } from '../lib/errors.ts';
import type { V3Call } from './call.ts';

/**
 * Reads the index as it is at one moment, in the time that the caller gives: statements that are late are cancelled, and
 * a connection that is not free by then is not waited for.
 */
export async function readIndex<T>(
  { ports, options }: Pick<V3Call, 'ports' | 'options'>,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Failure('timeout', 'timeout: context deadline exceeded')),
    options.timeoutMs,
  );
  const read = ports.database.read((db) =>
    db.connection().execute((connection) => inSnapshot(connection, options.timeoutMs, work)),
  );
  try {
    return await Promise.race([read, late.promise]);
  } finally {
    clearTimeout(timer);
    read.catch(() => {});
  }
}

/** One transaction: what an answer is put together of belongs to one state of the index. */
async function inSnapshot<T>(
  db: Kysely<Tables>,
  timeoutMs: number,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  // One message to the server, since it has no parameters.
  const begin = `begin isolation level repeatable read read only; set local statement_timeout = ${Math.ceil(timeoutMs)}`;
  await sql.raw(begin).execute(db);
  try {
    return await work(db);
  } finally {
    // Whatever is wrong with the connection shows when it is used the next time.
    await sql
      .raw('rollback')
      .execute(db)
      .catch(() => {});
  }
}
