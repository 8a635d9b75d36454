import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey, createKeyDirectory, type KeyDirectory } from '../../src/access/keys.ts';
import { createAccess } from '../../src/access/plugin.ts';
import { createMemoryRateStore } from '../../src/access/rate-limit.ts';
import { createTestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';

let base: Awaited<ReturnType<typeof createTestDatabase>>;
let keys: KeyDirectory;
let app: Awaited<ReturnType<typeof createTestApp>>;
beforeAll(async () => {
  base = await createTestDatabase();
  keys = createKeyDirectory({ database: base.database, log: createQuietLog() });
  const access = createAccess({
    keys,
    store: createMemoryRateStore({ now: () => 0 }),
    network: 'localnet',
    anonymousRps: 1,
    rateLimit: true,
    onRefused: () => {},
  });
  app = await createTestApp({ access });
});
afterAll(async () => {
  await app?.close();
  await keys?.close();
  await base?.drop();
});

async function makeKey(rps: number, networks: string[] = []): Promise<Record<string, string>> {
  const { key } = await createApiKey(base.database, { name: 'test', plan: 'free', rps, networks });
  return { 'x-api-key': key };
}

const CALLS = { v2: '/api/v2/detectHash', v3: '/api/v3/adjacentTransactions' };

test.each(['v2', 'v3'] as const)(
  '%s refuses requests in its own envelope with the texts of the contract',
  async (version) => {
    const url = CALLS[version];
    const elsewhere = await makeKey(1, ['mainnet']);
    const remoteAddress = version === 'v2' ? '10.0.0.2' : '10.0.0.3';
    const answers = [
      await app.inject({ url, headers: { 'x-api-key': 'wrong' } }),
      await app.inject({ url, headers: elsewhere }),
      await app.inject({ url, remoteAddress }),
      await app.inject({ url, remoteAddress }),
    ];
    expect(answers.map((answer) => answer.statusCode)).toEqual([401, 403, 422, 429]);
    expect(answers.map((answer) => answer.json())).toMatchObject([
      { code: 401, error: 'API key does not exist' },
      { code: 403, error: 'Network not allowed' },
      { code: 422 },
      { code: 429, error: 'Ratelimit exceeded' },
    ]);
    for (const answer of answers) {
      expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
      expect('ok' in answer.json()).toBe(version === 'v2');
    }
    expect(answers[3]?.headers['retry-after']).toBe('1');
  },
);

test('both interfaces share one count, and health is not counted', async () => {
  const remoteAddress = '10.0.0.4';
  const statuses = [];
  for (const url of ['/healthz', CALLS.v3, CALLS.v2, '/healthz']) {
    statuses.push((await app.inject({ url, remoteAddress })).statusCode);
  }
  expect(statuses).toEqual([200, 422, 429, 200]);
});

test('every call of a JSON-RPC batch is counted', async () => {
  const headers = await makeKey(3);
  const call = { jsonrpc: '2.0', method: 'packAddress', params: { address: `0:${'0'.repeat(64)}` } };
  const payload = Array.from({ length: 5 }, (_, id) => ({ ...call, id }));
  const answer = await app.inject({ method: 'POST', url: '/api/v2/jsonRPC', headers, payload });
  const codes = answer.json().map((entry: { ok: boolean; code?: number }) => (entry.ok ? 200 : entry.code));
  expect(codes).toEqual([200, 200, 200, 429, 429]);
  expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0' });
});
