import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAddressBook } from '../../../src/index/read/address-info.ts';
import { account, domainRow, stateRow } from '../../db/support/contract-rows.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  await db
    .insertInto('contract_codes')
    .values([
      { hash: hashOf('methods'), boc: Buffer.of(1), methods: [85143, 97026] },
      { hash: hashOf('none'), boc: Buffer.of(1), methods: [] },
      { hash: hashOf('other'), boc: Buffer.of(1), methods: null },
    ])
    .execute();
  await db
    .insertInto('latest_account_states')
    .values([
      stateRow('with methods', hashOf('methods')),
      stateRow('with no methods', hashOf('none')),
      stateRow('with other code', hashOf('other')),
      stateRow('with unknown code', hashOf('unread')),
      stateRow('without code'),
      stateRow('alice', hashOf('methods')),
    ])
    .execute();
  await db
    .insertInto('dns_entries')
    .values([
      domainRow('a.ton', 'mallory', 'alice'),
      domainRow('b.ton', 'alice', 'mallory'),
      domainRow('c.ton', 'alice', null),
      domainRow('d.ton', null, 'alice'),
      domainRow('long-name.t.me', 'alice', 'alice'),
      domainRow('bbbb.ton', 'alice', 'alice'),
      domainRow('aaaa.ton', 'alice', 'alice'),
      domainRow('zzz.t.me', 'alice', 'alice'),
      domainRow('stranger.ton', 'stranger', 'stranger'),
    ])
    .execute();
});
afterAll(() => test.drop());

async function read(...names: string[]) {
  const rows = await readAddressBook(test.database.primary, { accounts: names.map(account) });
  return new Map(rows.map(({ account: key, ...row }) => [key.toString('hex'), row]));
}

async function one(name: string) {
  return (await read(name)).get(account(name).toString('hex'));
}

describe('readAddressBook', () => {
  it.each([
    ['with methods', { known: true, code_hash: hashOf('methods'), methods: [85143, 97026], domain: null }],
    ['with no methods', { known: true, code_hash: hashOf('none'), methods: [], domain: null }],
    ['with other code', { known: true, code_hash: hashOf('other'), methods: null, domain: null }],
    ['with unknown code', { known: true, code_hash: hashOf('unread'), methods: null, domain: null }],
    ['without code', { known: true, code_hash: null, methods: null, domain: null }],
    ['nobody', { known: false, code_hash: null, methods: null, domain: null }],
  ])('returns the row of an account %s', async (name, row) => {
    expect(await one(name)).toEqual(row);
  });

  it('returns the shortest domain that the account owns and that resolves to it, the first of equal length', async () => {
    expect((await one('alice'))?.domain).toBe('aaaa.ton');
    expect((await one('mallory'))?.domain).toBeNull();
  });

  it('returns the domain of an account without a state', async () => {
    expect(await one('stranger')).toMatchObject({ known: false, domain: 'stranger.ton' });
  });

  it('returns one row per account even if it is given twice', async () => {
    const accounts = ['alice', 'nobody', 'alice', 'nobody', 'without code'].map(account);
    expect(await readAddressBook(test.database.primary, { accounts })).toHaveLength(3);
    expect(await readAddressBook(test.database.primary, { accounts: [] })).toEqual([]);
  });

  it('returns a row for each of a thousand accounts', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => (i === 500 ? 'alice' : `account ${i}`));
    const rows = await read(...names);
    expect(rows.size).toBe(1000);
    expect([...rows.values()].filter(({ known }) => known)).toHaveLength(1);
  });

  it('distinguishes accounts that differ in the workchain only', async () => {
    const masterchain = Buffer.from(account('alice'));
    masterchain[0] = 0xff;
    const [row] = await readAddressBook(test.database.primary, { accounts: [masterchain] });
    expect(row).toMatchObject({ account: masterchain, known: false, domain: null });
  });
});
