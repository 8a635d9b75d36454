import { LRUCache } from 'lru-cache';

/** State of one limit key: calls in the current window, and milliseconds until it ends. */
export interface RateCount {
  readonly current: number;
  readonly ttl: number;
}

export type RateCallback = (error: Error | null, count?: RateCount) => void;

/**
 * Where calls are counted: the interface that @fastify/rate-limit asks of a store, without `child`.
 * A window is fixed and starts with the first call in it.
 */
export interface RateStore {
  /** Counts one call. */
  readonly incr: (key: string, callback: RateCallback, windowMs: number) => void;
  /** Tells the state without counting. */
  readonly read: (key: string, callback: RateCallback, windowMs: number) => void;
  readonly close: () => Promise<void>;
}

interface MemoryRateStoreOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Most windows kept; the least recently used one makes room. */
  readonly maxKeys?: number;
}

interface Window {
  count: number;
  endsAt: number;
}

const MAX_KEYS = 100_000;

/** Counts in this process only. */
export function createMemoryRateStore(options: MemoryRateStoreOptions = {}): RateStore {
  const { now = () => performance.now(), maxKeys = MAX_KEYS } = options;
  const windows = new LRUCache<string, Window>({ max: maxKeys });
  return {
    incr(key, callback, windowMs) {
      const time = now();
      let window = windows.get(key);
      if (window === undefined) {
        window = { count: 1, endsAt: time + windowMs };
        windows.set(key, window);
      } else if (window.endsAt <= time) {
        window.count = 1;
        window.endsAt = time + windowMs;
      } else {
        window.count += 1;
      }
      callback(null, { current: window.count, ttl: window.endsAt - time });
    },
    read(key, callback) {
      const time = now();
      const window = windows.get(key);
      const open = window !== undefined && window.endsAt > time;
      callback(null, open ? { current: window.count, ttl: window.endsAt - time } : { current: 0, ttl: 0 });
    },
    close: async () => {},
  };
}
