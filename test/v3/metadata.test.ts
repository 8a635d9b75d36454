import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMetadataQueue } from '../../src/index/read/address-info.ts';
import { formatAccount } from '../../src/v3/values.ts';
import { account, collectionRow, itemRow, masterRow, walletRow } from '../db/support/contract-rows.ts';
import { hashOf } from '../db/support/filled-index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';

let test: TestDatabase;
let app: FastifyInstance;
const IMAGES = { _image_small: '/s/1', _image_small_blur: '/s/1b', _image_big: '/b/1' };

beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  await db
    .insertInto('jetton_masters')
    .values(['jetton', 'new jetton', 'both'].map((name) => masterRow(name)))
    .execute();
  await db
    .insertInto('jetton_wallets')
    .values([walletRow('wallet', 'jetton', '99999999999999999999')])
    .execute();
  await db
    .insertInto('nft_collections')
    .values([collectionRow('collection'), collectionRow('both')])
    .execute();
  await db
    .insertInto('nft_items')
    .values([itemRow('item', '12'), itemRow('bad item', '13')])
    .execute();
  const source_hash = hashOf('source');
  await db
    .insertInto('token_metadata')
    .values([
      {
        account: account('jetton'),
        kind: 'jetton_masters',
        source_hash,
        valid: true,
        name: 'Jetton',
        symbol: 'J',
        description: 'd',
        image: 'https://example.org/j.png',
        extra: JSON.stringify({ decimals: 9, social: ['x', { y: null }], 'a\nb': 1, ...IMAGES }),
      },
      {
        account: account('new jetton'),
        kind: 'jetton_masters',
        source_hash,
        valid: null,
        next_try: new Date(0),
      },
      { account: account('item'), kind: 'nft_items', source_hash, valid: true, name: '', is_scam: true },
      { account: account('bad item'), kind: 'nft_items', source_hash, valid: false, error: 'HTTP 404' },
      { account: account('both'), kind: 'nft_collections', source_hash, valid: true, name: 'Both' },
    ])
    .execute();
  app = await buildV3App({
    ports: {
      ...NO_INDEX,
      database: test.database,
      imgproxyUrl: 'https://img.example/p/',
      metadataQueue: createMetadataQueue({ database: test.database, log: createQuietLog() }),
    },
  });
});
afterAll(async () => {
  await app.close();
  await test.drop();
});

const raw = (name: string) => formatAccount(account(name));

async function ask(...addresses: string[]) {
  const query = addresses.map((address) => `address=${address}`).join('&');
  const answer = await app.inject({ url: `/api/v3/metadata?${query}` });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

const JETTON = {
  is_indexed: true,
  token_info: [
    {
      valid: true,
      type: 'jetton_masters',
      name: 'Jetton',
      symbol: 'J',
      description: 'd',
      image: 'https://example.org/j.png',
      is_nsfw: false,
      is_scam: false,
      extra: {
        decimals: 9,
        social: ['x', { y: null }],
        'a\nb': 1,
        _image_small: 'https://img.example/p/s/1',
        _image_big: 'https://img.example/p/b/1',
      },
    },
  ],
};

describe('metadata', () => {
  it('returns a jetton with images through the proxy', async () => {
    expect(await ask(raw('jetton'))).toEqual({ [raw('jetton')]: JETTON });
  });

  it('returns a jetton wallet and also its jetton', async () => {
    const extra = {
      owner: raw('owner of wallet'),
      jetton: raw('jetton'),
      balance: '99999999999999999999',
    };
    expect(await ask(raw('wallet'))).toEqual({
      [raw('wallet')]: { is_indexed: true, token_info: [{ valid: true, type: 'jetton_wallets', extra }] },
      [raw('jetton')]: JETTON,
    });
  });

  it('distinguishes fetched, failed and waiting metadata', async () => {
    expect(await ask(raw('item'), raw('bad item'), raw('new jetton'), raw('collection'))).toEqual({
      [raw('item')]: {
        is_indexed: true,
        token_info: [
          { valid: true, type: 'nft_items', name: '', nft_index: '12', is_nsfw: false, is_scam: true },
        ],
      },
      [raw('bad item')]: {
        is_indexed: true,
        token_info: [{ valid: false, type: 'nft_items', nft_index: '13' }],
      },
      [raw('new jetton')]: { is_indexed: false, token_info: [{ type: 'jetton_masters' }] },
      [raw('collection')]: { is_indexed: false, token_info: [{ type: 'nft_collections' }] },
    });
  });

  it('returns all roles of an address, which is indexed when all of them are', async () => {
    expect(await ask(raw('both'))).toEqual({
      [raw('both')]: {
        is_indexed: false,
        token_info: [
          { type: 'jetton_masters' },
          { valid: true, type: 'nft_collections', name: 'Both', is_nsfw: false, is_scam: false },
        ],
      },
    });
  });

  it('prioritises requested tokens, and responds even if that fails', async () => {
    await ask(raw('new jetton'), raw('jetton'));
    const priorities = () =>
      test.database.primary
        .selectFrom('token_metadata')
        .select(['account', 'priority'])
        .where('priority', '>', 0)
        .execute();
    await vi.waitFor(async () => expect(await priorities()).toHaveLength(1), 120_000);
    expect(await priorities()).toEqual([{ account: account('new jetton'), priority: 3 }]);
    const failing = createMetadataQueue({
      database: { write: () => Promise.reject(new Error('down')) },
      log: createQuietLog(),
    });
    failing.add([{ account: account('new jetton'), kind: 'jetton_masters' }]);
    failing.add([{ account: account('new jetton'), kind: 'jetton_masters' }]);
  });

  it('leaves out accounts that are not tokens and malformed addresses', async () => {
    expect(await ask(raw('nobody'), 'nonsense', raw('item').toLowerCase())).toHaveProperty([raw('item')]);
    expect(await ask(raw('nobody'), 'nonsense')).toEqual({});
  });
});
