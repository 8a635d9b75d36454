import type { ActionColumns, ActionData } from '../../rules/action.ts';
import { type TonTransferData, tonTransferOf } from '../../rules/basic-blocks.ts';
import { type Block, compose, insertBetween, plainContent } from '../../rules/block.ts';
import type {
  Interfaces,
  NftAuctionRecord,
  NftItemRecord,
  NftSaleRecord,
} from '../../rules/classifier-input.ts';
import { blockOf, blockThat, call, type PatternContext } from '../../rules/pattern.ts';
import { tryRead } from '../../rules/read-body.ts';
import type { Rule, RuleStart } from '../../rules/rule.ts';
import { marketRequest, nft, teleitem } from './layouts.ts';
import { readAuctionState, readSaleState } from './market-states.ts';
import {
  describeTransfer,
  FINISHING_COMMENTS,
  isTeleitem,
  isTonDomain,
  type NftTransferData,
  nftTransferOf,
} from './rules.ts';

function deploysContract({ type, deployed }: Block): boolean {
  return (type === 'ton_transfer' || type === 'call_contract') && deployed.size > 0;
}

interface Listing {
  readonly item: NftItemRecord;
  readonly owner: string | null;
  /** The account that lists it for the owner. */
  readonly by: string | null;
  readonly contract: string | null;
}

/** The columns of a new sale or auction. */
function describeListing(
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

/** An owner sends an NFT to a marketplace, which deploys a sale or auction and transfers the NFT to it. */
export const nftListing: Rule = {
  type: 'nft_put_on_sale',
  test: ({ type }) => type === 'nft_transfer',
  around: {
    next: [blockThat(deploysContract, { as: 'start' }), blockOf('nft_transfer', { as: 'handover' })],
  },
  build(block, match, { interfaces }) {
    const given = nftTransferOf(block);
    const { item, newOwner } = nftTransferOf(match.named('handover')!);
    const { destination, init } = match.named('start')!.message;
    if (item.address !== given.item.address || newOwner !== destination || !init) return;
    const sale = interfaces.nftSale(destination);
    const auction = sale ? undefined : interfaces.nftAuction(destination);
    const market = sale ?? auction;
    if (market?.nft !== item.address || market.nftOwner !== given.previousOwner) return;
    const listing = { item, owner: market.nftOwner, by: given.newOwner, contract: destination };
    const members = [block, ...match.blocks];
    if (sale) {
      const { marketplace, ...terms } = readSaleState(init, sale.codeHash);
      const columns = describeListing(listing, marketplace, { ...terms, marketplace: 'getgems' });
      compose(plainContent('nft_put_on_sale', columns), members);
    } else if (auction) {
      const terms = readAuctionState(init, auction.codeHash);
      const columns = describeListing(listing, auction.marketplace, { ...terms, marketplace: 'getgems' });
      compose(plainContent('nft_put_on_auction', columns), members);
    }
  },
};

/** Changes the price of a sale. */
export const nftUpdateSale: Rule = {
  type: 'nft_update_sale',
  calls: [nft.sale_update_message],
  build(block, _match, { interfaces }) {
    const update = nft.sale_update_message.read(block);
    const terms = {
      full_price: update.new_full_price,
      marketplace_fee: update.new_mp_fee,
      royalty_amount: update.new_royalty_amount,
    };
    const { source, destination } = block.message;
    const sale = interfaces.nftSale(destination ?? '');
    if (!sale) return undefined;
    return {
      source,
      destination,
      asset_secondary: sale.nft,
      accounts: [sale.nft],
      data: {
        nft_listing_data: terms,
        nft_transfer_data: { marketplace_address: sale.marketplace },
      },
      success: !block.node.transaction.aborted,
    };
  },
};

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
  type: 'nft_purchase',
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
function describeEnd(
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

/** The end of a sale or auction: only the request, because the transfer of the NFT stays a separate action. */
function marketEnd(
  type: string,
  start: RuleStart,
  given: 'nft_transfer' | 'nft_purchase',
  find: (interfaces: Interfaces, address: string) => NftSaleRecord | NftAuctionRecord | undefined,
): Rule {
  return {
    ...start,
    type,
    around: { each: blockOf(given, { as: 'given' }) },
    build(block, match, { interfaces }) {
      const { destination } = block.message;
      const { item, newOwner } = match.named('given')!.data as NftTransferData;
      const market = find(interfaces, destination ?? '');
      if (market?.nft !== item.address) return undefined;
      const nft = { owner: newOwner, item: item.address, collection: item.collection };
      // The purchase beside it has the marketplace.
      const marketplace = given === 'nft_purchase' ? null : market.marketplace;
      return { ...describeEnd(destination, nft, marketplace), members: [block] };
    },
  };
}

const auctionAt = (interfaces: Interfaces, address: string) => interfaces.nftAuction(address);

/** Sales and auctions that end: cancelled, or finished with or without a buyer. */
export const marketEnds: readonly Rule[] = [
  marketEnd(
    'nft_cancel_sale',
    { calls: [marketRequest.cancel_sale] },
    'nft_transfer',
    (interfaces, address) => interfaces.nftSale(address),
  ),
  marketEnd('nft_finish_auction', { test: endsAuction }, 'nft_purchase', auctionAt),
  marketEnd('nft_finish_auction', { test: endsAuction }, 'nft_transfer', auctionAt),
  marketEnd('nft_cancel_auction', { test: cancelsAuction }, 'nft_transfer', auctionAt),
];

/** The comment with which items that auction themselves return a bid. */
const OUTBID_COMMENT = 'Your bid has been outbid by another user';
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

export const auctionBid: Rule = {
  type: 'auction_bid',
  test: (block) => block.type === 'ton_transfer',
  build(block, _match, { interfaces }) {
    const transfer = tonTransferOf(block);
    const { destination } = block.message;
    if (!transfer || destination === null || block.deployed.size > 0 || ORDERS.has(transfer.comment))
      return undefined;
    const auction = findAuction(block, destination, interfaces);
    if (!auction) return undefined;
    const { source, value } = transfer;
    const blockData: AuctionBidData = { auction, bidder: source };
    return {
      source,
      destination,
      value,
      asset: auction.collection,
      asset_secondary: auction.item,
      accounts: [auction.item],
      data: { nft_transfer_data: { nft_item_index: auction.index, marketplace: auction.marketplace } },
      success: !block.failed,
      blockData,
    };
  },
};

function returnsBid(block: Block, { address, marketplace }: Auction): boolean {
  if (block.nodes[0]?.message?.source !== address) return false;
  if (marketplace === 'fragment') return block.calls(nft.outbid_notification);
  return tonTransferOf(block)?.comment?.includes(OUTBID_COMMENT) ?? false;
}

/** Returns the previous bid to its bidder. */
export const auctionOutbid: Rule = {
  type: 'auction_outbid',
  test: (block) => block.type === 'auction_bid',
  build(block) {
    const { auction, bidder } = block.data as AuctionBidData;
    const [returned, another] = block.next.filter((one) => returnsBid(one, auction));
    // A bid displaces exactly one other.
    if (!returned || another) return undefined;
    return {
      source: auction.address,
      source_secondary: bidder,
      destination: returned.message.destination,
      amount: returned.message.value,
      asset: auction.collection,
      asset_secondary: auction.item,
      accounts: [auction.item],
      data: { nft_transfer_data: { marketplace: auction.marketplace } },
      members: [returned],
    };
  },
};

const RESPONSE: PatternContext = { each: call(teleitem.ok, { optional: true }) };

function teleitemAt(block: Block, interfaces: Interfaces): NftItemRecord | undefined {
  const item = interfaces.nftItem(block.message.destination ?? '');
  return item && isTeleitem(item) ? item : undefined;
}

const NO_TERMS: ActionData = { min_bid: 0n, max_bid: 0n };

export const teleitemRules: readonly Rule[] = [
  // The owner of a Telegram username or number starts an auction.
  {
    type: 'teleitem_start_auction',
    calls: [teleitem.msg_start_auction],
    around: RESPONSE,
    build(block, _match, { interfaces }) {
      const item = teleitemAt(block, interfaces);
      if (!item) return undefined;
      const config = teleitem.msg_start_auction.read(block).auction_config;
      const { source, destination } = block.message;
      const terms = tryRead(() => {
        const { beneficiary_address, initial_min_bid, max_bid } = config.through('duration');
        return { marketplace_fee_address: beneficiary_address, min_bid: initial_min_bid, max_bid };
      });
      const columns = describeListing({ item, owner: source, by: null, contract: destination }, null, {
        marketplace: 'fragment',
        mp_fee_factor: 0,
        mp_fee_base: 0,
        royalty_fee_base: 0,
        ...(terms ?? NO_TERMS),
      });
      return { ...columns, success: !block.node.transaction.aborted };
    },
  },
  // The owner cancels the auction before the first bid.
  {
    type: 'teleitem_cancel_auction',
    calls: [teleitem.msg_cancel_auction],
    around: RESPONSE,
    build(block, _match, { interfaces }) {
      const item = teleitemAt(block, interfaces);
      if (!item) return undefined;
      const { source, destination } = block.message;
      const nft = { owner: source, item: destination, collection: item.collection };
      return { ...describeEnd(destination, nft, null), success: !block.node.transaction.aborted };
    },
  },
];
