import { LRUCache } from 'lru-cache';
import type { RateCount } from './rate-store.ts';

/** Bounds how many wrong keys one address can try. */
export interface GuessGuard {
  /**
   * Waits for a turn to try a key; null when the address has no failures left. Never more tries are under way
   * than failures are left, so a burst cannot get past the bound. The turn's `end` must be called.
   */
  readonly begin: (address: string) => Promise<Turn | null>;
  /** Failures of the address in the current second. */
  readonly count: (address: string) => RateCount;
}

interface Turn {
  readonly end: (failed: boolean) => void;
}

interface GuessGuardOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Suspect {
  failures: number;
  endsAt: number;
  /** Tries whose end is not known yet. */
  pending: number;
  readonly waiting: (() => void)[];
}

/** Wrong keys an address may send in a second. */
export const MAX_FAILURES = 10;
const WINDOW_MS = 1000;
const MAX_ADDRESSES = 10_000;

/** Counts failed key look-ups per address, in this process. */
export function createGuessGuard({ now = () => performance.now() }: GuessGuardOptions = {}): GuessGuard {
  const suspects = new LRUCache<string, Suspect>({ max: MAX_ADDRESSES });

  function suspectAt(address: string): Suspect {
    let suspect = suspects.get(address);
    if (suspect === undefined) {
      suspect = { failures: 0, endsAt: now() + WINDOW_MS, pending: 0, waiting: [] };
      suspects.set(address, suspect);
    }
    renew(suspect);
    return suspect;
  }

  function renew(suspect: Suspect): void {
    const time = now();
    if (suspect.endsAt > time) return;
    suspect.failures = 0;
    suspect.endsAt = time + WINDOW_MS;
  }

  function end(suspect: Suspect, failed: boolean): void {
    renew(suspect);
    suspect.pending -= 1;
    if (failed) suspect.failures += 1;
    const spent = suspect.failures >= MAX_FAILURES;
    const turns = spent ? suspect.waiting.length : MAX_FAILURES - suspect.failures - suspect.pending;
    for (const wake of suspect.waiting.splice(0, Math.max(0, turns))) wake();
  }

  return {
    async begin(address) {
      const suspect = suspectAt(address);
      while (suspect.failures + suspect.pending >= MAX_FAILURES) {
        if (suspect.failures >= MAX_FAILURES) return null;
        // Good keys that are not cached yet look the same; they queue and are not refused.
        await new Promise<void>((resolve) => suspect.waiting.push(resolve));
        renew(suspect);
      }
      suspect.pending += 1;
      return { end: (failed) => end(suspect, failed) };
    },
    count(address) {
      const { failures, endsAt } = suspectAt(address);
      return { current: failures, ttl: endsAt - now() };
    },
  };
}
