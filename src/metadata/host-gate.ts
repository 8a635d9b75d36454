import { LRUCache } from 'lru-cache';
import { backOffDelay } from '../lib/back-off.ts';

export type HostGate = ReturnType<typeof createHostGate>;

interface Host {
  requests: number;
  /** Failed requests since the last success. */
  failures: number;
  pausedUntilMs: number;
  /** The slot that was given out last. */
  lastSlotMs: number;
}

const MAX_HOSTS = 4096;
const MAX_FAILURES = 5;
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 600_000;
const URGENT_WAIT_MS = 1000;
const WAIT_MS = 5000;
/** Between two slots: a collection of a million items is due at once, and each should be deferred only once. */
const SLOT_MS = 100;

/**
 * Creates a gate that limits concurrent requests per host, and pauses hosts that do not respond. The least recently used
 * hosts are evicted.
 */
export function createHostGate(now: () => number) {
  const hosts = new LRUCache<string, Host>({ max: MAX_HOSTS });

  function hostOf(name: string): Host {
    let host = hosts.get(name);
    if (host === undefined) {
      host = { requests: 0, failures: 0, pausedUntilMs: 0, lastSlotMs: 0 };
      hosts.set(name, host);
    }
    return host;
  }

  return {
    /** Starts a request unless there are too many; returns the function that ends it. */
    acquire(name: string, max: number): ((end: 'responded' | 'unavailable') => void) | undefined {
      const host = hostOf(name);
      // After a pause, a single request probes the host.
      const limit = host.failures < MAX_FAILURES ? max : 1;
      if (now() < host.pausedUntilMs || host.requests >= limit) return undefined;
      host.requests += 1;
      return (end) => {
        host.requests -= 1;
        if (end === 'unavailable') pause(host, now());
        else host.failures = 0;
      };
    },
    /** How long to defer a request that was not admitted; those that are not urgent get consecutive slots. */
    waitMs(name: string, isUrgent: boolean): number {
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
  // Concurrent requests fail together and count once.
  if (nowMs < host.pausedUntilMs) return;
  host.failures += 1;
  if (host.failures < MAX_FAILURES) return;
  host.pausedUntilMs = nowMs + backOffDelay(host.failures - MAX_FAILURES + 1, FIRST_PAUSE_MS, MAX_PAUSE_MS);
}
