import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';

describe('compression of long responses', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  const get = (encoding?: string) =>
    app.inject({
      url: '/api/v2/openapi.json',
      headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
    });

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0, br', 'br'],
    ['deflate', 'deflate'],
    ['*', 'gzip'],
    ['gzip;q=0.0', undefined],
  ])('uses for Accept-Encoding %j the encoding %j', async (accepted, encoding) => {
    expect((await get(accepted)).headers['content-encoding']).toBe(encoding);
  });

  it.each([
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
    ['br', brotliDecompressSync],
  ] as const)('loses nothing with %s', async (encoding, unpack) => {
    const plain = await get();
    const packed = await get(encoding);
    expect(packed.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(unpack(packed.rawPayload).toString()).toBe(plain.payload);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  });

  it('sends every response with its length', async () => {
    for (const encoding of [undefined, 'gzip']) {
      const { headers, rawPayload } = await get(encoding);
      expect(headers['content-length']).toBe(String(rawPayload.length));
      expect(headers).not.toHaveProperty('transfer-encoding');
    }
  });

  it('compresses the files of the docs page, but not images', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const script = await app.inject({ url: '/api/v2/static/swagger-ui-bundle.js', headers });
    expect(script.headers['content-encoding']).toBe('gzip');
    const plain = await app.inject('/api/v2/static/swagger-ui-bundle.js');
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(gunzipSync(script.rawPayload).equals(plain.rawPayload)).toBe(true);
    const image = await app.inject({ url: '/api/v2/static/favicon-32x32.png', headers });
    expect(image.statusCode).toBe(200);
    expect(image.headers).not.toHaveProperty('content-encoding');
  });

  it('names the header on which the form depends, also for a plain response', async () => {
    expect((await get()).headers.vary).toBe('accept-encoding');
  });
});
