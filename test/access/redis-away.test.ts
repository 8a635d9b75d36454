import { afterEach, describe, expect, test } from 'vitest';
import type { RateCount, RateStore } from '../../src/access/rate-store.ts';
import { createRedisRateStore } from '../../src/access/redis-rate-store.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { noOwnRedis, type OwnRedis, startRedis } from '../support/redis.ts';

const WINDOW_MS = 600_000;

const incr = (store: RateStore, key: string): Promise<RateCount> =>
  new Promise((resolve, reject) => {
    store.incr(key, (error, count) => (count === undefined ? reject(error) : resolve(count)), WINDOW_MS);
  });

/** True when the two stores see each other's calls. */
async function areShared(one: RateStore, other: RateStore): Promise<boolean> {
  const key = `k:${Math.random()}`;
  await incr(one, key);
  return (await incr(other, key)).current === 2;
}

const AWAY = 'Redis is away: rates are counted in this process alone';
const BACK = 'Redis is back: rates are shared again';

describe.skipIf(noOwnRedis)(`when Redis is away${noOwnRedis ? ` (skipped: ${noOwnRedis})` : ''}`, () => {
  const open: { close?: () => Promise<void>; kill?: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await (one.close ?? one.kill)?.();
  });

  async function own(options?: readonly string[]): Promise<OwnRedis> {
    const redis = await startRedis(options);
    open.push(redis);
    return redis;
  }

  async function connect(url: string) {
    const log = createQuietLog();
    const errors: Error[] = [];
    const store = await createRedisRateStore({
      url,
      log,
      report: { storeError: (error) => errors.push(error) },
    });
    open.push(store);
    return { store, log, errors };
  }

  test('killed in the middle: calls are counted here, both changes are logged once, then shared again', async () => {
    const redis = await own();
    const { store, log, errors } = await connect(redis.url);
    const { store: other } = await connect(redis.url);
    expect(await areShared(store, other)).toBe(true);

    await redis.kill();
    const counts = await Promise.all(Array.from({ length: 20 }, () => incr(store, 'k:1')));
    expect(counts.map(({ current }) => current)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    expect((await incr(store, 'k:1')).current).toBe(21);
    await expect.poll(() => errors.length, { timeout: 30_000 }).toBeGreaterThan(2);
    expect(log.texts()).toEqual([AWAY]);
    expect(await areShared(store, other)).toBe(false);

    await redis.start();
    await expect.poll(() => areShared(store, other), { timeout: 30_000 }).toBe(true);
    expect(log.texts()).toEqual([AWAY, BACK]);
  });

  test('hanging without an answer: calls are counted here, and shared again when it goes on', async () => {
    const redis = await own();
    const { store, log, errors } = await connect(redis.url);
    const { store: other } = await connect(redis.url);
    redis.pause();
    expect((await incr(store, 'k:1')).current).toBe(1);
    expect((await incr(store, 'k:1')).current).toBe(2);
    expect(errors.map(({ message }) => message)).toEqual(['no answer within 100 ms']);
    redis.resume();
    await expect.poll(() => areShared(store, other), { timeout: 30_000 }).toBe(true);
    expect(log.texts()).toEqual([AWAY, BACK]);
  });

  test('hanging for long: the connection is given up and made anew', { timeout: 20_000 }, async () => {
    const redis = await own();
    const { store, errors } = await connect(redis.url);
    const { store: other } = await connect(redis.url);
    redis.pause();
    await incr(store, 'k:1');
    await expect
      .poll(() => errors.some(({ message }) => message.startsWith('Socket timeout')), { timeout: 30_000 })
      .toBe(true);
    redis.resume();
    await expect.poll(() => areShared(store, other), { timeout: 30_000 }).toBe(true);
  });

  test('not there at the start: the start succeeds, and calls are shared once it comes', async () => {
    const redis = await own();
    await redis.kill();
    const { store, log } = await connect(redis.url);
    expect((await incr(store, 'k:1')).current).toBe(1);
    expect(log.texts()).toEqual([AWAY]);
    await redis.start();
    const { store: other } = await connect(redis.url);
    await expect.poll(() => areShared(store, other), { timeout: 30_000 }).toBe(true);
    expect(log.texts()).toEqual([AWAY, BACK]);
  });

  test('hanging at the start: the start succeeds', async () => {
    const redis = await own();
    redis.pause();
    const { store, log } = await connect(redis.url);
    expect((await incr(store, 'k:1')).current).toBe(1);
    expect(log.texts()).toEqual([AWAY]);
    redis.resume();
  });

  test('a server that refuses to write does not count as back', async () => {
    const redis = await own(['--replicaof', '127.0.0.1 1', '--replica-serve-stale-data', 'yes']);
    const { store, log, errors } = await connect(redis.url);
    expect((await incr(store, 'k:1')).current).toBe(1);
    await expect
      .poll(() => errors.filter(({ message }) => /READONLY|read only/.test(message)).length, {
        timeout: 10_000,
      })
      .toBeGreaterThan(1);
    expect(log.texts()).toEqual([AWAY]);
  });

  test('a wrong password is reported without the password', async () => {
    const redis = await own(['--requirepass', 'right']);
    const { store, log, errors } = await connect(redis.url.replace('redis://', 'redis://:s3cret@'));
    expect((await incr(store, 'k:1')).current).toBe(1);
    expect(log.texts()).toEqual([AWAY]);
    expect(errors[0]?.message).toMatch(/WRONGPASS|password/);
    expect(
      JSON.stringify([log.lines, errors.map((error) => ({ ...error, message: error.message }))]),
    ).not.toContain('s3cret');
  });
});
