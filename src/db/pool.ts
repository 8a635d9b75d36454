import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { backOffDelay } from '../lib/back-off.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { FailFastClient, PreparedClient } from './client.ts';
import { troubleOf } from './errors.ts';
import type { Tables } from './tables.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const IDLE_TIMEOUT_MS = 30_000;
/** Silence after which a server is asked for a sign of life; the default of the system is two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** What a server may need beyond the statement time-out before its silence counts as its end. */
const SILENCE_GRACE_MS = 2_000;
const FIRST_PROBE_MS = 500;
const LAST_PROBE_MS = 15_000;

/** The connections to one server, for metrics and health. */
export interface PoolStats {
  readonly name: string;
  readonly total: number;
  readonly idle: number;
  /** Callers in the queue for a connection. */
  readonly waiting: number;
  readonly up: boolean;
  /** How far a replica was behind its primary when that was last looked at. */
  readonly lagMs?: number;
}

interface PoolOptions {
  readonly name: string;
  readonly url: string;
  readonly size: number;
  readonly log: Log;
  readonly statementTimeoutMs?: number;
  /**
   * Give a connection up when the server does not even report the time-out; for servers that have a stand-in.
   */
  readonly impatient?: boolean;
  /** Whether connections keep the plans of statements that ask for it; yes unless told otherwise. */
  readonly keepPlans?: boolean;
}

/** One server: its connections and whether it was reachable when last tried. */
export interface Pool {
  readonly kysely: Kysely<Tables>;
  isUp(): boolean;
  /** Runs work on this server and learns from its outcome whether the server is up. */
  run<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  stats(): PoolStats;
  close(): Promise<void>;
}

/** Opens no connection yet. A server found down is asked again in the background until it answers. */
export function createPool(options: PoolOptions): Pool {
  const { name, log } = options;
  const server = serverName(options.url, name === 'primary' ? 'DATABASE_URL' : 'DATABASE_REPLICA_URLS');
  const pool = openPool(options);
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  let up = true;
  let closed = false;
  let probe: NodeJS.Timeout | undefined;

  function noteUp(): void {
    clearTimeout(probe);
    if (!up && !closed) log.info({ pool: name, server }, 'Database is reachable again');
    up = true;
  }

  function noteDown(reason: unknown): void {
    if (!up || closed) return;
    up = false;
    log.warn({ pool: name, server, reason: String(reason) }, 'Database is not reachable');
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
      backOffDelay(attempt, FIRST_PROBE_MS, LAST_PROBE_MS),
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

function openPool({ url, size, statementTimeoutMs, impatient, keepPlans = true }: PoolOptions): pg.Pool {
  const deadline = statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs };
  const silence =
    impatient && statementTimeoutMs !== undefined
      ? { query_timeout: statementTimeoutMs + SILENCE_GRACE_MS }
      : {};
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: 'tongate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    ...deadline,
    ...silence,
    // Without a time-out for queries it is not impatient.
    Client: keepPlans ? PreparedClient : FailFastClient,
  });
  // A restart of PostgreSQL ends idle connections (the pool emits it) and connections between two statements
  // of a transaction (the client emits it). Nobody listening would end the process; the next query reports it
  // anyway.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Where a database URL points, for people: host, port and database, never user or password. */
export function serverName(url: string, setting = 'DATABASE_URL'): string {
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionString: url });
  } catch {
    // Not even as a cause: the parser's own error quotes the URL.
    throw new StartError(
      `${setting} is not a PostgreSQL URL; it should look like postgresql://user:password@host:5432/database`,
    );
  }
  const place = client.host.startsWith('/') ? `socket ${client.host}` : `${client.host}:${client.port}`;
  return `${place}, database "${client.database}"`;
}
