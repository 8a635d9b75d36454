import { randomBytes } from 'node:crypto';
import { setInterval } from 'node:timers';
import type { Result } from 'ioredis';
import type { RedisService } from '../db/redis.ts';

/** Counts the open connections of callers. */
export interface ConnectionSlots {
  /** Takes a slot; undefined if the caller has `max` already. The function frees it. */
  take(caller: string, max: number): Promise<(() => void) | undefined>;
  close(): void;
}

/** Slots that processes share. */
export interface SharedSlots {
  /** Whether a slot is free and now taken; undefined if that cannot be known now. */
  take(caller: string, slot: string, max: number): Promise<boolean | undefined>;
  free(caller: string, slot: string): void;
  close(): void;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tongateTakeSlot(key: string, slot: string, max: number, leaseMs: number): Result<number, Context>;
  }
}

/** A process that was killed frees its slots by not renewing them. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const PREFIX = 'tongate:streams:';

/** The slots of a caller are a sorted set with the times at which they end. */
const TAKE = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local max = tonumber(ARGV[2])
if max >= 0 and redis.call('ZCARD', KEYS[1]) >= max and not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** The script that `openRedis` must define for slots. */
export const SLOT_SCRIPTS = { tongateTakeSlot: { lua: TAKE, numberOfKeys: 1 } };

/** Slots in Redis. */
export function createRedisSlots(redis: RedisService): SharedSlots {
  const taken = new Map<string, string>();
  const takeFor = (caller: string, slot: string, max: number) =>
    redis.run((client) => client.tongateTakeSlot(PREFIX + caller, slot, max, LEASE_MS));
  const timer = setInterval(() => {
    for (const [slot, caller] of taken) void takeFor(caller, slot, -1);
  }, RENEW_MS).unref();

  return {
    async take(caller, slot, max) {
      const isFree = await takeFor(caller, slot, max);
      if (isFree !== 0) taken.set(slot, caller);
      return isFree === undefined ? undefined : isFree === 1;
    },
    free(caller, slot) {
      if (taken.delete(slot)) void redis.run((client) => client.zrem(PREFIX + caller, slot));
    },
    close: () => clearInterval(timer),
  };
}

/** Creates the count of this process, which others may share. */
export function createConnectionSlots(shared?: SharedSlots): ConnectionSlots {
  const counts = new Map<string, number>();
  return {
    async take(caller, max) {
      const own = counts.get(caller) ?? 0;
      if (max >= 0 && own >= max) return undefined;
      // Counted before the others answer, so that a burst cannot exceed the limit.
      counts.set(caller, own + 1);
      const slot = randomBytes(9).toString('base64url');
      const isFree = await shared?.take(caller, slot, max);
      let isTaken = true;
      const free = (): void => {
        if (!isTaken) return;
        isTaken = false;
        const left = counts.get(caller)! - 1;
        if (left === 0) counts.delete(caller);
        else counts.set(caller, left);
        if (isFree !== false) shared?.free(caller, slot);
      };
      if (isFree === false) {
        free();
        return undefined;
      }
      return free;
    },
    close: () => shared?.close(),
  };
}
