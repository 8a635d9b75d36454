import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/observe/metrics.ts';
import { createV2Interface } from '../../src/v2/interface.ts';
import { createV3Interface } from '../../src/v3/interface.ts';
import { createTestApp, NO_CHAIN, testAccess } from '../support/app.ts';
import { NO_INDEX } from '../v3/support/build-app.ts';

const BIG_BYTES = 5_000_000;
const KB_PER_RPS = 100;

const metrics = createMetrics({ runtime: false });
let nowMs = 0;
let app: FastifyInstance;
beforeAll(async () => {
  app = await createTestApp({
    access: testAccess(async (request) => {
      const id = String(request.headers['x-caller']);
      Object.assign(request, { payer: { id, rps: id === 'fast' ? 100 : 1 } });
    }),
    overrides: {
      responses: {
        kbPerRps: KB_PER_RPS,
        onResponse: metrics.responseSent,
        onRefused: () => metrics.refused('response_bytes'),
        now: () => nowMs,
      },
      interfaces: [
        { prefix: '/api/v2', plugin: createV2Interface({ ports: NO_CHAIN, maxBatch: 10 }) },
        {
          prefix: '/api/v3',
          plugin: createV3Interface({ ports: NO_INDEX, limits: { defaultLimit: 10, maxLimit: 1000 } }),
        },
        {
          prefix: '/big',
          plugin: async (big) => {
            big.get('/', { config: { interface: 'big' } }, async () => 'x'.repeat(BIG_BYTES));
          },
        },
      ],
    },
  });
});
afterAll(() => app.close());

const get = (caller: string, url: string, headers = {}) =>
  app.inject({ url, headers: { 'x-caller': caller, ...headers } });

describe('the budget of response bytes', () => {
  it('refuses who has used it up, in both interfaces, until it is refilled', async () => {
    const big = await get('a', '/big', { 'accept-encoding': 'gzip' });
    expect(big.statusCode).toBe(200);
    expect(big.rawPayload.length).toBeLessThan(BIG_BYTES / 10);
    const v2 = await get('a', '/api/v2/detectHash?hash=00');
    // It could save 5 MB, 50 times 100 kB, and has used all of it.
    expect([v2.statusCode, v2.headers['retry-after']]).toEqual([429, '1']);
    const error = 'Ratelimit exceeded: the bytes for responses are used up';
    expect(v2.json()).toMatchObject({ ok: false, code: 429, error });
    const v3 = await get('a', '/api/v3/decode?opcodes=0x0f8a7ea5');
    expect([v3.statusCode, v3.headers['retry-after'], v3.json()]).toEqual([429, '1', { code: 429, error }]);
    expect((await get('b', '/api/v3/decode?opcodes=0x0f8a7ea5')).statusCode).toBe(200);

    nowMs += 1000;
    expect((await get('a', '/api/v3/decode?opcodes=0x0f8a7ea5')).statusCode).toBe(200);
    expect((await get('a', '/big')).statusCode).toBe(200);
    expect((await get('a', '/big')).headers['retry-after']).toBe('50');
  });

  it('is in proportion to the rate of the caller', async () => {
    for (let count = 0; count < 10; count++) expect((await get('fast', '/big')).statusCode).toBe(200);
  });

  it('leaves out routes that need no key', async () => {
    nowMs = 0;
    await get('c', '/big');
    expect((await get('c', '/big')).statusCode).toBe(429);
    expect((await get('c', '/api/v2/openapi.json')).statusCode).toBe(200);
    expect((await get('c', '/healthz')).statusCode).toBe(200);
  });

  it('has metrics', async () => {
    const text = await metrics.render();
    expect(text).toMatch(/tongate_http_response_bytes_total{interface="big"} 6\d{7}/);
    expect(text).toMatch(/tongate_refused_total{reason="response_bytes"} [4-9]/);
  });
});
