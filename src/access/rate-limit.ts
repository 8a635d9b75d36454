import { isIP, isIPv4 } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { Result } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { openRedis } from '../db/redis.ts';
import type { Log } from '../lib/log.ts';

/** State of one key: calls in the current window, and milliseconds until it ends. */
export interface RateCount {
  readonly current: number;
  readonly ttl: number;
}

type RateCallback = (error: Error | null, count?: RateCount) => void;

/**
 * Where calls are counted: the store interface of @fastify/rate-limit without `child`. A window is fixed and starts
 * with its first call.
 */
export interface RateStore {
  /** Counts one call. */
  readonly incr: (key: string, callback: RateCallback, windowMs: number) => void;
  /** Returns the state without counting. */
  readonly read: (key: string, callback: RateCallback, windowMs: number) => void;
  readonly close: () => Promise<void>;
}

interface MemoryRateStoreOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Limit of kept windows; above it the oldest half is dropped. */
  readonly maxKeys?: number;
}

interface Window {
  count: number;
  endsAt: number;
}

const MAX_KEYS = 100_000;

/** Counts in this process only. A plain map, because an LRU costs 3 µs more per request. */
export function createMemoryRateStore(options: MemoryRateStoreOptions = {}): RateStore {
  const { now = () => performance.now(), maxKeys = MAX_KEYS } = options;
  const windows = new Map<string, Window>();

  /** Drops windows that have ended; if that is not enough, those that started first. */
  function makeRoom(time: number): void {
    for (const [key, window] of windows) if (window.endsAt <= time) windows.delete(key);
    for (const key of windows.keys()) {
      if (windows.size <= maxKeys / 2) break;
      windows.delete(key);
    }
  }

  function count(key: string, windowMs: number): RateCount {
    const time = now();
    let window = windows.get(key);
    if (window === undefined) {
      if (windows.size >= maxKeys) makeRoom(time);
      window = { count: 1, endsAt: time + windowMs };
      windows.set(key, window);
    } else if (window.endsAt <= time) {
      window.count = 1;
      window.endsAt = time + windowMs;
    } else {
      window.count += 1;
    }
    return { current: window.count, ttl: Math.round(window.endsAt - time) };
  }

  return {
    incr: (key, callback, windowMs) => callback(null, count(key, windowMs)),
    read(key, callback) {
      const time = now();
      const window = windows.get(key);
      const open = window !== undefined && window.endsAt > time;
      callback(
        null,
        open ? { current: window.count, ttl: Math.round(window.endsAt - time) } : { current: 0, ttl: 0 },
      );
    },
    close: async () => {},
  };
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tongateCount(key: string, windowMs: number, step: 0 | 1): Result<[number, number], Context>;
  }
}

interface RedisRateStoreOptions {
  readonly url: string;
  readonly log: Log;
  /** Called for every failed connection and every failed or late response. */
  readonly onError: (error: Error) => void;
  /** Counts while Redis is unavailable. */
  readonly fallback?: RateStore;
  /** Longest time that a request waits for Redis. */
  readonly timeoutMs?: number;
}

const PREFIX = 'tongate:rate:';
/** Not a key that a caller can have: those start with `k:` or `a:`. */
const PROBE_KEY = `${PREFIX}probe`;
const PROBE_WINDOW_MS = 1000;
const TIMEOUT_MS = 100;

/** The first call of a window is the one that finds no expiry, so a count can never stay without one. */
const COUNT_SCRIPT = `
local current
if ARGV[2] == '1' then current = redis.call('INCR', KEYS[1])
else current = tonumber(redis.call('GET', KEYS[1]) or '0') end
if current == 0 then return {0, 0} end
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  ttl = tonumber(ARGV[1])
end
return {current, ttl}`;

/**
 * Counts in Redis, for several processes. A rate limit must never take the service down: while Redis is unavailable,
 * calls are counted in this process.
 */
export async function createRedisRateStore(options: RedisRateStoreOptions): Promise<RateStore> {
  const { url, log, onError, fallback = createMemoryRateStore(), timeoutMs = TIMEOUT_MS } = options;
  const redis = await openRedis({
    url,
    log,
    shares: 'rate limits',
    onError,
    timeoutMs,
    scripts: { tongateCount: { lua: COUNT_SCRIPT, numberOfKeys: 1 } },
    probe: (client) => client.tongateCount(PROBE_KEY, PROBE_WINDOW_MS, 1),
  });

  async function count(key: string, callback: RateCallback, windowMs: number, step: 0 | 1): Promise<void> {
    const counted = await redis.run((client) => client.tongateCount(PREFIX + key, windowMs, step));
    if (counted !== undefined) callback(null, { current: counted[0], ttl: counted[1] });
    else if (step === 1) fallback.incr(key, callback, windowMs);
    else fallback.read(key, callback, windowMs);
  }

  return {
    incr: (key, callback, windowMs) => void count(key, callback, windowMs, 1),
    read: (key, callback, windowMs) => void count(key, callback, windowMs, 0),
    async close() {
      await redis.close();
      await fallback.close();
    },
  };
}

/** Limits how many wrong keys one address can try. */
interface GuessGuard {
  /**
   * Waits for a permit to try a key; null when the address has no failures left. There are never more tries in flight
   * than failures left, so a burst cannot exceed the limit. The permit's `end` must be called.
   */
  readonly begin: (address: string) => Promise<GuessPermit | null>;
  /** Failures of the address in the current second. */
  readonly count: (address: string) => RateCount;
}

interface GuessPermit {
  readonly end: (failed: boolean) => void;
}

interface GuessGuardOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

interface Suspect {
  failures: number;
  endsAt: number;
  /** Tries in flight. */
  pending: number;
  readonly waiting: (() => void)[];
}

/** Wrong keys that an address may send per second. */
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
    const isSpent = suspect.failures >= MAX_FAILURES;
    const permits = isSpent ? suspect.waiting.length : MAX_FAILURES - suspect.failures - suspect.pending;
    for (const wake of suspect.waiting.splice(0, Math.max(0, permits))) wake();
  }

  return {
    async begin(address) {
      const suspect = suspectAt(address);
      while (suspect.failures + suspect.pending >= MAX_FAILURES) {
        if (suspect.failures >= MAX_FAILURES) return null;
        // Valid keys that are not cached yet look the same: they wait instead of being refused.
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

/** Longest text of an IPv4 address. */
const MAX_IPV4_LENGTH = 15;
const MAX_IPV6_LENGTH = 64;
const MAX_CACHED = 4096;
const MAPPED = '::ffff:';
/** `[address]`, `[address]:port` and `v4:port`, as some proxies write X-Forwarded-For. */
const BRACKETS_OR_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/**
 * Creates the function that maps a client address to the group it is counted in: IPv4 as it is, IPv6 by its /64 (the
 * network of one customer), and one shared group for what is not an address.
 */
export function createAddressGroups(): (ip: string | undefined) => string {
  // normalizeIP takes about 20 µs for an IPv6 address, more than all other access checks.
  const groups = new LRUCache<string, string>({ max: MAX_CACHED });
  return (ip = '') => {
    if (ip.length <= MAX_IPV4_LENGTH && !ip.includes(':')) return ip;
    if (ip.length > MAX_IPV6_LENGTH) return 'invalid';
    // An IPv4 client of a dual-stack socket.
    if (ip.startsWith(MAPPED) && isIPv4(ip.slice(MAPPED.length))) return ip.slice(MAPPED.length);
    let group = groups.get(ip);
    if (group === undefined) {
      group = groupOf(ip);
      groups.set(ip, group);
    }
    return group;
  };
}

function groupOf(text: string): string {
  const match = BRACKETS_OR_PORT.exec(text);
  const ip = match?.[1] ?? match?.[2] ?? text;
  return isIP(ip) === 0 ? 'invalid' : normalizeIP(ip);
}
