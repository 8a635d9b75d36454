import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { Failure } from '../lib/failure.ts';
import type { V3Call } from './call.ts';

/**
 * Reads the index in the time that the caller gives. What is late is no longer waited for; the database itself gives it
 * up by its own time-out.
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
  try {
    return await Promise.race([ports.database.read(work), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
