import { type Kysely, sql } from 'kysely';
import type { Log } from '../lib/log.ts';
import { isStalePlan } from './client.ts';
import { toFailure, troubleOf } from './errors.ts';
import { createPool, type Pool, type PoolStats } from './pool.ts';
import type { Tables } from './tables.ts';

export interface DatabaseOptions {
  readonly url: string;
  /** Streaming replicas that share the reads. */
  readonly replicaUrls: readonly string[];
  /** Connections per server, at most. */
  readonly poolSize: number;
  readonly log: Log;
  /** A statement that takes longer is cancelled and becomes a `timeout`; left out, none is. */
  readonly statementTimeoutMs?: number;
  /** Whether connections keep plans; not where a pooler hands them from one client to the next and cannot do that. */
  readonly keepPlans?: boolean;
  /** A replica that is further behind its primary is left out; left out itself, how far does not matter. */
  readonly replicaMaxLagMs?: number;
  /** How the lag of a replica is found out; by asking PostgreSQL unless told otherwise. */
  readonly readLag?: ReadLag;
}

/** A replica, and the watch over its lag where there is a bound. */
interface Replica {
  readonly pool: Pool;
  readonly watch: LagWatch | undefined;
}

/**
 * The primary and its replicas. Trouble of the servers comes out of `read`, `write` and `ping` as a
 * `Failure`.
 */
export interface Database {
  readonly primary: Kysely<Tables>;
  /** Runs work on the primary. */
  write<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /**
   * Runs work that only reads on a replica that is near enough, in turn; it is run again on the next server when one
   * fails.
   */
  read<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Fails when the primary does not answer. */
  ping(): Promise<void>;
  stats(): readonly PoolStats[];
  /** Ends all connections, after the work in progress. */
  close(): Promise<void>;
}

/** A replica cancels queries that stand in the way of replaying the primary's changes. */
const SERIALIZATION_FAILURE = '40001';

/** Opens no connection yet; `waitForDatabase` finds out at start whether there is a server. */
export function createDatabase(options: DatabaseOptions): Database {
  const {
    replicaUrls,
    poolSize: size,
    log,
    statementTimeoutMs,
    replicaMaxLagMs: maxLagMs,
    readLag,
  } = options;
  const shared = {
    size,
    log,
    keepPlans: options.keepPlans ?? true,
    ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
  };
  const primary = createPool({ ...shared, name: 'primary', url: options.url });
  const replicas = replicaUrls.map((url, at): Replica => {
    const pool = createPool({ ...shared, name: `replica-${at + 1}`, url, impatient: true });
    return {
      pool,
      watch: maxLagMs === undefined ? undefined : watchLag({ replica: pool, maxLagMs, log, readLag }),
    };
  });
  const pools = [primary, ...replicas.map(({ pool }) => pool)];
  let turn = 0;

  /** The replicas that are up, beginning with the one whose turn it is. */
  function nextReplicas(): Replica[] {
    const up = replicas.filter(({ pool }) => pool.isUp());
    const first = turn++ % Math.max(up.length, 1);
    return [...up.slice(first), ...up.slice(0, first)];
  }

  /** After a migration every connection with a stale plan fails once, and is given up. */
  async function readFrom<T>(pool: Pool, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    for (let left = size; ; left--) {
      try {
        return await pool.run(work);
      } catch (error) {
        if (left === 0 || !isStalePlan(error)) throw error;
      }
    }
  }

  async function write<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    try {
      return await primary.run(work);
    } catch (error) {
      throw toFailure(error);
    }
  }

  return {
    primary: primary.kysely,
    write,
    async read(work) {
      for (const { pool, watch } of nextReplicas()) {
        if (watch !== undefined && !(await watch.isNear())) continue;
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
    stats: () => [
      primary.stats(),
      ...replicas.map(({ pool, watch }) => {
        const lagMs = watch?.lagMs();
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

/** While a replica is used its lag is asked for again after this time, beside the reads. */
const LOOK_EVERY_MS = 1_000;
/** What is known for longer says nothing; a read waits for the next look then. */
const FORGET_AFTER_MS = 3_000;

/** Tells how far a server is behind its primary, in milliseconds. */
type ReadLag = (db: Kysely<Tables>) => Promise<number>;

interface LagWatchOptions {
  readonly replica: Pool;
  readonly maxLagMs: number;
  readonly log: Log;
  readonly readLag?: ReadLag | undefined;
}

/** Knows whether a replica is near enough to its primary to be read from. */
interface LagWatch {
  /** Whether reads may go there; waits only where nothing recent is known. */
  isNear(): boolean | Promise<boolean>;
  /** As of the last look; undefined before the first. */
  lagMs(): number | undefined;
}

/** Asks nothing yet: looks are made while there are reads, so that a server nobody reads from is left alone. */
function watchLag({ replica, maxLagMs, log, readLag = askForLag }: LagWatchOptions): LagWatch {
  const { name } = replica.stats();
  let lagMs: number | undefined;
  let isNear = true;
  let knownAtMs = Number.NEGATIVE_INFINITY;
  let look: Promise<boolean> | undefined;

  function note(found: number, reason?: unknown): void {
    const details = { pool: name, lagMs: Math.round(found), maxLagMs };
    if (isNear && found > maxLagMs) {
      const why = reason === undefined ? {} : { reason: String(reason) };
      log.warn({ ...details, ...why }, 'Replica is too far behind and left out');
    } else if (!isNear && found <= maxLagMs) log.info(details, 'Replica has caught up');
    lagMs = found;
    isNear = found <= maxLagMs;
    knownAtMs = performance.now();
  }

  async function askAgain(): Promise<boolean> {
    try {
      note(await replica.run(readLag));
      return isNear;
    } catch (error) {
      // What the pool says of a server in trouble need not be said twice.
      if (troubleOf(error) === undefined) note(Number.POSITIVE_INFINITY, error);
      return false;
    } finally {
      look = undefined;
    }
  }

  return {
    isNear() {
      const ageMs = performance.now() - knownAtMs;
      if (ageMs >= LOOK_EVERY_MS) look ??= askAgain();
      return look === undefined || ageMs < FORGET_AFTER_MS ? isNear : look;
    },
    lagMs: () => lagMs,
  };
}

/**
 * The age of the last transaction that was replayed says nothing of a primary that rests: a replica that is being sent
 * everything and has replayed all of it is not behind. One that gets nothing may be, and one that never replayed a
 * transaction is as far behind as it is up. A server that is no replica cannot be behind.
 */
async function askForLag(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select case
      when not pg_is_in_recovery() then 0
      when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then 0
      else greatest(0, extract(epoch from
        clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time())) * 1000)
    end::float8 as lag`.execute(db);
  return rows[0]!.lag;
}
