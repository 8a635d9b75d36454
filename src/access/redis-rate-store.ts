import { Redis, type Result } from 'ioredis';
import type { Log } from '../lib/log.ts';
import { IMPATIENT_REDIS } from '../lib/redis-options.ts';
import { createMemoryRateStore, type RateCallback, type RateStore } from './rate-store.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tongateCount(key: string, windowMs: number, step: 0 | 1): Result<[number, number], Context>;
  }
}

export interface RedisRateStoreOptions {
  readonly url: string;
  readonly log: Log;
  readonly report: {
    /** Told about every failed connection and every failed or late answer. */
    readonly storeError: (error: Error) => void;
  };
  /** Counts while Redis is away. */
  readonly fallback?: RateStore;
  /** Longest time that a request waits for Redis. */
  readonly answerLimitMs?: number;
}

interface Call {
  readonly key: string;
  readonly callback: RateCallback;
  readonly windowMs: number;
  readonly step: 0 | 1;
  readonly startedAt: number;
}

const PREFIX = 'tongate:rate:';
/** Not a key that a caller can have: those start with `k:` or `a:`. */
const PROBE_KEY = 'probe';
const ANSWER_LIMIT_MS = 100;
/** The first answer needs a connection before it. */
const FIRST_ANSWER_FACTOR = 10;
const WATCH_EVERY_MS = 50;
const PROBE_EVERY_MS = 500;

/** The first call of a window is the one that finds no expiry; so a count can never stay without one. */
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
 * Counts in Redis, for several processes. A limit must never take the service down with it: from the first error
 * or late answer on, calls are counted in this process, until a probe in the background gets through again.
 * Resolves when Redis has answered for the first time or has shown that it does not.
 */
export async function createRedisRateStore(options: RedisRateStoreOptions): Promise<RateStore> {
  const { url, log, report, fallback = createMemoryRateStore(), answerLimitMs = ANSWER_LIMIT_MS } = options;
  const waiting = new Set<Call>();
  let up = false;
  let warned = false;
  let closed = false;
  let probing = false;
  let probedAt = Number.NEGATIVE_INFINITY;
  let watch: NodeJS.Timeout | undefined;
  const decided = Promise.withResolvers<void>();

  const redis = new Redis(url, {
    ...IMPATIENT_REDIS,
    scripts: { tongateCount: { lua: COUNT_SCRIPT, numberOfKeys: 1 } },
  });
  redis.on('error', goDown);
  redis.on('close', () => up && goDown(new Error('connection closed')));
  redis.on('ready', probe);

  function goDown(trouble: Error): void {
    if (closed) return;
    up = false;
    const reason = describe(trouble);
    report.storeError(new Error(reason));
    if (!warned) log.warn({ reason }, 'Redis is away: rates are counted in this process alone');
    warned = true;
    for (const call of waiting) countHere(call);
    waiting.clear();
    decided.resolve();
    keepWatch();
  }

  function goUp(): void {
    if (closed) return;
    up = true;
    if (warned) log.info({}, 'Redis is back: rates are shared again');
    warned = false;
    decided.resolve();
  }

  function countHere({ key, callback, windowMs, step }: Call): void {
    if (step === 1) fallback.incr(key, callback, windowMs);
    else fallback.read(key, callback, windowMs);
  }

  function count(key: string, callback: RateCallback, windowMs: number, step: 0 | 1): void {
    const call: Call = { key, callback, windowMs, step, startedAt: performance.now() };
    if (!up) {
      countHere(call);
      return;
    }
    waiting.add(call);
    keepWatch();
    redis.tongateCount(PREFIX + key, windowMs, step).then(
      ([current, ttl]) => waiting.delete(call) && callback(null, { current, ttl }),
      // Whoever left the set has been counted here already and must not trip the switch again.
      (error: Error) => waiting.has(call) && goDown(error),
    );
  }

  /** The same script as the calls use, so that a server that only answers PING does not pass. */
  function probe(): void {
    if (probing || up || redis.status !== 'ready') return;
    probing = true;
    probedAt = performance.now();
    redis
      .tongateCount(PREFIX + PROBE_KEY, 1000, 1)
      .then(goUp, goDown)
      .finally(() => {
        probing = false;
      });
  }

  /** One timer for all calls, running only while there is something to look after. */
  function keepWatch(): void {
    watch ??= setInterval(look, WATCH_EVERY_MS).unref();
  }

  function look(): void {
    if (!up) {
      if (performance.now() - probedAt >= PROBE_EVERY_MS) probe();
      return;
    }
    const [oldest] = waiting;
    if (oldest === undefined) {
      clearInterval(watch);
      watch = undefined;
    } else if (performance.now() - oldest.startedAt > answerLimitMs) {
      // When this process itself was late, the answer is in the socket and read before `setImmediate` fires.
      setImmediate(() => {
        if (waiting.has(oldest)) goDown(new Error(`no answer within ${answerLimitMs} ms`));
      });
    }
  }

  const firstLimitMs = answerLimitMs * FIRST_ANSWER_FACTOR;
  const giveUp = setTimeout(() => goDown(new Error(`no answer within ${firstLimitMs} ms`)), firstLimitMs);
  // What goes wrong arrives as an `error` event too.
  redis.connect().catch(() => {});
  await decided.promise;
  clearTimeout(giveUp);

  return {
    incr: (key, callback, windowMs) => count(key, callback, windowMs, 1),
    read: (key, callback, windowMs) => count(key, callback, windowMs, 0),
    async close() {
      closed = true;
      up = false;
      for (const call of waiting) countHere(call);
      waiting.clear();
      clearInterval(watch);
      redis.disconnect();
      await fallback.close();
    },
  };
}

/** Only the text: the error itself carries the command that failed, and a failed AUTH carries the password. */
function describe(error: Error & { readonly code?: string }): string {
  // A refusal on all addresses of a host name has a code and no message.
  return error.message || error.code || error.name;
}
