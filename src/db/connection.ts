import { type Kysely, sql } from 'kysely';
import type { Log } from '../lib/log.ts';
import { isStalePlan } from './kept-plans.ts';
import { createPool, type Pool, type PoolStats } from './pool.ts';
import { type LagWatch, type ReadLag, watchLag } from './replica-lag.ts';
import type { Tables } from './tables.ts';
import { toFailure, troubleOf } from './trouble.ts';

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
    ...{ size, log, keepPlans: options.keepPlans ?? true },
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
