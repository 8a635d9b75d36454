import { Kysely, PostgresDialect } from 'kysely';
import type { FailFastClient } from './client.ts';
import { withClient } from './driver.ts';
import type { Tables } from './tables/tables.ts';

/** One connection, for statements that do not wait for each other: the client sends those that are started together. */
export interface SharedConnection {
  readonly db: Kysely<Tables>;
  readonly client: Pick<FailFastClient, 'beginSnapshot'>;
  /** Refuses statements that are started from now on: the connection may be somebody else's by then. */
  close(): void;
}

const dialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('There is one connection only')),
});
/** Of a Kysely whose executor is given. */
export const KYSELY_PARTS = { config: { dialect }, dialect, driver: dialect.createDriver() };

/** Runs work on one connection. */
export function shareConnection<T>(
  db: Kysely<Tables>,
  work: (connection: SharedConnection) => Promise<T>,
): Promise<T> {
  const pooled = db.getExecutor();
  return withClient(db, (client, connection) => {
    let isClosed = false;
    const executor = pooled.withConnectionProvider({
      async provideConnection(use) {
        if (isClosed) throw new Error('The work of this connection is over');
        return use(connection);
      },
    });
    return work({
      db: new Kysely<Tables>({ ...KYSELY_PARTS, executor }),
      client,
      close() {
        isClosed = true;
      },
    });
  });
}
