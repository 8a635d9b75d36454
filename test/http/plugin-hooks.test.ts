import fp from 'fastify-plugin';
import { afterEach, describe, expect, it } from 'vitest';
import { createV2Interface } from '../../src/v2/interface.ts';
import { createTestApp, NO_CHAIN } from '../support/app.ts';

const HASH = '0'.repeat(64);
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** An application with a plugin that knows nothing but Fastify, and the calls of its hooks. */
async function createHookedApp() {
  const seen: string[] = [];
  const plugin = fp(async (app) => {
    app.addHook('onRequest', async () => void seen.push('onRequest'));
    app.addHook('preHandler', async () => void seen.push('preHandler'));
    app.addHook('preSerialization', async (_request, _reply, payload) => {
      seen.push('preSerialization');
      return payload;
    });
    app.addHook('onSend', async (_request, reply, payload) => {
      seen.push(`onSend ${typeof payload}`);
      reply.header('x-plugin', 'seen');
      return payload;
    });
    app.addHook('onError', async (_request, _reply, error) => void seen.push(`onError ${error.message}`));
    app.addHook('onResponse', async (_request, reply) => void seen.push(`onResponse ${reply.statusCode}`));
  });
  const v2 = createV2Interface({ ports: NO_CHAIN, maxBatch: 10 });
  const app = await createTestApp({
    overrides: {
      service: plugin,
      interfaces: [{ prefix: '/api/v2', plugin: v2 }],
    },
  });
  closers.push(() => app.close());
  return { app, seen };
}

const ALL = ['onRequest', 'preHandler', 'preSerialization', 'onSend string', 'onResponse 200'];

describe('the hooks of a plugin', () => {
  it.each([
    ['GET', { url: `/api/v2/detectHash?hash=${HASH}` }],
    ['POST', { url: '/api/v2/detectHash', method: 'POST', payload: { hash: HASH } }],
    [
      'JSON-RPC',
      { url: '/api/v2/jsonRPC', method: 'POST', payload: { method: 'detectHash', params: { hash: HASH } } },
    ],
    ['a batch', { url: '/api/v2/jsonRPC', method: 'POST', payload: [{ method: 'detectHash' }] }],
  ] as const)('all run for a response to %s, and may set headers', async (_title, request) => {
    const { app, seen } = await createHookedApp();
    const response = await app.inject(request);
    expect([response.statusCode, response.headers['x-plugin']]).toEqual([200, 'seen']);
    expect(seen).toEqual(ALL);
  });

  it('see a parameter that is rejected as an error', async () => {
    const { app, seen } = await createHookedApp();
    const response = await app.inject('/api/v2/detectHash');
    expect([response.statusCode, response.headers['x-plugin']]).toEqual([422, 'seen']);
    expect(seen).toEqual([
      'onRequest',
      'onError empty hash',
      'preSerialization',
      'onSend string',
      'onResponse 422',
    ]);
  });
});
