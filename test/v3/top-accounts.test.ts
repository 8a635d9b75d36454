import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../src/v3/values.ts';
import type { TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';

interface Balance {
  readonly account: string;
  readonly balance: string;
}

let test: TestDatabase;
let app: FastifyInstance;
let everybody: Balance[];

beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  const rows = await test.database.primary
    .selectFrom('latest_account_states')
    .select(['account', 'balance'])
    .execute();
  everybody = rows
    .sort((a, b) => Number(BigInt(b.balance) - BigInt(a.balance)) || a.account.compare(b.account))
    .map(({ account, balance }) => ({ account: formatAccount(account), balance }));
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

async function ask(query: string) {
  const answer = await app.inject({ url: `/api/v3/topAccountsByBalance${query}` });
  return { status: answer.statusCode, body: answer.json(), link: answer.headers.link as string | undefined };
}

describe('topAccountsByBalance', () => {
  it('returns all accounts, highest balance first', async () => {
    expect((await ask('?limit=1000')).body).toEqual(everybody);
    expect((await ask('')).body).toEqual(everybody.slice(0, 10));
    expect(new Set(everybody.map(({ balance }) => balance)).size).toBeLessThan(everybody.length);
  });

  it.each([1, 3, 7])('returns the same in pages of %i', async (limit) => {
    const byOffset: Balance[] = [];
    for (let offset = 0; offset <= everybody.length; offset += limit)
      byOffset.push(...(await ask(`?limit=${limit}&offset=${offset}`)).body);
    expect(byOffset).toEqual(everybody);
    const byCursor: Balance[] = [];
    for (let query: string | undefined = `?limit=${limit}`; query !== undefined; ) {
      const { body, link } = await ask(query);
      byCursor.push(...body);
      query = link && /^<(.*)>; rel="next"$/.exec(link)![1];
    }
    expect(byCursor).toEqual(everybody);
  });

  it.each([
    ['limit', ['0', '-1', '1001', 'x', '1.5', '99999999999']],
    ['offset', ['-1', 'x', '1e3', '99999999999']],
    ['cursor', ['x', 'e30', 'WyJudW1lcmljIGRlc2MsYnl0ZWEgYXNjIiwiMSIsIngiXQ']],
  ])('refuses a bad %s', async (name, values) => {
    for (const value of values) {
      const { status, body } = await ask(`?${name}=${value}`);
      expect([status, body.code]).toEqual([422, 422]);
      expect(body.error).toContain(name);
    }
  });

  it(`matches the contract and our own document${missingContract}`, async () => {
    const { body } = await ask('?limit=1000');
    const checks = [documentCheck(), ...(missingContract ? [] : [contractCheck()])];
    for (const check of checks) expect(check('topAccountsByBalance', body)).toBe('');
  });
});
