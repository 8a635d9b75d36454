import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { ShownAs } from '../http/named-schemas.ts';
import { type NftSaleRows, readItemsOf, readNftSales } from '../index/read/nfts.ts';
import { loadAddressInfoFields, withAddressInfo } from './address-book.ts';
import { accountsOfItem, type NftItemJson, nftItem, toNftItems } from './nfts.ts';
import { defineV3Operation } from './operation.ts';
import { accountsParam } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { account, contractState, defineRow, flag, int64, optional, text, words } from './row-json.ts';
import { formatAccount } from './values.ts';

export const createNftSales = () =>
  defineV3Operation({
    name: 'nft/sales',
    tag: 'nfts',
    summary: 'Sales and auctions of NFTs',
    description: 'Fixed-price sales first, then auctions, then Telegram items (Telemint), each by address.',
    parameters: {
      address: accountsParam('Addresses of sale and auction contracts.', {
        required: true,
        missingText: 'at least 1 address required',
        tooManyText: 'maximum 1000 addresses allowed',
      }),
    },
    result: withAddressInfo('NFTSalesResponse', { nft_sales: Type.Array(nftSaleSchema) }),
    handler: ({ address }, call) =>
      readIndex(call, async (db) => {
        const rows = await readNftSales(db, { accounts: address });
        const items = await readItemsOf(db, {
          accounts: [...rows.sales, ...rows.auctions].map(({ nft }) => nft),
        });
        const shown = new Map((await toNftItems(db, items)).map((item) => [item.address, item]));
        const accounts = [
          ...place.accountsOf([...rows.sales, ...rows.auctions]),
          ...saleDetails.accountsOf(rows.sales),
          ...auctionDetails.accountsOf(rows.auctions),
          ...rows.telemintItems.map(({ account }) => account),
          ...telegramDetails.accountsOf(rows.telemintItems),
          ...items.flatMap(accountsOfItem),
        ];
        return { nft_sales: toNftSales(rows, shown), ...(await loadAddressInfoFields(call, db, accounts)) };
      }),
  });

const saleDetails = defineRow('NFTSaleDetailsGetgemsSale', {
  is_complete: flag('is_complete'),
  full_price: text('full_price'),
  marketplace_fee_address: account('marketplace_fee_address'),
  marketplace_fee: text('marketplace_fee'),
  royalty_address: account('royalty_address'),
  royalty_amount: text('royalty_amount'),
});

const auctionDetails = defineRow('NFTSaleDetailsGetgemsAuction', {
  end_flag: flag('end_flag'),
  end_time: int64('end_time'),
  last_bid: text('last_bid'),
  last_member: optional(account('last_member')),
  min_step: int64('min_step'),
  mp_fee_address: account('marketplace_fee_address'),
  mp_fee_factor: int64('marketplace_fee_factor'),
  mp_fee_base: int64('marketplace_fee_base'),
  royalty_fee_address: account('royalty_address'),
  royalty_fee_factor: int64('royalty_factor'),
  royalty_fee_base: int64('royalty_base'),
  max_bid: text('max_bid'),
  min_bid: text('min_bid'),
  last_bid_at: int64('last_bid_at'),
  is_canceled: flag('is_canceled'),
});

const telegramDetails = defineRow('NFTSaleDetailsTeleitem', {
  token_name: words('token_name'),
  bidder_address: optional(account('bidder')),
  bid: text('bid'),
  bid_ts: text('bid_ts'),
  min_bid: text('min_bid'),
  end_time: int64('end_time'),
  beneficiary_address: optional(account('beneficiary')),
  initial_min_bid: text('initial_min_bid'),
  max_bid: text('max_bid'),
  min_bid_step: text('min_bid_step'),
  min_extend_time: text('min_extend_time'),
  duration: text('duration'),
  royalty_numerator: int64('royalty_numerator'),
  royalty_denominator: int64('royalty_denominator'),
  royalty_destination: account('royalty_destination'),
});

/** Details of all kinds of sales; one object, because the serialiser would validate the value against each branch of a union. */
const detailsSchema = Type.Partial(
  Type.Object({
    ...saleDetails.schema.properties,
    ...auctionDetails.schema.properties,
    ...telegramDetails.schema.properties,
  }),
);

const place = defineRow(undefined, {
  address: account('account'),
  nft_address: optional(account('nft')),
  nft_owner_address: optional(account('nft_owner')),
  marketplace_address: optional(account('marketplace')),
  created_at: optional(int64('created_at')),
  ...contractState,
});

const itemFields = { nft_item: Type.Optional(nftItem.schema) };

/** A sale as documents show it: `type` decides about `details`. */
const shownSale = Type.Union(
  [
    saleOfType('getgems_sale', 'GetgemsSale', saleDetails.schema),
    saleOfType('getgems_auction', 'GetgemsAuction', auctionDetails.schema),
    saleOfType('telemint', 'Teleitem', telegramDetails.schema),
  ],
  { title: 'NFTSale' },
);

function saleOfType(type: string, name: string, details: TSchema): TSchema {
  return Type.Object(
    { type: Type.Literal(type), ...place.schema.properties, details, ...itemFields },
    { title: `NFTSale${name}` },
  );
}

const nftSaleSchema = ShownAs(
  Type.Object({
    type: Type.Enum(['getgems_sale', 'getgems_auction', 'telemint']),
    ...place.schema.properties,
    details: detailsSchema,
    ...itemFields,
  }),
  shownSale,
);

type NftSaleJson = Static<typeof nftSaleSchema>;

/** Writes sales, auctions and Telegram items, in this order; `items` are keyed by raw address. */
function toNftSales(rows: NftSaleRows, items: ReadonlyMap<string, NftItemJson>): NftSaleJson[] {
  const itemOf = ({ nft }: { readonly nft: Buffer }) => ({ nft_item: items.get(formatAccount(nft)) });
  return [
    ...rows.sales.map((row) => ({
      type: 'getgems_sale' as const,
      ...place.write(row),
      details: saleDetails.write(row),
      ...itemOf(row),
    })),
    ...rows.auctions.map((row) => ({
      type: 'getgems_auction' as const,
      ...place.write(row),
      details: auctionDetails.write(row),
      ...itemOf(row),
    })),
    ...rows.telemintItems.map(toTelemintSale),
  ];
}

/** A Telegram item is its own sale contract. */
function toTelemintSale(row: NftSaleRows['telemintItems'][number]): NftSaleJson {
  const { account: nft, token_name: index } = row;
  return {
    type: 'telemint',
    ...place.write({ ...row, nft, nft_owner: null, marketplace: null, created_at: null }),
    details: telegramDetails.write(row),
    nft_item: nftItem.write({
      ...row,
      init: true,
      index,
      collection: null,
      owner: null,
      content: null,
      ownCollection: null,
      sale: null,
      auction: null,
      seller: null,
    }),
  };
}
