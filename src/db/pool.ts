import type { Readable } from 'node:stream';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { backOffDelay } from '../lib/back-off.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { isSliceOver, nextSlice } from '../lib/slices.ts';
import { ClusterClient, FailFastClient, PreparedClient } from './client.ts';
import { ClusterDialect, PooledDialect } from './driver.ts';
import { troubleOf } from './errors.ts';
import type { Tables } from './tables/tables.ts';

/** How long connecting to a server may take. */
export const CONNECT_TIMEOUT_MS = 3_000;
const IDLE_TIMEOUT_MS = 30_000;
/** Silence after which TCP probes a connection; the default of the system is two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Time beyond the statement timeout before a silent server counts as down. */
const SILENCE_GRACE_MS = 2_000;
const FIRST_PROBE_MS = 500;
const MAX_PROBE_MS = 15_000;

/** The connections to one server, for metrics and health. */
export interface PoolStats {
  readonly name: string;
  readonly total: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  readonly up: boolean;
  /** Replication lag of a replica, as last measured. */
  readonly lagMs?: number;
}

interface PoolOptions {
  readonly name: string;
  readonly url: string;
  readonly size: number;
  readonly log: Log;
  /** The server cancels longer statements. If it does not even report that, the connection is dropped. */
  readonly statementTimeoutMs?: number;
  /** Whether connections keep the plans of statements that ask for it; default true. */
  readonly keepPlans?: boolean;
  /** Whether tables are distributed over a cluster; default false. */
  readonly isCluster?: boolean;
}

/** The connections to one server, and whether it was reachable when last used. */
export interface Pool {
  readonly kysely: Kysely<Tables>;
  isUp(): boolean;
  /** Runs work on this server; its outcome tells whether the server is up. */
  run<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  stats(): PoolStats;
  close(): Promise<void>;
}

/** Creates a pool; opens no connection yet. A server that is down is probed in the background until it recovers. */
export function createPool(options: PoolOptions): Pool {
  const { name, log } = options;
  const server = serverName(options.url, name === 'primary' ? 'DATABASE_URL' : 'DATABASE_REPLICA_URLS');
  const { url, size, statementTimeoutMs, keepPlans = true, isCluster = false } = options;
  const queryTimeoutMs = statementTimeoutMs === undefined ? undefined : statementTimeoutMs + SILENCE_GRACE_MS;
  const pool = openPgPool({
    url,
    size,
    applicationName: 'tongate',
    statementTimeoutMs,
    queryTimeoutMs,
    keepPlans,
    isCluster,
  });
  const dialect = isCluster ? new ClusterDialect({ pool }) : new PooledDialect({ pool });
  const kysely = new Kysely<Tables>({ dialect });
  let up = true;
  let closed = false;
  let probe: NodeJS.Timeout | undefined;

  function noteUp(): void {
    clearTimeout(probe);
    if (!up && !closed) log.info({ pool: name, server }, 'Database recovered');
    up = true;
  }

  function noteDown(reason: unknown): void {
    if (!up || closed) return;
    up = false;
    log.warn({ pool: name, server, reason: String(reason) }, 'Database unreachable');
    scheduleProbe(1);
  }

  function scheduleProbe(attempt: number): void {
    clearTimeout(probe);
    probe = setTimeout(
      () => {
        sql`select 1`.execute(kysely).then(noteUp, () => {
          if (!closed && !up) scheduleProbe(attempt + 1);
        });
      },
      backOffDelay(attempt, FIRST_PROBE_MS, MAX_PROBE_MS),
    );
    probe.unref();
  }

  return {
    kysely,
    isUp: () => up,
    async run(work) {
      try {
        const result = await work(kysely);
        noteUp();
        return result;
      } catch (error) {
        if (troubleOf(error) === 'down') noteDown(error);
        throw error;
      }
    },
    stats: () => ({
      name,
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      up,
    }),
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(probe);
      await pool.end();
    },
  };
}

interface PgPoolOptions {
  readonly url: string;
  readonly size: number;
  readonly applicationName: string;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** The server cancels statements that take longer; none by default. */
  readonly statementTimeoutMs?: number | undefined;
  /** A connection is dropped if a query takes longer; none by default. */
  readonly queryTimeoutMs?: number | undefined;
  readonly keepPlans?: boolean;
  readonly isCluster?: boolean;
  /** Called when an idle connection is lost. */
  readonly onIdleError?: (error: Error) => void;
}

/** Creates a pool of pg connections; opens none yet. The only place that does. */
export function openPgPool({
  url,
  size,
  applicationName,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
  statementTimeoutMs,
  queryTimeoutMs,
  keepPlans = false,
  isCluster = false,
  onIdleError = () => {},
}: PgPoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
    Client: !keepPlans ? FailFastClient : isCluster ? ClusterClient : PreparedClient,
  });
  // A restart of PostgreSQL ends idle connections (the pool emits it) and connections between two statements of a
  // transaction (the client emits it). Without listeners the process would exit; the next query reports it anyway.
  pool.on('error', onIdleError);
  pool.on('connect', (client) => {
    client.on('error', () => {});
    readInSlices((client as unknown as { connection: { stream: Readable } }).connection.stream);
  });
  return pool;
}

/** From this size on, more of the same result follows. */
const LONG_READ_BYTES = 16 * 1024;

/** Long results are parsed in slices: one read event can carry two megabytes, and there may be ten connections. */
function readInSlices(stream: Readable): void {
  stream.on('data', ({ length }: Buffer) => {
    if (length < LONG_READ_BYTES || !isSliceOver()) return;
    stream.pause();
    void nextSlice().then(() => stream.resume());
  });
}

/** Host, port and database of a URL, for logs and errors; never user or password. */
export function serverName(url: string, setting = 'DATABASE_URL'): string {
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionString: url });
  } catch {
    // The parser's error quotes the URL, so it must not even be the cause.
    throw new StartError(
      `${setting} is not a PostgreSQL URL; it should look like postgresql://user:password@host:5432/database`,
    );
  }
  const host = client.host.startsWith('/') ? `socket ${client.host}` : `${client.host}:${client.port}`;
  return `${host}, database "${client.database}"`;
}
