import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { addServiceRoutes } from '../../src/http/service-routes.ts';
import { Failure } from '../../src/lib/errors.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { createTestApp, testAccess } from '../support/app.ts';

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const CALL = `/api/v2/unpackAddress?address=${ADDRESS}`;

let app: FastifyInstance;
const make = async (...args: Parameters<typeof createTestApp>) => {
  app = await createTestApp(...args);
  return app;
};
afterEach(() => app.close());

describe('docs', () => {
  it('are served below both interfaces without loading anything from elsewhere', async () => {
    await make();
    for (const name of ['v2', 'v3']) {
      const page = await app.inject(`/api/${name}/`);
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.payload.match(/(src|href)="(?!\.\/)/g)).toBeNull();
      for (const [, file] of page.payload.matchAll(/(?:src|href)="\.\/([^"]+)"/g)) {
        expect((await app.inject(`/api/${name}/${file}`)).statusCode, file).toBe(200);
      }
      expect((await app.inject(`/api/${name}`)).headers.location).toBe(`${name}/`);
      const script = (await app.inject(`/api/${name}/static/swagger-initializer.js`)).payload;
      expect(script).toContain('"persistAuthorization":true');
      const document = (await app.inject(`/api/${name}/openapi.json`)).json();
      expect(document.openapi).toBe('3.1.0');
      const operations = Object.values<Record<string, { operationId: string; responses: object }>>(
        document.paths,
      );
      for (const [method, { operationId, responses }] of operations.flatMap(Object.entries)) {
        if (operationId === 'healthcheck_get') continue;
        const always = ['400', '401', '403', '405', '414', '422', '429', '431', '500', '503'];
        expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(always));
        expect('413' in responses, operationId).toBe(method === 'post');
      }
    }
    expect((await app.inject('/api/v3/doc.json')).json().swagger).toBe('2.0');
    expect((await app.inject('/healthcheck')).payload).toBe('OK');
  });
});

describe('createApp', () => {
  it('strips PATH_PREFIX and works without it as well', async () => {
    await make({ overrides: { pathPrefix: '/ton/main' } });
    for (const prefix of ['', '/ton/main']) {
      expect((await app.inject(prefix + CALL)).statusCode).toBe(200);
      expect((await app.inject(`${prefix}/API/v3/__TESTMETHOD`)).statusCode).toBe(200);
    }
    expect((await app.inject(`/ton/mainx${CALL}`)).statusCode).toBe(404);
    expect((await app.inject('/ton/main')).headers.location).toBe('main/');
    expect((await app.inject('/ton/main/')).statusCode).toBe(200);
  });

  it('takes the address of the caller from a proxy only with trustProxy', async () => {
    const seen: string[] = [];
    const access = testAccess(async (request) => void seen.push(request.ip));
    for (const trustProxy of [false, true, 1, '127.0.0.1']) {
      await make({ access, overrides: { trustProxy } });
      await app.inject({ url: CALL, headers: { 'x-forwarded-for': '1.1.1.1, 2.2.2.2' } });
      if (trustProxy !== '127.0.0.1') await app.close();
    }
    expect(seen).toEqual(['127.0.0.1', '1.1.1.1', '2.2.2.2', '2.2.2.2']);
  });

  it('sends no CORS headers with cors off', async () => {
    await make({ overrides: { cors: false } });
    const answer = await app.inject({ url: CALL, headers: { origin: 'https://example.test' } });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await app.inject({ method: 'OPTIONS', url: CALL });
    expect(preflight.statusCode).toBe(405);
  });

  it('compresses long responses only', async () => {
    await make();
    const long = await app.inject({ url: '/api/v2/openapi.json', headers: { 'accept-encoding': 'gzip' } });
    expect(long.headers['content-encoding']).toBe('gzip');
    const short = await app.inject({ url: CALL, headers: { 'accept-encoding': 'gzip' } });
    expect(short.headers['content-encoding']).toBeUndefined();
    expect(short.json()).toMatchObject({ ok: true });
  });

  it('admits and logs requests with malformed URLs like others', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
    let admitted = 0;
    await make({ access: testAccess(async () => void admitted++), overrides: { log } });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const statusOf = async (url: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const answer = await text(socket);
      expect(answer).toContain('x-request-id: ');
      return Number(answer.split(' ', 2)[1]);
    };
    const expected = {
      '/%zz': 400,
      '/api/v2/%': 400,
      '/api/v3/%ff?limit=%': 400,
      '//nowhere': 404,
      '//api/v2/getMasterchainInfo': 404,
      [`http://x${CALL}`]: 200,
      [`${CALL}&x=%zz`]: 200,
    };
    lines.length = 0;
    // The front page, which is not logged.
    expect(await statusOf('//')).toBe(200);
    for (const [url, status] of Object.entries(expected))
      expect([url, await statusOf(url)]).toEqual([url, status]);
    const count = Object.keys(expected).length;
    await expect.poll(() => lines.length).toBe(count);
    expect(lines.map((line) => JSON.parse(line).status)).toEqual(Object.values(expected));
    expect(admitted).toBe(count);
  });

  it('hides the text of unexpected errors', async () => {
    await make({ access: testAccess(() => Promise.reject(new Error('secret insides'))) });
    for (const url of [CALL, '/api/v3/__testMethod', '/nope']) {
      const answer = await app.inject(url);
      expect(answer.statusCode).toBe(500);
      expect(answer.json()).toMatchObject({ error: 'internal server error', code: 500 });
      expect(answer.payload).not.toContain('secret');
    }
  });

  it('logs some of many requests above their rate, and how many it left out', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
    const refuse = () => Promise.reject(new Failure('rate_limited', 'Ratelimit exceeded'));
    const app = await make({ access: testAccess(refuse), overrides: { log } });
    const logged = () => lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 429);
    for (let call = 0; call < 25; call++) await app.inject('/api/v2/getMasterchainInfo');
    await expect.poll(() => logged().length).toBeGreaterThanOrEqual(10);
    // A second later the next line says what is missing.
    await expect
      .poll(
        async () => {
          await app.inject('/api/v2/getMasterchainInfo');
          return logged().some(({ unlogged }) => unlogged > 0);
        },
        { timeout: 120_000, interval: 200 },
      )
      .toBe(true);
    const left = logged().reduce((sum, { unlogged = 0 }) => sum + unlogged, 0);
    expect(left).toBeGreaterThanOrEqual(5);
  });

  it('logs a failed request with its reason as a warning, and an unexpected error as an error', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
    const refuse = () => Promise.reject(new Failure('lite_server', 'LITE_SERVER_NOTREADY: seqno not in db'));
    await make({ access: testAccess(refuse), overrides: { log } });
    await app.inject(CALL);
    await app.inject('/api/v3/__testMethod');
    await expect.poll(() => lines.length).toBe(2);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({
        level: 'warn',
        status: 500,
        reason: 'LITE_SERVER_NOTREADY: seqno not in db',
        msg: 'Request failed',
      });
    await app.close();
    lines.length = 0;
    await make({ access: testAccess(() => Promise.reject(new Error('broken'))), overrides: { log } });
    await app.inject(CALL);
    await expect.poll(() => lines.length).toBe(2);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'error', err: { message: 'broken' } });
    expect(JSON.parse(lines[1]!)).toMatchObject({ level: 'warn', reason: 'internal server error' });
  });

  it('reports every request with its interface, operation and status', async () => {
    const done: unknown[] = [];
    await make({ overrides: { onRequestDone: (...args) => void done.push(args.slice(0, 3)) } });
    await app.inject(CALL);
    await app.inject({
      method: 'POST',
      url: '/api/v2/jsonRPC',
      payload: { method: 'detectHash', params: {} },
    });
    await app.inject({ method: 'POST', url: '/api/v2/jsonRPC', payload: [{ method: 'detectHash' }] });
    await app.inject('/api/v3/__testMethod');
    await app.inject('/api/v2/random-path-of-a-scanner');
    await app.inject('/healthz');
    await expect
      .poll(() => done)
      .toEqual([
        ['v2', 'unpackAddress', 200],
        ['v2', 'detectHash', 422],
        ['v2', 'jsonRPC', 200],
        ['v3', '__testMethod', 200],
        ['none', 'none', 404],
        ['service', 'healthz', 200],
      ]);
  });
});

describe('load shedding', () => {
  it('answers 503 with Retry-After while the event loop is delayed, except for health, and recovers', async () => {
    let shed = 0;
    await make({ overrides: { shedding: { loopDelayMs: 20, heapPercent: 0, onShed: () => shed++ } } });
    const block = () => {
      for (const until = performance.now() + 300; performance.now() < until; );
    };
    let answer = await app.inject(CALL);
    for (let i = 0; i < 40 && answer.statusCode !== 503; i++) {
      block();
      await new Promise((resolve) => setImmediate(resolve));
      answer = await app.inject(CALL);
    }
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ ok: false, code: 503, error: 'Server is overloaded' });
    expect(answer.headers['retry-after']).toBe('2');
    expect((await app.inject('/api/v3/__testMethod')).json()).toEqual({
      code: 503,
      error: 'Server is overloaded',
    });
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    expect(shed).toBe(2);
    for (let i = 0; i < 100 && answer.statusCode === 503; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await app.inject(CALL);
    }
    expect(answer.statusCode).toBe(200);
  });
});

describe('/metrics', () => {
  /** An application with counted renderings of its metrics; calls with `?api_key=good` have a key. */
  async function withMetrics(needKey: boolean) {
    let rendered = 0;
    const metrics = {
      contentType: 'text/plain',
      render: async () => `rendered ${++rendered}`,
      needKey,
    };
    const admit = async (request: FastifyRequest) => {
      if ((request.query as { api_key?: string }).api_key === 'good') request.keyId = '1';
    };
    const ready = async () => ({ ready: true, checks: {} });
    const status = () => ({ version: '0', network: 'localnet', uptime_seconds: 0 });
    const options = { ready, status, metrics };
    return make({
      access: testAccess(admit),
      overrides: { service: async (service) => addServiceRoutes(service, options) },
    });
  }

  it('are rendered at most once per second', async () => {
    await withMetrics(false);
    const pages = await Promise.all(Array.from({ length: 20 }, () => app.inject('/metrics')));
    expect(pages.map(({ statusCode }) => statusCode)).toEqual(Array.from(pages, () => 200));
    expect(new Set(pages.map(({ payload }) => payload)).size).toBeLessThanOrEqual(2);
    await expect
      .poll(async () => (await app.inject('/metrics')).payload, { timeout: 120_000 })
      .not.toBe('rendered 1');
  });

  it('need a key where others reach the port', async () => {
    await withMetrics(true);
    const refused = await app.inject('/metrics');
    expect(refused.statusCode).toBe(401);
    expect(refused.payload).toContain('METRICS_PORT');
    expect((await app.inject('/metrics?api_key=good')).payload).toMatch(/^rendered/);
  });
});
