import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reindexCommand } from '../../src/cli/reindex.ts';
import { createPayerBudget } from '../../src/lib/payer-budget.ts';
import { createTestApp, testAccess } from '../support/app.ts';
import { until } from '../support/until.ts';
import { startTongateServer, type TongateServer } from './support/tongate-server.ts';

const PATH = '/api/v3/accounts/reindex';
const UNKNOWN = `0:${'77'.repeat(32)}`;

describe('accounts/reindex', () => {
  let server: TongateServer;
  let jetton: string;
  beforeAll(async () => {
    server = await startTongateServer();
    jetton = (await server.get('/api/v3/jetton/masters?limit=1')).body.jetton_masters[0].address;
  });
  afterAll(() => server?.close());

  const account = () => Buffer.from(`00${jetton.slice(2)}`, 'hex');
  const master = async () =>
    (await server.get(`/api/v3/jetton/masters?address=${jetton}`)).body.jetton_masters[0];
  /** Makes the index forget what the contract is, and lets its metadata look fetched. */
  async function spoil(): Promise<void> {
    const { primary } = server.base.database;
    await sql`delete from jetton_masters where account = ${account()}`.execute(primary);
    await sql`update token_metadata set name = 'Old', priority = 0, tries = 4, expires_at = 1, next_try = now() + interval '1 week'
      where account = ${account()}`.execute(primary);
  }
  const isDue = async () => {
    const { rows } = await sql<{ due: boolean; priority: number; tries: number }>`
      select next_try <= now() as due, priority, tries from token_metadata where account = ${account()}`.execute(
      server.base.database.primary,
    );
    return rows;
  };
  const waiting = async () =>
    (await sql`select account from missing_cells`.execute(server.base.database.primary)).rows.length;

  it('detects a contract again and has its metadata fetched again', async () => {
    const before = await master();
    await spoil();
    expect(await master()).toBeUndefined();
    const answer = await server.post(PATH, { address: [jetton] });
    expect(answer).toEqual({ status: 200, body: { accounts: [jetton] } });
    await until(async () => (await waiting()) === 0);
    expect(await master()).toEqual(before);
    expect(await isDue()).toEqual([{ due: true, priority: 3, tries: 0 }]);
  });

  it('is a command too', async () => {
    const { database } = server.base;
    let text = '';
    const ports = {
      database: async () => database,
      out: {
        write(line: string) {
          text += line;
        },
      },
    };
    const before = await master();
    await spoil();
    expect(await reindexCommand({ ...ports, args: [jetton] })).toBe(0);
    expect(text).toBe('Accounts queued: 1; running indexers read them again\n');
    await until(async () => (await waiting()) === 0);
    expect(await master()).toEqual(before);
    text = '';
    expect(await reindexCommand({ ...ports, args: [jetton, UNKNOWN] })).toBe(1);
    expect([text, await waiting()]).toEqual([`${UNKNOWN} is not in the index\n`, 0]);
    await expect(reindexCommand({ ...ports, args: ['nobody'] })).rejects.toThrow(
      '"nobody" is no account address; usage: reindex ADDRESS...',
    );
    await expect(reindexCommand({ ...ports, args: [] })).rejects.toThrow('usage: reindex ADDRESS...');
  });

  it('queues nothing if an account is not in the index', async () => {
    expect(await server.post(PATH, { address: [jetton, UNKNOWN] })).toEqual({
      status: 404,
      body: { code: 404, error: `account ${UNKNOWN} is not in the index` },
    });
    expect(await waiting()).toBe(0);
  });

  it('needs an API key', async () => {
    const answer = await fetch(server.url + PATH, {
      method: 'POST',
      body: JSON.stringify({ address: [jetton] }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { code: 401, error: 'accounts/reindex needs an API key' },
    ]);
  });

  it('takes ten accounts at most', async () => {
    const many = Array.from({ length: 11 }, (_, i) => `0:${String(i).padStart(64, '0')}`);
    expect(await server.post(PATH, { address: many })).toEqual({
      status: 422,
      body: { code: 422, error: 'address list exceeds maximum length of 10' },
    });
  });

  it('is limited for each key', async () => {
    let now = 0;
    const asked: number[] = [];
    const app = await createTestApp({
      access: testAccess(async (request) => {
        const key = String(request.headers['x-api-key']);
        request.keyId = key;
        Object.defineProperty(request, 'payer', { value: { id: `k:${key}`, rps: 1 } });
      }),
      v3: {
        reindex: {
          request: async (accounts) => {
            asked.push(accounts.length);
            return [];
          },
          budget: createPayerBudget({
            unitsPerRps: 1 / 60,
            savedSeconds: 60,
            minSaved: 10,
            expected: 1,
            now: () => now,
          }),
        },
      },
    });
    const ask = (key: string, count: number) =>
      app.inject({
        method: 'POST',
        url: PATH,
        headers: { 'x-api-key': key },
        payload: { address: Array.from({ length: count }, (_, i) => `0:${String(i).padStart(64, '0')}`) },
      });
    expect([(await ask('1', 10)).statusCode, (await ask('2', 10)).statusCode]).toEqual([200, 200]);
    const refused = await ask('1', 1);
    expect([refused.statusCode, refused.headers['retry-after'], refused.json().error]).toEqual([
      429,
      '60',
      'too many accounts were reindexed with this key',
    ]);
    now = 61_000;
    expect((await ask('1', 1)).statusCode).toBe(200);
    expect(asked).toEqual([10, 10, 1]);
    await app.close();
  });
});
