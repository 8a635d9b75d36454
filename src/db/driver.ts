import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
  sql,
} from 'kysely';
import type pg from 'pg';
import type { FailFastClient } from './client.ts';
import type { Tables } from './tables/tables.ts';

/** The statements whose results tell how many rows they changed. */
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** A connection of the pool, with the client that it runs on: Kysely's own driver hides it. */
class PooledConnection implements DatabaseConnection {
  readonly client: FailFastClient & pg.PoolClient;
  /** Whether its transaction could not be ended, so that nobody else may get it. */
  isBroken = false;

  constructor(client: pg.PoolClient) {
    this.client = client as FailFastClient & pg.PoolClient;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.client.query(sql, parameters as unknown[]);
    return {
      // Kysely learns from it that PostgreSQL rolled a failed transaction back.
      rows: command === 'ROLLBACK' || command === 'COMMIT' ? ([{ command }] as Row[]) : (rows ?? []),
      ...(CHANGES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
    };
  }

  streamQuery(): never {
    throw new Error('Rows are not streamed');
  }
}

/** Transactions and savepoints are those of Kysely's driver; connections are ours. */
class PooledDriver extends PostgresDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #connections = new WeakMap<pg.PoolClient, PooledConnection>();

  constructor(pool: pg.Pool) {
    super({ pool });
    this.#pool = pool;
  }

  override async acquireConnection(): Promise<PooledConnection> {
    const client = await this.#pool.connect();
    let connection = this.#connections.get(client);
    if (connection === undefined) {
      connection = new PooledConnection(client);
      this.#connections.set(client, connection);
    }
    return connection;
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    } catch (error) {
      (connection as PooledConnection).isBroken = true;
      throw error;
    }
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const { client, isBroken } = connection as PooledConnection;
    client.release(isBroken);
  }
}

/** PostgreSQL over the connections of a pool. */
export class PooledDialect extends PostgresDialect {
  readonly #pool: pg.Pool;

  constructor({ pool }: { readonly pool: pg.Pool }) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): Driver {
    return new PooledDriver(this.#pool);
  }
}

/** Tells queries that tables are distributed: whatever is derived from a Kysely keeps its adapter. */
export class ClusterAdapter extends PostgresAdapter {}

/** The dialect of a Citus cluster. */
export class ClusterDialect extends PooledDialect {
  override createAdapter(): PostgresAdapter {
    return new ClusterAdapter();
  }
}

/** Runs work on one connection of a database, with its client. */
export function withClient<T>(
  db: Kysely<Tables>,
  work: (client: FailFastClient, connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  return db.getExecutor().provideConnection((connection) => {
    if (!(connection instanceof PooledConnection)) throw new Error('Not a connection of a pool');
    return work(connection.client, connection);
  });
}

/**
 * Runs work on one connection without the time limits of requests, for statements that wait for others or for the whole
 * of a table.
 */
export function withoutTimeLimits<T>(
  db: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.connection().execute((connection) =>
    withClient(connection, async (client) => {
      client.limitReads(false);
      try {
        await sql`set statement_timeout = 0`.execute(connection);
        return await work(connection);
      } finally {
        client.limitReads(true);
        await sql`reset statement_timeout`.execute(connection).catch(() => {});
      }
    }),
  );
}
