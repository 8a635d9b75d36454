import type { Log } from '../../lib/log.ts';

/** Tells the log what becomes of messages, added up. */
export interface EndLog {
  /** One message ended. */
  note(reason: string): void;
  /** Something could not be done; it will be tried again. */
  trouble(error: unknown): void;
  /** Writes what there is to tell, if some time has passed. */
  tell(): void;
}

const EVERY_MS = 60_000;

/** Creates it; the first trouble is told at once. */
export function createEndLog(log: Log, now: () => number = () => performance.now()): EndLog {
  let counts: Record<string, number> = {};
  let toldMs = now();
  let troubledMs = Number.NEGATIVE_INFINITY;
  return {
    note(reason) {
      counts[reason] = (counts[reason] ?? 0) + 1;
    },
    trouble(error) {
      if (now() - troubledMs < EVERY_MS) return;
      troubledMs = now();
      log.warn({ err: error }, 'Pending messages cannot be followed for the moment');
    },
    tell() {
      if (now() - toldMs < EVERY_MS || Object.keys(counts).length === 0) return;
      toldMs = now();
      log.info(counts, 'Pending messages ended');
      counts = {};
    },
  };
}
