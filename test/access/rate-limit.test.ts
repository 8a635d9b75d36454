import { normalizeIP } from '@fastify/rate-limit';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createAddressGroups,
  createGuessGuard,
  createMemoryRateStore,
  createRedisRateStore,
  MAX_FAILURES,
  type RateCount,
  type RateStore,
} from '../../src/access/rate-limit.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { noOwnRedis, noRedis, openRedis, type SomeRedis, startRedis } from '../support/redis.ts';

const ask = (
  store: RateStore,
  method: 'incr' | 'read',
  key: string,
  windowMs = 60_000,
  max = 1000,
): Promise<RateCount> =>
  new Promise((resolve, reject) => {
    store[method](
      key,
      (error, count) => (count === undefined ? reject(error) : resolve(count)),
      windowMs,
      max,
    );
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

  test('tells when the oldest call leaves the window', async () => {
    const key = freshKey();
    const first = await ask(open(), 'incr', key);
    expect(first.ttl).toBe(60_000);
    const later = await ask(open(), 'incr', key);
    expect(later.ttl).toBeLessThanOrEqual(60_000);
    expect(later.ttl).toBeGreaterThan(0);
  });

  test('does not count refused calls', async () => {
    const key = freshKey();
    for (const expected of [1, 2, 3, 3, 3])
      expect((await ask(open(), 'incr', key, 60_000, 2)).current).toBe(expected);
    expect((await ask(open(), 'read', key, 60_000, 2)).current).toBe(2);
    expect((await ask(open(), 'incr', key, 60_000, 3)).current).toBe(3);
  });

  test('counts keys separately', async () => {
    await ask(open(), 'incr', freshKey());
    expect((await ask(open(), 'incr', freshKey())).current).toBe(1);
  });

  test('does not count reads', async () => {
    const key = freshKey();
    expect(await ask(open(), 'read', key)).toEqual({ current: 0, ttl: 0 });
    await ask(open(), 'incr', key);
    await ask(open(), 'read', key);
    expect((await ask(open(), 'read', key)).current).toBe(1);
    expect((await ask(open(), 'incr', key)).current).toBe(2);
  });

  test('starts again from one when all calls have left the window', async () => {
    const key = freshKey();
    await ask(open(), 'incr', key, 1);
    await expect.poll(async () => (await ask(open(), 'read', key, 1)).current, { timeout: 120_000 }).toBe(0);
    expect(await ask(open(), 'incr', key)).toEqual({ current: 1, ttl: 60_000 });
  });

  test('counts all concurrent calls', async () => {
    const key = freshKey();
    const counts = await Promise.all(Array.from({ length: 50 }, () => ask(open(), 'incr', key)));
    expect(counts.map(({ current }) => current).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 1),
    );
  });
}

describe('createMemoryRateStore', () => {
  const store = createMemoryRateStore();
  storeBehaviour(() => store);

  test('has at most the allowed calls in any second', async () => {
    let time = 5000;
    const clocked = createMemoryRateStore({ now: () => time });
    const call = () => ask(clocked, 'incr', 'k', 1000, 3);
    expect(await call()).toEqual({ current: 1, ttl: 1000 });
    time = 5900;
    expect(await call()).toEqual({ current: 2, ttl: 100 });
    expect(await call()).toEqual({ current: 3, ttl: 100 });
    expect(await call()).toEqual({ current: 4, ttl: 100 });
    time = 5999;
    expect(await call()).toEqual({ current: 4, ttl: 1 });
    // The first call has left; the two others count for 900 ms more.
    time = 6000;
    expect(await call()).toEqual({ current: 3, ttl: 900 });
    expect(await call()).toEqual({ current: 4, ttl: 900 });
    time = 6900;
    expect(await ask(clocked, 'read', 'k', 1000)).toEqual({ current: 1, ttl: 100 });
    time = 7000;
    expect(await ask(clocked, 'read', 'k', 1000)).toEqual({ current: 0, ttl: 0 });
  });

  test('never admits more than the rate, however calls are spread', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 }),
        (max, pauses) => {
          let time = 0;
          const clocked = createMemoryRateStore({ now: () => time });
          const admitted: number[] = [];
          for (const pause of pauses) {
            time += pause;
            const inWindow = admitted.filter((at) => at > time - 1000).length;
            clocked.incr(
              'k',
              (_error, count) => expect(count!.current > max).toBe(inWindow >= max),
              1000,
              max,
            );
            if (inWindow < max) admitted.push(time);
          }
        },
      ),
    );
  });

  test('limits the number of keys: drops idle ones first, then the oldest', async () => {
    let time = 0;
    const small = createMemoryRateStore({ maxKeys: 4, now: () => time });
    const fill = async (keys: string) => {
      for (const key of keys) await ask(small, 'incr', key, 1000);
    };
    const counted = async (keys: string) => {
      const counts = await Promise.all(
        [...keys].map(async (key) => (await ask(small, 'read', key, 1000)).current),
      );
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

describe.skipIf(noRedis)(`createRedisRateStore${noRedis ? ` (skipped: ${noRedis})` : ''}`, () => {
  let redis: SomeRedis;
  let store: RateStore;
  const log = createQuietLog();
  const errors: Error[] = [];
  beforeAll(async () => {
    redis = await openRedis();
    store = await createRedisRateStore({
      url: redis.url,
      // The speed of the machine is not tested here.
      timeoutMs: 5000,
      log,
      onError: (error) => errors.push(error),
    });
  });
  afterAll(async () => {
    await store.close();
    await redis.close();
  });

  storeBehaviour(() => store);

  test('needed no fallback in these tests', async () => {
    expect(errors).toEqual([]);
    expect(log.lines).toEqual([]);
  });
});

const WINDOW_MS = 600_000;

const incr = (store: RateStore, key: string): Promise<RateCount> =>
  new Promise((resolve, reject) => {
    const done = (error: Error | null, count?: RateCount) =>
      count === undefined ? reject(error) : resolve(count);
    store.incr(key, done, WINDOW_MS, 1000);
  });

/** Whether the two stores see each other's calls. */
async function areShared(one: RateStore, other: RateStore): Promise<boolean> {
  const key = `k:${Math.random()}`;
  await incr(one, key);
  return (await incr(other, key)).current === 2;
}

describe.skipIf(noOwnRedis)(
  `createRedisRateStore while Redis is unavailable${noOwnRedis ? ` (skipped: ${noOwnRedis})` : ''}`,
  () => {
    const close: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const one of close.splice(0).reverse()) await one();
    });

    async function connect(url: string): Promise<RateStore> {
      const store = await createRedisRateStore({ url, log: createQuietLog(), onError: () => {} });
      close.push(store.close);
      return store;
    }

    test('counts in the process, without a gap, and shares counts again when Redis has recovered', async () => {
      const redis = await startRedis();
      close.push(redis.kill);
      const store = await connect(redis.url);
      const other = await connect(redis.url);
      expect(await areShared(store, other)).toBe(true);

      await redis.kill();
      const counts = await Promise.all(Array.from({ length: 20 }, () => incr(store, 'k:1')));
      expect(counts.map(({ current }) => current)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
      expect((await incr(store, 'k:1')).current).toBe(21);
      expect(await areShared(store, other)).toBe(false);

      await redis.start();
      await expect.poll(() => areShared(store, other), { timeout: 120_000 }).toBe(true);
    });

    test('does not take a replica that refuses the count script for recovered', async () => {
      const redis = await startRedis(['--replicaof', '127.0.0.1 1', '--replica-serve-stale-data', 'yes']);
      close.push(redis.kill);
      const errors: Error[] = [];
      const store = await createRedisRateStore({
        url: redis.url,
        log: createQuietLog(),
        onError: (error) => errors.push(error),
      });
      close.push(store.close);
      expect((await incr(store, 'k:1')).current).toBe(1);
      await expect
        .poll(() => errors.filter(({ message }) => /READONLY|read only/.test(message)).length, {
          timeout: 120_000,
        })
        .toBeGreaterThan(1);
    });
  },
);

async function fail(guard: ReturnType<typeof createGuessGuard>, address: string): Promise<boolean> {
  const turn = await guard.begin(address);
  turn?.end(true);
  return turn !== null;
}

test('createGuessGuard limits failures per second and address', async () => {
  let time = 0;
  const guard = createGuessGuard({ now: () => time });
  for (let at = 0; at < MAX_FAILURES; at++) expect(await fail(guard, 'a')).toBe(true);
  expect(await fail(guard, 'a')).toBe(false);
  expect(guard.count('a')).toEqual({ current: MAX_FAILURES, ttl: 1000 });
  expect(await fail(guard, 'b')).toBe(true);
  time = 999;
  expect(await fail(guard, 'a')).toBe(false);
  time = 1000;
  expect(await fail(guard, 'a')).toBe(true);
});

test('createGuessGuard refuses concurrent tries above the limit', async () => {
  const guard = createGuessGuard({ now: () => 0 });
  let underWay = 0;
  let most = 0;
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const turn = await guard.begin('a');
      if (turn === null) return 'refused';
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      turn.end(true);
      return 'failed';
    }),
  );
  expect(outcomes.filter((outcome) => outcome === 'failed')).toHaveLength(MAX_FAILURES);
  expect(most).toBe(MAX_FAILURES);
});

test('createGuessGuard never refuses tries that succeed', async () => {
  const guard = createGuessGuard({ now: () => 0 });
  const turns = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const turn = await guard.begin('a');
      await new Promise((resolve) => setImmediate(resolve));
      turn?.end(false);
      return turn;
    }),
  );
  expect(turns).not.toContain(null);
});

test('createGuessGuard admits waiting tries when the window ends', async () => {
  let time = 0;
  const guard = createGuessGuard({ now: () => time });
  for (let at = 0; at < 5; at++) await fail(guard, 'a');
  const underWay = await Promise.all(Array.from({ length: 5 }, () => guard.begin('a')));
  const late = Array.from({ length: 3 }, () => guard.begin('a'));
  time = 1000;
  for (const turn of underWay) turn?.end(true);
  expect(await Promise.all(late)).not.toContain(null);
});

const groupOf = createAddressGroups();

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['255.255.255.255', '255.255.255.255'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:DB8:1:2::', '2001:db8:1:2::'],
  ['fe80::1%eth0', 'fe80::'],
  // Some proxies add the port.
  ['192.0.2.7:51234', '192.0.2.7'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::'],
])('createAddressGroups puts %s into the group %s', (ip, group) => {
  expect(groupOf(ip)).toBe(group);
  expect(groupOf(ip)).toBe(group);
});

test('createAddressGroups groups IPv6 addresses by /64', () => {
  expect(groupOf('2001:db8:1:2::1')).toBe(groupOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  expect(groupOf('2001:db8:1:2::1')).not.toBe(groupOf('2001:db8:1:3::1'));
});

test('createAddressGroups has one group for everything that is not an address', () => {
  const forged = [
    'unknown-client-of-the-proxy',
    'forged',
    '1.2.3',
    '300.1.1.1',
    '1.2.3.4.5.6.7.8.9',
    'a:b:c',
    `::ffff:${'1.'.repeat(5000)}`,
    `10.0.0.1${' '.repeat(5000)}`,
  ];
  expect(new Set(forged.map(groupOf))).toEqual(new Set(['invalid']));
  // A Unix socket has no address.
  expect(groupOf(undefined)).toBe('');
});

test('createAddressGroups agrees with normalizeIP of @fastify/rate-limit', () => {
  const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(anyAddress, (ip) => {
      expect(groupOf(ip)).toBe(normalizeIP(ip));
    }),
  );
});
