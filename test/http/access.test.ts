import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, createKeyDirectory, type KeyDirectory } from '../../src/access/keys.ts';
import { createAccess } from '../../src/access/plugin.ts';
import { createMemoryRateStore, createRedisRateStore, type RateStore } from '../../src/access/rate-limit.ts';
import { freshAddress } from '../access/access-app.ts';
import { createTestApp } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { noRedis, openRedis, type SomeRedis } from '../support/redis.ts';

const CALLS = {
  v2: '/api/v2/unpackAddress?address=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  v3: '/api/v3/__testMethod?my_shard=8000000000000000',
};
const bodyOf = {
  v2: (code: number, error: string) => ({ ok: false, error, code, '@extra': '_' }),
  v3: (code: number, error: string) => ({ error, code }),
};

let db: TestDatabase;
let redis: SomeRedis | undefined;
const keys: Record<string, string> = {};
beforeAll(async () => {
  db = await createTestDatabase();
  if (noRedis === undefined) redis = await openRedis();
  const make = async (name: string, rps: number, networks: string[]) => {
    keys[name] = (await createApiKey(db.database, { name, plan: 'free', rps, networks })).key;
  };
  await make('fifty', 50, []);
  await make('elsewhere', 50, ['mainnet']);
});
afterAll(async () => {
  await db.drop();
  await redis?.close();
});

const STORES: Record<string, () => Promise<RateStore>> = {
  memory: async () => createMemoryRateStore(),
  redis: () => createRedisRateStore({ url: redis!.url, log: createQuietLog(), onError: () => {} }),
};

describe.each(Object.keys(STORES))('access with the %s store', (storeName) => {
  if (storeName === 'redis' && noRedis !== undefined) {
    it.skip(`needs Redis: ${noRedis}`, () => {});
    return;
  }
  let app: FastifyInstance;
  let directory: KeyDirectory;
  let store: RateStore;
  beforeAll(async () => {
    directory = createKeyDirectory({ database: db.database, log: createQuietLog() });
    store = await STORES[storeName]!();
    const access = createAccess({
      keys: directory,
      store,
      network: 'testnet',
      anonymousRps: 1,
      rateLimit: true,
      onRefused: () => {},
    });
    app = await createTestApp({ access });
  });
  afterAll(async () => {
    await app.close();
    await directory.close();
    await store.close();
  });

  /** Repeats a scenario that did not fit into one window of the limiter. */
  async function withinOneWindow<T>(scenario: () => Promise<T>): Promise<T> {
    for (;;) {
      const startedAt = performance.now();
      const outcome = await scenario();
      if (performance.now() - startedAt < 900) return outcome;
    }
  }

  describe.each(['v2', 'v3'] as const)('on %s', (name) => {
    const call = (headers: Record<string, string> = {}, remoteAddress = freshAddress(), url = CALLS[name]) =>
      app.inject({ method: 'GET', url, headers, remoteAddress });

    it('answers 401 to an unknown key, in header or query', async () => {
      for (const answer of [
        await call({ 'x-api-key': 'nope' }),
        await call({}, freshAddress(), `${CALLS[name]}&api_key=nope`),
      ]) {
        expect(answer.statusCode).toBe(401);
        expect(answer.json()).toEqual(bodyOf[name](401, 'API key does not exist'));
        expect(answer.headers['x-api-version']).toBeDefined();
        expect(answer.headers['access-control-allow-origin']).toBe('*');
      }
    });

    it('answers 403 to a key of another network', async () => {
      const answer = await call({ 'X-Api-Key': keys.elsewhere! });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toEqual(bodyOf[name](403, 'Network not allowed'));
    });

    it('answers 429 to the second anonymous request within a second, and counts no unknown path', async () => {
      const [none, icon, one, two, after] = await withinOneWindow(async () => {
        const address = freshAddress();
        return [
          await call({}, address, `/api/${name}/nope`),
          await call({}, address, '/favicon.ico'),
          await call({}, address),
          await call({ 'x-api-key': ' ' }, address),
          await call({}, address, `/api/${name}/nope`),
        ] as const;
      });
      expect([none.statusCode, after.statusCode]).toEqual([404, 404]);
      expect(icon.statusCode).toBe(200);
      expect(icon.headers['content-type']).toBe('image/svg+xml');
      expect(one.statusCode).toBe(200);
      expect(one.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
      expect(two.statusCode).toBe(429);
      expect(two.json()).toEqual(bodyOf[name](429, 'Ratelimit exceeded'));
      expect(two.headers['retry-after']).toBe('1');
    });

    it('answers 50 of 60 requests of a key with 50 requests per second', async () => {
      const statuses = await withinOneWindow(async () => {
        const { key } = await createApiKey(db.database, {
          name: 'burst',
          plan: 'free',
          rps: 50,
          networks: [],
        });
        const answers = await Promise.all(Array.from({ length: 60 }, () => call({ 'x-api-key': key })));
        return answers.map((answer) => answer.statusCode);
      });
      expect(statuses.filter((status) => status === 200)).toHaveLength(50);
      expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    });
  });

  it('needs no key and counts nothing for health and docs', async () => {
    const remoteAddress = freshAddress();
    for (const url of [
      '/healthz',
      '/readyz',
      '/status',
      '/',
      '/api/v2/',
      '/api/v3/',
      '/api/v2/openapi.json',
      '/api/v3/doc.json',
    ]) {
      expect((await app.inject({ url, remoteAddress, headers: { 'x-api-key': 'nope' } })).statusCode).toBe(
        200,
      );
    }
  });

  it('counts every call of a batch', async () => {
    const { body, headers } = await withinOneWindow(async () => {
      const { key } = await createApiKey(db.database, { name: 'batch', plan: 'free', rps: 3, networks: [] });
      const one = { method: 'detectHash', params: { hash: '0'.repeat(64) } };
      const answer = await app.inject({
        method: 'POST',
        url: '/api/v2/jsonRPC',
        headers: { 'x-api-key': key },
        payload: [1, 2, 3, 4, 5].map((id) => ({ id, ...one })),
      });
      return { body: answer.json(), headers: answer.headers };
    });
    expect(body.map((entry: { code?: number }) => entry.code ?? 200)).toEqual([200, 200, 200, 429, 429]);
    expect(body[4]).toEqual({ ...bodyOf.v2(429, 'Ratelimit exceeded'), jsonrpc: '2.0', id: 5 });
    expect(headers['x-ratelimit-remaining']).toBe('0');
  });
});
