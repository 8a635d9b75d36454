import type { Readable } from 'node:stream';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { backOffDelay } from '../lib/back-off.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { startWork } from '../lib/loop-work.ts';
import { isSliceOver, nextSlice } from '../lib/slices.ts';
import { ClusterClient, FailFastClient, isStalePlan, PreparedClient } from './client.ts';
import { ClusterDialect, PooledDialect } from './driver.ts';
import { isDiskFull, toFailure, troubleOf } from './errors.ts';
import type { Db, Tables } from './tables/tables.ts';

export interface DatabaseOptions {
  readonly url: string;
  /** Streaming replicas that share the reads. */
  readonly replicaUrls: readonly string[];
  /** Maximum number of connections per server. */
  readonly poolSize: number;
  readonly log: Log;
  /** A statement that takes longer is cancelled and becomes a `timeout`; no limit by default. */
  readonly statementTimeoutMs?: number;
  /** Whether connections keep plans, by default; must be off behind a pooler that shares connections between clients. */
  readonly keepPlans?: boolean;
  /** Whether the tables are distributed over a cluster; default false. */
  readonly isCluster?: boolean;
  /** A replica with more lag is left out; no limit by default. */
  readonly replicaMaxLagMs?: number;
  /** How the lag of a replica is measured; queried from PostgreSQL by default. */
  readonly readLag?: ReadLag;
}

/** A replica and, if lag is limited, the monitor of its lag. */
interface Replica {
  readonly pool: Pool;
  readonly lag: LagMonitor | undefined;
}

/** The primary and its replicas. `read`, `write` and `ping` throw a `Failure` if the servers are the problem. */
export interface Database {
  readonly primary: Db;
  /** Runs work on the primary. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs read-only work on a replica with acceptable lag, round-robin; runs it again on the next server if one fails. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Throws if the primary does not respond. */
  ping(): Promise<void>;
  /** Whether a write of this process failed for want of space in the last minute. */
  isDiskFull(): boolean;
  stats(): readonly PoolStats[];
  /** Closes all connections after the work in progress. */
  close(): Promise<void>;
}

/** A replica cancels queries that block the replay of changes. */
const SERIALIZATION_FAILURE = '40001';
/** Writes that fail are repeated more often, so that there is one within this time for as long as they fail. */
const DISK_FULL_MS = 60_000;

/** Creates the database; opens no connection yet. `waitForDatabase` checks at start that there is a server. */
export function createDatabase(options: DatabaseOptions): Database {
  const { replicaUrls, poolSize: size, log, replicaMaxLagMs: maxLagMs, readLag } = options;
  const primary = createPool({ ...options, size, name: 'primary' });
  const replicas = replicaUrls.map((url, at): Replica => {
    const pool = createPool({ ...options, size, name: `replica-${at + 1}`, url });
    return {
      pool,
      lag: maxLagMs === undefined ? undefined : monitorLag({ replica: pool, maxLagMs, log, readLag }),
    };
  });
  const pools = [primary, ...replicas.map(({ pool }) => pool)];
  let turn = 0;
  let diskFullAtMs = Number.NEGATIVE_INFINITY;

  /** The replicas that are up, starting with the next in turn. */
  function nextReplicas(): Replica[] {
    const up = replicas.filter(({ pool }) => pool.isUp());
    const first = turn++ % Math.max(up.length, 1);
    return [...up.slice(first), ...up.slice(0, first)];
  }

  /** After a migration every connection with a stale plan fails once and is closed. */
  async function readFrom<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
    for (let left = size; ; left--) {
      try {
        return await pool.run(work);
      } catch (error) {
        if (left === 0 || !isStalePlan(error)) throw error;
      }
    }
  }

  async function write<T>(work: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await primary.run(work);
    } catch (error) {
      if (isDiskFull(error)) diskFullAtMs = performance.now();
      throw toFailure(error);
    }
  }

  return {
    primary: primary.kysely,
    write,
    async read(work) {
      for (const { pool, lag } of nextReplicas()) {
        if (lag !== undefined && !(await lag.isAcceptable())) continue;
        try {
          return await readFrom(pool, work);
        } catch (error) {
          if (!mayWorkElsewhere(error)) throw toFailure(error);
        }
      }
      try {
        return await readFrom(primary, work);
      } catch (error) {
        throw toFailure(error);
      }
    },
    async ping() {
      await write((db) => sql`select 1`.execute(db));
    },
    isDiskFull: () => performance.now() - diskFullAtMs < DISK_FULL_MS,
    stats: () => [
      primary.stats(),
      ...replicas.map(({ pool, lag }) => {
        const lagMs = lag?.lagMs();
        return { ...pool.stats(), ...(lagMs !== undefined && { lagMs }) };
      }),
    ],
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

function mayWorkElsewhere(error: unknown): boolean {
  const trouble = troubleOf(error);
  if (trouble === 'down' || trouble === 'busy') return true;
  return (error as { code?: unknown } | undefined)?.code === SERIALIZATION_FAILURE;
}

/** While a replica is in use its lag is measured this often, in parallel to the reads. */
const MEASURE_EVERY_MS = 1_000;
/** An older measurement is not used; reads wait for the next one. */
const EXPIRES_AFTER_MS = 3_000;

/** Measures how far a server is behind its primary, in milliseconds. */
type ReadLag = (db: Db) => Promise<number>;

interface LagMonitorOptions {
  readonly replica: Pool;
  readonly maxLagMs: number;
  readonly log: Log;
  readonly readLag?: ReadLag | undefined;
}

/** Decides whether the lag of a replica is small enough to read from it. */
interface LagMonitor {
  /** Waits only if there is no recent measurement. */
  isAcceptable(): boolean | Promise<boolean>;
  /** The last measurement; undefined before the first. */
  lagMs(): number | undefined;
}

/** Creates a monitor. It measures only while there are reads, so an unused server is left alone. */
function monitorLag({ replica, maxLagMs, log, readLag = queryLag }: LagMonitorOptions): LagMonitor {
  const { name } = replica.stats();
  let lagMs: number | undefined;
  let isAcceptable = true;
  let measuredAtMs = Number.NEGATIVE_INFINITY;
  let measurement: Promise<boolean> | undefined;

  function note(measuredMs: number, error?: unknown): void {
    const details = { pool: name, lagMs: Math.round(measuredMs), maxLagMs };
    if (isAcceptable && measuredMs > maxLagMs) {
      const reason = error === undefined ? {} : { reason: String(error) };
      log.warn({ ...details, ...reason }, 'Replica excluded due to lag');
    } else if (!isAcceptable && measuredMs <= maxLagMs) log.info(details, 'Replica caught up');
    lagMs = measuredMs;
    isAcceptable = measuredMs <= maxLagMs;
    measuredAtMs = performance.now();
  }

  async function measure(): Promise<boolean> {
    try {
      note(await replica.run(readLag));
      return isAcceptable;
    } catch (error) {
      // The pool logs an unreachable server already.
      if (troubleOf(error) === undefined) note(Number.POSITIVE_INFINITY, error);
      return false;
    } finally {
      measurement = undefined;
    }
  }

  return {
    isAcceptable() {
      const ageMs = performance.now() - measuredAtMs;
      if (ageMs >= MEASURE_EVERY_MS) measurement ??= measure();
      return measurement === undefined || ageMs < EXPIRES_AFTER_MS ? isAcceptable : measurement;
    },
    lagMs: () => lagMs,
  };
}

/**
 * The age of the last replayed transaction says nothing while the primary is idle: a connected replica that has replayed
 * everything it received has no lag. A disconnected one may be behind, and one that never replayed a transaction counts
 * as behind since its start. A server that is not a replica has no lag.
 */
async function queryLag(db: Db): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select case
      when not pg_is_in_recovery() then 0
      when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then 0
      else greatest(0, extract(epoch from
        clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time())) * 1000)
    end::float8 as lag`.execute(db);
  return rows[0]!.lag;
}

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

/** If a server does not even report that it cancelled a statement, the connection is dropped. */
interface PoolOptions
  extends Pick<DatabaseOptions, 'url' | 'log' | 'statementTimeoutMs' | 'keepPlans' | 'isCluster'> {
  readonly name: string;
  readonly size: number;
}

/** The connections to one server, and whether it was reachable when last used. */
export interface Pool {
  readonly kysely: Db;
  isUp(): boolean;
  /** Runs work on this server; its outcome tells whether the server is up. */
  run<T>(work: (db: Db) => Promise<T>): Promise<T>;
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

interface PgPoolOptions extends Pick<PoolOptions, 'url' | 'size' | 'keepPlans' | 'isCluster'> {
  readonly applicationName: string;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** The server cancels statements that take longer; none by default. */
  readonly statementTimeoutMs?: number | undefined;
  /** A connection is dropped if a query takes longer; none by default. */
  readonly queryTimeoutMs?: number | undefined;
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
  // Whoever closed the pool may stop PostgreSQL before it has read that a connection ends.
  pool.on('error', (error) => {
    if (!pool.ending) onIdleError(error);
  });
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
  // Before the parser of pg and those who wait for its rows.
  stream.prependListener('data', () => startWork('database'));
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
