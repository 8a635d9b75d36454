import { createBackOff } from './back-off.ts';
import type { Log } from './log.ts';
import { pause } from './wait.ts';

export interface RetryOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The task in the log line "Failed to …, retrying": "fetch blocks". */
  readonly task: string;
  readonly firstPauseMs?: number;
  readonly maxPauseMs?: number;
  /** Errors that are thrown instead of retried. */
  readonly isFinal?: (error: unknown) => boolean;
  readonly onError?: ((error: unknown) => void) | undefined;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
const LOG_INTERVAL_MS = 60_000;
/** Failures that recover sooner are not logged. */
const QUIET_MS = 5000;

/** Repeats work with back-off until it succeeds; an abort rejects with the reason of the signal. */
export async function retryUntilDone<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { log, signal, task, firstPauseMs = FIRST_PAUSE_MS, maxPauseMs = MAX_PAUSE_MS } = options;
  const backOff = createBackOff({ firstMs: firstPauseMs, maxMs: maxPauseMs });
  const startedMs = performance.now();
  const isDue = createThrottle(() => performance.now(), QUIET_MS);
  for (let attempts = 1; ; attempts++) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (options.isFinal?.(error)) throw error;
      options.onError?.(error);
      if (isDue()) {
        const seconds = Math.round((performance.now() - startedMs) / 1000);
        log.warn({ err: error, attempts, seconds }, `Failed to ${task}, retrying`);
      }
      await pause(backOff.next(), signal);
    }
  }
}

/** A log that passes one warning a minute: many tasks fail for the same reason. */
export function createThrottledLog(log: Log, now: () => number): Log {
  const isDue = createThrottle(now);
  return {
    info: (details, text) => log.info(details, text),
    error: (details, text) => log.error(details, text),
    warn(details, text) {
      if (isDue()) log.warn(details, text);
    },
  };
}

/**
 * Creates a log of failures that are retried: the first at once, then at most one line a minute. `describe` puts an error
 * into words for the operator.
 */
export function createFailureLog(log: Log, now: () => number, describe: (error: unknown) => string) {
  let isDue = createThrottle(now);
  let count = 0;
  return {
    add(error: unknown): void {
      count += 1;
      if (isDue()) log.warn({ err: error, count }, `Indexing paused: ${describe(error)}`);
    },
    /** Logs the recovery, if there were failures. */
    clear(): void {
      if (count > 0) log.info({ failures: count }, 'Indexing resumed');
      count = 0;
      isDue = createThrottle(now);
    },
  };
}

/** Whether a line may be logged now: at most one per minute, none during the first `quietMs`. */
function createThrottle(now: () => number, quietMs = 0): () => boolean {
  let nextMs = now() + quietMs;
  return () => {
    if (now() < nextMs) return false;
    nextMs = now() + LOG_INTERVAL_MS;
    return true;
  };
}
