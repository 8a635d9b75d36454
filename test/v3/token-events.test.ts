import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../src/v3/values.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { type CheckedList, checkCombinations, checkForms, checkRefusals } from './support/list-checks.ts';
import { expectedEvents, MIDDLE, writeMadeEvents } from './support/made-events.ts';
import { rawMade } from './support/made-rows.ts';

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  await writeMadeEvents(test);
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test.drop();
});

const KINDS = {
  'jetton/transfers': {
    key: 'jetton_transfers' as const,
    account: 'source_wallet',
    names: { asked: 'jetton_wallet', token: 'jetton_master', hasSides: true, hidesAborted: true },
  },
  'jetton/burns': {
    key: 'jetton_burns' as const,
    account: 'jetton_wallet',
    names: { asked: 'jetton_wallet', token: 'jetton_master', hasSides: false, hidesAborted: false },
  },
  'nft/transfers': {
    key: 'nft_transfers' as const,
    account: 'nft_address',
    names: { asked: 'item_address', token: 'collection_address', hasSides: true, hidesAborted: false },
  },
};

const people = [0, 1, 2].map((number) => rawMade('person', number));

describe.each(Object.entries(KINDS))('%s', (name, { key, account, names }) => {
  const asked = [0, 1, 2].map((number) => rawMade(`asked ${key}`, number));
  const list: CheckedList = {
    name,
    key,
    choices: {
      owner_address: [people[0]!, people, rawMade('person', 99)],
      address: [people[1]!, people.slice(1)],
      [names.asked]: [asked[0]!, asked],
      [names.token]: [rawMade('token', 0)],
      ...(names.hasSides && { direction: ['in', 'out', 'both'] }),
      start_utime: [`${MIDDLE.time}`, `${MIDDLE.time - 2000}.9`.replace('.9', '')],
      end_utime: [`${MIDDLE.time + 350}`],
      start_lt: [`${MIDDLE.lt - 10_000_000}`, '18446744073709551615'],
      end_lt: [`${MIDDLE.lt}`, '18446744073709551615'],
      sort: ['asc', 'desc'],
    },
    idOf: (row) => `${row[account]} ${row.transaction_lt}`,
    expected: (query) =>
      expectedEvents(key, query, names).map((event) => `${formatAccount(event.account)} ${event.lt}`),
  };

  it('returns the right rows for all combinations of filters, whole and in pages', async () => {
    expect(await checkCombinations(app, list)).toBeGreaterThan(sampled(500, 2000));
  });

  it('matches the contract', async () => {
    await checkForms(app, name, [{}, { owner_address: people[0]! }, { end_utime: '1' }]);
  });

  it('refuses malformed parameters by name', async () => {
    const bad = ['x', '0:00', 'EQ'];
    await checkRefusals(app, name, {
      owner_address: bad,
      address: bad,
      [names.asked]: bad,
      [names.token]: [...bad, ''],
      start_utime: ['-1', 'x', ''],
      end_utime: ['4294967296'],
      start_lt: ['-1'],
      end_lt: ['1.5'],
      sort: ['up'],
      ...(names.hasSides && { direction: ['IN', 'up'] }),
    });
  });
});
