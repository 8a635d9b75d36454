import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createApiKey,
  createKeyDirectory,
  ensureApiKey,
  generateKey,
  type KeyDirectory,
} from '../../src/access/keys.ts';
import { createAccess } from '../../src/access/plugin.ts';
import { createMemoryRateStore } from '../../src/access/rate-limit.ts';
import { openWebhooks } from '../../src/cli/open-webhooks.ts';
import { webhooksCommand } from '../../src/cli/webhooks.ts';
import { readSettings } from '../../src/config/settings.ts';
import { WEBHOOK_LOCKS } from '../../src/db/advisory-locks.ts';
import type { Database } from '../../src/db/connection.ts';
import { isPublicAddress } from '../../src/lib/public-address.ts';
import { createWebhookRoutes } from '../../src/webhooks/routes.ts';
import { createWebhookSlots } from '../../src/webhooks/slots.ts';
import { noteFailure } from '../../src/webhooks/stored-events.ts';
import { createWebhooks, type WebhookLimits, type Webhooks } from '../../src/webhooks/webhooks.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../streaming/support/webhook-receiver.ts';
import { createTestApp } from '../support/app.ts';
import { countStatements } from '../support/counted-statements.ts';
import { coverSeqnos, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { putOrigin } from '../support/store-transactions.ts';
import { until } from '../support/until.ts';
import { storeEvents, storeWebhook } from './support/webhook-rows.ts';

const account = (digit: string): string => `0:${digit.toUpperCase().repeat(64)}`;
const HOOK = { url: 'https://example.com/ton', types: ['actions'], addresses: [account('a'), account('b')] };
const LIMITS = { perKey: 2, addresses: 5 };
const MANY = sampled(5000, 100_000);
/** A quarter of them is what one owner may have. */
const SLOTS = 8;
const TRANSPORT = {
  names: { resolve: async () => ['127.0.0.1'], close() {} },
  isPublic: (address: string) => address === '127.0.0.1' || isPublicAddress(address),
  allowsPrivate: false,
  timeoutMs: 60_000,
};
const SECRET = /^whsec_[\w-]{43}$/;

let test: TestDatabase;
let app: FastifyInstance;
let directory: KeyDirectory;
let webhooks: Webhooks;
let [key, otherKey] = ['', ''];

beforeAll(async () => {
  test = await createTestDatabase();
  directory = createKeyDirectory({ database: test.database, log: createQuietLog() });
  webhooks = open(LIMITS);
  const large = open({ ...LIMITS, addresses: MANY });
  const planned = open({ ...LIMITS, addressesPerRps: 2 });
  app = await createTestApp({
    access: createAccess({
      keys: directory,
      store: createMemoryRateStore(),
      network: 'localnet',
      anonymousRps: 1000,
      rateLimit: false,
      onRefused: () => {},
    }),
    overrides: {
      interfaces: [
        { prefix: '/api/webhooks', plugin: createWebhookRoutes({ webhooks }) },
        { prefix: '/api/large/webhooks', plugin: createWebhookRoutes({ webhooks: large }) },
        { prefix: '/api/planned/webhooks', plugin: createWebhookRoutes({ webhooks: planned }) },
      ],
    },
  });
  [key, otherKey] = await Promise.all([createKey('one'), createKey('two')]);
});
afterAll(async () => {
  await app.close();
  await directory.close();
  await test.drop();
});
afterEach(async () => {
  for (const { webhook } of await webhooks.list('operator')) await webhooks.delete('operator', webhook.id);
});

function open({ database = test.database, ...limits }: WebhookLimits & { readonly database?: Database }) {
  return createWebhooks({
    database,
    transport: TRANSPORT,
    slots: createWebhookSlots(SLOTS),
    limits,
    startCursor: async () => 'start',
  });
}

async function createKey(name: string): Promise<string> {
  const text = generateKey();
  await ensureApiKey(test.database, { key: text, name, plan: 'free', rps: 1000, networks: [] });
  return text;
}

async function send(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  from: string | undefined = key,
) {
  const response = await app.inject({
    method,
    url: `/api/webhooks${path}`,
    headers: from === '' ? {} : { 'x-api-key': from },
    ...(body !== undefined && { payload: body as object }),
  });
  return { status: response.statusCode, body: response.body === '' ? undefined : response.json() };
}

async function created(fields: object = HOOK): Promise<string> {
  const { status, body } = await send('POST', '', fields);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

/** Puts an event into the state of one that was given up. */
async function giveUp(webhookId: string, eventId: string): Promise<void> {
  const events = [{ account: Buffer.alloc(33, 1), eventId, body: `{"id":"${eventId}"}` }];
  await storeEvents(test.database, webhookId, events);
  await test.database.write((db) => noteFailure(db, { webhookId, eventId, error: 'no route', isDead: true }));
}

describe('/api/webhooks', () => {
  it('creates a webhook, and shows its secret once', async () => {
    const { status, body } = await send('POST', '', {
      ...HOOK,
      addresses: [...HOOK.addresses, account('a')],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      url: HOOK.url,
      types: ['actions'],
      addresses: 2,
      state: 'active',
      waiting: 0,
      dead: 0,
    });
    expect(body.secret).toMatch(SECRET);
    const { secret, ...shown } = body;
    expect(await send('GET', `/${body.id}`)).toEqual({ status: 200, body: shown });
    expect(await send('GET', '')).toEqual({ status: 200, body: { webhooks: [shown] } });
  });

  it.each([
    [{ ...HOOK, url: undefined }, 'url is required'],
    [{ ...HOOK, url: 5 }, 'url should be a string, not 5'],
    [{ ...HOOK, url: 'nowhere' }, 'url: not a valid URL'],
    [{ ...HOOK, url: 'ftp://example.com' }, 'url: unsupported link scheme'],
    [{ ...HOOK, url: 'http://10.0.0.1/' }, 'url: the address is not public'],
    [{ ...HOOK, url: 'http://localhost/' }, 'url: the address is not public'],
    [{ ...HOOK, url: 'http://u:p@example.com/' }, 'url: links with credentials are not followed'],
    [
      { ...HOOK, url: `https://example.com/${'x'.repeat(3000)}` },
      'url has 3020 characters, the limit is 2048',
    ],
    [
      { ...HOOK, types: [] },
      'types: expected one or more of transactions, actions, account_state_change, jettons_change',
    ],
    [
      { ...HOOK, types: ['trace'] },
      'types: expected one or more of transactions, actions, account_state_change, jettons_change, not "trace"',
    ],
    [{ ...HOOK, addresses: 'a' }, 'addresses should be a list of strings, not "a"'],
    [{ ...HOOK, addresses: ['nobody'] }, 'addresses: invalid address "nobody"'],
    [{ ...HOOK, addresses: Array(6).fill(account('a')) }, 'addresses has 6 entries, the limit is 5'],
    [{ ...HOOK, include_metadata: 'yes' }, 'include_metadata should be true or false, not "yes"'],
  ])('refuses %j', async (fields, error) => {
    expect(await send('POST', '', fields)).toEqual({ status: 422, body: { code: 422, error } });
    expect((await send('GET', '')).body).toEqual({ webhooks: [] });
  });

  it('needs a key, and knows only the webhooks of that key', async () => {
    const id = await created();
    expect(await send('GET', '', undefined, '')).toEqual({
      status: 401,
      body: { code: 401, error: 'API key is required' },
    });
    expect((await send('GET', '', undefined, otherKey)).body).toEqual({ webhooks: [] });
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/secret`],
      ['GET', `/${id}/dead`],
      ['GET', '/none'],
    ] as const)
      expect((await send(method, path, undefined, otherKey)).status, `${method} ${path}`).toBe(404);
    expect((await send('GET', `/${id}`)).status).toBe(200);
  });

  it('allows a key so many webhooks', async () => {
    await created();
    await created();
    expect(await send('POST', '', HOOK)).toEqual({
      status: 409,
      body: { code: 409, error: 'a key can have 2 webhooks; delete one first' },
    });
    expect((await send('POST', '', HOOK, otherKey)).status).toBe(201);
  });

  it('changes addresses, and refuses too many with nothing changed', async () => {
    const id = await created();
    const change = (add: string[], remove: string[]) => send('POST', `/${id}/addresses`, { add, remove });
    expect((await change([account('c'), account('a')], [account('b')])).body).toEqual({ addresses: 2 });
    expect((await send('GET', `/${id}/addresses`)).body).toEqual({ addresses: [account('a'), account('c')] });
    expect((await send('GET', `/${id}/addresses?limit=1&after=${account('a')}`)).body).toEqual({
      addresses: [account('c')],
    });
    expect((await change(['1', '2', '3', '4'].map(account), [])).body).toEqual({
      code: 422,
      error: 'add: a webhook can have 5 addresses; nothing was changed',
    });
    expect((await send('GET', `/${id}`)).body.addresses).toBe(2);
    expect((await change([], [])).body.error).toBe('add or remove is required: a list of addresses');
  });

  it('allows the webhooks of a key so many addresses together, by its plan', async () => {
    const text = generateKey();
    await ensureApiKey(test.database, { key: text, name: 'small', plan: 'free', rps: 2, networks: [] });
    const post = async (path: string, body: object) => {
      const { statusCode, body: response } = await app.inject({
        method: 'POST',
        url: `/api/planned/webhooks${path}`,
        headers: { 'x-api-key': text },
        payload: body,
      });
      return { status: statusCode, body: JSON.parse(response) };
    };
    const refused = (name: string, count: number) => ({
      status: 422,
      body: {
        code: 422,
        error: `${name}: the webhooks of a key of plan "free" can have 4 addresses together, there would be ${count}; nothing was changed`,
      },
    });
    const first = await post('', HOOK);
    expect(first.status).toBe(201);
    const more = ['c', 'd', 'e'].map(account);
    expect(await post('', { ...HOOK, addresses: more })).toEqual(refused('addresses', 5));
    const second = await post('', { ...HOOK, addresses: more.slice(1) });
    expect(second.status).toBe(201);
    expect(await post(`/${second.body.id}/addresses`, { add: [account('f')] })).toEqual(refused('add', 5));
    // Room that one leaves another one may take.
    expect((await post(`/${first.body.id}/addresses`, { remove: [account('a')] })).body).toEqual({
      addresses: 1,
    });
    expect((await post(`/${second.body.id}/addresses`, { add: [account('f')] })).body).toEqual({
      addresses: 3,
    });
    // All of them were replaced more than once by now.
    const lists = [['d', 'e'].map(account), ['a', 'b'].map(account)];
    let change: Awaited<ReturnType<typeof post>>;
    do {
      const [add, remove] = lists.reverse();
      change = await post(`/${second.body.id}/addresses`, { add, remove });
    } while (change.status === 200);
    expect(change).toEqual({
      status: 429,
      body: { code: 429, error: 'too many addresses were changed, wait before changing more' },
    });
    // Then the addresses themselves are not looked at.
    expect(await post(`/${second.body.id}/addresses`, { add: ['no address'] })).toEqual(change);
    expect((await post('', { ...HOOK, addresses: ['no address'] })).status).toBe(429);
  });

  it('lists all webhooks with one statement', async () => {
    for (let i = 0; i < 20; i++) await storeWebhook(test.database, { url: HOOK.url });
    const { database, statements } = countStatements(test.database);
    expect(await open({ ...LIMITS, database }).list('operator')).toHaveLength(20);
    expect(statements()).toBe(1);
  });

  it('pauses, resumes, renews the secret and deletes', async () => {
    const { body } = await send('POST', '', HOOK);
    expect((await send('POST', `/${body.id}/pause`)).body.state).toBe('paused');
    expect((await send('POST', `/${body.id}/resume`)).body.state).toBe('active');
    const { secret } = (await send('POST', `/${body.id}/secret`)).body;
    expect(secret).toMatch(SECRET);
    expect(secret).not.toBe(body.secret);
    expect((await send('DELETE', `/${body.id}`)).status).toBe(204);
    expect((await send('GET', `/${body.id}`)).status).toBe(404);
  });

  it('lists events that were given up, and sends them again', async () => {
    const id = await created();
    await giveUp(id, 'first');
    await giveUp(id, 'second');
    const { events } = (await send('GET', `/${id}/dead`)).body;
    expect(events).toMatchObject([
      { event_id: 'first', tries: 1, error: 'no route', body: { id: 'first' } },
      { event_id: 'second' },
    ]);
    const after = await send('GET', `/${id}/dead?after=${events[0].number}`);
    expect(after.body.events).toHaveLength(1);
    expect((await send('GET', `/${id}/dead?limit=0`)).body.error).toBe(
      'limit should be an integer from 1 to 1000, not "0"',
    );
    expect((await send('POST', `/${id}/dead/retry`, { event_ids: ['second'] })).body).toEqual({ queued: 1 });
    expect((await send('GET', `/${id}`)).body).toMatchObject({ waiting: 1, dead: 1 });
    expect((await send('POST', `/${id}/dead/retry`)).body).toEqual({ queued: 1 });
  });

  it('refuses other methods and bodies that are no objects', async () => {
    expect((await send('DELETE', '')).status).toBe(405);
    expect((await send('POST', '', [1])).body).toEqual({
      code: 400,
      error: 'the body should be a JSON object, not [1]',
    });
  });
});

describe('a webhook of a hundred thousand addresses', () => {
  const addressesFrom = (first: number) =>
    Array.from({ length: MANY }, (_, i) => `0:${(first + i).toString(16).padStart(64, '0').toUpperCase()}`);
  const post = async (path: string, body: unknown, from = key) => {
    const response = await app.inject({
      method: 'POST',
      url: `/api/large/webhooks${path}`,
      headers: { ...(from !== '' && { 'x-api-key': from }), 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
    return { status: response.statusCode, body: response.json() };
  };

  it('is created, and all its addresses are replaced, in one request each', async () => {
    const { status, body } = await post('', { ...HOOK, addresses: addressesFrom(0) });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.addresses).toBe(MANY);
    const change = { add: addressesFrom(MANY), remove: addressesFrom(0) };
    expect(await post(`/${body.id}/addresses`, change)).toEqual({ status: 200, body: { addresses: MANY } });
    const { addresses } = (await send('GET', `/${body.id}/addresses?limit=1`)).body;
    expect(addresses).toEqual([addressesFrom(MANY)[0]]);
  });

  it('is refused before its body is read if there is no key', async () => {
    expect(await post('', 'x'.repeat(20 * 1024 * 1024), '')).toEqual({
      status: 401,
      body: { code: 401, error: 'API key is required' },
    });
    expect(await post('', 'x'.repeat(20 * 1024 * 1024))).toEqual({
      status: 413,
      body: { code: 413, error: 'Request body is larger than 16777216 bytes' },
    });
  });
});

describe('test events', () => {
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    receiver = await openWebhookReceiver();
  });
  afterEach(() => receiver.close());

  it('are sent once, and the outcome is told', async () => {
    const id = await created({ ...HOOK, url: receiver.url });
    expect((await send('POST', `/${id}/test`)).body).toEqual({ delivered: true });
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ webhook_id: id, type: 'test' });
    receiver.behave(() => 'refuse');
    expect((await send('POST', `/${id}/test`)).body).toEqual({
      delivered: false,
      error: 'responded with status 500',
    });
  });

  it('take a slot each, of which a key has its share', async () => {
    const id = await created({ ...HOOK, url: receiver.url });
    const held: (() => void)[] = [];
    receiver.behave((_event, response) => {
      held.push(() => response.writeHead(204).end());
      return 'hang';
    });
    const tests = Array.from({ length: SLOTS }, () => send('POST', `/${id}/test`));
    let refused = 0;
    for (const test of tests)
      void test.then(({ status }) => {
        if (status === 429) refused += 1;
      });
    await until(() => refused + held.length === SLOTS);
    expect(held.length).toBeLessThanOrEqual(SLOTS / 4);
    expect(held.length).toBeGreaterThan(0);
    for (const release of held) release();
    const answers = await Promise.all(tests);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(held.length);
    expect(answers.find(({ status }) => status === 429)!.body).toEqual({
      code: 429,
      error: 'too many requests to webhooks of this key are under way',
    });
    receiver.behave(() => 'accept');
    expect((await send('POST', `/${id}/test`)).body).toEqual({ delivered: true });
  });
});

async function countBlocked(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0].count;
}

describe('changes of many addresses', () => {
  it('of one key wait without the connections that others need', async () => {
    const small = await createTestDatabase({ poolSize: 2 });
    const client = new pg.Client({ connectionString: small.url });
    await client.connect();
    try {
      const [own, other] = ['own', 'other'].map((name) => ({ name, plan: 'free', rps: 10, networks: [] }));
      const [ownKey, otherKey] = [
        (await createApiKey(small.database, own!)).row.id,
        (await createApiKey(small.database, other!)).row.id,
      ];
      const opened = open({ perKey: 5, addresses: MANY, database: small.database });
      const create = async (key: string) => (await opened.create(key, HOOK)).state.webhook.id;
      const [ownId, otherId] = [await create(ownKey), await create(otherKey)];
      // As if another process were changing many addresses of the key.
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [WEBHOOK_LOCKS, `k${ownKey}`]);
      await client.query('select from webhooks where id = $1 for update', [ownId]);
      const add = Array.from({ length: 2000 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`);
      const changes = Array.from({ length: 5 }, () => opened.changeAddresses(ownKey, ownId, { add }));
      for (let looks = 0; looks < 50 && (await countBlocked(client)) < 2; looks++);
      expect(await opened.changeAddresses(otherKey, otherId, { add: [account('f')] })).toBe(3);
      await client.query('rollback');
      expect(await Promise.all(changes)).toEqual(Array(5).fill(2002));
    } finally {
      await client.end();
      await small.drop();
    }
  });
});

describe('webhooks command', () => {
  async function run(...args: string[]): Promise<string> {
    let text = '';
    const out = {
      write: (part: string) => {
        text += part;
        return true;
      },
    };
    await webhooksCommand({ args, webhooks: async () => webhooks, out });
    return text;
  }

  it('creates from a file of addresses, lists, changes and deletes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tongate-webhooks-'));
    try {
      const file = join(folder, 'addresses.txt');
      await writeFile(file, `# deposits\n${account('a')}\n\n${account('b')}\n`);
      const text = await run(
        'create',
        '--url',
        HOOK.url,
        '--events',
        'actions,transactions',
        '--addresses',
        file,
      );
      expect(text).toMatch(
        /^Webhook \d+: actions, transactions to https:\/\/example\.com\/ton, addresses: 2\n\n {2}whsec_/,
      );
      const id = /^Webhook (\d+)/.exec(text)![1]!;
      expect(await run('list')).toContain('https://example.com/ton');
      expect(await run('addresses', id)).toBe(`${account('a')}\n${account('b')}\n`);
      expect(await run('addresses', id, '--remove', file)).toBe(`Webhook ${id} has 0 addresses.\n`);
      expect(await run('pause', id)).toBe(`Webhook ${id} is paused, 0 events wait.\n`);
      await giveUp(id, 'first');
      expect(await run('dead', id)).toMatch(/^first {2}1:0101/);
      expect(await run('retry', id)).toBe('1 events are sent again.\n');
      expect(await run('delete', id)).toBe(`Webhook ${id} was deleted.\n`);
      expect(await run('list')).toContain('No webhooks yet');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    [
      ['create', '--url', 'http://10.0.0.1', '--events', 'actions'],
      'webhooks create: url: the address is not public',
    ],
    [['create', '--url', HOOK.url], 'webhooks create: types: expected one or more of'],
    [['create', '--key', 'x'], 'webhooks create: --key is "x": expected an ID from keys list'],
    [['create', '--addresses', '/nowhere'], 'webhooks: cannot read /nowhere'],
    [['delete'], 'webhooks delete: expected one ID from webhooks list'],
    [['delete', '99999'], 'webhooks delete: webhook "99999" does not exist'],
    [['grow'], 'webhooks grow: expected one of'],
  ])('refuses %j', async (args, error) => {
    await expect(run(...args)).rejects.toThrow(error);
  });
});

describe('a webhook of a new index', () => {
  it('is created when the index has its first block', async () => {
    const ofProcess = openWebhooks(readSettings({ NETWORK: 'localnet' }), test.database, {
      transport: TRANSPORT,
      slots: createWebhookSlots(SLOTS),
    });
    const early = ofProcess.create('operator', HOOK);
    const db = test.database.primary;
    await putOrigin(db, 1, 10);
    await coverSeqnos(db, { first: 1, last: 1 });
    expect((await early).state.webhook.url).toBe(HOOK.url);
  });
});
