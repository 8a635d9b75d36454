import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../src/v3/values.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { checkForms, checkRefusals } from './support/list-checks.ts';
import { sortBy } from './support/list-queries.ts';
import { AUCTIONS, ITEMS, SALES, TELEMINT, writeMadeNfts } from './support/made-nfts.ts';
import { made, rawMade } from './support/made-rows.ts';

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  await writeMadeNfts(test.database.primary);
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test.drop();
});

const ALL = [...SALES, ...AUCTIONS, TELEMINT].map(({ account }) => formatAccount(account));

async function ask(...addresses: string[]) {
  const answer = await app.inject({ url: `/api/v3/nft/sales?address=${addresses}` });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

describe('nft/sales', () => {
  it('returns sales, then auctions, then Telegram items', async () => {
    const { nft_sales } = await ask(...ALL.toReversed(), rawMade('nothing', 0));
    const byAccount = (rows: readonly { account: Buffer }[]) =>
      sortBy(rows, (row) => row.account).map(({ account }) => formatAccount(account));
    expect(nft_sales.map((sale: { type: string; address: string }) => [sale.type, sale.address])).toEqual([
      ...byAccount(SALES).map((address) => ['getgems_sale', address]),
      ...byAccount(AUCTIONS).map((address) => ['getgems_auction', address]),
      ['telemint', formatAccount(TELEMINT.account)],
    ]);
  });

  it('returns a sale with its NFT item', async () => {
    const { nft_sales, address_book, metadata } = await ask(rawMade('sale', 2));
    const [sale, item] = [SALES[2]!, ITEMS[2]!];
    expect(nft_sales).toEqual([
      {
        type: 'getgems_sale',
        address: rawMade('sale', 2),
        nft_address: rawMade('item', 2),
        nft_owner_address: rawMade('person', 2),
        marketplace_address: rawMade('market', 0),
        created_at: 5,
        last_transaction_lt: sale.last_transaction_lt,
        code_hash: sale.code_hash.toString('base64'),
        data_hash: sale.data_hash.toString('base64'),
        details: {
          is_complete: true,
          full_price: '7',
          marketplace_fee_address: rawMade('market', 1),
          marketplace_fee: '1',
          royalty_address: rawMade('person', 9),
          royalty_amount: '2',
        },
        nft_item: expect.objectContaining({
          address: rawMade('item', 2),
          owner_address: rawMade('sale', 2),
          on_sale: false,
          collection: expect.objectContaining({ address: formatAccount(item.collection!) }),
        }),
      },
    ]);
    expect(nft_sales[0].nft_item).not.toHaveProperty('real_owner');
    expect(Object.keys(address_book).sort()).toEqual(
      [
        rawMade('sale', 2),
        rawMade('item', 2),
        rawMade('person', 2),
        rawMade('person', 9),
        rawMade('market', 0),
        rawMade('market', 1),
        formatAccount(item.collection!),
      ].sort(),
    );
    expect(Object.keys(metadata).sort()).toEqual(
      [rawMade('item', 2), formatAccount(item.collection!)].sort(),
    );
  });

  it('returns an auction whose times are any 64-bit numbers', async () => {
    const answer = await app.inject({ url: `/api/v3/nft/sales?address=${rawMade('auction', 1)}` });
    expect(answer.body).toContain('"end_time":9007199254740993,');
    expect(answer.json().nft_sales[0].details).toEqual({
      end_flag: false,
      end_time: 9007199254740992,
      last_bid: '3',
      last_member: rawMade('person', 8),
      min_step: 5,
      mp_fee_address: rawMade('market', 1),
      mp_fee_factor: 1,
      mp_fee_base: 100,
      royalty_fee_address: rawMade('person', 9),
      royalty_fee_factor: 5,
      royalty_fee_base: 100,
      max_bid: '0',
      min_bid: '1',
      last_bid_at: 0,
      is_canceled: false,
    });
  });

  it('leaves out missing sellers and bidders', async () => {
    const { nft_sales } = await ask(rawMade('sale', 5), rawMade('auction', 5), rawMade('auction', 0));
    expect(nft_sales[0]).not.toHaveProperty('nft_owner_address');
    expect(nft_sales.some((sale: { details: object }) => !('last_member' in sale.details))).toBe(true);
  });

  it('returns a Telegram item as its own NFT item', async () => {
    const { nft_sales } = await ask(formatAccount(made('telemint', 0)));
    const address = rawMade('telemint', 0);
    expect(nft_sales[0]).toMatchObject({
      type: 'telemint',
      address,
      nft_address: address,
      details: {
        token_name: 'name "of"\n',
        bid: '0',
        bid_ts: '9007199254740993',
        min_bid: '1',
        end_time: 0,
        beneficiary_address: rawMade('person', 1),
        initial_min_bid: '2',
        max_bid: '3',
        min_bid_step: '5',
        min_extend_time: '6',
        duration: '7',
        royalty_numerator: 1,
        royalty_denominator: 20,
        royalty_destination: rawMade('person', 2),
      },
      nft_item: {
        address,
        init: true,
        index: 'name "of"\n',
        collection: null,
        collection_address: null,
        owner_address: null,
        content: null,
        on_sale: false,
      },
    });
    expect(nft_sales[0].details).not.toHaveProperty('bidder_address');
    expect(nft_sales[0]).not.toHaveProperty('created_at');
  });

  it('matches the contract', () => checkForms(app, 'nft/sales', [{ address: ALL }]));

  it('refuses malformed, missing and too many addresses', async () => {
    await checkRefusals(app, 'nft/sales', { address: ['x', '0:00', ''] });
    const addresses = Array.from({ length: 1001 }, (_, i) => rawMade('sale', i));
    const answer = await app.inject({ url: `/api/v3/nft/sales?address=${addresses}` });
    expect(answer.json()).toEqual({ code: 422, error: 'maximum 1000 addresses allowed' });
    const none = await app.inject({ url: '/api/v3/nft/sales' });
    expect(none.json()).toEqual({ code: 422, error: 'at least 1 address required' });
  });
});
