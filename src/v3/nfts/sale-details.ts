import type { Selectable } from 'kysely';
import Type, { type Static } from 'typebox';
import type { NftAuctionsTable, NftSalesTable, TelemintItemsTable } from '../../db/contract-tables.ts';
import { Int64, PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';

const amount = () => Type.Optional(PlainText());
const address = () => Type.Optional(PlainText());
const flag = () => Type.Optional(Type.Boolean());
const number = () => Type.Optional(Int64());

/** What only one kind of sale has; one object for all of them, since a union would be validated when it is written. */
export const saleDetailsSchema = Type.Object({
  // Sales for a fixed price.
  is_complete: flag(),
  full_price: amount(),
  marketplace_fee_address: address(),
  marketplace_fee: amount(),
  royalty_address: address(),
  royalty_amount: amount(),
  // Auctions.
  end_flag: flag(),
  end_time: number(),
  last_bid: amount(),
  last_member: address(),
  min_step: number(),
  mp_fee_address: address(),
  mp_fee_factor: number(),
  mp_fee_base: number(),
  royalty_fee_address: address(),
  royalty_fee_factor: number(),
  royalty_fee_base: number(),
  max_bid: amount(),
  min_bid: amount(),
  last_bid_at: number(),
  is_canceled: flag(),
  // Items of Telegram.
  token_name: Type.Optional(Type.String()),
  bidder_address: address(),
  bid: amount(),
  bid_ts: amount(),
  beneficiary_address: address(),
  initial_min_bid: amount(),
  min_bid_step: amount(),
  min_extend_time: amount(),
  duration: amount(),
  royalty_numerator: number(),
  royalty_denominator: number(),
  royalty_destination: address(),
});

type SaleDetails = Static<typeof saleDetailsSchema>;

/** Writes what a sale for a fixed price has. */
export function toFixPriceDetails(row: Selectable<NftSalesTable>): SaleDetails {
  return {
    is_complete: row.is_complete,
    full_price: row.full_price,
    marketplace_fee_address: formatAccount(row.marketplace_fee_address),
    marketplace_fee: row.marketplace_fee,
    royalty_address: formatAccount(row.royalty_address),
    royalty_amount: row.royalty_amount,
  };
}

/** Writes what an auction has. */
export function toAuctionDetails(row: Selectable<NftAuctionsTable>): SaleDetails {
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

/** Writes what an item of Telegram has. */
export function toTelemintDetails(row: Selectable<TelemintItemsTable>): SaleDetails {
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
