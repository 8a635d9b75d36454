import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { createOperatorAccess } from '../../src/access/operator.ts';
import { guardRoutes } from '../../src/http/guarded-routes.ts';
import { createTestApp } from '../support/app.ts';

const ADMIN_KEY = 'correct horse battery staple';
const LOCAL_KEY = 'tg_key-of-the-local-chain';
const HINTS = { administration: 'hint A', localChain: 'hint L' };
/** An address of this machine that is not a loopback one has no place in a test; this one is, and is not 127.0.0.1. */
const OTHER_ADDRESS = '127.0.0.2';

const open: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

type Options = Parameters<typeof createOperatorAccess>[0];

/** A server with a route of the administration, one of the local chain, and one for everybody; a function that asks it. */
async function serve(options: Partial<Options> = {}, overrides: object = {}) {
  const access = createOperatorAccess({ adminKey: ADMIN_KEY, hints: HINTS, ...options });
  let done = 0;
  const guarded = (check: 'checkAdministration' | 'checkLocalChain') => async (app: FastifyInstance) => {
    guardRoutes(app, access[check]);
    for (const method of ['GET', 'POST'])
      app.route({
        method,
        url: '/do',
        config: { public: true },
        handler: async () => {
          done += 1;
          return { ok: true };
        },
      });
  };
  const app = await createTestApp({
    overrides: {
      interfaces: [
        { prefix: '/admin', plugin: guarded('checkAdministration') },
        { prefix: '/chain', plugin: guarded('checkLocalChain') },
      ],
      ...overrides,
    },
  });
  open.push(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;

  /** Over a socket, with these headers and no others. */
  async function ask(
    path: string,
    headers: Record<string, string | string[]> = {},
    method = 'GET',
    body = '',
  ) {
    const sent = request({ host: '127.0.0.1', port, path, method, setHost: false, agent: false });
    for (const [name, value] of Object.entries({ host: `127.0.0.1:${port}`, ...headers }))
      sent.setHeader(name, value);
    sent.end(body);
    const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
      sent.on('response', resolve).on('error', reject),
    );
    let text = '';
    for await (const chunk of answer) text += chunk;
    return {
      status: answer.statusCode!,
      error: text === '' ? undefined : (JSON.parse(text).error as string | undefined),
      headers: answer.headers,
    };
  }
  return { ask, port, done: () => done };
}

describe('the operator', () => {
  it('is who has the key, not who is on the machine', async () => {
    const { ask } = await serve();
    expect(await ask('/admin/do')).toMatchObject({
      status: 401,
      error: 'The administration key is missing: hint A',
    });
    expect(await ask('/chain/do')).toMatchObject({
      status: 401,
      error: 'Commands to the local chain need its key: hint L',
    });
    expect(await ask('/admin/do', { 'x-admin-key': 'guess' })).toMatchObject({
      status: 401,
      error: 'The administration key is wrong',
    });
    for (const path of ['/admin/do', '/chain/do'])
      expect((await ask(path, { 'x-admin-key': ADMIN_KEY })).status).toBe(200);
  });

  it('commands a local chain with its key, which opens the administration where it has none of its own', async () => {
    for (const adminKey of [ADMIN_KEY, undefined]) {
      const { ask } = await serve({ adminKey, localKey: LOCAL_KEY });
      for (const name of ['x-api-key', 'x-admin-key']) {
        expect((await ask('/chain/do', { [name]: LOCAL_KEY })).status).toBe(200);
        expect((await ask('/admin/do', { [name]: LOCAL_KEY })).status).toBe(
          adminKey === undefined ? 200 : 401,
        );
        expect((await ask('/chain/do', { [name]: `${LOCAL_KEY}!` })).status).toBe(401);
      }
      // A URL can be opened by any page.
      expect((await ask(`/chain/do?api_key=${LOCAL_KEY}`)).status).toBe(401);
    }
  });

  it('loses a key that was revoked', async () => {
    const { ask } = await serve({ localKey: LOCAL_KEY, isLocalKeyValid: async () => false });
    expect((await ask('/chain/do', { 'x-api-key': LOCAL_KEY })).status).toBe(401);
  });

  it('is never locked out by wrong keys, however many come from the same address', async () => {
    const { ask } = await serve();
    const statuses = [];
    for (let guess = 0; guess < 12; guess++)
      statuses.push((await ask('/admin/do', { 'x-admin-key': `guess ${guess}` })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await ask('/admin/do', { 'x-admin-key': ADMIN_KEY })).status).toBe(200);
    const limited = await ask('/admin/do', { 'x-admin-key': 'guess' });
    expect([limited.status, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
  });
});

describe('a request with the right key', () => {
  const right = { 'x-admin-key': ADMIN_KEY };

  it.each<[string, (port: number) => Record<string, string | string[]>, number]>([
    ['by the name localhost', (port) => ({ host: `localhost:${port}` }), 200],
    ['by IPv6', () => ({ host: '[::1]:8081' }), 200],
    ['by an IPv4 address as IPv6 shows it', () => ({ host: '[::ffff:127.0.0.1]' }), 200],
    ['by another loopback address', () => ({ host: OTHER_ADDRESS }), 200],
    [
      'of a page of its own',
      (port) => ({ origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' }),
      200,
    ],
    ['of the address bar', () => ({ 'sec-fetch-site': 'none' }), 200],
    ['by a name that leads here', () => ({ host: 'example.org' }), 403],
    ['by an address that is not ours', () => ({ host: '192.0.2.1' }), 403],
    ['by a name that begins like ours', () => ({ host: 'localhost.example.org' }), 403],
    ['by a short form of an address', () => ({ host: '127.1' }), 403],
    ['by a number that is an address', () => ({ host: '2130706433' }), 403],
    ['without a name', () => ({ host: '' }), 403],
    ['by a name behind a user', () => ({ host: 'example.org@127.0.0.1' }), 400],
    ['by a name with a path', () => ({ host: '127.0.0.1/x' }), 400],
    ['by a name with a comment', () => ({ host: '127.0.0.1#x' }), 400],
    ['by a port that is none', () => ({ host: '127.0.0.1:80x' }), 400],
    ['by two addresses', () => ({ host: '127.0.0.1, 127.0.0.1' }), 400],
    ['by two names', () => ({ host: ['127.0.0.1', 'example.org'] }), 400],
    ['by an IPv6 address that is none', () => ({ host: '[::g]' }), 400],
    ['of a page of another site', () => ({ origin: 'https://example.org' }), 403],
    ['of a page of another port', () => ({ origin: 'http://127.0.0.1:3000' }), 403],
    ['of a page of another name', (port) => ({ origin: `http://localhost:${port}` }), 403],
    ['of a page of nowhere', () => ({ origin: 'null' }), 403],
    ['of an image of another site', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['of an image of another port', () => ({ 'sec-fetch-site': 'same-site' }), 403],
  ])('%s', async (_how, headersOf, status) => {
    const { ask, port, done } = await serve();
    expect((await ask('/admin/do', { ...right, ...headersOf(port) })).status).toBe(status);
    expect(done()).toBe(status === 200 ? 1 : 0);
  });

  it('by a name of the server, and of its pages behind a proxy that ends TLS', async () => {
    const { ask } = await serve({ allowedHosts: ['Ton.example.org'] });
    const host = 'ton.example.org';
    expect((await ask('/admin/do', { ...right, host })).status).toBe(200);
    for (const origin of [`https://${host}`, `http://${host}`, 'https://TON.example.org'])
      expect((await ask('/admin/do', { ...right, host, origin })).status).toBe(200);
    expect(
      (await ask('/admin/do', { ...right, host: `${host}:443`, origin: `https://${host}` })).status,
    ).toBe(200);
    for (const origin of [
      `https://${host}:8443`,
      `https://x.${host}`,
      `ftp://${host}`,
      `https://${host}@evil.org`,
    ])
      expect((await ask('/admin/do', { ...right, host, origin })).status).toBe(403);
    const refused = await ask('/admin/do', { ...right, host: 'other.example.org' });
    expect(refused.error).toBe(
      'Refused: the host "other.example.org" is not a name of this server, which ALLOWED_HOSTS lists',
    );
  });

  it('by the name that the server listens on, and not by an address that stands for all', async () => {
    const named = await serve({ host: 'Ton.internal' });
    expect((await named.ask('/admin/do', { ...right, host: 'ton.internal:8081' })).status).toBe(200);
    expect((await named.ask('/admin/do', { ...right, host: 'x.ton.internal' })).status).toBe(403);
    const everywhere = await serve({ host: '0.0.0.0' });
    expect((await everywhere.ask('/admin/do', { ...right, host: '0.0.0.0' })).status).toBe(403);
  });

  it('by the name that a trusted proxy passes on, and no other', async () => {
    const headers = { ...right, 'x-forwarded-host': 'example.org' };
    const trusting = await serve({}, { trustProxy: 1 });
    expect((await trusting.ask('/admin/do', headers)).status).toBe(403);
    const plain = await serve();
    expect((await plain.ask('/admin/do', headers)).status).toBe(200);
  });
});

describe('routes of the operator', () => {
  it('tell pages of other origins nothing, unlike those for everybody', async () => {
    const { ask, done } = await serve({ localKey: LOCAL_KEY });
    const origin = 'http://127.0.0.1:3000';
    const preflight = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
    };
    const allowed = 'access-control-allow-origin';
    expect((await ask('/api/v2/getTime', { origin })).headers[allowed]).toBe('*');
    for (const path of ['/admin/do', '/chain/do']) {
      const asked = await ask(path, preflight, 'OPTIONS');
      expect([asked.status, asked.headers[allowed]]).toEqual([403, undefined]);
      const sent = await ask(path, { origin, 'x-api-key': LOCAL_KEY }, 'POST');
      expect([sent.status, sent.headers[allowed]]).toEqual([403, undefined]);
      // What a browser sends for a form, without asking before.
      const form = await ask(path, { origin, 'content-type': 'text/plain' }, 'POST', '{"count":1}');
      expect(form.status).toBe(403);
    }
    expect(done()).toBe(0);
  });
});
