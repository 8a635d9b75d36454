import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiKey, createKeyDirectory, type KeyDirectory } from '../../src/access/keys.ts';
import { createOperatorAccess } from '../../src/access/operator.ts';
import { createAccess } from '../../src/access/plugin.ts';
import { createMemoryRateStore } from '../../src/access/rate-limit.ts';
import { createUsageCounter, type UsageCounter } from '../../src/access/usage.ts';
import { createAdminRoutes } from '../../src/admin/admin-routes.ts';
import { createMeRoutes } from '../../src/admin/me-routes.ts';
import { openWebhooks } from '../../src/cli/open-webhooks.ts';
import { readSettings } from '../../src/config/settings.ts';
import { noteFailure } from '../../src/webhooks/stored-events.ts';
import { createTestApp } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { readDocument } from '../support/read-document.ts';
import { storeEvents, storeWebhook } from '../webhooks/support/webhook-rows.ts';
import { createBodyChecks } from './body-checks.ts';

const ADMIN_KEY = 'correct horse battery staple';
const NOW = Date.parse('2026-03-10T12:00:00Z');
const NEVER_MS = 3_600_000;

let base: TestDatabase;
let directory: KeyDirectory;
let usage: UsageCounter;
let app: FastifyInstance;
const fits = createBodyChecks([readDocument('admin'), readDocument('account')]);

beforeAll(async () => {
  base = await createTestDatabase();
  const { database } = base;
  const log = createQuietLog();
  directory = createKeyDirectory({ database, log });
  usage = createUsageCounter({
    database,
    log,
    flushMs: NEVER_MS,
    retentionSeconds: 4_000_000,
    clock: () => NOW,
  });
  app = await createTestApp({
    access: createAccess({
      keys: directory,
      store: createMemoryRateStore(),
      network: 'localnet',
      anonymousRps: 1,
      rateLimit: true,
      onRefused: () => {},
    }),
    overrides: {
      onCallDone: usage.count,
      interfaces: [
        {
          prefix: '/api/me',
          plugin: createMeRoutes({ database, flushUsage: usage.flush, clock: () => NOW }),
        },
        {
          prefix: '/api/admin',
          plugin: createAdminRoutes(
            {
              database,
              flushUsage: usage.flush,
              clock: () => NOW,
              webhooks: openWebhooks(readSettings({ NETWORK: 'localnet' }), database),
            },
            createOperatorAccess({
              adminKey: ADMIN_KEY,
              hints: { administration: 'send it in the header X-Admin-Key', localChain: '' },
            }),
          ),
        },
      ],
    },
  });
});
afterAll(async () => {
  await app?.close();
  await usage?.close();
  await directory?.close();
  await base?.drop();
});
beforeEach(async () => {
  const { primary } = base.database;
  for (const table of ['webhooks', 'key_usage', 'api_keys', 'key_owners'] as const)
    await primary.deleteFrom(table).execute();
});

/** Waits when the tests are faster than the rate of an address. */
async function send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, headers: object = {}) {
  const request = () =>
    app.inject({
      method,
      url: path,
      headers: { 'x-admin-key': ADMIN_KEY, ...headers },
      ...(body && { payload: body }),
    });
  let response = await request();
  while (response.statusCode === 429) {
    await sleep(50);
    response = await request();
  }
  const json = response.body === '' ? undefined : response.json();
  if (json !== undefined && response.statusCode < 300) fits(method, path, response.statusCode, json);
  return { status: response.statusCode, body: json };
}
const get = (path: string) => send('GET', `/api/admin${path}`);
const post = (path: string, body?: object) => send('POST', `/api/admin${path}`, body);
const remove = (path: string) => send('DELETE', `/api/admin${path}`);

describe('access to the administration', () => {
  const ask = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    app.inject({ url: '/api/admin/plans', headers, remoteAddress });

  it('needs the key, wherever a caller is', async () => {
    const missing = await ask({});
    expect(missing.statusCode).toBe(401);
    expect(missing.json().error).toContain('header X-Admin-Key');
    const wrong = await ask({ 'x-admin-key': `${ADMIN_KEY}!` }, '10.0.0.1');
    expect([wrong.statusCode, wrong.json().error]).toEqual([401, 'The administration key is wrong']);
    const right = await ask({ 'x-admin-key': ADMIN_KEY }, '10.0.0.1');
    expect(right.statusCode).toBe(200);
    expect(right.headers['cache-control']).toBe('no-store');
  });

  it('is not counted against the rate of callers', async () => {
    for (let call = 0; call < 5; call++) expect((await get('/plans')).status).toBe(200);
  });
});

describe('owners and keys', () => {
  it('creates a key, shows it once, changes its plan and revokes it', async () => {
    const made = await post('/keys', { name: 'bot', owner: 'shop', plan: 'plus', networks: ['localnet'] });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'bot', plan: 'plus', rps: 100, owner: { name: 'shop' } });
    expect(made.body.key).toMatch(/^tg_/);
    const { key, ...row } = made.body;
    expect((await get('/keys')).body).toEqual({ keys: [row] });
    expect(JSON.stringify((await get('/keys')).body)).not.toContain(key);
    const id = row.id;
    expect((await post(`/keys/${id}/plan`, { plan: 'pro' })).body).toMatchObject({ plan: 'pro', rps: 500 });
    expect((await post(`/keys/${id}/plan`, { plan: 'pro', rps: 7 })).body).toMatchObject({ rps: 7 });
    expect((await post(`/keys/${id}/revoke`)).body.revoked_at).toBeTypeOf('number');
  });

  it('creates owners, lets their keys share a plan, and revokes all of them', async () => {
    const { body: owner } = await post('/owners', { name: 'shop', plan: 'basic' });
    expect(owner).toMatchObject({ name: 'shop', shared: { plan: 'basic', rps: 25 }, keys: 0 });
    expect((await post('/owners', { name: 'shop' })).status).toBe(409);
    await post('/keys', { name: 'a', owner: 'shop' });
    await post('/keys', { name: 'b', owner: 'shop' });
    await post('/keys', { name: 'c' });
    expect((await get(`/keys?owner=${owner.id}`)).body.keys).toHaveLength(2);
    expect((await post(`/owners/${owner.id}/share`, { plan: 'pro' })).body.shared).toEqual({
      plan: 'pro',
      rps: 500,
    });
    expect((await post(`/owners/${owner.id}/unshare`)).body.shared).toBeNull();
    expect((await post(`/owners/${owner.id}/revoke`)).body).toEqual({ revoked: 2 });
    expect((await get('/owners')).body.owners).toMatchObject([{ name: 'shop', keys: 0 }]);
  });

  it.each([
    ['/keys', {}, 'name is required: a text'],
    ['/keys', { name: '' }, 'name should be a name of 1 to 100 characters on one line, not ""'],
    ['/keys', { name: 'a', plan: 'gold' }, 'plan should be one of free, basic, plus, pro, not "gold"'],
    ['/keys', { name: 'a', rps: 0 }, 'rps should be an integer from 1 to 100000, not 0'],
    ['/keys', { name: 'a', rps: '5x' }, 'rps should be an integer from 1 to 100000, not "5x"'],
    ['/keys', { name: 'a', networks: 'mainnet' }, 'networks should be a list of texts, not "mainnet"'],
    [
      '/keys',
      { name: 'a', networks: ['moon'] },
      'networks should be a comma-separated choice of mainnet, testnet, localnet, custom, not "moon"',
    ],
    ['/keys', { name: 'a', ower: 'b' }, 'unknown parameter "ower"; did you mean "owner"?'],
    ['/owners', { name: 5 }, 'name should be a text, not 5'],
  ])('refuses %s %j with 422', async (path, body, error) => {
    expect(await post(path, body)).toEqual({ status: 422, body: { code: 422, error } });
  });

  it.each([
    '/keys/1x/revoke',
    '/keys/999/plan',
    '/owners/999/share',
    '/owners/x/revoke',
    '/webhooks/9/pause',
  ])('answers 404 for %s', async (path) => {
    expect((await post(path)).status).toBe(404);
  });
});

describe('usage', () => {
  async function countSome() {
    const settings = { plan: 'free', rps: 10, networks: [] };
    const made = await createApiKey(base.database, { ...settings, name: 'a', owner: 'shop' });
    usage.count(made.row.id, 'v2', 'getShards', 200);
    usage.count(made.row.id, 'v2', 'getShards', 429);
    usage.count(made.row.id, 'events', 'stream', 200);
    usage.count(null, 'v3', 'blocks', 200);
    return made;
  }

  it('of all keys is summed up by what is asked for', async () => {
    const { row } = await countSome();
    const rows = async (query: string) => (await get(`/usage${query}`)).body.usage;
    expect(await rows('')).toMatchObject([{ day: '2026-03-10', requests: 3, limited: 1, key_id: null }]);
    expect(await rows('?by=owner,operation')).toMatchObject([
      { owner: 'shop', operation: 'getShards', requests: 2 },
      { operation: expect.any(String), requests: 1 },
      { operation: expect.any(String), requests: 1 },
    ]);
    expect(await rows(`?by=key&key=${row.id}`)).toMatchObject([{ key: 'a', requests: 2 }]);
    // Events are no calls: they are in no sum of several operations, unless they are asked for.
    expect(await rows('?by=key&interface=events')).toMatchObject([{ key: 'a', requests: 1 }]);
    expect(await rows('?by=key&operation=stream')).toMatchObject([{ key: 'a', requests: 1 }]);
    expect(await rows('?by=day&key=0')).toMatchObject([{ requests: 1 }]);
    expect(await rows(`?owner=${row.owner!.id}&interface=v2&by=operation&limit=1`)).toHaveLength(1);
    expect(await rows('?from=2026-01-01&to=2026-01-31')).toEqual([]);
  });

  it('of a key is shown to its holder, with its plan', async () => {
    const { key, row } = await countSome();
    const headers = { 'x-api-key': key };
    const { status, body } = await send('GET', '/api/me/usage', undefined, headers);
    expect(status).toBe(200);
    expect(body.key).toMatchObject({ id: row.id, owner: 'shop', plan: 'free', rps: 10, shared: false });
    expect(body.total).toEqual({ requests: 2, limited: 1, rejected: 0, failed: 0 });
    expect(body).toMatchObject({ from: '2026-02-09', to: '2026-03-10' });
    expect(body.usage).toContainEqual({
      day: '2026-03-10',
      interface: 'v2',
      operation: 'getShards',
      requests: 2,
      limited: 1,
      rejected: 0,
      failed: 0,
    });
    // The call itself counts too, for the next one.
    await expect
      .poll(async () => (await send('GET', '/api/me/usage', undefined, headers)).body.total?.requests)
      .toBeGreaterThan(2);
    expect((await app.inject('/api/me/usage')).json()).toEqual({ code: 401, error: 'API key is required' });
  });

  it.each([
    ['from=yesterday', 'from should be a day such as 2026-03-01, not "yesterday"'],
    ['to=2026-02-30', 'to should be a day such as 2026-03-01, not "2026-02-30"'],
    ['from=2026-03-02&to=2026-03-01', 'from (2026-03-02) should not be after to (2026-03-01)'],
    ['from=2020-01-01&to=2026-03-01', 'from and to should be at most 400 days apart, not 2252'],
    ['form=2026-03-01', 'unknown parameter "form"; did you mean "from"?'],
    ['by=week', 'by should be a choice of owner, key, operation, day, not "week"'],
    ['owner=shop', 'owner should be an id, not "shop"'],
    ['limit=0', 'limit should be an integer from 1 to 100000, not "0"'],
  ])('refuses %s with 422', async (query, error) => {
    expect(await get(`/usage?${query}`)).toEqual({ status: 422, body: { code: 422, error } });
  });
});

describe('webhooks', () => {
  it('of all keys are listed, paused and resumed, and dead letters are sent again', async () => {
    const { id: webhookId } = await storeWebhook(base.database, { url: 'https://example.com/' });
    const events = [{ account: Buffer.alloc(33, 1), eventId: 'first', body: '{"id":"first"}' }];
    await storeEvents(base.database, webhookId, events);
    await base.database.write((db) =>
      noteFailure(db, { webhookId, eventId: 'first', error: 'no route', isDead: true }),
    );
    expect((await get('/webhooks')).body.webhooks).toMatchObject([
      { id: webhookId, key_id: null, dead: 1, state: 'active' },
    ]);
    expect((await post(`/webhooks/${webhookId}/pause`)).body.state).toBe('paused');
    expect((await post(`/webhooks/${webhookId}/resume`)).body.state).toBe('active');
    const { body } = await get(`/webhooks/${webhookId}/dead`);
    expect(body.events).toMatchObject([{ event_id: 'first', error: 'no route' }]);
    expect((await get(`/webhooks/${webhookId}/dead?after=x`)).status).toBe(422);
    expect((await post(`/webhooks/${webhookId}/dead/retry`, { event_ids: ['first'] })).body).toEqual({
      queued: 1,
    });
  });

  it('of revoked keys are told apart, and deleted with everything that waits', async () => {
    const { body: key } = await post('/keys', { name: 'gone' });
    const { id } = await storeWebhook(base.database, { url: 'https://example.com/', keyId: key.id });
    await storeEvents(base.database, id, [{ account: Buffer.alloc(33, 1), eventId: 'first', body: '{}' }]);
    await post(`/keys/${key.id}/revoke`);
    expect((await get('/webhooks')).body.webhooks).toMatchObject([{ id, key_id: key.id, state: 'revoked' }]);
    expect(await remove(`/webhooks/${id}`)).toEqual({ status: 204, body: undefined });
    expect((await get('/webhooks')).body.webhooks).toEqual([]);
    for (const table of ['webhook_events', 'webhook_queues', 'deleted_webhooks'] as const) {
      const left = base.database.primary.selectFrom(table).selectAll().where('webhook_id', '=', id);
      expect(await left.execute(), table).toEqual([]);
    }
    expect((await remove(`/webhooks/${id}`)).status).toBe(404);
  });
});
