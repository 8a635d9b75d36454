import { LRUCache } from 'lru-cache';
import { backOffDelay } from '../../lib/back-off.ts';

/** Keeps requests to each host few, and away from hosts that do not answer. */
export interface HostGate {
  /** Begins a visit unless there are too many; gives what ends it. */
  enter(host: string, max: number): ((end: 'answered' | 'silent') => void) | undefined;
  /** How long to wait with somebody who was not let in; those who are not urgent queue up one behind the other. */
  waitMs(host: string, isUrgent: boolean): number;
  /** Hosts that nobody is let in to now. */
  pausedHosts(): number;
}

interface Host {
  visits: number;
  /** Visits without an answer since the last one with an answer. */
  failures: number;
  pausedUntilMs: number;
  /** The moment that was last given to somebody to come again. */
  lastSlotMs: number;
}

const MAX_HOSTS = 4096;
const MAX_FAILURES = 5;
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 600_000;
const URGENT_WAIT_MS = 1000;
const WAIT_MS = 5000;
/** Between two who wait: a collection of a million items is due at once, and each should come only once. */
const SLOT_MS = 100;

/** Hosts that were not visited for long are forgotten. */
export function createHostGate(now: () => number): HostGate {
  const hosts = new LRUCache<string, Host>({ max: MAX_HOSTS });

  function hostOf(name: string): Host {
    let host = hosts.get(name);
    if (host === undefined) {
      host = { visits: 0, failures: 0, pausedUntilMs: 0, lastSlotMs: 0 };
      hosts.set(name, host);
    }
    return host;
  }

  return {
    enter(name, max) {
      const host = hostOf(name);
      // After a pause, one finds out for all.
      const limit = host.failures < MAX_FAILURES ? max : 1;
      if (now() < host.pausedUntilMs || host.visits >= limit) return undefined;
      host.visits += 1;
      return (end) => {
        host.visits -= 1;
        if (end === 'silent') pause(host, now());
        else host.failures = 0;
      };
    },
    waitMs(name, isUrgent) {
      const host = hostOf(name);
      const nowMs = now();
      const soonestMs = Math.max(host.pausedUntilMs, nowMs + (isUrgent ? URGENT_WAIT_MS : WAIT_MS));
      if (isUrgent) return soonestMs - nowMs;
      host.lastSlotMs = Math.max(host.lastSlotMs, soonestMs) + SLOT_MS;
      return host.lastSlotMs - nowMs;
    },
    pausedHosts: () => [...hosts.values()].filter(({ pausedUntilMs }) => pausedUntilMs > now()).length,
  };
}

function pause(host: Host, nowMs: number): void {
  // Those who were inside together are silent together.
  if (nowMs < host.pausedUntilMs) return;
  host.failures += 1;
  if (host.failures < MAX_FAILURES) return;
  host.pausedUntilMs = nowMs + backOffDelay(host.failures - MAX_FAILURES + 1, FIRST_PAUSE_MS, MAX_PAUSE_MS);
}
