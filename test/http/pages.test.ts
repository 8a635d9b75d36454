import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccess } from '../../src/access/plugin.ts';
import { createMemoryRateStore } from '../../src/access/rate-limit.ts';
import { addDocs } from '../../src/http/docs.ts';
import { FIXED_VALUES } from '../../src/http/example-values.ts';
import { createTestApp } from '../support/app.ts';

describe('pages that need no key', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  const PAGES = [
    '/',
    '/api/v2/',
    '/api/v2/openapi.json',
    '/api/v2/json',
    '/api/v2/yaml',
    '/api/v3/doc.json',
    '/api/v3/static/swagger-ui.css',
    '/api/v3/static/swagger-ui-bundle.js',
  ];
  it.each(PAGES)('%s is the same for every caller and encoding, with a tag', async (url) => {
    const first = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    const plain = await app.inject(url);
    const again = await app.inject({ url: `${url}?x=1`, headers: { 'accept-encoding': 'gzip' } });
    const { etag, 'cache-control': cacheControl, 'content-type': type } = first.headers;
    expect(first.statusCode).toBe(200);
    expect(cacheControl).toBe(url.includes('/static/') ? 'max-age=3600' : 'no-cache');
    expect(plain.headers).toMatchObject({ etag, 'content-type': type, 'cache-control': cacheControl });
    expect(Number(plain.headers['content-length'])).toBe(plain.rawPayload.length);
    if (first.headers['content-encoding'] === 'gzip') {
      expect(gunzipSync(first.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
      expect(first.headers.vary).toBe('accept-encoding');
    } else expect(plain.rawPayload.length).toBeLessThan(2048);

    const headers = { 'if-none-match': `"other", ${etag}` };
    for (const method of ['GET', 'HEAD'] as const) {
      const unchanged = await app.inject({ method, url, headers });
      expect([unchanged.statusCode, unchanged.payload.length]).toEqual([304, 0]);
    }
    const head = await app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.payload.length, head.headers.etag]).toEqual([200, 0, etag]);
    expect(Number(head.headers['content-length'])).toBe(plain.rawPayload.length);
  });

  it('keep their security headers', async () => {
    for (const url of ['/api/v2/', '/api/v2/', '/api/v2/static/index.css', '/api/v2/static/index.css'])
      expect((await app.inject(url)).headers['content-security-policy']).toContain("default-src 'self'");
  });

  it('are made once, and on a local chain again when its examples are a second old', async () => {
    for (const isLocal of [false, true]) {
      let asked = 0;
      const exampleValues = async () => {
        asked += 1;
        return () => `value ${asked}`;
      };
      const local = isLocal ? { exampleValues } : undefined;
      const docs = {
        title: 'x',
        version: '1.0.0',
        description: '{alice}',
        tags: {},
        errors: { schema: {}, texts: {} },
        local,
      };
      const own = await createTestApp({
        overrides: { interfaces: [{ prefix: '/x', plugin: (plugin) => addDocs(plugin, docs) }] },
      });
      const read = async () => (await own.inject('/x/openapi.json')).json().info.description;
      const first = await read();
      for (let i = 0; i < 5; i++) await read();
      if (isLocal) {
        // A slow machine may take a second for these.
        expect(asked).toBeLessThan(6);
        await expect.poll(read, { timeout: 120_000 }).not.toBe(first);
      } else expect([asked, first]).toEqual([0, FIXED_VALUES('alice')]);
      await own.close();
    }
  });
});

describe('the limit on pages', () => {
  let time = 0;
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await withLimit(true);
  });
  afterAll(() => app.close());

  function withLimit(rateLimit: boolean): Promise<FastifyInstance> {
    const access = createAccess({
      keys: {
        find: async () => null,
        cached: () => undefined,
        wasValid: () => false,
        touch: () => {},
        close: async () => {},
      },
      store: createMemoryRateStore({ now: () => time }),
      network: 'localnet',
      anonymousRps: 1,
      rateLimit,
      onRefused: () => {},
      now: () => time,
    });
    return createTestApp({ access });
  }

  async function statusesOf(url: string, count: number, remoteAddress: string, of = app) {
    const answers = await Promise.all(Array.from({ length: count }, () => of.inject({ url, remoteAddress })));
    return answers.map(({ statusCode }) => statusCode).toSorted();
  }

  it.each(['/', '/healthz', '/status', '/api/v2/openapi.json', '/api/v3/static/index.css', '/nowhere'])(
    'is 50 per second and address for %s',
    async (url) => {
      time += 1000;
      const remoteAddress = '10.0.0.1';
      const [usual] = await statusesOf(url, 1, '10.0.0.2');
      expect(await statusesOf(url, 51, remoteAddress)).toEqual([...Array(50).fill(usual), 429].toSorted());
      const refused = await app.inject({ url, remoteAddress });
      expect(refused.json()).toMatchObject({ error: 'Ratelimit exceeded', code: 429 });
      expect(refused.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-limit': '50' });
      // Others, and calls of the API, are not affected.
      expect(await statusesOf(url, 1, '10.0.0.2')).toEqual([usual]);
      const calls = await statusesOf('/api/v3/__testMethod', 2, remoteAddress);
      expect(calls).toEqual([200, 429]);
      time += 1000;
      expect(await statusesOf(url, 1, remoteAddress)).toEqual([usual]);
    },
  );

  it('is higher for files of pages, which do not count with the others', async () => {
    time += 1000;
    const remoteAddress = '10.0.0.1';
    const { body } = await app.inject({ url: '/', remoteAddress });
    const [file] = /assets\/[^"]+\.js/.exec(body)!;
    expect(await statusesOf(`/${file}`, 501, remoteAddress)).toEqual([...Array(500).fill(200), 429]);
    expect(await statusesOf('/healthz', 49, remoteAddress)).toEqual(Array(49).fill(200));
  });

  it('does not exist with RATE_LIMIT=off', async () => {
    const unlimited = await withLimit(false);
    expect(new Set(await statusesOf('/healthz', 60, '10.0.0.1', unlimited))).toEqual(new Set([200]));
    await unlimited.close();
  });
});

describe('pipelined requests', () => {
  let app: FastifyInstance;
  let port: number;
  beforeAll(async () => {
    app = await createTestApp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.server.address() as AddressInfo).port;
  });
  afterAll(() => app.close());

  const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

  it('are answered in order, and others in between', async () => {
    const socket = connect(port, '127.0.0.1');
    const paths = Array.from({ length: 200 }, (_, i) => `/api/v2/detectHash?hash=${i}`);
    socket.write(paths.map((path) => request(path)).join('') + request('/healthz', 'Connection: close\r\n'));
    let answered = '';
    socket.on('data', (chunk) => {
      answered += chunk;
    });
    await once(socket, 'data');
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(answered.split('HTTP/1.1 ').length).toBeLessThan(200);
    await once(socket, 'close');
    const hashes = [...answered.matchAll(/invalid hash: '(\d+)'/g)].map(([, hash]) => Number(hash));
    expect(hashes).toEqual(paths.map((_, i) => i));
    expect(answered).toContain('{"status":"ok"}');
  });

  it('have their bodies read', async () => {
    const post = (hash: number) => {
      const body = JSON.stringify({ hash: String(hash) });
      return `POST /api/v2/detectHash HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    const socket = connect(port, '127.0.0.1');
    const whole = text(socket);
    socket.write(post(1) + post(2) + request('/healthz') + post(3).slice(0, -5));
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
    socket.write(post(3).slice(-5) + request('/healthz', 'Connection: close\r\n'));
    const answered = await whole;
    const found = [...answered.matchAll(/invalid hash: '(\d)'|"status":"(ok)"/g)];
    expect(found.map(([, hash, status]) => hash ?? status)).toEqual(['1', '2', 'ok', '3', 'ok']);
  });

  it('end the connection when there are too many', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    socket.write(request('/healthz').repeat(400));
    await once(socket, 'close');
    // The address is refused for a while, others are not.
    const askFrom = (localAddress: string) => {
      const other = connect({ port, host: '127.0.0.1', localAddress });
      other.write(request('/healthz', 'Connection: close\r\n'));
      return text(other);
    };
    expect(await askFrom('127.0.0.1')).toMatch(/^HTTP\/1\.1 429 .*Retry-After: 10/s);
    expect(await askFrom('127.0.0.2')).toMatch(/^HTTP\/1\.1 200 /);
  });
});
