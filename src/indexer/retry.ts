import { troubleOf } from '../db/errors.ts';
import { createBackOff } from '../lib/back-off.ts';
import type { Log } from '../lib/log.ts';
import { pause } from '../lib/wait.ts';

/** How trouble is waited out. */
export interface RetryOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** What is being done, for the log: "fetch blocks". */
  readonly task: string;
  readonly firstPauseMs?: number;
  readonly maxPauseMs?: number;
  /** What no repetition helps against. */
  readonly isFinal?: (error: unknown) => boolean;
  readonly onError?: ((error: unknown) => void) | undefined;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
const LOG_EVERY_MS = 60_000;
/** Trouble that is over sooner is none to speak of. */
const QUIET_MS = 5000;

/** Does work again and again, with growing pauses, until it succeeds; ends with the reason of the signal. */
export async function retryUntilDone<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { log, signal, task, firstPauseMs = FIRST_PAUSE_MS, maxPauseMs = MAX_PAUSE_MS } = options;
  const backOff = createBackOff({ firstMs: firstPauseMs, maxMs: maxPauseMs });
  const startedMs = performance.now();
  let loggedMs = startedMs + QUIET_MS - LOG_EVERY_MS;
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (options.isFinal?.(error)) throw error;
      options.onError?.(error);
      if (performance.now() - loggedMs >= LOG_EVERY_MS) {
        loggedMs = performance.now();
        const seconds = Math.round((loggedMs - startedMs) / 1000);
        log.warn({ err: error, tries, seconds }, `Failed to ${task}, retrying`);
      }
      await pause(backOff.next(), signal);
    }
  }
}

/** Tells of trouble that is waited out: at once, and then no more than once a minute. */
interface FailureLog {
  add(error: unknown): void;
  /** It works again. */
  clear(): void;
}

const EVERY_MS = 60_000;
const DISK_FULL = '53100';

/** What trouble is, in words for those who run the server. */
export function describeFailure(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string };
  if (code === DISK_FULL) return 'the database disk is full';
  const trouble = troubleOf(error);
  if (trouble === 'down' || trouble === 'busy') return `database unavailable (${message})`;
  return message || String(error);
}

/** A log whose warnings come no more than once a minute: many things wait for the same. */
export function createThrottledLog(log: Log, now: () => number): Log {
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
export function createFailureLog(log: Log, now: () => number): FailureLog {
  let loggedMs = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    add(error) {
      count += 1;
      if (now() - loggedMs < EVERY_MS) return;
      loggedMs = now();
      log.warn({ err: error, count }, `Indexing paused: ${describeFailure(error)}`);
    },
    clear() {
      if (count > 0) log.info({ failures: count }, 'Indexing resumed');
      count = 0;
      loggedMs = Number.NEGATIVE_INFINITY;
    },
  };
}
