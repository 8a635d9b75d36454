import { readBoc } from '../../../chain/boc/bag.ts';
import { CellError } from '../../../chain/boc/cells.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { readStateInit } from '../../../chain/tlb/account.ts';
import type { ActionData } from '../../rules/action.ts';
import { recordReader } from '../../rules/message-layouts.ts';
import { RuleMismatch } from '../../rules/rule.ts';

const MARKET_STATES = `
  SaleV1 _ = marketplace addr, nft addr, owner addr, full_price coins,
    ^{fee coins, fee_address addr, royalty_address addr, royalty coins};
  SaleV2 _ = is_complete bool, created_at u32, marketplace addr, nft addr, owner addr, full_price coins,
    ^{fee_address addr, fee coins, royalty_address addr, royalty coins};
  SaleV4 _ = is_complete bool, marketplace addr, owner addr, full_price coins, sold_at u32, sold_query u64,
    ^{fee_address addr, royalty_address addr, fee_percent u17, royalty_percent u17};
  AuctionV1 _ = ^{fee_address addr, fee_factor u32, fee_base u32, royalty_address addr, royalty_factor u32,
    royalty_base u32}, ^{min_bid coins, max_bid coins};
  AuctionV3r2 _ = flags u3, last_bidder addr, last_bid coins, last_bid_at u32, end_at u32,
    ^{fee_address addr, fee_factor u32, fee_base u32, royalty_address addr, royalty_factor u32,
    royalty_base u32}, ^{step u32, nft addr, min_bid coins, max_bid coins};
  AuctionV3r3 _ = flags u2, last_bidder addr, last_bid coins, last_bid_at u32, end_at u32, nft_owner addr,
    last_query_id u64, ^{fee_address addr, royalty_address addr}, fee_factor u32, fee_base u32,
    royalty_factor u32, royalty_base u32, ^{nft addr, min_bid coins, max_bid coins};
  AuctionV4 _ = flags u2, last_bidder addr, last_bid coins, last_bid_at u32, end_at u32, nft_owner addr,
    last_query_id u64, ^{fee_address addr, royalty_address addr, fee_factor u32, fee_base u32,
    royalty_factor u32, royalty_base u32}, ^{nft addr, min_bid coins, max_bid coins};
`;

const saleV1 = recordReader(MARKET_STATES, 'SaleV1');
const saleV2 = recordReader(MARKET_STATES, 'SaleV2');
const saleV4 = recordReader(MARKET_STATES, 'SaleV4');
const auctionV1 = recordReader(MARKET_STATES, 'AuctionV1');
const auctionV3r2 = recordReader(MARKET_STATES, 'AuctionV3r2');
const auctionV3r3 = recordReader(MARKET_STATES, 'AuctionV3r3');
const auctionV4 = recordReader(MARKET_STATES, 'AuctionV4');

const SALES: Readonly<Record<string, typeof saleV1 | typeof saleV2>> = {
  '2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=': saleV1,
  'gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=': saleV2,
  'MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=': saleV2,
  '3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=': saleV2,
  'JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=': saleV2,
};

const AUCTION_WITHOUT_LAYOUT = 'ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=';
const AUCTIONS: Readonly<
  Record<string, typeof auctionV1 | typeof auctionV3r2 | typeof auctionV3r3 | typeof auctionV4>
> = {
  '/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=': auctionV1,
  'G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=': auctionV3r2,
  'u29ireD+stefqzuK6/CTCvmFU99gCTsgJ/Covxab/Ow=': auctionV3r3,
  'zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=': auctionV4,
};

/** The terms of a sale from its state init, as columns. Unknown code is treated as the newest version. */
export function readSaleState(init: Buffer, codeHash: string | null) {
  const data = dataOf(init);
  const readOld = SALES[codeHash ?? ''];
  const state = readOld ? readOld(data) : saleV4(data);
  return {
    marketplace: state.marketplace,
    full_price: state.full_price,
    // The newest version has shares of the price instead of amounts.
    marketplace_fee: 'fee' in state ? state.fee : null,
    royalty_amount: 'royalty' in state ? state.royalty : null,
    marketplace_fee_address: state.fee_address,
    royalty_address: state.royalty_address,
  };
}

/** The terms of an auction from its state init, as columns. */
export function readAuctionState(init: Buffer, codeHash: string | null): ActionData {
  if (codeHash === AUCTION_WITHOUT_LAYOUT) throw new RuleMismatch('unknown layout version');
  const terms = (AUCTIONS[codeHash ?? ''] ?? auctionV3r3)(dataOf(init));
  return {
    mp_fee_factor: terms.fee_factor,
    mp_fee_base: terms.fee_base,
    royalty_fee_base: terms.royalty_base,
    max_bid: terms.max_bid,
    min_bid: terms.min_bid,
    marketplace_fee_address: terms.fee_address,
    royalty_address: terms.royalty_address,
  };
}

function dataOf(init: Buffer): Slice {
  const bag = readBoc(init);
  const { data } = readStateInit(new Slice(bag, bag.root));
  if (data < 0) throw new CellError('a contract without data');
  return new Slice(bag, data);
}
