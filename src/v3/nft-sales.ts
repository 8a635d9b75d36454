import type { Selectable } from 'kysely';
import type { Static, TProperties, TSchema } from 'typebox';
import Type from 'typebox';
import type { NftAuctionsTable, NftSalesTable, TelemintItemsTable } from '../db/tables/contract-tables.ts';
import { ShownAs } from '../http/named-schemas.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import { type NftSaleRows, readItemsOf, readNftSales } from '../index/read/nfts.ts';
import { addressInfoFields, loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { accountsOfItem, type NftItemJson, nftItemSchema, toNftItems } from './nfts.ts';
import { accountsParam } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { contractStateSchema, formatAccount, toContractState } from './values.ts';

/** Sale and auction contracts. */
export function createNftSales(): Operation<V3Call> {
  return defineOperation({
    name: 'nft/sales',
    methods: ['GET'],
    tag: 'nfts',
    summary: 'Sales and auctions of NFTs',
    description: 'Fixed-price sales first, then auctions, then Telegram items (Telemint), each by address.',
    parameters: {
      address: accountsParam({
        description: 'Addresses of sale and auction contracts.',
        required: true,
        missingText: 'at least 1 address required',
        tooManyText: 'maximum 1000 addresses allowed',
      }),
    },
    result: Type.Object(
      { nft_sales: Type.Array(nftSaleSchema), ...addressInfoFields },
      { title: 'NFTSalesResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('nft/sales'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'at least 1 address required' } },
    ],
    handler: ({ address }, call: V3Call) =>
      readIndex(call, async (db) => {
        const rows = await readNftSales(db, { accounts: address });
        const items = await readItemsOf(db, {
          accounts: [...rows.sales, ...rows.auctions].map(({ nft }) => nft),
        });
        const shown = new Map((await toNftItems(db, items)).map((item) => [item.address, item]));
        const accounts = [...accountsOfSales(rows), ...items.flatMap(accountsOfItem)];
        return { nft_sales: toNftSales(rows, shown), ...(await loadAddressInfoFields(call, db, accounts)) };
      }),
  });
}

const fixPriceFields = {
  is_complete: Type.Boolean(),
  full_price: PlainText(),
  marketplace_fee_address: PlainText(),
  marketplace_fee: PlainText(),
  royalty_address: PlainText(),
  royalty_amount: PlainText(),
};

const auctionFields = {
  end_flag: Type.Boolean(),
  end_time: Int64(),
  last_bid: PlainText(),
  last_member: Type.Optional(PlainText()),
  min_step: Int64(),
  mp_fee_address: PlainText(),
  mp_fee_factor: Int64(),
  mp_fee_base: Int64(),
  royalty_fee_address: PlainText(),
  royalty_fee_factor: Int64(),
  royalty_fee_base: Int64(),
  max_bid: PlainText(),
  min_bid: PlainText(),
  last_bid_at: Int64(),
  is_canceled: Type.Boolean(),
};

const telegramFields = {
  token_name: Type.String(),
  bidder_address: Type.Optional(PlainText()),
  bid: PlainText(),
  bid_ts: PlainText(),
  min_bid: PlainText(),
  end_time: Int64(),
  beneficiary_address: Type.Optional(PlainText()),
  initial_min_bid: PlainText(),
  max_bid: PlainText(),
  min_bid_step: PlainText(),
  min_extend_time: PlainText(),
  duration: PlainText(),
  royalty_numerator: Int64(),
  royalty_denominator: Int64(),
  royalty_destination: PlainText(),
};

/** Details of all kinds of sales; one object, because the serialiser would validate the value against each branch of a union. */
const saleDetailsSchema = Type.Partial(
  Type.Object({ ...fixPriceFields, ...auctionFields, ...telegramFields }),
);

type SaleDetails = Static<typeof saleDetailsSchema>;

function toFixPriceDetails(row: Selectable<NftSalesTable>): SaleDetails {
  return {
    is_complete: row.is_complete,
    full_price: row.full_price,
    marketplace_fee_address: formatAccount(row.marketplace_fee_address),
    marketplace_fee: row.marketplace_fee,
    royalty_address: formatAccount(row.royalty_address),
    royalty_amount: row.royalty_amount,
  };
}

function toAuctionDetails(row: Selectable<NftAuctionsTable>): SaleDetails {
  return {
    end_flag: row.end_flag,
    end_time: BigInt(row.end_time),
    last_bid: row.last_bid,
    ...(row.last_member && { last_member: formatAccount(row.last_member) }),
    min_step: BigInt(row.min_step),
    mp_fee_address: formatAccount(row.marketplace_fee_address),
    mp_fee_factor: BigInt(row.marketplace_fee_factor),
    mp_fee_base: BigInt(row.marketplace_fee_base),
    royalty_fee_address: formatAccount(row.royalty_address),
    royalty_fee_factor: BigInt(row.royalty_factor),
    royalty_fee_base: BigInt(row.royalty_base),
    max_bid: row.max_bid,
    min_bid: row.min_bid,
    last_bid_at: BigInt(row.last_bid_at),
    is_canceled: row.is_canceled,
  };
}

function toTelemintDetails(row: Selectable<TelemintItemsTable>): SaleDetails {
  return {
    token_name: row.token_name,
    ...(row.bidder && { bidder_address: formatAccount(row.bidder) }),
    bid: row.bid,
    bid_ts: row.bid_ts,
    min_bid: row.min_bid,
    end_time: BigInt(row.end_time),
    ...(row.beneficiary && { beneficiary_address: formatAccount(row.beneficiary) }),
    initial_min_bid: row.initial_min_bid,
    max_bid: row.max_bid,
    min_bid_step: row.min_bid_step,
    min_extend_time: row.min_extend_time,
    duration: row.duration,
    royalty_numerator: BigInt(row.royalty_numerator),
    royalty_denominator: BigInt(row.royalty_denominator),
    royalty_destination: formatAccount(row.royalty_destination),
  };
}

const saleFields = {
  address: PlainText(),
  nft_address: Type.Optional(PlainText()),
  nft_owner_address: Type.Optional(PlainText()),
  marketplace_address: Type.Optional(PlainText()),
  created_at: Type.Optional(Int64()),
  ...contractStateSchema,
};

const itemFields = { nft_item: Type.Optional(nftItemSchema) };

/** A sale as documents show it: `type` decides about `details`. */
const shownSale = Type.Union(
  [
    saleOfType('getgems_sale', 'GetgemsSale', fixPriceFields),
    saleOfType('getgems_auction', 'GetgemsAuction', auctionFields),
    saleOfType('telemint', 'Teleitem', telegramFields),
  ],
  { title: 'NFTSale' },
);

function saleOfType(type: string, name: string, details: TProperties): TSchema {
  return Type.Object(
    {
      type: Type.Literal(type),
      ...saleFields,
      details: Type.Object(details, { title: `NFTSaleDetails${name}` }),
      ...itemFields,
    },
    { title: `NFTSale${name}` },
  );
}

const nftSaleSchema = ShownAs(
  Type.Object({
    type: Type.Enum(['getgems_sale', 'getgems_auction', 'telemint']),
    ...saleFields,
    details: saleDetailsSchema,
    ...itemFields,
  }),
  shownSale,
);

type NftSaleJson = Static<typeof nftSaleSchema>;

/** Writes sales, auctions and Telegram items, in this order; `items` are keyed by raw address. */
function toNftSales(rows: NftSaleRows, items: ReadonlyMap<string, NftItemJson>): NftSaleJson[] {
  const show = (type: NftSaleJson['type'], row: GetGemsRow) => toSale(type, row, items);
  return [
    ...rows.sales.map((row) => ({ ...show('getgems_sale', row), details: toFixPriceDetails(row) })),
    ...rows.auctions.map((row) => ({ ...show('getgems_auction', row), details: toAuctionDetails(row) })),
    ...rows.telemintItems.map(toTelemintSale),
  ];
}

type GetGemsRow = NftSaleRows['sales'][number] | NftSaleRows['auctions'][number];

function toSale(
  type: NftSaleJson['type'],
  row: GetGemsRow,
  items: ReadonlyMap<string, NftItemJson>,
): Omit<NftSaleJson, 'details'> {
  const item = items.get(formatAccount(row.nft));
  return {
    type,
    address: formatAccount(row.account),
    nft_address: formatAccount(row.nft),
    ...(row.nft_owner && { nft_owner_address: formatAccount(row.nft_owner) }),
    marketplace_address: formatAccount(row.marketplace),
    created_at: BigInt(row.created_at),
    ...toContractState(row),
    ...(item && { nft_item: item }),
  };
}

/** A Telegram item is its own sale contract. */
function toTelemintSale(row: Selectable<TelemintItemsTable>): NftSaleJson {
  const address = formatAccount(row.account);
  return {
    type: 'telemint',
    address,
    nft_address: address,
    ...toContractState(row),
    details: toTelemintDetails(row),
    nft_item: {
      address,
      init: true,
      index: row.token_name,
      collection_address: null,
      owner_address: null,
      content: null,
      ...toContractState(row),
      collection: null,
      on_sale: false,
    },
  };
}

/** The accounts that sales mention. */
function accountsOfSales({ sales, auctions, telemintItems }: NftSaleRows): (Buffer | null)[] {
  return [
    ...sales.flatMap((row) => [row.marketplace_fee_address, row.royalty_address]),
    ...auctions.flatMap((row) => [row.last_member, row.marketplace_fee_address, row.royalty_address]),
    ...[...sales, ...auctions].flatMap((row) => [row.account, row.nft, row.nft_owner, row.marketplace]),
    ...telemintItems.flatMap((row) => [row.account, row.bidder, row.beneficiary, row.royalty_destination]),
  ];
}
