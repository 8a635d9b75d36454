import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import type { TestDatabase } from '../support/database.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';
import { openStreamApp, type StreamApp } from './support/stream-app.ts';
import {
  type Json,
  openSse,
  openWs,
  type SseClient,
  type WsClient,
  waitFor,
} from './support/stream-clients.ts';

const { bob, judy } = openDemoWallets();
const BOB = bob.address.toRawString();
const HASH = 'ab'.repeat(32);

let index: TestDatabase;
let app: StreamApp;
let key: string;
const opened: { close(): void }[] = [];

beforeAll(async () => {
  index = await openIndexedDemo();
  app = await openStreamApp(index.database, { timing: { keepAliveMs: 200, pingMs: 200, idleMs: 1000 } });
  key = await app.key();
});
afterEach(() => {
  for (const client of opened.splice(0)) client.close();
});
afterAll(async () => {
  await app?.close();
  await index?.drop();
});

async function sse(body: unknown, options: Parameters<typeof openSse>[2] = {}): Promise<SseClient> {
  const client = await openSse(app.url, body, { headers: { 'x-api-key': key }, ...options });
  opened.push(client);
  return client;
}

async function ws(query = `?api_key=${key}`, headers = {}): Promise<WsClient> {
  const client = await openWs(app.url, query, headers);
  opened.push(client);
  return client;
}

async function refusal(body: unknown, options?: Parameters<typeof openSse>[2]) {
  const client = await sse(body, options);
  return { status: client.status, body: await client.body() };
}

const SUBSCRIPTION = { addresses: [BOB], types: ['account_state_change'] };

describe('SSE', () => {
  it('opens with the headers of an event stream and echoes the id', async () => {
    const client = await sse({ ...SUBSCRIPTION, id: '42' });
    expect(client.status).toBe(200);
    expect(client.headers.get('content-type')).toBe('text/event-stream');
    expect(client.headers.get('cache-control')).toBe('no-cache');
    expect(client.headers.get('x-accel-buffering')).toBe('no');
    expect(client.headers.get('access-control-allow-origin')).toBe('*');
    await waitFor(() => client.frames.length > 0);
    expect(client.frames[0]).toMatchObject({ event: 'connected', data: { id: '42', status: 'subscribed' } });
  });

  it.each([
    ['a string', 'x', { id: 'x', status: 'subscribed' }],
    ['a number', 7, { id: 7, status: 'subscribed' }],
    ['null', null, { status: 'subscribed' }],
    ['nothing', undefined, { status: 'subscribed' }],
  ])('echoes an id that is %s', async (_name, id, expected) => {
    const client = await sse({ ...SUBSCRIPTION, id });
    await waitFor(() => client.frames.length > 0);
    expect(client.frames[0]!.data).toStrictEqual(expected);
  });

  it.each([
    ['another content type', JSON.stringify(SUBSCRIPTION), { 'content-type': 'text/plain' }],
    ['broken JSON', '{"types":', undefined],
    ['a JSON array', '[]', undefined],
    ['a list that is a text', JSON.stringify({ ...SUBSCRIPTION, types: 'actions' }), undefined],
    ['an id that is an object', JSON.stringify({ ...SUBSCRIPTION, id: {} }), undefined],
  ])('refuses %s', async (_name, body, headers) => {
    const { status, body: answer } = await refusal(body, { headers: { 'x-api-key': key, ...headers } });
    expect(status).toBe(400);
    expect(answer).toEqual({ code: 400, error: expect.stringMatching(/^invalid subscription request: /) });
  });

  it.each([
    [{}, 'types are required for subscription'],
    [{ types: [] }, 'types are required for subscription'],
    [{ types: ['trace_invalidated'], addresses: [BOB] }, 'types are required for subscription'],
    [{ types: ['blocks'] }, 'invalid event type: blocks'],
    [{ types: ['actions'], addresses: ['nobody'] }, 'invalid address: nobody'],
    [{ types: ['actions'], addresses: [BOB, 'addr_none'] }, 'invalid address: addr_none'],
    [
      { types: ['trace'], trace_external_hash_norms: [' '] },
      'trace_external_hash_norms contains empty value',
    ],
    [
      { types: ['trace'], trace_external_hash_norms: ['zz'] },
      'trace_external_hash_norms contains invalid value: zz',
    ],
    [
      { types: ['actions'], addresses: [BOB], trace_external_hash_norms: [HASH] },
      'trace_external_hash_norms requires type "trace"',
    ],
    [{ types: ['trace'] }, 'trace_external_hash_norms are required for trace subscription'],
    [{ types: ['actions'] }, 'addresses are required for subscription'],
    [
      { types: ['trace', 'actions'], trace_external_hash_norms: [HASH] },
      'addresses are required for subscription',
    ],
    [
      { ...SUBSCRIPTION, msg_body_hash: 'x', types: ['transactions'] },
      'msg_body_hash must be a 32-byte value in hex, base64 or base64url format',
    ],
    [{ ...SUBSCRIPTION, msg_body_hash: HASH }, 'msg_body_hash requires type "transactions" and addresses'],
    [{ ...SUBSCRIPTION, last_event_id: '17' }, 'last_event_id is invalid'],
  ])('refuses %j', async (body, error) => {
    expect(await refusal({ id: 'q', ...body })).toEqual({ status: 400, body: { id: 'q', code: 400, error } });
  });

  it('names the member of an unknown finality', async () => {
    const { status, body } = await refusal({ ...SUBSCRIPTION, min_finality: 'signed' });
    expect(status).toBe(400);
    expect(body.error).toBe('invalid subscription request: min_finality: unknown finality state: signed');
  });

  it('ignores trace_invalidated beside other types, and unknown members', async () => {
    const client = await sse({ ...SUBSCRIPTION, types: ['actions', 'trace_invalidated'], what: 1 });
    expect(client.status).toBe(200);
  });

  it('sends a comment while nothing happens', async () => {
    const client = await sse(SUBSCRIPTION);
    await waitFor(() => client.frames.some(({ comment }) => comment === ': keepalive'));
    expect(client.frames.filter(({ event }) => event === 'event')).toEqual([]);
    expect(client.frames.every(({ id, retry }) => id === undefined && retry === undefined)).toBe(true);
  });

  it('can be opened by GET, as browsers do', async () => {
    const query = `?types=actions,account_state_change&addresses=${BOB}&addresses=${judy.address}&cursors=true&api_key=${key}`;
    const client = await sse(undefined, { method: 'GET', query, headers: {} });
    expect(client.status).toBe(200);
    await waitFor(() => client.frames.some(({ retry }) => retry === '2000'));
    // The keepalive moves the last event id of the browser.
    await waitFor(() => client.lastId() !== undefined);
  });

  it('answers preflights', async () => {
    const answer = await fetch(`${app.url}/api/streaming/v2/sse`, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-headers')).toContain('Last-Event-ID');
  });
});

describe('keys and limits', () => {
  it('refuses an unknown key before the upgrade and before the stream', async () => {
    await expect(ws('?api_key=nope')).rejects.toMatchObject({ status: 401 });
    expect(await refusal(SUBSCRIPTION, { headers: { 'x-api-key': 'nope' } })).toEqual({
      status: 401,
      body: { code: 401, error: 'API key does not exist' },
    });
  });

  it.each([
    ['token', (good: string) => ({ query: `?token=${good}`, headers: {} })],
    ['bearer', (good: string) => ({ query: '', headers: { authorization: `Bearer ${good}` } })],
  ])('takes a key as %s', async (_name, form) => {
    const { query, headers } = form(key);
    // Without a key there may be one connection only.
    const clients = [await ws(query, headers), await ws(query, headers)];
    expect(await clients[1]!.ask({ operation: 'ping' })).toMatchObject({ status: 'pong' });
  });

  it.each(['sse', 'ws'] as const)('frees the slot of a closed %s connection at once', async (kind) => {
    const plain = await app.key('free');
    const open = () =>
      kind === 'sse' ? sse(SUBSCRIPTION, { headers: { 'x-api-key': plain } }) : ws(`?api_key=${plain}&app=x`);
    const first = await open();
    await open();
    const text = 'connection limit reached: 2 active connections';
    const refused = await sse({ ...SUBSCRIPTION, id: 'z' }, { headers: { 'x-api-key': plain } });
    expect(refused.status).toBe(429);
    expect(await refused.body()).toEqual({ id: 'z', code: 429, error: text });
    await expect(ws(`?api_key=${plain}`)).rejects.toMatchObject({
      status: 429,
      body: JSON.stringify({ code: 429, error: text }),
    });
    const before = app.slotsTaken();
    first.close();
    await waitFor(() => app.slotsTaken() < before);
    const again = await open();
    if ('status' in again) expect(again.status).toBe(200);
  });

  it('opens a WebSocket above the limit, says so and closes it, if the operator wants that', async () => {
    const lenient = await openStreamApp(index.database, { opensOverLimit: true });
    try {
      const plain = await lenient.key('free');
      const clients = [];
      for (let at = 0; at < 3; at++) clients.push(await openWs(lenient.url, `?api_key=${plain}`));
      const text = 'connection limit reached: 2 active connections';
      expect(await clients[2]!.closed).toEqual({ code: 1008, reason: text });
      expect(clients[2]!.messages).toStrictEqual([{ error: text }]);
      expect(await clients[1]!.ask({ operation: 'ping' })).toMatchObject({ status: 'pong' });
      expect(lenient.slotsTaken()).toBe(2);
    } finally {
      await lenient.close();
    }
  });

  it('counts an address once however it is written', async () => {
    const forms = [
      BOB,
      BOB.toUpperCase(),
      bob.address.toString({ bounceable: true }),
      bob.address.toString({ bounceable: false }),
      bob.address.toString({ urlSafe: false }),
      bob.address.toString({ testOnly: true }),
    ];
    const others = Array.from({ length: 9 }, (_, i) => `0:${String(i).repeat(64)}`);
    const anonymous = { headers: {} };
    const fits = await sse({ ...SUBSCRIPTION, addresses: [...forms, ...others] }, anonymous);
    expect(fits.status).toBe(200);
    const before = app.slotsTaken();
    fits.close();
    await waitFor(() => app.slotsTaken() < before);
    expect(await refusal({ ...SUBSCRIPTION, addresses: [BOB, ...others, `-1:${HASH}`] }, anonymous)).toEqual({
      status: 400,
      body: { code: 400, error: 'too many addresses: 11 > max 10' },
    });
    const socket = await ws('', {});
    await socket.ask({ operation: 'subscribe', ...SUBSCRIPTION });
    const answer = await socket.ask({
      operation: 'subscribe',
      ...SUBSCRIPTION,
      addresses: [BOB, ...others, `-1:${HASH}`],
    });
    expect(answer.error).toBe('address limit exceeded: current 0 + new 11 > max 10');
    expect(app.streaming.hub.stats().watched).toBeGreaterThanOrEqual(1);
  });

  it('closes the stream of a revoked key', async () => {
    const plain = await app.key('free');
    const quick = await openStreamApp(index.database, { timing: { keyCheckMs: 50 } });
    try {
      const client = await openWs(quick.url, `?api_key=${plain}`);
      await index.database.primary.updateTable('api_keys').set({ revoked_at: new Date() }).execute();
      expect(await client.closed).toEqual({ code: 1008, reason: 'API key does not exist' });
    } finally {
      await index.database.primary.updateTable('api_keys').set({ revoked_at: null }).execute();
      await quick.close();
    }
  });
});

describe('WebSocket', () => {
  it('answers a plain GET with 426, and other paths with JSON', async () => {
    const ask = async (path: string, init?: RequestInit) => {
      const answer = await fetch(`${app.url}/api/streaming${path}`, init);
      return { status: answer.status, body: await answer.json() };
    };
    expect(await ask('/v2/ws')).toEqual({ status: 426, body: { code: 426, error: 'Upgrade Required' } });
    expect(await ask('/v1/ws')).toEqual({ status: 404, body: { code: 404, error: 'use /api/streaming/v2' } });
    expect(await ask('/v2/sse', { method: 'PUT' })).toMatchObject({ status: 405 });
    expect(await ask('/v2/nothing')).toEqual({ status: 404, body: { code: 404, error: 'Not Found' } });
    expect((await ask('/healthz')).body).toMatchObject({
      components: { streaming: { ok: true }, indexer: { last_finalized_mc_block_time: expect.any(Number) } },
    });
  });

  it('answers pings with and without an id before any subscription', async () => {
    const client = await ws();
    client.send({ operation: 'ping' });
    client.send({ operation: 'ping', id: 'ping-1' });
    client.send({ operation: 'ping', id: 5 });
    await waitFor(() => client.messages.length === 3);
    expect(client.messages).toStrictEqual([
      { status: 'pong' },
      { id: 'ping-1', status: 'pong' },
      { id: 5, status: 'pong' },
    ]);
  });

  it('keeps settings that a later subscription leaves out, and replaces the rest', async () => {
    const client = await ws();
    const subscribe = (more: object) => client.ask({ operation: 'subscribe', ...SUBSCRIPTION, ...more });
    await subscribe({ min_finality: 'pending', include_address_book: true, action_types: ['jetton_swap'] });
    const before = connectionOf();
    expect(before).toMatchObject({ minFinality: 'pending', includeAddressBook: true });
    await subscribe({ addresses: [judy.address.toString()], types: ['actions'] });
    expect(connectionOf()).toMatchObject({
      minFinality: 'pending',
      includeAddressBook: true,
      types: new Set(['actions']),
      actionTypes: new Set(['jetton_swap']),
    });
    expect(connectionOf().addresses.size).toBe(1);
    await subscribe({ action_types: [], include_address_book: false });
    expect(connectionOf()).toMatchObject({ actionTypes: new Set(), includeAddressBook: false });
  });

  it('unsubscribes from what it was not subscribed to, and keeps the types', async () => {
    const client = await ws();
    await client.ask({ operation: 'subscribe', ...SUBSCRIPTION });
    expect(
      await client.ask({ operation: 'unsubscribe', addresses: [judy.address.toString()] }),
    ).toMatchObject({
      status: 'unsubscribed',
    });
    expect(connectionOf().addresses.size).toBe(1);
    await client.ask({ operation: 'unsubscribe', addresses: [BOB] });
    expect(connectionOf()).toMatchObject({ addresses: new Set(), types: new Set(['account_state_change']) });
    expect(await client.ask({ operation: 'unsubscribe' })).toMatchObject({
      error: 'addresses or trace_external_hash_norms are required',
    });
  });

  it('answers malformed messages and goes on', async () => {
    const client = await ws();
    for (const text of ['{', '[]', '{"id":{}}', '{"operation":1}']) client.send(text);
    client.send({ operation: 'x', id: 'u' });
    client.send({});
    client.send({ operation: 'subscribe', id: 's' });
    client.send({ operation: 'subscribe', id: 't', types: ['actions'] });
    client.send({ operation: 'subscribe', ...SUBSCRIPTION, types: {} });
    await waitFor(() => client.messages.length === 9);
    expect(client.messages.slice(0, 4).map(({ id, error }) => [id, error.split(':')[0]])).toEqual(
      Array.from({ length: 4 }, () => [undefined, 'invalid request envelope']),
    );
    expect(client.messages.slice(4)).toStrictEqual([
      { id: 'u', error: 'unknown operation: x' },
      { error: 'unknown operation: ' },
      { id: 's', error: 'types are required' },
      { id: 't', error: 'addresses are required' },
      { error: 'invalid subscribe request: types must be a list of strings' },
    ]);
    expect(await client.ask({ operation: 'ping' })).toMatchObject({ status: 'pong' });
  });

  it('takes text in binary frames and closes on anything else', async () => {
    const client = await ws();
    client.socket.send(Buffer.from('{"operation":"ping"}'), { binary: true });
    await waitFor(() => client.messages.length === 1);
    client.socket.send(Buffer.of(0xff, 0xfe), { binary: true });
    expect(await client.closed).toEqual({ code: 1003, reason: 'unsupported data' });
  });

  it('limits the rate and the size of messages', async () => {
    const plain = await app.key('free');
    const fast = await ws(`?api_key=${plain}`);
    for (let i = 0; i < 80; i++) fast.send({ operation: 'ping' });
    expect(await fast.closed).toEqual({ code: 1008, reason: 'Ratelimit exceeded' });
    // Three in a row: on a busy machine one before them may have been within the rate.
    expect(fast.messages.slice(-3).map(({ error }) => error)).toEqual(Array(3).fill('Ratelimit exceeded'));
    const large = await ws(`?api_key=${plain}`);
    large.send({ operation: 'ping', id: 'x'.repeat(100_000) });
    expect(await large.closed).toEqual({ code: 1009, reason: 'message too big' });
  });

  it('closes a peer that is dead, and not one that answers pings', async () => {
    const alive = await ws();
    const dead = await ws();
    dead.socket.on('ping', () => {});
    // The client library answers pings by itself, so the answers are dropped.
    dead.socket.pong = () => {};
    expect(await dead.closed).toMatchObject({ code: 1008, reason: 'idle timeout' });
    expect(await alive.ask({ operation: 'ping' })).toMatchObject({ status: 'pong' });
  });
});

it('ends all streams at shutdown, on whole frames', async () => {
  const other = await openStreamApp(index.database);
  const good = { 'x-api-key': key };
  const client = await openSse(other.url, SUBSCRIPTION, { headers: good });
  const socket = await openWs(other.url, `?api_key=${key}`);
  await waitFor(() => client.frames.length > 0);
  await other.close();
  expect(await socket.closed).toEqual({ code: 1001, reason: 'server is going away' });
  await client.ended;
  expect(other.streaming.hub.stats().connections).toMatchObject({ sse: 0, ws: 0 });
  expect(other.slotsTaken()).toBe(0);
});

it('names the components of its health as the reference does, if the operator wants that', async () => {
  const other = await openStreamApp(index.database, { hasReferenceNames: true });
  try {
    const response = await fetch(`${other.url}/api/streaming/healthz`);
    const { ok, components } = (await response.json()) as Json;
    expect(response.status).toBe(ok ? 200 : 503);
    const { indexer, streaming } = components;
    expect(components).toEqual({
      indexer,
      streaming,
      'ton-trace-emulator': { ...streaming, ...indexer, ok: streaming.ok && indexer.ok },
      'event-classifier': streaming,
      'ton-trace-ttl-tracker': streaming,
    });
    expect(streaming).toMatchObject({ ok: true, last_heartbeat: expect.any(Number) });
    expect(indexer).toMatchObject({ last_finalized_mc_block_time: expect.any(Number) });
  } finally {
    await other.close();
  }
});

/** The subscription of the only WebSocket that is open. */
function connectionOf() {
  return app.streaming.hub.subscriptions().at(-1)!;
}
