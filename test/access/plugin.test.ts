import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey, createKeyDirectory, ensureApiKey, generateKey } from '../../src/access/keys.ts';
import { createMemoryRateStore } from '../../src/access/rate-limit.ts';
import { revokeApiKey } from '../../src/access/stored-keys.ts';
import type { Database } from '../../src/db/connection.ts';
import { createTestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { createAccessApp } from './access-app.ts';

let base: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  base = await createTestDatabase();
});
afterAll(() => base?.drop());

const UNKNOWN = { ok: false, error: 'API key does not exist', code: 401 };

async function makeKey(networks: string[] = [], plan = 'free') {
  return createApiKey(base.database, { name: 'test', plan, rps: 1000, networks });
}

/** The same database with a counter of queries. */
function counted(database: Database) {
  const counts = { queries: 0 };
  const write: Database['write'] = (work) => {
    counts.queries++;
    return database.write(work);
  };
  return { counts, database: { ...database, write } };
}

/** An application with a clock that the test moves. */
async function open(options: { anonymousRps?: number; privatePlans?: ReadonlySet<string> } = {}) {
  const clock = { ms: 0 };
  const now = () => clock.ms;
  const { counts, database } = counted(base.database);
  const keys = createKeyDirectory({ database, log: createQuietLog(), now });
  const refused: string[] = [];
  const onRefused = (refusal: string) => void refused.push(refusal);
  const store = createMemoryRateStore({ now });
  const app = await createAccessApp({ keys, store, now, onRefused, anonymousRps: 1000, ...options });
  const close = async () => {
    await app.close();
    await keys.close();
  };
  return { app, clock, counts, refused, [Symbol.asyncDispose]: close };
}

test('request.payer is the key or the address group of the caller', async () => {
  await using gated = await open({ anonymousRps: 7 });
  const { key, row } = await makeKey();
  const payer = async (headers: Record<string, string>, remoteAddress: string) =>
    (await gated.app.inject({ url: '/payer', headers, remoteAddress })).json();
  expect(await payer({ 'x-api-key': key }, '10.0.0.1')).toEqual({ id: `k:${row.id}`, rps: row.rps });
  expect(await payer({}, '10.0.0.1')).toEqual({ id: 'a:10.0.0.1', rps: 7 });
  // All addresses of a /64 are one caller.
  expect(await payer({}, '2001:db8::1')).toEqual(await payer({}, '2001:db8::2'));
});

describe('the API key of a request', () => {
  test('is read from the header or the query; the header wins', async () => {
    await using gated = await open();
    const [one, two] = [await makeKey(), await makeKey()];
    const ask = async (url: string, headers = {}) => (await gated.app.inject({ url, headers })).json().keyId;
    expect(await ask('/one', { 'x-api-key': one.key })).toBe(one.row.id);
    expect(await ask(`/one?api_key=${two.key}`)).toBe(two.row.id);
    expect(await ask(`/one?api_key=${two.key}`, { 'x-api-key': one.key })).toBe(one.row.id);
    expect(await ask('/one?api_key=wrong', { 'x-api-key': one.key })).toBe(one.row.id);
    // The first of several, which Node joins.
    expect(await ask('/one', { 'x-api-key': `${one.key}, ${two.key}` })).toBe(one.row.id);
  });

  test('is unknown if the header is wrong, even if the query is right', async () => {
    await using gated = await open();
    const { key } = await makeKey();
    const answer = await gated.app.inject({ url: `/one?api_key=${key}`, headers: { 'x-api-key': 'wrong' } });
    expect(answer.json()).toEqual(UNKNOWN);
  });

  test('is the first of several in the query', async () => {
    await using gated = await open();
    const { key, row } = await makeKey();
    expect((await gated.app.inject(`/one?api_key=${key}&api_key=wrong`)).json()).toEqual({ keyId: row.id });
    expect((await gated.app.inject(`/one?api_key=wrong&api_key=${key}`)).json()).toEqual(UNKNOWN);
  });

  test('is not read from an empty header, which does not hide one in the query', async () => {
    await using gated = await open();
    const { key, row } = await makeKey();
    const ask = async (url: string, headers = {}) => (await gated.app.inject({ url, headers })).json();
    for (const url of ['/one', '/one?api_key=', '/one?api_key=%20%20', '/one?api_key']) {
      expect(await ask(url, { 'x-api-key': '' })).toEqual({ keyId: null });
      expect(await ask(url, { 'x-api-key': '  ' })).toEqual({ keyId: null });
    }
    expect(await ask(`/one?api_key=${key}`, { 'x-api-key': '' })).toEqual({ keyId: row.id });
    expect(await ask('/one', { 'x-api-key': ` ${key} ` })).toEqual({ keyId: row.id });
  });

  test('is read from a header in any letter case', async () => {
    await using gated = await open();
    const { key, row } = await makeKey();
    await gated.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = gated.app.server.address() as { port: number };
    for (const name of ['X-API-Key', 'x-api-key', 'X-Api-Key', 'X-API-KEY']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET /one HTTP/1.1\r\nHost: a\r\n${name}: ${key}\r\nConnection: close\r\n\r\n`);
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      await once(socket, 'close');
      expect(text).toContain(`{"keyId":"${row.id}"}`);
    }
  });
});

describe('the check of a key', () => {
  test('refuses an unknown key, with headers that say how many tries are left', async () => {
    await using gated = await open();
    const answer = await gated.app.inject({ url: '/one', headers: { 'x-api-key': 'tg_unknown' } });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual(UNKNOWN);
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' });
    expect(gated.refused).toEqual(['unknown_key']);
  });

  test('refuses a key for other networks', async () => {
    await using gated = await open();
    const elsewhere = await makeKey(['mainnet', 'testnet']);
    const here = await makeKey(['mainnet', 'localnet']);
    const refused = await gated.app.inject(`/one?api_key=${elsewhere.key}`);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toEqual({ ok: false, error: 'Network not allowed', code: 403 });
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '999' });
    expect((await gated.app.inject(`/one?api_key=${here.key}`)).json()).toEqual({ keyId: here.row.id });
    expect(gated.refused).toEqual(['network_not_allowed']);
  });

  test('refuses a revoked key after at most five seconds, whether it is in use or not', async () => {
    await using gated = await open();
    const { key, row } = await makeKey();
    const ask = async () => (await gated.app.inject(`/one?api_key=${key}`)).statusCode;
    expect(await ask()).toBe(200);
    await base.database.write((db) => revokeApiKey(db, { id: row.id }));
    gated.clock.ms = 1000;
    expect(await ask()).toBe(200);
    expect(gated.counts.queries).toBe(1);
    // Not used in between: the cached entry has expired by then.
    gated.clock.ms = 4000;
    expect(await ask()).toBe(401);
  });

  test('refreshes a key in use before its entry expires, without delaying a request', async () => {
    await using gated = await open();
    const { key, row } = await makeKey();
    const ask = async () => (await gated.app.inject(`/one?api_key=${key}`)).statusCode;
    expect(await ask()).toBe(200);
    await base.database.write((db) => revokeApiKey(db, { id: row.id }));
    gated.clock.ms = 2000;
    expect(await ask()).toBe(200);
    await expect.poll(ask, { timeout: 120_000 }).toBe(401);
    expect(gated.counts.queries).toBe(2);
  });

  test('accepts a new key that was tried before it existed', async () => {
    await using gated = await open();
    const key = generateKey();
    const ask = async () => (await gated.app.inject(`/one?api_key=${key}`)).statusCode;
    expect(await ask()).toBe(401);
    await ensureApiKey(base.database, { key, name: 'test', plan: 'free', rps: 1000, networks: [] });
    gated.clock.ms = 1000;
    expect(await ask()).toBe(200);
  });
});

describe('the look-up of keys', () => {
  test('is one query for many requests at once, and none while the entry is fresh', async () => {
    await using gated = await open();
    const { key } = await makeKey();
    const ask = () => gated.app.inject(`/one?api_key=${key}`);
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    await ask();
    expect(gated.counts.queries).toBe(1);
  });

  test('is done for at most ten wrong keys per second and address', async () => {
    await using gated = await open();
    const remoteAddress = '10.1.2.3';
    const { key } = await makeKey();
    const ask = (wrong: string, from = remoteAddress) =>
      gated.app.inject({ url: `/one?api_key=${wrong}`, remoteAddress: from });
    expect((await ask(key)).statusCode).toBe(200);

    const burst = await Promise.all(Array.from({ length: 100 }, (_, at) => ask(`wrong${at}`)));
    expect(burst.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10);
    const refused = burst.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(90);
    expect(refused[0]?.json()).toEqual({ ok: false, error: 'Ratelimit exceeded', code: 429 });
    expect(refused[0]?.headers).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1',
    });
    expect(gated.counts.queries).toBe(11);

    // Callers with a valid key, without a key, or with another address are not affected.
    expect((await ask(key)).statusCode).toBe(200);
    expect((await gated.app.inject({ url: '/one', remoteAddress })).statusCode).toBe(200);
    expect((await ask('wrong', '10.1.2.4')).statusCode).toBe(401);
    gated.clock.ms = 1000;
    expect((await ask('wrong')).statusCode).toBe(401);
  });

  test('does not count many valid keys from one address as guesses', async () => {
    await using gated = await open();
    const made = await Promise.all(Array.from({ length: 40 }, () => makeKey()));
    const answers = await Promise.all(made.map(({ key }) => gated.app.inject(`/one?api_key=${key}`)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });

  test('does not count a valid key that was not used for a while as a guess', async () => {
    await using gated = await open();
    const { key } = await makeKey();
    expect((await gated.app.inject(`/one?api_key=${key}`)).statusCode).toBe(200);
    gated.clock.ms = 60_000;
    for (let at = 0; at < 11; at++) await gated.app.inject(`/one?api_key=wrong${at}`);
    expect((await gated.app.inject('/one?api_key=wrong')).statusCode).toBe(429);
    expect((await gated.app.inject(`/one?api_key=${key}`)).statusCode).toBe(200);
  });

  test('is not done for a key that is too long', async () => {
    await using gated = await open();
    expect((await gated.app.inject(`/one?api_key=${'x'.repeat(257)}`)).json()).toEqual(UNKNOWN);
    expect(gated.counts.queries).toBe(0);
    expect((await gated.app.inject(`/one?api_key=${'x'.repeat(256)}`)).json()).toEqual(UNKNOWN);
    expect(gated.counts.queries).toBe(1);
  });
});

test('request.liteGroup is the private group of the plan, also for a cached key', async () => {
  await using gated = await open({ privatePlans: new Set(['pro']) });
  const [pro, free] = [await makeKey([], 'pro'), await makeKey()];
  const groupOf = async (key?: string) =>
    (await gated.app.inject({ url: '/group', headers: key === undefined ? {} : { 'x-api-key': key } })).json()
      .group;
  for (let time = 0; time < 2; time += 1) {
    expect(await groupOf(pro.key)).toBe('pro');
    expect(await groupOf(free.key)).toBeNull();
    expect(await groupOf()).toBeNull();
  }
});
