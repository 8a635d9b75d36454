import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLiveCaches } from '../../src/live/caches.ts';
import { createTestApp, testAccess } from '../support/app.ts';
import { type FaultyServers, openFaultyServers } from './support/faulty-servers.ts';
import { callV2, TRANSPORTS, type Transport } from './support/transports.ts';

const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333';
const EXTRA = /^\d{10}:0:\d+(\.\d+)?$/;
const EXTRA_OF_HIT = /^\d{10}:_:\d+(\.\d+)?:c$/;

let context: FaultyServers;
beforeAll(async () => {
  context = await openFaultyServers();
});
afterAll(() => context.close());

const call = async (params: Record<string, unknown>, transport: Transport = 'post') => {
  const { status, body } = await callV2(context.app, transport, 'getAddressBalance', params);
  return { status, error: body.error, result: body.result, extra: body['@extra'] as string };
};
const get = (query: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  context.app.inject({ method, url: `/api/v2/getAddressBalance?${query}`, headers });

describe('a v2 result at the head', () => {
  it('is shared by all transports until the next block', async () => {
    const { wallets, localnet, faucet } = context.running;
    const address = wallets.masterchain.address.toRawString();
    for (const transport of TRANSPORTS) {
      const first = await call({ address }, transport);
      expect(first.extra).toMatch(transport === 'get' ? EXTRA : EXTRA_OF_HIT);
    }
    const before = (await call({ address })).result;

    const funding = faucet.fund(wallets.masterchain.address, 5n);
    await localnet.drain();
    await funding;
    await context.mine();
    const after = await call({ address });
    expect(after.extra).toMatch(EXTRA);
    expect(BigInt(after.result)).toBeGreaterThan(BigInt(before));
    expect(await call({ address })).toMatchObject({ result: after.result });
  });

  it('does not depend on unknown query parameters', async () => {
    await context.mine();
    expect((await get(`address=${ELECTOR}`)).json()['@extra']).toMatch(EXTRA);
    expect((await get(`address=${ELECTOR}&_=1&api_key=x`)).json()['@extra']).toMatch(EXTRA_OF_HIT);
  });

  it('is not returned to an invalid request', async () => {
    expect((await call({ address: ELECTOR })).status).toBe(200);
    expect(await call({ address: ELECTOR, other: 1 })).toMatchObject({
      status: 422,
      error: "failed to parse post request: Error at path '/': Unknown property 'other'",
    });
  });

  it('may not be cached by intermediaries', async () => {
    const { headers } = await get(`address=${ELECTOR}`);
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('etag');
  });
});

describe('an immutable v2 result', () => {
  it('outlives the block, whether a number was sent as number or string', async () => {
    const { seqno } = context.pool.head!;
    const first = await call({ address: ELECTOR, seqno });
    expect(first.extra).toMatch(EXTRA);
    await context.mine();
    expect(await call({ address: ELECTOR, seqno: String(seqno) }, 'rpc')).toMatchObject({
      result: first.result,
      extra: expect.stringMatching(EXTRA_OF_HIT),
    });
  });

  it('has an ETag and is answered with 304 if it matches', async () => {
    const query = `address=${ELECTOR}&seqno=1`;
    const whole = await get(query);
    const { etag } = whole.headers as { etag: string };
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(whole.headers).toMatchObject({ 'cache-control': 'no-cache' });
    for (const known of [etag, `"x", ${etag.slice(2)}`, '*'])
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await get(query, { 'if-none-match': known, origin: 'https://example.test' }, method);
        expect(answer.statusCode).toBe(304);
        expect(answer.body).toBe('');
        expect(answer.headers).toMatchObject({
          etag,
          'cache-control': 'no-cache',
          'x-api-version': whole.headers['x-api-version'],
          'access-control-allow-origin': '*',
          'access-control-expose-headers': expect.stringContaining('ETag'),
        });
        expect(answer.headers).not.toHaveProperty('content-length');
      }
    await expect.poll(() => context.answered.at(-1)).toEqual({ operation: 'getAddressBalance', status: 304 });
    expect((await get(query, { 'if-none-match': '"x"' })).statusCode).toBe(200);
  });

  it('has the same ETag by HEAD and in another process, and none by POST', async () => {
    const url = '/api/v2/getAddressBalance';
    const first = (await get(`address=${ELECTOR}&seqno=1`)).headers.etag;
    context.cache.clear();
    expect((await get(`address=${ELECTOR}&seqno=1`, {}, 'HEAD')).headers.etag).toBe(first);
    const posted = await context.app.inject({
      method: 'POST',
      url,
      payload: { address: ELECTOR, seqno: 1 },
      headers: { 'if-none-match': '*' },
    });
    expect(posted.statusCode).toBe(200);
    expect(posted.headers).not.toHaveProperty('etag');
  });
});

describe('the v2 cache does not keep', () => {
  it('a failure', async () => {
    const seqno = context.pool.head!.seqno + 1;
    expect(await call({ address: ELECTOR, seqno })).toMatchObject({
      status: 500,
      error: expect.stringMatching(/^LITE_SERVER_NOTREADY: /),
    });
    await context.mine();
    expect(await call({ address: ELECTOR, seqno })).toMatchObject({ status: 200 });
  });

  it('a result without a lite server', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { body } = await callV2(context.app, 'get', 'detectAddress', { address: ELECTOR });
      expect(body['@extra']).toMatch(/^\d{10}:_:\d+(\.\d+)?$/);
    }
  });

  it('results of a chain that was reset', async () => {
    const params = { address: ELECTOR, seqno: 1 };
    await call(params);
    expect((await call(params)).extra).toMatch(EXTRA_OF_HIT);
    context.cache.clear();
    expect((await call(params)).extra).toMatch(EXTRA);
  });
});

describe('a JSON-RPC batch', () => {
  it('shares cached results with other requests', async () => {
    await context.mine();
    const entry = { jsonrpc: '2.0', method: 'getAddressBalance', params: { address: ELECTOR } };
    const { body } = await context.app.inject({
      method: 'POST',
      url: '/api/v2/jsonRPC',
      payload: Array.from({ length: 20 }, (_, id) => ({ ...entry, id })),
    });
    const answers = JSON.parse(body) as { id: number; result: string; '@extra': string }[];
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, id) => id));
    expect(new Set(answers.map(({ result }) => result)).size).toBe(1);
    expect(answers.at(-1)?.['@extra']).toMatch(EXTRA_OF_HIT);
  });
});

describe('the lite server group of a caller', () => {
  it('applies to every transport, separates head results and keeps ETags', async () => {
    const groups: (string | undefined)[] = [];
    const pools = new Map([
      [undefined, context.pool],
      ['gold', { ...context.pool, head: context.pool.head }],
    ]);
    const pool = (group: string | undefined) => {
      groups.push(group);
      return pools.get(group)!;
    };
    const access = testAccess(async (request, reply) => {
      for (const name of ['limit', 'remaining', 'reset']) reply.header(`x-ratelimit-${name}`, 7);
      request.liteGroup = request.headers['x-api-key'] === 'rich' ? 'gold' : undefined;
    });
    const app = await createTestApp({ access, ports: { pool, caches: createLiveCaches() } });
    const params = { address: ELECTOR };
    const rpc = { method: 'getAddressBalance', params };
    const asGold = async (url: string, payload?: object) => {
      groups.length = 0;
      const method = payload === undefined ? 'GET' : 'POST';
      const headers = { 'x-api-key': 'rich' };
      const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
      expect(new Set(groups)).toEqual(new Set(['gold']));
      return answer.body;
    };
    await app.inject(`/api/v2/getAddressBalance?address=${ELECTOR}`);
    expect(new Set(groups)).toEqual(new Set([undefined]));
    expect(await asGold(`/api/v2/getAddressBalance?address=${ELECTOR}`)).not.toContain(':c"');
    expect(await asGold('/api/v2/getAddressBalance', params)).toContain(':c"');
    expect(await asGold('/api/v2/jsonRPC', rpc)).toContain(':c"');
    expect(await asGold('/api/v2/jsonRPC', [rpc, rpc])).toContain(':c"');

    const url = `/api/v2/getAddressBalance?address=${ELECTOR}&seqno=1`;
    const unchanged = await app.inject({ url, headers: { 'if-none-match': '*' } });
    expect(unchanged.statusCode).toBe(304);
    expect(unchanged.headers).toMatchObject({ 'x-ratelimit-limit': '7', 'x-ratelimit-remaining': '7' });
    await app.close();
  });
});
