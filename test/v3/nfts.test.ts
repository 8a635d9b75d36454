import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../src/v3/values.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { type CheckedList, checkCombinations, checkForms, checkRefusals } from './support/list-checks.ts';
import { isNamed, type ListQuery, sortBy, valuesOf } from './support/list-queries.ts';
import { AUCTIONS, COLLECTIONS, ITEMS, type MadeItem, SALES, writeMadeNfts } from './support/made-nfts.ts';
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

const raw = (kind: string, ...numbers: number[]) => numbers.map((number) => rawMade(kind, number));
const addresses = (rows: readonly { readonly account: Buffer }[]) =>
  rows.map((row) => formatAccount(row.account));

const COLLECTION_LIST: CheckedList = {
  name: 'nft/collections',
  key: 'nft_collections',
  choices: {
    collection_address: [raw('collection', 1), raw('collection', 5, 4, 3, 2, 5), raw('nothing', 1)],
    owner_address: [raw('person', 1), raw('person', 2, 1)],
  },
  idOf: (row) => row.address!,
  expected: (query) => {
    const found = COLLECTIONS.filter(
      (row) =>
        isNamed(query, 'collection_address', row.account) && isNamed(query, 'owner_address', row.owner),
    );
    const isFiltered = query.collection_address || query.owner_address;
    return addresses(
      isFiltered ? sortBy(found, (row) => row.account) : sortBy(found, (row) => Number(row.id)),
    );
  },
};

/** The sale or auction contract of an NFT item, if its owner is one. */
function sellerOf({ account, owner }: MadeItem) {
  const isOf = (row: { account: Buffer; nft: Buffer }) =>
    row.nft.equals(account) && owner !== null && row.account.equals(owner);
  return SALES.find(isOf) ?? AUCTIONS.find(isOf);
}

const ITEM_LIST: CheckedList = {
  name: 'nft/items',
  key: 'nft_items',
  choices: {
    address: [raw('item', 7), raw('item', ...Array.from({ length: 50 }, (_, i) => i))],
    owner_address: [raw('person', 1), raw('person', 2, 0, 1), raw('sale', 1), raw('auction', 2)],
    collection_address: [raw('collection', 1), raw('collection', 2, 1, 3)],
    index: [['1'], ['2', '0003', '9'.repeat(200)]],
    include_on_sale: ['1', 'false'],
    sort_by_last_transaction_lt: ['true', 'f'],
  },
  idOf: (row) => row.address!,
  isRefused: (query) => {
    const collections = valuesOf(query, 'collection_address').length;
    if (query.index && collections !== 1) return true;
    return collections > 1 && valuesOf(query, 'owner_address').length !== 1;
  },
  expected: expectedItems,
};

function expectedItems(query: ListQuery): string[] {
  const indexes = valuesOf(query, 'index').map(BigInt);
  const ownerOf = (item: MadeItem) => {
    const seller = query.include_on_sale === '1' ? sellerOf(item) : undefined;
    return seller === undefined ? item.owner : seller.nft_owner;
  };
  const found = ITEMS.filter(
    (row) =>
      isNamed(query, 'address', row.account) &&
      isNamed(query, 'owner_address', ownerOf(row)) &&
      isNamed(query, 'collection_address', row.collection) &&
      (indexes.length === 0 || indexes.includes(BigInt(row.index))),
  );
  const byIndex = sortBy(
    found,
    (row) => BigInt(row.index),
    (row) => row.account,
  );
  if (query.sort_by_last_transaction_lt === 'true')
    return addresses(
      sortBy(
        found,
        (row) => BigInt(row.last_transaction_lt),
        (row) => row.account,
      ).reverse(),
    );
  if (valuesOf(query, 'collection_address').length === 1) return addresses(byIndex);
  if (query.owner_address) {
    const byCollection = sortBy(
      byIndex,
      (row) => (row.collection === null ? 1 : 0),
      (row) => row.collection ?? 0,
    );
    return addresses(sortBy(byCollection, (row) => ownerOf(row)!));
  }
  return addresses(
    query.address ? sortBy(found, (row) => row.account) : sortBy(found, (row) => Number(row.id)),
  );
}

const BAD = ['x', '0:00'];

describe.each([
  [COLLECTION_LIST, { collection_address: BAD, owner_address: BAD }],
  [
    ITEM_LIST,
    {
      address: BAD,
      owner_address: BAD,
      collection_address: BAD,
      include_on_sale: ['x'],
      sort_by_last_transaction_lt: ['x'],
      index: ['x', '-1', '1.0', ' 1', '1,2'],
    },
  ],
] as const)('$name', (list, bad) => {
  it('returns the right rows for all combinations of filters, whole and in pages', async () => {
    expect(await checkCombinations(app, list)).toBeGreaterThan(sampled(10, 40));
  });

  it('matches the contract', async () => {
    const owned = { owner_address: raw('person', 1, 2, 0), include_on_sale: '1' };
    await checkForms(app, list.name, [{}, owned]);
  });

  it('refuses malformed parameters by name', async () => {
    await checkRefusals(app, list.name, bad);
  });
});

describe('nft/items', () => {
  it('returns the sale contract and seller of each item', async () => {
    const answer = await app.inject({ url: '/api/v3/nft/items?limit=1000' });
    const kinds = new Set<string>();
    for (const item of answer.json().nft_items) {
      const row = ITEMS.find(({ account }) => formatAccount(account) === item.address)!;
      const isFor = (each: { account: Buffer; nft: Buffer }) =>
        formatAccount(each.account) === item.owner_address && each.nft.equals(row.account);
      const [sale, auction] = [SALES.find(isFor), AUCTIONS.find(isFor)];
      const seller = sale === undefined ? auction?.nft_owner : sale.nft_owner;
      expect(item).toMatchObject({ on_sale: sale !== undefined || auction !== undefined });
      expect(item.sale_contract_address).toBe(sale && formatAccount(sale.account));
      expect(item.auction_contract_address).toBe(auction && formatAccount(auction.account));
      expect(item.real_owner).toBe(seller ? formatAccount(seller) : undefined);
      expect(item.collection?.address ?? null).toBe(
        COLLECTIONS.some(({ account }) => row.collection?.equals(account)) ? item.collection_address : null,
      );
      kinds.add(`${sale !== undefined} ${auction !== undefined} ${seller ? 'known' : 'unknown'}`);
    }
    expect([...kinds].sort()).toEqual([
      'false false unknown',
      'false true known',
      'false true unknown',
      'true false known',
      'true false unknown',
      'true true known',
    ]);
  });

  it.each([
    [`index=1`, 'index parameter is not allowed without the collection_address'],
    [
      `index=1&owner_address=${raw('person', 1)}&collection_address=${raw('collection', 1, 2)}`,
      'index parameter is not allowed with more than one collection_address',
    ],
    [
      `collection_address=${raw('collection', 1, 2)}`,
      'exact one owner_address required for multiple collection_address',
    ],
    [`collection_address=${raw('collection', 1)}&index=1&index=x`, 'index should contain digits only'],
    [
      `collection_address=${raw('collection', 1)}&${'index=1&'.repeat(1001)}`,
      'index list exceeds maximum length of 1000',
    ],
    [
      `owner_address=${Array.from({ length: 1001 }, (_, i) => rawMade('person', i))}`,
      'owner_address list exceeds maximum length of 1000',
    ],
  ])('refuses %.60s', async (query, error) => {
    const answer = await app.inject({ url: `/api/v3/nft/items?${query}` });
    expect(answer.json()).toEqual({ code: 422, error });
  });

  it('counts a collection that is given twice once', async () => {
    const twice = [made('collection', 1), made('collection', 1)].map(formatAccount);
    const answer = await app.inject({ url: `/api/v3/nft/items?collection_address=${twice}` });
    expect(answer.statusCode).toBe(200);
  });
});
