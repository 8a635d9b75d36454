import { afterEach, expect, it } from 'vitest';
import { createTestApp, testAccess } from '../support/app.ts';
import { startFakeNet } from '../support/fake-chain.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it('healthcheck answers 200 without a body while a lite server is live and 503 otherwise, without key and rate limit', async () => {
  const net = await startFakeNet({ servers: [{}] });
  closing.push(net.close);
  const closed = testAccess(() => Promise.reject(new Error('not to be asked')));
  const app = await createTestApp({ ports: { pool: () => net.pool }, access: closed });
  closing.push(() => app.close());
  const ask = (method: 'GET' | 'HEAD') => app.inject({ method, url: '/api/v2/healthcheck' });
  await net.pool.waitForSeqno(0, { timeoutMs: 120_000 });
  for (const method of ['GET', 'HEAD'] as const) {
    const answer = await ask(method);
    expect(answer.statusCode).toBe(200);
    expect(answer.payload).toBe('');
    expect(answer.headers).toMatchObject({ 'x-api-version': '2.2.0', 'cache-control': 'no-store' });
  }
  await net.pool.close();
  const answer = await ask('GET');
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ ok: false, code: 503, error: 'no lite server is live' });
  expect((await ask('HEAD')).statusCode).toBe(503);
});
