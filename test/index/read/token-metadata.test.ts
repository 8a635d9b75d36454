import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTokenInfos } from '../../../src/index/read/address-info.ts';
import { account, collectionRow, itemRow, masterRow, walletRow } from '../../db/support/contract-rows.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let test: TestDatabase;
const HUGE = '1157920892373161954235709850086879078532699846656405640394575840079131296399';

beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  await db
    .insertInto('jetton_masters')
    .values([masterRow('jetton'), masterRow('both')])
    .execute();
  await db
    .insertInto('jetton_wallets')
    .values([
      walletRow('wallet', 'jetton', HUGE),
      walletRow('second', 'jetton'),
      walletRow('lost', 'unknown jetton'),
    ])
    .execute();
  await db
    .insertInto('nft_collections')
    .values([collectionRow('collection'), collectionRow('both')])
    .execute();
  await db
    .insertInto('nft_items')
    .values([itemRow('item', HUGE), itemRow('both', '7')])
    .execute();
  const shown = { source_hash: hashOf('source'), valid: true };
  await db
    .insertInto('token_metadata')
    .values([
      { ...shown, account: account('jetton'), kind: 'jetton_masters', name: 'J', extra: '{"decimals":"9"}' },
      { ...shown, account: account('both'), kind: 'nft_items', name: 'item', is_nsfw: true },
      { ...shown, account: account('both'), kind: 'nft_collections', name: 'collection', is_scam: true },
      // Of an account that is no longer of this kind.
      { ...shown, account: account('item'), kind: 'jetton_masters', name: 'withdrawn' },
      { ...shown, account: account('nothing'), kind: 'nft_items', name: 'withdrawn' },
    ])
    .execute();
});
afterAll(() => test.drop());

async function read(...names: string[]) {
  const rows = await readTokenInfos(test.database.primary, { accounts: names.map(account) });
  return rows.sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

describe('readTokenInfos', () => {
  it('returns jetton wallets and also their jetton', async () => {
    expect(await read('wallet')).toMatchObject([
      { kind: 'jetton_masters', account: account('jetton'), name: 'J', extra: { decimals: '9' } },
      {
        kind: 'jetton_wallets',
        account: account('wallet'),
        owner: account('owner of wallet'),
        jetton: account('jetton'),
        balance: HUGE,
      },
    ]);
  });

  it('returns one row per role even if accounts repeat or wallets share a jetton', async () => {
    const rows = await read('wallet', 'second', 'jetton', 'wallet');
    expect(rows.map(({ kind }) => kind)).toEqual(['jetton_masters', 'jetton_wallets', 'jetton_wallets']);
  });

  it('returns a jetton wallet whose jetton is not in the index', async () => {
    expect(await read('lost')).toMatchObject([{ kind: 'jetton_wallets', jetton: account('unknown jetton') }]);
  });

  it('returns all roles of an account with the metadata of each', async () => {
    expect(await read('both')).toMatchObject([
      { kind: 'jetton_masters', valid: null, name: null, is_nsfw: null, nft_index: null },
      { kind: 'nft_collections', name: 'collection', is_nsfw: false, is_scam: true, nft_index: null },
      { kind: 'nft_items', name: 'item', is_nsfw: true, is_scam: false, nft_index: '7' },
    ]);
  });

  it('follows changes of what an account is', async () => {
    expect(await read('item', 'nothing')).toMatchObject([
      { kind: 'nft_items', valid: null, nft_index: HUGE },
    ]);
  });

  it('returns nothing for other accounts', async () => {
    expect(await read()).toEqual([]);
    expect(await read('nobody')).toEqual([]);
    const many = Array.from({ length: 1000 }, (_, i) => `account ${i}`);
    expect(await read(...many, 'item')).toHaveLength(1);
  });
});
