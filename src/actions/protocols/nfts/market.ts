import type { ActionColumns, ActionData } from '../../rules/action.ts';
import { type TonTransferData, tonTransferOf } from '../../rules/basic-blocks.ts';
import { type Block, compose, insertBetween, plainContent } from '../../rules/block.ts';
import type {
  Interfaces,
  NftAuctionRecord,
  NftItemRecord,
  NftSaleRecord,
} from '../../rules/classifier-input.ts';
import { blockOf, blockThat } from '../../rules/pattern.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { marketRequest, nft } from './layouts.ts';
import { readAuctionState, readSaleState } from './market-states.ts';
import {
  describeTransfer,
  FINISHING_COMMENTS,
  isTeleitem,
  isTonDomain,
  type NftTransferData,
  nftTransferOf,
} from './rules.ts';

/** A contract is deployed by a message without opcode. */
function deploysContract({ type, deployed }: Block): boolean {
  return (type === 'ton_transfer' || type === 'call_contract') && deployed.size > 0;
}

/** A listed NFT and its seller. */
interface Listing {
  readonly item: NftItemRecord;
  readonly owner: string | null;
  /** The account that lists it for the owner. */
  readonly by: string | null;
  readonly contract: string | null;
}

/** The columns of a new sale or auction. */
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

/** An owner sends an NFT to a marketplace, which deploys a sale or auction and transfers the NFT to it. */
export const nftListing: Rule = {
  name: 'NFT put on sale or auction',
  test: ({ type }) => type === 'nft_transfer',
  around: {
    next: [blockThat(deploysContract, { as: 'start' }), blockOf('nft_transfer', { as: 'handover' })],
  },
  build(block, match, { interfaces }) {
    const start = match.named('start');
    const handover = match.named('handover');
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
    const members = [block, ...match.blocks];
    if (sale) compose(plainContent('nft_put_on_sale', describeSale(listing, sale, init)), members);
    else if (auction)
      compose(plainContent('nft_put_on_auction', describeAuction(listing, auction, init)), members);
  },
};

/** Changes the price of a sale. */
export const nftUpdateSale: Rule = {
  name: 'NFT sale updated',
  calls: [nft.sale_update_message],
  build(block, _found, { interfaces }) {
    const update = nft.sale_update_message.read(block);
    const terms = {
      full_price: update.new_full_price,
      marketplace_fee: update.new_mp_fee,
      royalty_amount: update.new_royalty_amount,
    };
    const { source, destination } = block.message;
    const sale = interfaces.nftSale(destination ?? '');
    if (!sale) return;
    const columns = {
      source,
      destination,
      asset_secondary: sale.nft,
      accounts: [sale.nft],
      data: {
        nft_listing_data: terms,
        nft_transfer_data: { marketplace_address: sale.marketplace },
      },
    };
    compose(plainContent('nft_update_sale', columns, block.node.transaction.aborted), [block]);
  },
};

/** A purchase, with the data of a transfer; throws RuleMismatch for other blocks. */
function nftPurchaseOf(block: Block): NftTransferData {
  if (block.type !== 'nft_purchase') throw new RuleMismatch('not an NFT purchase');
  return block.data as NftTransferData;
}

/** The payment to the seller. */
function findPayout(blocks: readonly Block[], seller: string): Block | undefined {
  return blocks.find((one) => tonTransferOf(one)?.destination === seller);
}

function describePurchase(data: NftTransferData, payout: TonTransferData) {
  const { data: groups, ...columns } = describeTransfer(data);
  const nft_transfer_data = {
    ...groups?.nft_transfer_data,
    payout_amount: payout.value,
    payout_comment: payout.comment,
    payout_comment_encrypted: payout.encrypted,
    payout_comment_encoded: payout.encrypted && payout.comment !== null,
  };
  return { ...columns, data: { nft_transfer_data } };
}

/** An NFT sale: the item goes to the buyer, the money to the seller. */
export const nftPurchase: Rule = {
  name: 'NFT purchase',
  test: ({ type, data }) =>
    type === 'nft_transfer' && (data as NftTransferData).trade?.marketplace === 'getgems',
  build(block) {
    const data = nftTransferOf(block);
    const { previous } = block;
    const seller = data.trade?.seller;
    if (!seller) return;
    // A stopped auction sends item and money in parallel.
    const end =
      previous && FINISHING_COMMENTS.has(tonTransferOf(previous)?.comment ?? null) ? previous : undefined;
    const payout = findPayout(end ? end.next : block.next, seller);
    const paid = payout && tonTransferOf(payout);
    if (!paid) return;
    const describe = () => describePurchase(data, paid);
    const joint = end ? [insertBetween(end, [block, payout])] : [];
    compose({ type: 'nft_purchase', data, describe }, [block, payout, ...joint]);
  },
};

/** The columns of an ended sale or auction. */
export function describeEnd(
  contract: string | null,
  nft: { readonly owner: string | null; readonly item: string | null; readonly collection: string | null },
  marketplace: string | null,
): ActionColumns {
  return {
    source: nft.owner,
    destination: contract,
    asset: nft.collection,
    asset_secondary: nft.item,
    accounts: [nft.item],
    data: { nft_transfer_data: { marketplace_address: marketplace } },
  };
}

function endsAuction(block: Block): boolean {
  const transfer = tonTransferOf(block);
  return transfer
    ? FINISHING_COMMENTS.has(transfer.comment)
    : block.calls(marketRequest.stop_auction, marketRequest.finish_auction);
}

function cancelsAuction(block: Block): boolean {
  return tonTransferOf(block)?.comment === 'cancel' || block.calls(marketRequest.cancel_auction);
}

/** Composes only the request; the transfer of the NFT stays a separate action. */
function composeEnd(
  type: string,
  block: Block,
  { item, newOwner }: NftTransferData,
  market: { readonly nft: string; readonly marketplace: string | null } | undefined,
): void {
  if (market?.nft !== item.address) return;
  const nft = { owner: newOwner, item: item.address, collection: item.collection };
  const columns = describeEnd(block.message.destination, nft, market.marketplace);
  compose(plainContent(type, columns), [block]);
}

/** A sale is cancelled and returns the NFT. */
export const nftCancelSale: Rule = {
  name: 'NFT sale cancelled',
  calls: [marketRequest.cancel_sale],
  around: { each: blockOf('nft_transfer', { as: 'return' }) },
  build(block, match, { interfaces }) {
    const back = match.named('return');
    const sale = interfaces.nftSale(block.message.destination ?? '');
    if (back) composeEnd('nft_cancel_sale', block, nftTransferOf(back), sale);
  },
};

/** An auction ends with a buyer. */
export const nftAuctionSold: Rule = {
  name: 'NFT auction finished with a buyer',
  test: endsAuction,
  around: { each: blockOf('nft_purchase', { as: 'purchase' }) },
  build(block, match, { interfaces }) {
    const purchase = match.named('purchase');
    const auction = interfaces.nftAuction(block.message.destination ?? '');
    if (!purchase || !auction) return;
    // The purchase beside it has the marketplace.
    composeEnd('nft_finish_auction', block, nftPurchaseOf(purchase), { ...auction, marketplace: null });
  },
};

/** An auction returns the NFT: it was cancelled or ended without a buyer. */
export const nftAuctionReturned: Rule = {
  name: 'NFT auction cancelled or finished without a buyer',
  test: (block) => endsAuction(block) || cancelsAuction(block),
  around: { each: blockOf('nft_transfer', { as: 'return' }) },
  build(block, match, { interfaces }) {
    const back = match.named('return');
    const auction = interfaces.nftAuction(block.message.destination ?? '');
    const type = endsAuction(block) ? 'nft_finish_auction' : 'nft_cancel_auction';
    if (back) composeEnd(type, block, nftTransferOf(back), auction);
  },
};

/** The comment with which items that auction themselves return a bid. */
const OUTBID_COMMENT = 'Your bid has been outbid by another user';
/** Commands of transfers to an auction. */
const ORDERS: ReadonlySet<string | null> = new Set(['cancel', 'finish', 'stop']);

interface Auction {
  readonly address: string;
  readonly item: string;
  readonly collection: string | null;
  readonly index: bigint | null;
  readonly marketplace: 'getgems' | 'fragment';
}

interface AuctionBidData {
  readonly auction: Auction;
  readonly bidder: string | null;
}

function findAuction(block: Block, address: string, interfaces: Interfaces): Auction | undefined {
  const auction = interfaces.nftAuction(address);
  if (auction) {
    const item = interfaces.nftItem(auction.nft);
    return {
      address,
      item: auction.nft,
      marketplace: 'getgems',
      collection: item?.collection ?? null,
      index: item?.index ?? null,
    };
  }
  const item = interfaces.nftItem(address);
  if (!item) return undefined;
  // A payment to a domain is a bid only if it displaces another.
  const takesBids = isTonDomain(item)
    ? block.next.some((one) => one.calls(nft.outbid_notification))
    : isTeleitem(item);
  if (!takesBids) return undefined;
  return { address, item: address, collection: item.collection, index: item.index, marketplace: 'fragment' };
}

function describeBid({ source, value }: TonTransferData, auction: Auction) {
  return {
    source,
    destination: auction.address,
    value,
    asset: auction.collection,
    asset_secondary: auction.item,
    accounts: [auction.item],
    data: { nft_transfer_data: { nft_item_index: auction.index, marketplace: auction.marketplace } },
  };
}

/** A bid in an auction. */
export const auctionBid: Rule = {
  name: 'auction bid',
  test: (block) => block.type === 'ton_transfer',
  build(block, _found, { interfaces }) {
    const transfer = tonTransferOf(block);
    const { destination } = block.message;
    if (!transfer || destination === null || block.deployed.size > 0 || ORDERS.has(transfer.comment)) return;
    const auction = findAuction(block, destination, interfaces);
    if (!auction) return;
    const data: AuctionBidData = { auction, bidder: transfer.source };
    const describe = () => describeBid(transfer, auction);
    compose({ type: 'auction_bid', data, failed: block.failed, describe }, [block]);
  },
};

/** Whether this block returns a bid. */
function returnsBid(block: Block, { address, marketplace }: Auction): boolean {
  if (block.nodes[0]?.message?.source !== address) return false;
  if (marketplace === 'fragment') return block.calls(nft.outbid_notification);
  return tonTransferOf(block)?.comment?.includes(OUTBID_COMMENT) ?? false;
}

/** Returns the previous bid to its bidder. */
export const auctionOutbid: Rule = {
  name: 'auction outbid',
  test: (block) => block.type === 'auction_bid',
  build(block) {
    const { auction, bidder } = auctionBidOf(block);
    const [returned, another] = block.next.filter((one) => returnsBid(one, auction));
    // A bid displaces exactly one other.
    if (!returned || another) return;
    const columns = {
      source: auction.address,
      source_secondary: bidder,
      destination: returned.message.destination,
      amount: returned.message.value,
      asset: auction.collection,
      asset_secondary: auction.item,
      accounts: [auction.item],
      data: { nft_transfer_data: { marketplace: auction.marketplace } },
    };
    compose(plainContent('auction_outbid', columns), [returned]);
  },
};

function auctionBidOf(block: Block): AuctionBidData {
  if (block.type !== 'auction_bid') throw new RuleMismatch('not a bid');
  return block.data as AuctionBidData;
}
