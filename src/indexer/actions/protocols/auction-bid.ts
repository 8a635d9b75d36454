import { type TonTransferData, tonTransferOf } from '../basic-blocks.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces } from '../interfaces.ts';
import { plainContent } from '../plain-content.ts';
import { NotThis, type Rule } from '../rule.ts';
import { isTeleitem, isTonDomain } from './nft-kinds.ts';

/** By which items that are their own auctions return a bid. */
const OUTBID = 0x557cea20;
const OUTBID_COMMENT = 'Your bid has been outbid by another user';
/** What a transfer tells an auction to do. */
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
      ...{ address, item: auction.nft, marketplace: 'getgems' },
      ...{ collection: item?.collection ?? null, index: item?.index ?? null },
    };
  }
  const item = interfaces.nftItem(address);
  if (!item) return undefined;
  // Money that comes to a domain is a bid only where it displaces another.
  const takesBids = isTonDomain(item) ? block.next.some((one) => one.calls(OUTBID)) : isTeleitem(item);
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

/** Somebody bids in an auction. */
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

/** Whether an auction returns a bid by this block. */
function returnsBid(block: Block, { address, marketplace }: Auction): boolean {
  if (block.nodes[0]?.message?.source !== address) return false;
  if (marketplace === 'fragment') return block.calls(OUTBID);
  return tonTransferOf(block)?.comment?.includes(OUTBID_COMMENT) ?? false;
}

/** The bid before is returned to its bidder. */
export const auctionOutbid: Rule = {
  name: 'auction outbid',
  test: (block) => block.type === 'auction_bid',
  build(block) {
    const { auction, bidder } = auctionBidOf(block);
    const [returned, another] = block.next.filter((one) => returnsBid(one, auction));
    // One bid displaces one other.
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
  if (block.type !== 'auction_bid') throw new NotThis('not a bid');
  return block.data as AuctionBidData;
}
