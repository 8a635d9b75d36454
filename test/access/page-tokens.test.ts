import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, createKeyDirectory } from '../../src/access/keys.ts';
import { createPageTokens, PAGE_CALLS, PAGE_WINDOW_MS } from '../../src/access/page-tokens.ts';
import { createMemoryRateStore } from '../../src/access/rate-limit.ts';
import { createTestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { createAccessApp, freshAddress } from './access-app.ts';

let base: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  base = await createTestDatabase();
});
afterAll(() => base?.drop());

/** An application with a clock that the test moves, and a route that issues tokens. */
async function open() {
  const clock = { ms: 1_000_000 };
  const now = () => clock.ms;
  const keys = createKeyDirectory({ database: base.database, log: createQuietLog(), now });
  const pageTokens = createPageTokens({ now });
  const app = await createAccessApp({ keys, store: createMemoryRateStore({ now }), now, pageTokens });
  app.get('/token', { config: { public: true } }, async (request) => ({ page: pageTokens.issue(request) }));
  const issue = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (await app.inject({ url: '/token', remoteAddress, headers })).json().page;
  const call = async (
    remoteAddress: string,
    token: string | undefined,
    headers: Record<string, string> = {},
  ) =>
    (
      await app.inject({
        url: '/one',
        remoteAddress,
        headers: { ...headers, ...(token !== undefined && { 'x-tongate-page': token }) },
      })
    ).statusCode;
  const calls = async (count: number, address: string, token: string | undefined) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push(await call(address, token));
    return statuses.filter((status) => status === 200).length;
  };
  const close = async () => {
    await app.close();
    await keys.close();
  };
  return { clock, issue, call, calls, [Symbol.asyncDispose]: close };
}

describe('the token of a page', () => {
  it('adds a few calls per minute to the anonymous rate of its address, however many tokens it takes', async () => {
    await using app = await open();
    const address = freshAddress();
    const { token, calls, seconds } = await app.issue(address, { 'sec-fetch-site': 'same-origin' });
    expect([calls, seconds]).toEqual([PAGE_CALLS, PAGE_WINDOW_MS / 1000]);
    // One more at the anonymous rate, which the others have left alone.
    expect(await app.calls(PAGE_CALLS + 5, address, token)).toBe(PAGE_CALLS + 1);
    app.clock.ms += 1000;
    const { token: another } = await app.issue(address);
    expect(await app.calls(5, address, another)).toBe(1);
    app.clock.ms += PAGE_WINDOW_MS;
    const { token: later } = await app.issue(address);
    expect(await app.calls(PAGE_CALLS, address, later)).toBe(PAGE_CALLS);
  });

  it('is nothing at another address, after its time, changed, or beside a key', async () => {
    await using app = await open();
    const address = freshAddress();
    const { token } = await app.issue(address);
    expect(await app.calls(3, freshAddress(), token)).toBe(1);
    expect(await app.calls(3, freshAddress(), `z${token}`)).toBe(1);
    expect(await app.calls(3, freshAddress(), 'zzzzzzzzzz.')).toBe(1);
    expect(await app.call(address, token, { 'x-api-key': 'wrong' })).toBe(401);
    const { key } = await createApiKey(base.database, { name: 'test', plan: 'free', rps: 1, networks: [] });
    const statuses = [];
    for (let i = 0; i < 2; i++) statuses.push(await app.call(address, token, { 'x-api-key': key }));
    expect(statuses).toEqual([200, 429]);
    app.clock.ms += PAGE_WINDOW_MS;
    expect(await app.calls(3, address, token)).toBe(1);
  });

  it('is for pages of this server only', async () => {
    await using app = await open();
    const issued = async (headers: Record<string, string>) =>
      (await app.issue(freshAddress(), { host: 'node.example:8081', ...headers })) !== null;
    expect(await issued({})).toBe(true);
    expect(await issued({ 'sec-fetch-site': 'same-origin' })).toBe(true);
    expect(await issued({ origin: 'http://node.example:8081' })).toBe(true);
    expect(await issued({ 'sec-fetch-site': 'cross-site' })).toBe(false);
    expect(await issued({ 'sec-fetch-site': 'same-site' })).toBe(false);
    expect(await issued({ origin: 'https://other.example' })).toBe(false);
  });
});
