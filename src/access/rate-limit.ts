import { isIP, isIPv4 } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { Result } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { openRedis } from '../db/redis.ts';
import type { Log } from '../lib/log.ts';

/** State of one key: calls in the last window, one more than allowed if it is refused; and milliseconds until one leaves it. */
export interface RateCount {
  readonly current: number;
  readonly ttl: number;
}

type RateCallback = (error: Error | null, count?: RateCount) => void;

/**
 * Where calls are counted: the store interface of @fastify/rate-limit without `child`. The window slides: in no span of
 * its length are there more than `max` calls. Refused calls do not count, so a caller that is too fast still gets its rate.
 */
export interface RateStore {
  /** Counts one call unless `max` calls are in the window already. */
  readonly incr: (key: string, callback: RateCallback, windowMs: number, max: number) => void;
  /** Returns the state without counting. */
  readonly read: (key: string, callback: RateCallback, windowMs: number, max: number) => void;
  readonly close: () => Promise<void>;
}

interface MemoryRateStoreOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now?: (() => number) | undefined;
  /** Limit of kept keys; above it the oldest half is dropped. */
  readonly maxKeys?: number;
}

const MAX_KEYS = 100_000;
/** Times at the start of an array that are not in use, before it is cut. */
const MAX_UNUSED = 32;

/** The times of the calls in the last window, oldest first. */
class CallTimes {
  readonly #times: number[] = [];
  #first = 0;
  /** When the newest call leaves the window. */
  endsAt = 0;

  get count(): number {
    return this.#times.length - this.#first;
  }

  get oldest(): number {
    return this.#times[this.#first]!;
  }

  add(time: number, windowMs: number): void {
    this.#times.push(time);
    this.endsAt = time + windowMs;
  }

  /** Drops the calls up to a time. */
  dropUpTo(time: number): void {
    while (this.#first < this.#times.length && this.oldest <= time) this.#first++;
    if (this.#first > MAX_UNUSED || this.#first === this.#times.length) {
      this.#times.splice(0, this.#first);
      this.#first = 0;
    }
  }
}

/** Counts in this process only. A plain map, because an LRU costs 3 µs more per request. */
export function createMemoryRateStore(options: MemoryRateStoreOptions = {}): RateStore {
  const { now = () => performance.now(), maxKeys = MAX_KEYS } = options;
  const callers = new Map<string, CallTimes>();

  /** Drops keys whose calls have all left the window; if that is not enough, those that were added first. */
  function makeRoom(time: number): void {
    for (const [key, { endsAt }] of callers) if (endsAt <= time) callers.delete(key);
    for (const key of callers.keys()) {
      if (callers.size <= maxKeys / 2) break;
      callers.delete(key);
    }
  }

  function open(key: string, time: number): CallTimes {
    let calls = callers.get(key);
    if (calls === undefined) {
      if (callers.size >= maxKeys) makeRoom(time);
      calls = new CallTimes();
      callers.set(key, calls);
    }
    return calls;
  }

  function count(key: string, windowMs: number, max: number): RateCount {
    const time = now();
    const calls = open(key, time);
    calls.dropUpTo(time - windowMs);
    const isRefused = calls.count >= max;
    if (!isRefused) calls.add(time, windowMs);
    return {
      current: calls.count + (isRefused ? 1 : 0),
      ttl: Math.round(calls.oldest + windowMs - time),
    };
  }

  return {
    incr: (key, callback, windowMs, max) => callback(null, count(key, windowMs, max)),
    read(key, callback, windowMs) {
      const time = now();
      const calls = callers.get(key);
      calls?.dropUpTo(time - windowMs);
      const isIdle = calls === undefined || calls.count === 0;
      callback(
        null,
        isIdle
          ? { current: 0, ttl: 0 }
          : { current: calls.count, ttl: Math.round(calls.oldest + windowMs - time) },
      );
    },
    close: async () => {},
  };
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tongateCount(key: string, windowMs: number, max: number, step: 0 | 1): Result<[number, number], Context>;
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
/** Not a key that a caller can have: those start with `k:`, `o:`, `a:` or `p:`. */
const PROBE_KEY = `${PREFIX}probe`;
const PROBE_WINDOW_MS = 1000;
const TIMEOUT_MS = 100;

/** A list of the times of the calls in the window, in microseconds of the clock of Redis. */
const COUNT_SCRIPT = `
local key, window, max = KEYS[1], tonumber(ARGV[1]) * 1000, tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local oldest = redis.call('LINDEX', key, 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end
local current = redis.call('LLEN', key)
if ARGV[3] == '1' then
  if current < max then
    redis.call('RPUSH', key, string.format('%.0f', now))
    redis.call('PEXPIRE', key, ARGV[1])
    oldest = oldest or now
  end
  current = current + 1
end
if not oldest then return {0, 0} end
return {current, math.ceil((tonumber(oldest) + window - now) / 1000)}`;

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
    probe: (client) => client.tongateCount(PROBE_KEY, PROBE_WINDOW_MS, 1, 1),
  });

  async function count([key, callback, windowMs, max]: Parameters<RateStore['incr']>, step: 0 | 1) {
    const counted = await redis.run((client) => client.tongateCount(PREFIX + key, windowMs, max, step));
    if (counted !== undefined) callback(null, { current: counted[0], ttl: counted[1] });
    else if (step === 1) fallback.incr(key, callback, windowMs, max);
    else fallback.read(key, callback, windowMs, max);
  }

  return {
    incr: (...call) => void count(call, 1),
    read: (...call) => void count(call, 0),
    async close() {
      await redis.close();
      await fallback.close();
    },
  };
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

/** Limits how many wrong keys one address can try. */
export interface GuessGuard {
  /**
   * Waits for a permit to try a key; null when the address has no failures left. There are never more tries in flight
   * than failures left, so a burst cannot exceed the limit. The permit's `end` must be called.
   */
  begin(address: string): Promise<{ readonly end: (failed: boolean) => void } | null>;
  /** Failures of the address in the current second. */
  count(address: string): RateCount | Promise<RateCount>;
}

/** Counts failed look-ups in this process. `now` is a monotonic clock. */
export function createGuessGuard({
  now = () => performance.now(),
}: {
  readonly now?: (() => number) | undefined;
} = {}): GuessGuard & { count(address: string): RateCount } {
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
    async begin(address: string) {
      const suspect = suspectAt(address);
      while (suspect.failures + suspect.pending >= MAX_FAILURES) {
        if (suspect.failures >= MAX_FAILURES) return null;
        // Valid keys that are not cached yet look the same: they wait instead of being refused.
        await new Promise<void>((resolve) => suspect.waiting.push(resolve));
        renew(suspect);
      }
      suspect.pending += 1;
      return { end: (failed: boolean) => end(suspect, failed) };
    },
    count(address) {
      const { failures, endsAt } = suspectAt(address);
      return { current: failures, ttl: endsAt - now() };
    },
  };
}

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
    // A Unix socket has no address.
    if (ip === '') return ip;
    if (ip.length <= MAX_IPV4_LENGTH && isIPv4(ip)) return ip;
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
