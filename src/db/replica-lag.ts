import { type Kysely, sql } from 'kysely';
import type { Log } from '../lib/log.ts';
import type { Pool } from './pool.ts';
import type { Tables } from './tables.ts';
import { troubleOf } from './trouble.ts';

/** While a replica is used its lag is asked for again after this time, beside the reads. */
const LOOK_EVERY_MS = 1_000;
/** What is known for longer says nothing; a read waits for the next look then. */
const FORGET_AFTER_MS = 3_000;

/** Tells how far a server is behind its primary, in milliseconds. */
export type ReadLag = (db: Kysely<Tables>) => Promise<number>;

export interface LagWatchOptions {
  readonly replica: Pool;
  readonly maxLagMs: number;
  readonly log: Log;
  readonly readLag?: ReadLag | undefined;
}

/** Knows whether a replica is near enough to its primary to be read from. */
export interface LagWatch {
  /** Whether reads may go there; waits only where nothing recent is known. */
  isNear(): boolean | Promise<boolean>;
  /** As of the last look; undefined before the first. */
  lagMs(): number | undefined;
}

/** Asks nothing yet: looks are made while there are reads, so that a server nobody reads from is left alone. */
export function watchLag({ replica, maxLagMs, log, readLag = askForLag }: LagWatchOptions): LagWatch {
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
