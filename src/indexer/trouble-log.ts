import { troubleOf } from '../db/trouble.ts';
import type { Log } from '../lib/log.ts';

/** Tells of trouble that is waited out: at once, and then no more than once a minute. */
export interface TroubleLog {
  add(error: unknown): void;
  /** It works again. */
  clear(): void;
}

const EVERY_MS = 60_000;
const DISK_FULL = '53100';

/** What trouble is, in words for those who run the server. */
export function troubleText(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string };
  if (code === DISK_FULL) return 'the disk of the database is full';
  const trouble = troubleOf(error);
  if (trouble === 'down' || trouble === 'busy') return `the database is not reachable (${message})`;
  return message || String(error);
}

/** A log whose warnings come no more than once a minute: many things wait for the same. */
export function createCalmLog(log: Log, now: () => number): Log {
  let warnedMs = Number.NEGATIVE_INFINITY;
  return {
    info: (details, text) => log.info(details, text),
    error: (details, text) => log.error(details, text),
    warn(details, text) {
      if (now() - warnedMs < EVERY_MS) return;
      warnedMs = now();
      log.warn(details, text);
    },
  };
}

/** Trouble of one lane. */
export function createTroubleLog(log: Log, now: () => number): TroubleLog {
  let loggedMs = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    add(error) {
      count += 1;
      if (now() - loggedMs < EVERY_MS) return;
      loggedMs = now();
      log.warn({ err: error, count }, `Indexing waits: ${troubleText(error)}`);
    },
    clear() {
      if (count > 0) log.info({ failures: count }, 'Indexing goes on');
      count = 0;
      loggedMs = Number.NEGATIVE_INFINITY;
    },
  };
}
