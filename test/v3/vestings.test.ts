import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../src/v3/values.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { checkCombinations, checkForms, checkRefusals } from './support/list-checks.ts';
import { isNamed, sortBy } from './support/list-queries.ts';
import { made, rawMade, scatter, stateOf } from './support/made-rows.ts';

const VESTINGS = Array.from({ length: 40 }, (_, i) => ({
  ...stateOf('vesting', i),
  start_time: '9007199254740993',
  total_duration: '100',
  unlock_period: '10',
  cliff_duration: '0',
  total_amount: '123',
  sender: made('person', scatter(i, 6)),
  owner: made('person', scatter(i + 50, 6)),
  whitelist: Array.from({ length: i % 4 }, (_, at) => made('person', scatter(i * at + 7, 9))),
}));

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.primary.insertInto('vestings').values(VESTINGS).execute();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test.drop();
});

const raw = (kind: string, ...numbers: number[]) => numbers.map((number) => rawMade(kind, number));

describe('vesting', () => {
  it('lists vesting contracts by address and by owner, sender and whitelist, whole and in pages', async () => {
    const rows = await checkCombinations(app, {
      name: 'vesting',
      key: 'vesting_contracts',
      choices: { check_whitelist: ['true', 'false'] },
      bases: [
        { contract_address: raw('vesting', 3) },
        { contract_address: raw('vesting', 9, 3, 1, 3, 77) },
        { wallet_address: raw('person', 1) },
        { wallet_address: raw('person', 8, 7, 0) },
      ],
      idOf: (row) => row.address!,
      expected: (query) => {
        const isTheirs = (person: Buffer) => isNamed(query, 'wallet_address', person);
        const found = VESTINGS.filter(
          (row) =>
            isNamed(query, 'contract_address', row.account) &&
            (isTheirs(row.owner) ||
              isTheirs(row.sender) ||
              (query.check_whitelist === 'true' && row.whitelist.some(isTheirs))),
        );
        return sortBy(found, ({ id }) => Number(id)).map(({ account }) => formatAccount(account));
      },
    });
    expect(rows).toBeGreaterThan(30);
  });

  it('returns a vesting contract with its whitelist sorted by address', async () => {
    const [row] = VESTINGS.filter(({ account }) => account.equals(made('vesting', 7)));
    const answer = await app.inject({ url: `/api/v3/vesting?contract_address=${raw('vesting', 7)}` });
    expect(answer.body).toContain('"start_time":9007199254740993,');
    const whitelist = row!.whitelist.map(formatAccount).sort();
    expect(answer.json().vesting_contracts).toEqual([
      {
        address: rawMade('vesting', 7),
        start_time: expect.any(Number),
        total_duration: 100,
        unlock_period: 10,
        cliff_duration: 0,
        total_amount: '123',
        whitelist,
        sender_address: formatAccount(row!.sender),
        owner_address: formatAccount(row!.owner),
      },
    ]);
    const named = [row!.account, row!.sender, row!.owner, ...row!.whitelist].map(formatAccount);
    expect(Object.keys(answer.json().address_book).sort()).toEqual([...new Set(named)].sort());
  });

  it('matches the contract', () =>
    checkForms(app, 'vesting', [{ wallet_address: raw('person', 0, 1, 2, 3, 4, 5) }]));

  it('refuses missing, conflicting and malformed parameters', async () => {
    await checkRefusals(
      app,
      'vesting',
      {
        contract_address: ['x', ''],
        wallet_address: ['x'],
        check_whitelist: ['x'],
      },
      { contract_address: raw('vesting', 1) },
    );
    const both = `contract_address=${raw('vesting', 1)}&wallet_address=${raw('person', 1)}`;
    const [none, two] = await Promise.all(
      ['', both].map((query) => app.inject({ url: `/api/v3/vesting?${query}` })),
    );
    expect(none!.json().error).toBe('at least one of contract_address or wallet_address is required');
    expect(two!.json().error).toBe('only one of contract_address or wallet_address should be specified');
  });
});
