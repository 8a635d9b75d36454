import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseEncoding } from '../../src/http/json-reply.ts';
import { createTestApp } from '../support/app.ts';

describe('chooseEncoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1.0, GZIP;q=0.2', 'gzip'],
    ['gzip;q=0, br', 'br'],
    ['deflate', 'deflate'],
    ['*', 'gzip'],
    ['gzip;q=0.0', undefined],
  ])('of %j is %j', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding);
  });
});

describe('long answers', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  it.each([
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
    ['br', brotliDecompressSync],
  ] as const)('come back whole from %s', async (encoding, unpack) => {
    const plain = await app.inject('/api/v2/openapi.json');
    const packed = await app.inject({
      url: '/api/v2/openapi.json',
      headers: { 'accept-encoding': encoding },
    });
    expect(packed.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(packed.headers['content-length']).toBe(String(packed.rawPayload.length));
    expect(unpack(packed.rawPayload).toString()).toBe(plain.payload);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  });
});
