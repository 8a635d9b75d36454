import type { ActionColumns, ActionData } from '../action.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { NftAuctionRecord, NftItemRecord, NftSaleRecord } from '../interfaces.ts';
import { blockOf, blockThat } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import type { Rule } from '../rule.ts';
import { readAuctionState, readSaleState } from './market-states.ts';
import { nftTransferOf } from './nft-transfer.ts';

/** A contract comes to life by a bare message. */
function deploysContract({ type, deployed }: Block): boolean {
  return (type === 'ton_transfer' || type === 'call_contract') && deployed.size > 0;
}

/** What is put on sale or up for auction, and by whom. */
export interface Listing {
  readonly item: NftItemRecord;
  readonly owner: string | null;
  /** The one who lists it for the owner. */
  readonly by: string | null;
  readonly contract: string | null;
}

/** The columns of a sale or auction that begins. */
export function describeListing(
  { item, owner, by, contract }: Listing,
  marketplace: string | null,
  terms: ActionData,
): ActionColumns {
  return {
    source: owner,
    source_secondary: by,
    destination: contract,
    asset: item.collection,
    asset_secondary: item.address,
    data: {
      nft_transfer_data: { marketplace_address: marketplace },
      nft_listing_data: { nft_item_index: item.index, ...terms },
    },
  };
}

function describeSale(listing: Listing, sale: NftSaleRecord, init: Buffer): ActionColumns {
  const terms = readSaleState(init, sale.codeHash);
  return describeListing(listing, terms.marketplace, {
    full_price: terms.fullPrice,
    marketplace_fee: terms.fee,
    royalty_amount: terms.royalty,
    marketplace_fee_address: terms.feeAddress,
    marketplace: 'getgems',
    royalty_address: terms.royaltyAddress,
  });
}

function describeAuction(listing: Listing, auction: NftAuctionRecord, init: Buffer): ActionColumns {
  const terms = readAuctionState(init, auction.codeHash);
  return describeListing(listing, auction.marketplace, {
    mp_fee_factor: terms.feeFactor,
    mp_fee_base: terms.feeBase,
    royalty_fee_base: terms.royaltyBase,
    max_bid: terms.maxBid,
    min_bid: terms.minBid,
    marketplace_fee_address: terms.feeAddress,
    marketplace: 'getgems',
    royalty_address: terms.royaltyAddress,
  });
}

/** An owner gives an NFT to a market, which makes a sale or an auction and gives the NFT to that. */
export const nftListing: Rule = {
  name: 'NFT put on sale or auction',
  test: ({ type }) => type === 'nft_transfer',
  around: {
    next: [blockThat(deploysContract, { as: 'start' }), blockOf('nft_transfer', { as: 'handover' })],
  },
  build(block, found, { interfaces }) {
    const start = found.named('start');
    const handover = found.named('handover');
    if (!start || !handover) return;
    const given = nftTransferOf(block);
    const { item, newOwner } = nftTransferOf(handover);
    const { destination, init } = start.message;
    if (item.address !== given.item.address || newOwner !== destination || !init) return;
    const sale = interfaces.nftSale(destination);
    const auction = sale ? undefined : interfaces.nftAuction(destination);
    const market = sale ?? auction;
    if (market?.nft !== item.address || market.nftOwner !== given.previousOwner) return;
    const listing = { item, owner: market.nftOwner, by: given.newOwner, contract: destination };
    const members = [block, ...found.blocks];
    if (sale) compose(plainContent('nft_put_on_sale', describeSale(listing, sale, init)), members);
    else if (auction)
      compose(plainContent('nft_put_on_auction', describeAuction(listing, auction, init)), members);
  },
};
