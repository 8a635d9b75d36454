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

  it('sends compressed responses in chunks, others with their length', async () => {
    const plain = await get();
    expect(plain.headers['content-length']).toBe(String(plain.rawPayload.length));
    expect(plain.headers).not.toHaveProperty('transfer-encoding');
    const packed = await get('gzip');
    expect(packed.headers['transfer-encoding']).toBe('chunked');
    expect(packed.headers).not.toHaveProperty('content-length');
  });
});
