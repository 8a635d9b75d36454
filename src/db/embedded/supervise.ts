import type { Log } from '../../lib/log.ts';
import { keepLogSmall } from './log-file.ts';
import type { Place } from './place.ts';
import { type Postmaster, terminate } from './postmaster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { stillRuns } from './processes.ts';

const LOOK_EVERY_MS = 500;
/**
 * A shutdown asked for by somebody else waits for our own connections, so after this time it is finished by
 * us.
 */
const STOPPING_LOOKS = 4;
const LOG_LOOKS = 120;
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 30_000;
const STEADY_MS = 60_000;

/** Watches a PostgreSQL. */
export interface Supervision {
  /** Ends the watch, not the PostgreSQL, and tells which one was watched last. */
  stop(): Promise<Postmaster>;
}

/**
 * Brings PostgreSQL back whenever it is gone, however that happened: while a tongate uses it, it is meant to
 * run. One that keeps dying is started at growing intervals.
 */
export function supervise({
  place,
  postmaster,
  revive,
  log,
}: {
  readonly place: Place;
  readonly postmaster: Postmaster;
  readonly revive: (signal: AbortSignal) => Promise<Postmaster>;
  readonly log: Log;
}): Supervision {
  const ending = new AbortController();
  let watched = postmaster;
  let upSince = Date.now();
  let pauseMs = 0;
  let stoppingLooks = 0;
  let looks = 0;
  let timer = setTimeout(look, LOOK_EVERY_MS).unref();
  let work = Promise.resolve();

  function look(): void {
    work = check().then(lookAgainIn, (error: unknown) => {
      log.error({ err: error, location: place.location }, 'PostgreSQL cannot be watched');
      lookAgainIn(LAST_PAUSE_MS);
    });
  }

  function lookAgainIn(delayMs: number): void {
    if (!ending.signal.aborted) timer = setTimeout(look, delayMs).unref();
  }

  /** Returns after how long to look again. */
  async function check(): Promise<number> {
    if (++looks % LOG_LOOKS === 0) keepLogSmall(place.logFile);
    if (!stillRuns(watched)) return bringBack();
    if (Date.now() - upSince > STEADY_MS) pauseMs = 0;
    stoppingLooks = readPostmasterFile(place.cluster)?.state === 'stopping' ? stoppingLooks + 1 : 0;
    if (stoppingLooks > STOPPING_LOOKS) await terminate(place, log);
    return LOOK_EVERY_MS;
  }

  async function bringBack(): Promise<number> {
    const { location, logFile } = place;
    log.warn({ pid: watched.pid, location, logFile }, 'PostgreSQL has ended; starting it again');
    const nextPauseMs = Math.min(Math.max(2 * pauseMs, FIRST_PAUSE_MS), LAST_PAUSE_MS);
    const soon = pauseMs;
    pauseMs = nextPauseMs;
    try {
      watched = await revive(ending.signal);
      upSince = Date.now();
      log.info({ pid: watched.pid, location }, 'PostgreSQL runs again');
      return Math.max(soon, LOOK_EVERY_MS);
    } catch (error) {
      if (!ending.signal.aborted) {
        log.error({ err: error, location, logFile }, 'PostgreSQL could not be started again');
      }
      return nextPauseMs;
    }
  }

  return {
    async stop() {
      ending.abort();
      clearTimeout(timer);
      await work;
      return watched;
    },
  };
}
