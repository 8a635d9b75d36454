import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { createBackOff } from '../../lite/connection/back-off.ts';

/** How trouble is waited out. */
export interface PersistOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** What is being done, for the log: "fetch blocks". */
  readonly task: string;
  readonly firstPauseMs?: number;
  readonly maxPauseMs?: number;
  /** What no repetition helps against. */
  readonly isFinal?: (error: unknown) => boolean;
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
const LOG_EVERY_MS = 60_000;
/** Trouble that is over sooner is none to speak of. */
const QUIET_MS = 5000;

/** Does work again and again, with growing pauses, until it succeeds; ends with the reason of the signal. */
export async function persist<T>(work: () => Promise<T>, options: PersistOptions): Promise<T> {
  const { log, signal, task, firstPauseMs = FIRST_PAUSE_MS, maxPauseMs = MAX_PAUSE_MS } = options;
  const backOff = createBackOff({ firstMs: firstPauseMs, maxMs: maxPauseMs, random: Math.random });
  const begunMs = performance.now();
  let loggedMs = begunMs + QUIET_MS - LOG_EVERY_MS;
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (options.isFinal?.(error)) throw error;
      options.onTrouble?.(error);
      if (performance.now() - loggedMs >= LOG_EVERY_MS) {
        loggedMs = performance.now();
        const seconds = Math.round((loggedMs - begunMs) / 1000);
        log.warn({ err: error, tries, seconds }, `Indexer: cannot ${task}; it is tried again`);
      }
      await sleep(backOff.next(), undefined, { signal }).catch(() => {});
    }
  }
}
