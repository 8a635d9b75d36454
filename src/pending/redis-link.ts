import { Redis } from 'ioredis';
import type { Log } from '../lib/log.ts';
import { FAIL_FAST_REDIS } from '../lib/redis.ts';

/** Redis, which may be away at any time. */
export interface RedisLink {
  /** Does something in Redis; undefined where it is away, fails or answers too late. Never throws. */
  run<T>(work: (redis: Redis) => Promise<T>): Promise<T | undefined>;
  close(): Promise<void>;
}

interface RedisLinkOptions {
  readonly url: string;
  readonly log: Log;
  /** Told of every failure. */
  readonly onTrouble: () => void;
  /** A key that a probe may write to. */
  readonly probeKey: string;
  /** Longest time that an answer is waited for. */
  readonly answerLimitMs?: number;
}

const ANSWER_LIMIT_MS = 300;
const FIRST_ANSWER_MS = 1000;
const PROBE_EVERY_MS = 500;
const PROBE_TTL_MS = 1000;

/**
 * Connects to Redis. From the first failure or late answer on nothing is asked of it, until a probe in the background
 * gets through again. Resolves when Redis has answered for the first time or has shown that it does not.
 */
export async function openRedisLink(options: RedisLinkOptions): Promise<RedisLink> {
  const { url, log, onTrouble, probeKey, answerLimitMs = ANSWER_LIMIT_MS } = options;
  const decided = Promise.withResolvers<void>();
  let state: 'new' | 'up' | 'down' | 'closed' = 'new';
  let isProbing = false;

  const redis = new Redis(url, {
    ...FAIL_FAST_REDIS,
  });
  redis.on('error', goDown);
  redis.on('close', () => state === 'up' && goDown(new Error('connection closed')));
  redis.on('ready', probe);
  const watch = setInterval(probe, PROBE_EVERY_MS).unref();

  function goDown(trouble: Error & { readonly code?: string }): void {
    if (state === 'closed') return;
    onTrouble();
    // Only the text: the error itself carries the command that failed, and a failed AUTH carries the password.
    const reason = trouble.message || trouble.code || trouble.name;
    if (state !== 'down') log.warn({ reason }, 'Redis is away: pending messages are those of this process');
    state = 'down';
    decided.resolve();
  }

  function goUp(): void {
    if (state === 'closed') return;
    if (state === 'down') log.info({}, 'Redis is back: pending messages are shared again');
    state = 'up';
    decided.resolve();
  }

  /** It writes, so that a server which can only be read from does not pass. */
  function probe(): void {
    if (isProbing || state === 'up' || redis.status !== 'ready') return;
    isProbing = true;
    redis
      .set(probeKey, '1', 'PX', PROBE_TTL_MS)
      .then(goUp, goDown)
      .finally(() => {
        isProbing = false;
      });
  }

  async function run<T>(work: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    if (state !== 'up') return undefined;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      // When this process itself was late, the answer is in the socket and read before `setImmediate` fires.
      () => setImmediate(() => late.reject(new Error(`no answer within ${answerLimitMs} ms`))),
      answerLimitMs,
    );
    try {
      return await Promise.race([work(redis), late.promise]);
    } catch (error) {
      if (state === 'up') goDown(error as Error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  const giveUp = setTimeout(
    () => goDown(new Error(`no answer within ${FIRST_ANSWER_MS} ms`)),
    FIRST_ANSWER_MS,
  );
  // What goes wrong arrives as an `error` event too.
  redis.connect().catch(() => {});
  await decided.promise;
  clearTimeout(giveUp);

  return {
    run,
    async close() {
      state = 'closed';
      clearInterval(watch);
      redis.disconnect();
    },
  };
}
