import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryRateStore, type RateCount, type RateStore } from '../../src/access/rate-store.ts';
import { createRedisRateStore } from '../../src/access/redis-rate-store.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { noRedis, openRedis, type SomeRedis } from '../support/redis.ts';

const ask = (store: RateStore, method: 'incr' | 'read', key: string, windowMs = 60_000): Promise<RateCount> =>
  new Promise((resolve, reject) => {
    store[method](key, (error, count) => (count === undefined ? reject(error) : resolve(count)), windowMs);
  });

/** A key that no other test and no earlier run has used. */
const freshKey = (): string => `test:${process.pid}:${performance.now()}:${Math.random()}`;

function storeBehaviour(open: () => RateStore): void {
  test('counts up from one within a window', async () => {
    const key = freshKey();
    const counts = [];
    for (let call = 0; call < 3; call++) counts.push((await ask(open(), 'incr', key)).current);
    expect(counts).toEqual([1, 2, 3]);
  });

  test('the window belongs to the first call and does not move', async () => {
    const key = freshKey();
    const first = await ask(open(), 'incr', key);
    expect(first.ttl).toBe(60_000);
    const later = await ask(open(), 'incr', key, 120_000);
    expect(later.ttl).toBeLessThanOrEqual(60_000);
    expect(later.ttl).toBeGreaterThan(0);
  });

  test('keys do not share a count', async () => {
    await ask(open(), 'incr', freshKey());
    expect((await ask(open(), 'incr', freshKey())).current).toBe(1);
  });

  test('reading counts nothing', async () => {
    const key = freshKey();
    expect(await ask(open(), 'read', key)).toEqual({ current: 0, ttl: 0 });
    await ask(open(), 'incr', key);
    await ask(open(), 'read', key);
    expect((await ask(open(), 'read', key)).current).toBe(1);
    expect((await ask(open(), 'incr', key)).current).toBe(2);
  });

  test('a window that ended starts again from one', async () => {
    const key = freshKey();
    await ask(open(), 'incr', key, 1);
    await expect.poll(async () => (await ask(open(), 'read', key)).current, { timeout: 30_000 }).toBe(0);
    expect(await ask(open(), 'incr', key)).toEqual({ current: 1, ttl: 60_000 });
  });

  test('calls at the same time are all counted', async () => {
    const key = freshKey();
    const counts = await Promise.all(Array.from({ length: 50 }, () => ask(open(), 'incr', key)));
    expect(counts.map(({ current }) => current).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 1),
    );
  });
}

describe('the memory store', () => {
  const store = createMemoryRateStore();
  storeBehaviour(() => store);

  test('follows its clock exactly', async () => {
    let time = 5000;
    const clocked = createMemoryRateStore({ now: () => time });
    expect(await ask(clocked, 'incr', 'k', 1000)).toEqual({ current: 1, ttl: 1000 });
    time = 5999;
    expect(await ask(clocked, 'incr', 'k', 1000)).toEqual({ current: 2, ttl: 1 });
    time = 6000;
    expect(await ask(clocked, 'read', 'k', 1000)).toEqual({ current: 0, ttl: 0 });
    expect(await ask(clocked, 'incr', 'k', 1000)).toEqual({ current: 1, ttl: 1000 });
  });

  test('keeps a bounded number of windows: ended ones make room first, then the oldest', async () => {
    let time = 0;
    const small = createMemoryRateStore({ maxKeys: 4, now: () => time });
    const fill = async (keys: string) => {
      for (const key of keys) await ask(small, 'incr', key, 1000);
    };
    const counted = async (keys: string) => {
      const counts = await Promise.all([...keys].map(async (key) => (await ask(small, 'read', key)).current));
      return counts.join('');
    };
    await fill('ab');
    time = 500;
    await fill('cd');
    time = 1200;
    await fill('e');
    expect(await counted('abcde')).toBe('00111');
    await fill('fg');
    expect(await counted('cdefg')).toBe('00111');
  });
});

describe.skipIf(noRedis)(`the Redis store${noRedis ? ` (skipped: ${noRedis})` : ''}`, () => {
  let redis: SomeRedis;
  let store: RateStore;
  const log = createQuietLog();
  const errors: Error[] = [];
  beforeAll(async () => {
    redis = await openRedis();
    store = await createRedisRateStore({
      url: redis.url,
      // A slow machine is not what is tested here.
      answerLimitMs: 5000,
      log,
      report: { storeError: (error) => errors.push(error) },
    });
  });
  afterAll(async () => {
    await store.close();
    await redis.close();
  });

  storeBehaviour(() => store);

  test('needed no fallback for any of this', async () => {
    expect(errors).toEqual([]);
    expect(log.lines).toEqual([]);
  });
});
