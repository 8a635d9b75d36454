import type { Kysely } from 'kysely';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { made, scatter, stateOf } from './made-rows.ts';

/** Collections, some without an owner. */
export const COLLECTIONS = Array.from({ length: 12 }, (_, i) => ({
  ...stateOf('collection', i),
  next_item_index: i === 3 ? '-1' : '5',
  content: { name: `"${i}"\n` },
  owner: i % 3 === 0 ? null : made('person', i % 3),
}));

const SELLERS = 6;
const UNKNOWN_SELLER = 5;

/** The first NFT items are on sale; every sale contract sells the item of its number. */
const sellerOf = (number: number): Buffer | null =>
  number === UNKNOWN_SELLER ? null : made('person', number % 3);

const SALE_STATE = {
  marketplace: made('market', 0),
  marketplace_fee_address: made('market', 1),
  created_at: '5',
};

/** Sales; the last one is for an item that has another owner by now. */
export const SALES = Array.from({ length: SELLERS + 1 }, (_, i) => ({
  ...stateOf('sale', i),
  ...SALE_STATE,
  nft: made('item', i),
  nft_owner: sellerOf(i),
  is_complete: i % 2 === 0,
  full_price: '7',
  marketplace_fee: '1',
  royalty_address: made('person', 9),
  royalty_amount: '2',
}));

/** Auctions of the items after those of sales; one has the address of a sale too. */
export const AUCTIONS = [
  ...Array.from({ length: SELLERS }, (_, i) => auction(made('auction', i), 10 + i, sellerOf(i))),
  auction(made('sale', 1), 1, made('person', 0)),
];

function auction(account: Buffer, item: number, nft_owner: Buffer | null) {
  return {
    ...stateOf('auction', item),
    account,
    ...SALE_STATE,
    nft: made('item', item),
    nft_owner,
    end_flag: false,
    end_time: '9007199254740993',
    last_bid: '3',
    min_step: '5',
    is_canceled: false,
    last_member: item % 2 === 0 ? null : made('person', 8),
    marketplace_fee_factor: '1',
    marketplace_fee_base: '100',
    royalty_address: made('person', 9),
    royalty_factor: '5',
    royalty_base: '100',
    max_bid: '0',
    min_bid: '1',
    last_bid_at: '0',
  };
}

function ownerOf(number: number): Buffer | null {
  if (number < SELLERS) return made('sale', number);
  if (number >= 10 && number < 10 + SELLERS) return made('auction', number - 10);
  // A seller may have other items.
  if (number === 20) return made('sale', 1);
  return number % 9 === 8 ? null : made('person', scatter(number, 3));
}

/** NFT items: some without a collection, one of an unknown collection, several with the same index. */
export const ITEMS = Array.from({ length: 70 }, (_, i) => ({
  ...stateOf('item', i),
  init: i % 5 !== 0,
  content: {},
  owner: ownerOf(i),
  collection: i % 6 === 4 ? null : made('collection', i === 33 ? 99 : 1 + scatter(i + 500, 4)),
  index: i === 40 ? '9'.repeat(77) : String(scatter(i, 12)),
}));

export type MadeItem = (typeof ITEMS)[number];

/** A Telegram item. */
export const TELEMINT = {
  ...stateOf('telemint', 0),
  token_name: 'name "of"\n',
  bidder: null,
  bid: '0',
  bid_ts: '9007199254740993',
  min_bid: '1',
  end_time: '0',
  beneficiary: made('person', 1),
  initial_min_bid: '2',
  max_bid: '3',
  min_bid_step: '5',
  min_extend_time: '6',
  duration: '7',
  royalty_numerator: '1',
  royalty_denominator: '20',
  royalty_destination: made('person', 2),
};

/** Writes all rows. */
export async function writeMadeNfts(db: Kysely<Tables>): Promise<void> {
  await db.insertInto('nft_collections').values(COLLECTIONS).execute();
  await db.insertInto('nft_items').values(ITEMS).execute();
  await db.insertInto('nft_sales').values(SALES).execute();
  await db.insertInto('nft_auctions').values(AUCTIONS).execute();
  await db.insertInto('telemint_items').values(TELEMINT).execute();
}
