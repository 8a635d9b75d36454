import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { openRedis, type RedisService } from '../../src/db/redis.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { noOwnRedis, type OwnRedis, startRedis } from '../support/redis.ts';

const UNAVAILABLE = 'Redis unavailable, counts are process-local';
const RECOVERED = 'Redis recovered, counts are shared';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connect(url: string, timeoutMs = 100) {
  const log = createQuietLog();
  const errors: Error[] = [];
  const service = await openRedis({
    url,
    log,
    shares: 'counts',
    timeoutMs,
    onError: (error) => errors.push(error),
    probe: (redis) => redis.set('probe', '1', 'PX', 1000),
  });
  closers.push(service.close);
  return { service, log, errors };
}

const increment = (service: RedisService): Promise<number | undefined> =>
  service.run((redis: Redis) => redis.incr('count'));

it('openRedis starts without a server and runs nothing', async () => {
  const { service, log, errors } = await connect('redis://127.0.0.1:1');
  let ran = false;
  const result = await service.run(async () => {
    ran = true;
  });
  expect({ result, ran }).toEqual({ result: undefined, ran: false });
  expect(errors.length).toBeGreaterThan(0);
  expect(log.texts()).toEqual([UNAVAILABLE]);
});

describe.skipIf(noOwnRedis)(`openRedis${noOwnRedis ? ` (skipped: ${noOwnRedis})` : ''}`, () => {
  async function start(options?: readonly string[]): Promise<OwnRedis> {
    const redis = await startRedis(options);
    closers.push(redis.kill);
    return redis;
  }

  it('returns what the commands return', async () => {
    const redis = await start();
    const { service, log, errors } = await connect(redis.url, 5000);
    expect(await increment(service)).toBe(1);
    expect(await Promise.all([increment(service), increment(service)])).toEqual([2, 3]);
    expect([log.texts(), errors]).toEqual([[], []]);
  });

  it('returns undefined while the server is down, recovers, and logs each change once', async () => {
    const redis = await start();
    const { service, log, errors } = await connect(redis.url);
    await redis.kill();
    expect(await Promise.all(Array.from({ length: 20 }, () => increment(service)))).toEqual(
      Array(20).fill(undefined),
    );
    await expect.poll(() => errors.length, { timeout: 120_000 }).toBeGreaterThan(2);
    expect(log.texts()).toEqual([UNAVAILABLE]);
    await redis.start();
    await expect.poll(() => increment(service), { timeout: 120_000 }).toBeTypeOf('number');
    expect(log.texts()).toEqual([UNAVAILABLE, RECOVERED]);
  });

  it('gives up on a server that does not respond in time, and recovers with it', async () => {
    const redis = await start();
    const { service, log, errors } = await connect(redis.url);
    redis.pause();
    expect(await Promise.all([increment(service), increment(service)])).toEqual([undefined, undefined]);
    expect(await increment(service)).toBeUndefined();
    expect(errors.map(({ message }) => message)).toEqual(['no response within 100 ms']);
    redis.resume();
    await expect.poll(() => increment(service), { timeout: 120_000 }).toBeTypeOf('number');
    expect(log.texts()).toEqual([UNAVAILABLE, RECOVERED]);
  });

  it('reconnects when a connection has not responded for long', { timeout: 300_000 }, async () => {
    const redis = await start();
    const { service, errors } = await connect(redis.url);
    redis.pause();
    await increment(service);
    await expect
      .poll(() => errors.some(({ message }) => message.startsWith('Socket timeout')), { timeout: 120_000 })
      .toBe(true);
    redis.resume();
    await expect.poll(() => increment(service), { timeout: 120_000 }).toBeTypeOf('number');
  });

  it('starts while the server is down or hangs', async () => {
    const redis = await start();
    redis.pause();
    const hanging = await connect(redis.url);
    expect(hanging.log.texts()).toEqual([UNAVAILABLE]);
    redis.resume();
    await redis.kill();
    const down = await connect(redis.url);
    expect(down.log.texts()).toEqual([UNAVAILABLE]);
    await redis.start();
    await expect.poll(() => increment(down.service), { timeout: 120_000 }).toBeTypeOf('number');
  });

  it('stays unavailable while the probe fails', async () => {
    const redis = await start(['--replicaof', '127.0.0.1 1', '--replica-serve-stale-data', 'yes']);
    const { service, log, errors } = await connect(redis.url);
    expect(await increment(service)).toBeUndefined();
    await expect
      .poll(() => errors.filter(({ message }) => /READONLY|read only/.test(message)).length, {
        timeout: 120_000,
      })
      .toBeGreaterThan(1);
    expect(log.texts()).toEqual([UNAVAILABLE]);
  });

  it('reports a wrong password without the password', async () => {
    const redis = await start(['--requirepass', 'right']);
    const { log, errors } = await connect(redis.url.replace('redis://', 'redis://:s3cret@'));
    expect(log.texts()).toEqual([UNAVAILABLE]);
    expect(errors[0]?.message).toMatch(/WRONGPASS|password/);
    expect(
      JSON.stringify([log.lines, errors.map((error) => ({ ...error, message: error.message }))]),
    ).not.toContain('s3cret');
  });

  it('resolves waiting calls when it is closed', async () => {
    const redis = await start();
    const { service } = await connect(redis.url, 5000);
    redis.pause();
    const waiting = increment(service);
    await service.close();
    expect(await waiting).toBeUndefined();
    redis.resume();
  });
});
