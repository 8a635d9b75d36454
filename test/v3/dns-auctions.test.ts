import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../src/index/partitions.ts';
import { formatAccount } from '../../src/v3/values.ts';
import { coverSeqnos, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { checkCombinations, checkForms, checkRefusals } from './support/list-checks.ts';
import { isNamed, sortBy } from './support/list-queries.ts';
import { blocksOf, made, rawMade, shardStateOf, stateOf } from './support/made-rows.ts';

/** The time of the newest indexed masterchain block. */
const NOW = 1_790_000_000;
const SEQNO = 7;
const COLLECTION = made('collection', 0);

/** Some end at the same time, one of them exactly now; some domains have no auction. */
const DOMAINS = Array.from({ length: 40 }, (_, i) => ({
  ...stateOf('name', i * 4),
  domain: `name${i}.ton`,
  owner: null,
  max_bid_address: i % 10 === 9 ? null : made('person', i % 3),
  max_bid_amount: i % 10 === 9 ? null : `${10n ** 20n + BigInt(i)}`,
  auction_end_time: i % 10 === 9 ? null : String(NOW + ((i * 5) % 7) - 3),
  last_fill_up_time: i % 4 === 0 ? null : String(NOW - 1000),
}));

const ITEMS = DOMAINS.filter((_, i) => i % 5 !== 4).map(({ account, code_hash, data_hash }, i) => ({
  account,
  id: String(i + 1),
  last_transaction_lt: '5',
  code_hash,
  data_hash,
  init: true,
  index: String(i),
  collection: COLLECTION,
  owner: null,
  content: { domain: `name${i}.ton` },
}));

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  await coverSeqnos(db, { first: SEQNO, last: SEQNO });
  await ensurePartitions(db, { from: SEQNO, to: SEQNO, width: 100 });
  await db
    .insertInto('blocks')
    .values(blocksOf(SEQNO, NOW, 1000, 60))
    .execute();
  await db.insertInto('shard_states').values(shardStateOf(SEQNO)).execute();
  await db.insertInto('dns_entries').values(DOMAINS).execute();
  await db.insertInto('nft_items').values(ITEMS).execute();
  await db
    .insertInto('nft_collections')
    .values({ ...stateOf('collection', 0), next_item_index: '-1', owner: null, content: {} })
    .execute();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test.drop();
});

const inject = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  app.inject({ url: `/api/v3/dns/activeAuctions?${new URLSearchParams(query)}`, headers });
const ask = async (query: Record<string, string>) => (await inject(query)).json();
const refusal = async (query: Record<string, string>) => {
  const answer = await inject(query);
  return [answer.statusCode, answer.json().error];
};
const encoded = (text: string) => Buffer.from(text).toString('base64url');
const BIDDER = rawMade('person', 0);

describe('dns/activeAuctions', () => {
  it('lists auctions by highest bidder and state, those that end first come first, whole and in pages', async () => {
    const rows = await checkCombinations(app, {
      name: 'dns/activeAuctions',
      key: 'auctions',
      choices: { state: ['', 'all', 'won', 'bidding'], sort: ['asc', 'desc'], include_nft_items: ['true'] },
      bases: [0, 1, 2, 9].map((number) => ({ bidder: rawMade('person', number) })),
      idOf: (row) => row.nft_item_address!,
      expected: (query) => {
        const isInState = (end: number) =>
          query.state === 'won' ? end <= NOW : query.state !== 'bidding' || end > NOW;
        const found = DOMAINS.filter(
          ({ max_bid_address, auction_end_time }) =>
            max_bid_address !== null &&
            isNamed(query, 'bidder', max_bid_address) &&
            isInState(Number(auction_end_time)),
        );
        const sorted = sortBy(
          found,
          ({ auction_end_time }) => Number(auction_end_time),
          ({ account }) => formatAccount(account),
        );
        return sorted.map(({ account }) => formatAccount(account));
      },
    });
    expect(rows).toBeGreaterThan(30);
  });

  it('an auction that ends now has ended', async () => {
    for (const state of ['won', 'bidding']) {
      const { auctions } = await ask({ bidder: BIDDER, state });
      const ends = auctions.map((row: { auction_end_time: string }) => Number(row.auction_end_time));
      expect(ends.includes(NOW)).toBe(state === 'won');
      expect(auctions.every((row: { finished: boolean }) => row.finished === (state === 'won'))).toBe(true);
    }
  });

  it('the cursor of a page continues after it, by either name', async () => {
    const { auctions: all, next_cursor: end } = await ask({ bidder: BIDDER });
    expect(end).toBeNull();
    const first = await ask({ bidder: BIDDER, limit: '3' });
    expect(first.auctions).toEqual(all.slice(0, 3));
    const { auction_end_time: time, nft_item_address: item } = all[2];
    expect(first.next_cursor).toBe(encoded(`${time.padStart(20, '0')}:${item}`));
    for (const name of ['after', 'cursor'])
      expect((await ask({ bidder: BIDDER, limit: '3', [name]: first.next_cursor })).auctions).toEqual(
        all.slice(3, 6),
      );
    expect((await ask({ bidder: BIDDER, after: '', offset: '2', limit: '1' })).auctions).toEqual([all[2]]);
    const cut = encoded(`${time.padStart(20, '0')}:zzz`);
    const later = all.filter(
      (row: { auction_end_time: string }) => Number(row.auction_end_time) > Number(time),
    );
    expect((await ask({ bidder: BIDDER, after: cut })).auctions).toEqual(later);
    expect((await ask({ bidder: BIDDER, after: encoded(`${'9'.repeat(20)}:x`) })).auctions).toEqual([]);
  });

  it('returns what is known of an auction, and the NFT item on request', async () => {
    const row = DOMAINS[0]!;
    const item = rawMade('name', 0);
    const find = (list: { nft_item_address: string }[]) => list.find((one) => one.nft_item_address === item);
    const plain = await ask({ bidder: BIDDER });
    const told = {
      nft_item_address: item,
      domain: 'name0.ton',
      max_bid_address: BIDDER,
      max_bid_amount: '100000000000000000000',
      auction_end_time: row.auction_end_time,
      last_fill_up_time: null,
      finished: true,
    };
    expect(find(plain.auctions)).toEqual(told);
    expect(Object.keys(plain.address_book)).toHaveLength(plain.auctions.length + 1);
    expect(plain.metadata).toHaveProperty([item]);
    expect(plain.metadata).not.toHaveProperty([formatAccount(COLLECTION)]);
    const full = await ask({ bidder: BIDDER, include_nft_items: 'true' });
    expect(find(full.auctions)).toEqual({
      ...told,
      nft_item: expect.objectContaining({
        address: item,
        collection: expect.objectContaining({ address: formatAccount(COLLECTION) }),
      }),
    });
    expect(full.metadata).toHaveProperty([formatAccount(COLLECTION)]);
    expect(full.auctions.some((one: object) => !('nft_item' in one))).toBe(true);
  });

  it('has no address book or metadata if the caller wants none', async () => {
    const headers = { 'x-no-address-book': '1', 'x-no-metadata': '1' };
    expect((await inject({ bidder: BIDDER })).json().address_book).not.toEqual({});
    expect((await inject({ bidder: BIDDER }, headers)).json()).toMatchObject({
      address_book: {},
      metadata: {},
    });
  });

  it('matches the contract', async () => {
    await checkForms(app, 'dns/activeAuctions', [
      { bidder: BIDDER },
      { bidder: BIDDER, include_nft_items: 'true' },
      { bidder: rawMade('person', 9) },
    ]);
  });

  it('refuses a missing, a non-standard and an unreadable bidder', async () => {
    const missing = [422, 'bidder address is required'];
    expect(await refusal({})).toEqual(missing);
    for (const bidder of ['addr_none', 'null', 'ext$8:FF', 'var$0:8:FF'])
      expect(await refusal({ bidder })).toEqual(missing);
    for (const bidder of ['x', 'ext$', `0:${'1'.repeat(63)}`])
      expect(await refusal({ bidder })).toEqual([
        422,
        'failed to decode: schema: error converting value for "bidder"',
      ]);
  });

  it('refuses other malformed parameters', async () => {
    await checkRefusals(
      app,
      'dns/activeAuctions',
      {
        bidder: ['x', ''],
        state: ['lost', 'Won'],
        after: ['x', encoded('1:2'), encoded(`${'1'.repeat(20)}:`)],
      },
      { bidder: BIDDER },
    );
    expect(await refusal({ bidder: BIDDER, state: 'lost' })).toEqual([
      422,
      'state must be one of: all, won, bidding',
    ]);
    expect(await refusal({ bidder: BIDDER, after: 'x' })).toEqual([422, 'invalid after cursor']);
    const after = encoded(`${'0'.repeat(20)}:0`);
    expect(await refusal({ bidder: BIDDER, after, offset: '1' })).toEqual([
      422,
      'use either after or offset, not both',
    ]);
  });
});
