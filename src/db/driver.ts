import {
  type AbortableQueryOptions,
  CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  PostgresQueryCompiler,
  type QueryExecutor,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely';
import type pg from 'pg';
import { bytesKey } from '../lib/bytes-key.ts';
import { type FailFastClient, KEPT_PLAN } from './client.ts';
import type { Db, Tables } from './tables/tables.ts';

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

/** Whether tables are distributed over a cluster. */
export function isCluster(db: Db): boolean {
  return db.getExecutor().adapter instanceof ClusterAdapter;
}

/** Locks rows of a queue that nobody else has locked; Citus cannot, so there `inQueueOrder` lets one at a time take rows. */
export function skipLocked(db: Db, table: keyof Tables | 'queue'): RawBuilder<unknown> {
  return isCluster(db) ? sql`` : sql`for update of ${sql.table(table)} skip locked`;
}

/** Runs work on a queue of a distributed table, on a cluster one process at a time. */
export function inQueueOrder<T>(db: Db, lock: string, work: (db: Db) => Promise<T>): Promise<T> {
  if (!isCluster(db)) return work(db);
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction);
    return work(transaction);
  });
}

/** For `column = any(values)`: one parameter however many values there are, so that the text of a statement is the same. */
export function anyOf<T>(values: readonly T[]): RawBuilder<T> {
  return sql`any(${values})`;
}

/** Sends a statement of which the builder cannot say all, and returns its rows: ``readRows<Row>(db)`select …` ``. */
export function readRows<Row>(db: Db) {
  return async (text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> =>
    (await sql<Row>(text, ...values).execute(db)).rows;
}

/** Stands for a parameter of a kept statement while its text is made. */
class Placeholder {
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }
}

/**
 * A statement whose plan connections keep, and whose text is made once: to build and compile it for every read was a
 * sixth of the time of a short one. `build` puts its parameters into the text as they are; nothing else of it may change from
 * read to read, except on a cluster, where it is made anew for the seqnos that a snapshot shows.
 */
export function keptStatement<Row, const P extends readonly unknown[]>(
  build: (db: Db, ...parameters: P) => RawBuilder<unknown>,
): (db: Db, ...parameters: P) => Promise<Row[]> {
  const compile = (db: Db, parameters: P): CompiledQuery<Row> =>
    sql<Row>`${KEPT_PLAN} ${build(db, ...parameters)}`.compile(db);
  let made: CompiledQuery<Row> | undefined;
  return async (db, ...parameters) => {
    if (isCluster(db)) return (await db.executeQuery(compile(db, parameters))).rows;
    made ??= compile(db, parameters.map((_, at) => new Placeholder(at)) as readonly unknown[] as P);
    const values = made.parameters.map((one) => (one instanceof Placeholder ? parameters[one.at] : one));
    const { query, queryId, sql: text } = made;
    return (await db.getExecutor().executeQuery<Row>({ query, queryId, sql: text, parameters: values })).rows;
  };
}

/**
 * Ends a subquery of a lateral join: with it PostgreSQL looks up each row by itself, whatever it knows of the table; other
 * kinds of joins might read whole partitions. Citus does not take it, and workers know the values when they plan.
 */
export function fence(db: Db): RawBuilder<unknown> {
  return isCluster(db) ? sql`` : sql`offset 0`;
}

/** Runs work on one connection of a database, with its client. */
export function withClient<T>(
  db: Db,
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
export function withoutTimeLimits<T>(db: Db, work: (connection: Db) => Promise<T>): Promise<T> {
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

/** One connection, for statements that do not wait for each other: the client sends those that are started together. */
export interface SharedConnection {
  readonly db: Db;
  readonly client: Pick<FailFastClient, 'beginSnapshot'>;
  /** Refuses statements that are started from now on: the connection may be somebody else's by then. */
  close(): void;
}

const dialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('There is one connection only')),
});
/** Of a Kysely whose executor is given. */
export const KYSELY_PARTS = { config: { dialect }, dialect, driver: dialect.createDriver() };

/** Executes a statement. */
type Run = (statement: CompiledQuery) => Promise<QueryResult<unknown>>;

const compiler = new PostgresQueryCompiler();

/**
 * Hands statements on at once. Kysely's own executor provides a connection for each, with some promises per layer: 8 of the
 * 130 µs of CPU of a short read. With plugins it does so here too.
 */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #run: Run;

  constructor(like: QueryExecutor, run: Run, provider: ConnectionProvider) {
    super(compiler, like.adapter, provider, [...like.plugins]);
    this.#run = run;
  }

  override executeQuery<Row>(
    statement: CompiledQuery,
    options?: AbortableQueryOptions,
  ): Promise<QueryResult<Row>> {
    if (options?.signal !== undefined || this.plugins.length > 0)
      return super.executeQuery(statement, options);
    return this.#run(statement) as Promise<QueryResult<Row>>;
  }
}

const databases = new WeakMap<pg.ClientBase, Db>();

/** Statements of the builder on a client that somebody holds, in its transaction. It does not know of a cluster. */
export function databaseOf(client: pg.ClientBase): Db {
  let db = databases.get(client);
  if (db === undefined) {
    const connection = new PooledConnection(client as pg.PoolClient);
    const executor = new DefaultQueryExecutor(new PostgresQueryCompiler(), new PostgresAdapter(), {
      provideConnection: (use) => use(connection),
    });
    db = new Kysely<Tables>({ ...KYSELY_PARTS, executor });
    databases.set(client, db);
  }
  return db;
}

/** Runs work on one connection; `pause` is waited for before each statement, unless it returns undefined. */
export function shareConnection<T>(
  db: Db,
  work: (connection: SharedConnection) => Promise<T>,
  pause?: () => Promise<void> | undefined,
): Promise<T> {
  const pooled = db.getExecutor();
  return withClient(db, (client, connection) => {
    let isClosed = false;
    let pausing: Promise<void> | undefined;
    /** Statements that are started during a pause keep their order. */
    async function afterPause<R>(use: (connection: DatabaseConnection) => Promise<R>): Promise<R> {
      pausing ??= pause?.()?.finally(() => {
        pausing = undefined;
      });
      if (pausing !== undefined) await pausing;
      if (isClosed) throw new Error('The work of this connection is over');
      return use(connection);
    }
    const run: Run = (statement) => afterPause((open) => open.executeQuery(statement));
    const executor = new DirectExecutor(pooled, run, { provideConnection: afterPause });
    return work({
      db: new Kysely<Tables>({ ...KYSELY_PARTS, executor }),
      client,
      close() {
        isClosed = true;
      },
    });
  });
}

/**
 * Starts statements of a snapshot that will probably be wanted, so that they take one round trip together. On the returned
 * connection every statement is sent once: with the same parameters it has the same result.
 */
export function readAhead(db: Db, start: (db: Db) => readonly Promise<unknown>[]): Db {
  const sent = new Map<string, Promise<QueryResult<unknown>>>();
  const once = withExecution(db, (run, statement) => {
    const key = keyOf(statement);
    const result = sent.get(key) ?? run(statement);
    sent.set(key, result);
    return result;
  });
  // Whoever asks for one of them gets its error.
  for (const result of start(once)) result.catch(() => {});
  return once;
}

/** The same connection, whose statements are executed in another way. */
export function withExecution(
  db: Db,
  execute: (run: Run, statement: CompiledQuery) => Promise<QueryResult<unknown>>,
): Db {
  const inner = db.getExecutor();
  const wrap = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: <Row>(statement: CompiledQuery) =>
      execute((one) => connection.executeQuery(one), statement) as Promise<QueryResult<Row>>,
    streamQuery: (statement, size) => connection.streamQuery(statement, size),
  });
  const run: Run = (statement) => inner.executeQuery(statement);
  const executor = new DirectExecutor(inner, (statement) => execute(run, statement), {
    provideConnection: (use) => inner.provideConnection((connection) => use(wrap(connection))),
  });
  return new Kysely<Tables>({ ...KYSELY_PARTS, executor });
}

function keyOf({ sql, parameters }: CompiledQuery): string {
  return sql + parameters.map(textOf).join('');
}

/** Different values have different texts, whatever follows them. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join('')}]`;
  const text = Buffer.isBuffer(value) ? bytesKey(value) : String(value);
  return `${typeof value}${text.length}:${text}`;
}
