import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey, createKeyDirectory, type KeyDirectory } from '../../src/access/keys.ts';
import { createMemoryRateStore, createRedisRateStore, type RateStore } from '../../src/access/rate-limit.ts';
import { ensureOwner, shareOwnerPlan } from '../../src/access/stored-keys.ts';
import { createTestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { noOwnRedis, noRedis, openRedis, type SomeRedis, startRedis } from '../support/redis.ts';
import { createAccessApp, freshAddress } from './access-app.ts';

let base: Awaited<ReturnType<typeof createTestDatabase>>;
let keys: KeyDirectory;
beforeAll(async () => {
  base = await createTestDatabase();
  keys = createKeyDirectory({ database: base.database, log: createQuietLog() });
});
afterAll(async () => {
  await keys?.close();
  await base?.drop();
});

async function makeKey(rps: number, owner?: string): Promise<Record<string, string>> {
  const settings = { name: 'test', plan: 'free', rps, networks: [], owner };
  const { key } = await createApiKey(base.database, settings);
  return { 'x-api-key': key };
}

/** Repeats a scenario that was too slow to fit into one window. */
async function untilInOneSecond<T>(scenario: () => Promise<T>): Promise<T> {
  for (;;) {
    const startedAt = performance.now();
    const result = await scenario();
    if (performance.now() - startedAt < 900) return result;
  }
}

const count = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length;

interface Counting {
  readonly openStore: () => Promise<RateStore>;
  /** Whether processes see each other's calls. */
  readonly isShared: boolean;
  /** Runs a scenario so that all of it happens within one second. */
  readonly inOneSecond: <T>(scenario: () => Promise<T>) => Promise<T>;
}

/** What must hold for every store. */
function limitBehaviour({ openStore, isShared, inOneSecond }: Counting): void {
  async function withApp<T>(
    use: (app: Awaited<ReturnType<typeof createAccessApp>>) => Promise<T>,
  ): Promise<T> {
    const store = await openStore();
    const app = await createAccessApp({ keys, store, trustProxy: true });
    try {
      return await use(app);
    } finally {
      await app.close();
      await store.close();
    }
  }

  test('the second anonymous request within a second gets 429 with Retry-After', async () => {
    const [first, second, elsewhere] = await withApp((app) =>
      inOneSecond(async () => {
        const remoteAddress = freshAddress();
        return [
          await app.inject({ url: '/one', remoteAddress }),
          // Another route: there is one count for all of them.
          await app.inject({ url: '/two', remoteAddress }),
          await app.inject({ url: '/two', remoteAddress: freshAddress() }),
        ] as const;
      }),
    );
    expect(first.statusCode).toBe(200);
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1',
    });
    expect(first.headers).not.toHaveProperty('retry-after');
    expect(second.statusCode).toBe(429);
    expect(second.json()).toEqual({ ok: false, error: 'Ratelimit exceeded', code: 429 });
    expect(second.headers).toMatchObject({
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1',
      'retry-after': '1',
    });
    expect(elsewhere.statusCode).toBe(200);
  });

  test('a key with 50 requests per second gets 50 responses to a burst of 60', async () => {
    const answers = await withApp((app) =>
      inOneSecond(async () => {
        const headers = await makeKey(50);
        return Promise.all(Array.from({ length: 60 }, () => app.inject({ url: '/one', headers })));
      }),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([50, 10]);
    const left = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => b - a);
    expect(left.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, at) => 49 - at));
  });

  test(`two processes ${isShared ? 'share' : 'do not share'} the count of a key`, async () => {
    const statuses = await withApp((one) =>
      withApp((other) =>
        inOneSecond(async () => {
          const headers = await makeKey(2);
          const answers = [];
          for (const app of [one, other, one, other])
            answers.push(await app.inject({ url: '/one', headers }));
          return answers.map(({ statusCode }) => statusCode);
        }),
      ),
    );
    expect(statuses).toEqual(isShared ? [200, 200, 429, 429] : [200, 200, 200, 200]);
  });

  test('keys of an owner with a shared plan share its rate, and others have their own', async () => {
    const owner = `shop ${freshAddress()}`;
    const statuses = await withApp((app) =>
      inOneSecond(async () => {
        const [first, second] = [await makeKey(50, owner), await makeKey(50, owner)];
        const alone = await makeKey(2);
        const { id } = await base.database.write((db) => ensureOwner(db, { name: owner }));
        await base.database.write((db) => shareOwnerPlan(db, { id, shared: { plan: 'plus', rps: 3 } }));
        const answers = [];
        for (const headers of [first, second, first, second, first, alone, alone, alone])
          answers.push(await app.inject({ url: '/one', headers }));
        return answers.map(({ statusCode }) => statusCode);
      }),
    );
    expect(statuses).toEqual([200, 200, 200, 429, 429, 200, 200, 429]);
  });

  test('charge counts every further call of a batch', async () => {
    const [batch, next] = await withApp((app) =>
      inOneSecond(async () => {
        const headers = await makeKey(5);
        return [
          await app.inject({ url: '/batch/8', headers }),
          await app.inject({ url: '/one', headers }),
        ] as const;
      }),
    );
    const over = 'Ratelimit exceeded';
    expect(batch.json()).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', over, over, over]);
    expect(batch.headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0' });
    expect(next.statusCode).toBe(429);
  });

  test('requests for unknown paths and for public routes are not counted', async () => {
    const answers = await withApp((app) =>
      inOneSecond(async () => {
        const remoteAddress = freshAddress();
        const results = [];
        for (const url of ['/open', '/nowhere', '/nowhere', '/one', '/one', '/nowhere', '/open']) {
          results.push(await app.inject({ url, remoteAddress }));
        }
        return results;
      }),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404, 404, 200, 429, 404, 200]);
    for (const free of [0, 1, 5]) expect(answers[free]?.headers).not.toHaveProperty('x-ratelimit-limit');
    expect(answers[3]?.headers).toHaveProperty('x-ratelimit-limit', '1');
  });

  test('addresses of one IPv6 /64 share a count, and the address that a trusted proxy forwards is used', async () => {
    const statuses = await withApp((app) =>
      inOneSecond(async () => {
        const net = `2001:db8:${Math.floor(Math.random() * 65536).toString(16)}`;
        const callers = [`${net}:1::1`, `${net}:1:2:3:4:5`, `${net}:2::1`];
        const forwarded = freshAddress();
        const answers = [];
        for (const remoteAddress of callers) answers.push(await app.inject({ url: '/one', remoteAddress }));
        for (const remoteAddress of callers) {
          const headers = { 'x-forwarded-for': forwarded };
          answers.push(await app.inject({ url: '/one', remoteAddress, headers }));
        }
        return answers.map(({ statusCode }) => statusCode);
      }),
    );
    expect(statuses).toEqual([200, 429, 200, 200, 429, 429]);
  });

  test('requests with a key do not count against the address of the caller', async () => {
    const statuses = await withApp((app) =>
      inOneSecond(async () => {
        const remoteAddress = freshAddress();
        const headers = await makeKey(1);
        const answers = [];
        for (const options of [{ headers }, {}, { headers }, {}]) {
          answers.push(await app.inject({ url: '/one', remoteAddress, ...options }));
        }
        return answers.map(({ statusCode }) => statusCode);
      }),
    );
    expect(statuses).toEqual([200, 200, 429, 429]);
  });
}

describe('rate limits in memory', () => {
  limitBehaviour({
    openStore: async () => createMemoryRateStore({ now: () => 0 }),
    isShared: false,
    inOneSecond: (scenario) => scenario(),
  });

  test('have a window of exactly one second', async () => {
    let time = 0;
    const app = await createAccessApp({ keys, store: createMemoryRateStore({ now: () => time }) });
    const statuses = [];
    for (time of [0, 1, 999, 1000, 1500, 2000]) statuses.push((await app.inject('/one')).statusCode);
    expect(statuses).toEqual([200, 429, 429, 200, 429, 200]);
    await app.close();
  });

  test('switched off, count nothing and send no headers, but keys are checked', async () => {
    const app = await createAccessApp({ keys, store: createMemoryRateStore(), rateLimit: false });
    const answers = [];
    for (let call = 0; call < 5; call++) answers.push(await app.inject('/batch/3'));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect(answers[4]?.json()).toEqual(['ok', 'ok', 'ok']);
    expect(answers[4]?.headers).not.toHaveProperty('x-ratelimit-limit');
    const wrong = [];
    for (let call = 0; call < 15; call++) {
      wrong.push((await app.inject(`/one?api_key=wrong${call}`)).statusCode);
    }
    expect(new Set(wrong)).toEqual(new Set([401]));
    await app.close();
  });
});

describe.skipIf(noRedis)(`rate limits in Redis${noRedis ? ` (skipped: ${noRedis})` : ''}`, () => {
  let redis: SomeRedis;
  beforeAll(async () => {
    redis = await openRedis();
  });
  afterAll(() => redis?.close());
  const openStore = () =>
    createRedisRateStore({
      url: redis.url,
      log: createQuietLog(),
      onError: () => {},
      // A slow machine is not what is tested here.
      timeoutMs: 5000,
    });
  limitBehaviour({ openStore, isShared: true, inOneSecond: untilInOneSecond });

  test('are reset after a second', async () => {
    const store = await openStore();
    const app = await createAccessApp({ keys, store });
    const headers = await makeKey(1);
    const ask = async () => (await app.inject({ url: '/one', headers })).statusCode;
    await expect.poll(ask, { interval: 1, timeout: 120_000 }).toBe(429);
    await expect.poll(ask, { interval: 50, timeout: 120_000 }).toBe(200);
    await app.close();
    await store.close();
  });
});

test.skipIf(noOwnRedis)(
  `requests are served and limited while Redis is down${noOwnRedis ? ` (skipped: ${noOwnRedis})` : ''}`,
  async () => {
    const redis = await startRedis();
    const errors: Error[] = [];
    const log = createQuietLog();
    const store = await createRedisRateStore({
      url: redis.url,
      log,
      onError: (error) => errors.push(error),
    });
    const app = await createAccessApp({ keys, store });
    try {
      const twice = () =>
        untilInOneSecond(async () => {
          const headers = await makeKey(1);
          const ask = async () => (await app.inject({ url: '/one', headers })).statusCode;
          return [await ask(), await ask()];
        });
      expect(await twice()).toEqual([200, 429]);
      await redis.kill();
      expect(await twice()).toEqual([200, 429]);
      expect(errors.length).toBeGreaterThan(0);
      await redis.start();
      await expect.poll(() => log.texts(), { timeout: 120_000 }).toHaveLength(2);
      expect(await twice()).toEqual([200, 429]);
    } finally {
      await app.close();
      await store.close();
      await redis.kill();
    }
  },
);
