import type { Slice } from '../../../chain/boc/slice.ts';
import type { ActionColumns } from '../../rules/action.ts';
import { tonTransferOf } from '../../rules/basic-blocks.ts';
import { type Block, type BlockContent, compose } from '../../rules/block.ts';
import type { Interfaces, NftItemRecord } from '../../rules/classifier-input.ts';
import { anyOf, call, EXCESS } from '../../rules/pattern.ts';
import { bocOf, restAsBoc, someAccount, tryRead } from '../../rules/read-body.ts';
import { blockData, type Rule } from '../../rules/rule.ts';
import { nft, teleitem } from './layouts.ts';

export interface NftTransferData {
  readonly item: NftItemRecord;
  readonly previousOwner: string | null;
  readonly newOwner: string;
  readonly queryId: bigint;
  readonly responseDestination: string | null;
  readonly customPayload: string | null;
  readonly forwardAmount: bigint | null;
  readonly forwardPayload: string | null;
  /** The trade, if the NFT was sold on a marketplace. */
  readonly trade: NftTrade | undefined;
}

interface NftTrade {
  readonly marketplace: 'getgems' | 'fragment';
  readonly marketplaceAddress: string | null;
  /** False for the first owner of a new item. */
  readonly isPurchase: boolean;
  readonly price: bigint;
  /** The owner before the marketplace contract. */
  readonly seller: string | null;
  readonly royalty?: Payout | undefined;
  readonly payout?: Payout | undefined;
}

interface Payout {
  readonly to: string | null;
  readonly amount: bigint | null;
}

export const nftTransferOf = blockData<NftTransferData>('nft_transfer');

function nftTransferBlock(data: NftTransferData, failed: boolean): BlockContent<NftTransferData> {
  return { type: 'nft_transfer', data, failed, describe: () => describeTransfer(data) };
}

/** The columns of transfers and purchases. */
export function describeTransfer({ trade, ...data }: NftTransferData): ActionColumns {
  return {
    source: data.previousOwner,
    destination: data.newOwner,
    asset: data.item.collection,
    asset_secondary: data.item.address,
    data: {
      nft_transfer_data: {
        query_id: data.queryId,
        is_purchase: trade?.isPurchase ?? false,
        price: trade?.isPurchase ? trade.price : null,
        nft_item_index: data.item.index,
        forward_amount: data.forwardAmount,
        custom_payload: data.customPayload,
        forward_payload: data.forwardPayload,
        response_destination: data.responseDestination,
        marketplace: trade?.marketplace ?? null,
        marketplace_address: trade?.marketplaceAddress ?? null,
        real_prev_owner: trade?.seller ?? null,
        payout_amount: trade?.payout?.amount ?? null,
        royalty_amount: trade?.royalty?.amount ?? null,
      },
      nft_listing_data: {
        marketplace_fee_address: trade?.payout?.to ?? null,
        royalty_address: trade?.royalty?.to ?? null,
      },
    },
  };
}

type TransferRequest = Omit<NftTransferData, 'item' | 'previousOwner' | 'trade'>;

function readRequest(block: Block): TransferRequest {
  const request = nft.nft_transfer.read(block);
  // Some senders leave out even the bit of an absent payload.
  const hasPayload = request.sliceAt('forward_payload').bitsLeft > 0;
  return {
    queryId: request.query_id,
    newOwner: someAccount(request.new_owner),
    responseDestination: request.response_destination,
    customPayload: bocOf(request.custom_payload),
    forwardAmount: request.forward_amount,
    forwardPayload: hasPayload ? restAsBoc(request.forward_payload) : null,
  };
}

function findTrade(before: Block | undefined, item: string, newOwner: string, interfaces: Interfaces) {
  const [node] = before?.nodes ?? [];
  if (!before || !node) return undefined;
  const { account } = node.transaction;
  const paid = before.type === 'ton_transfer' && node.message?.source === newOwner;
  const sale = paid ? interfaces.nftSale(account) : undefined;
  const market = sale ?? interfaces.nftAuction(account);
  if (!market || market.nft !== item || market.nftOwner === newOwner) return undefined;
  return {
    marketplace: 'getgems' as const,
    marketplaceAddress: market.marketplace,
    isPurchase: true,
    price: 'fullPrice' in market ? market.fullPrice : market.lastBid,
    seller: market.nftOwner,
  };
}

/** Comments with which anybody can end an auction. */
export const FINISHING_COMMENTS: ReadonlySet<string | null> = new Set(['finish', 'stop']);

/** Whether the cause of a purchase is part of it: a payment is, a command to end an auction is not. */
function isPayment(before: Block): boolean {
  const transfer = tonTransferOf(before);
  if (transfer) return !FINISHING_COMMENTS.has(transfer.comment);
  return before.type === 'call_contract' && before.node.message?.source === null;
}

export const nftTransfer: Rule = {
  type: 'nft_transfer',
  calls: [nft.nft_transfer],
  around: {
    each: anyOf([call(nft.nft_ownership_assigned), call(EXCESS)], { optional: true }),
  },
  build(block, match, { interfaces }) {
    const request = readRequest(block);
    const notice = match.call(nft.nft_ownership_assigned);
    const item = interfaces.nftItem(block.node.transaction.account);
    if (!item) return;
    const { previous } = block;
    const trade = findTrade(previous, item.address, request.newOwner, interfaces);
    const previousOwner = notice ? nft.nft_ownership_assigned.read(notice).prev_owner : block.message.source;
    const data = { ...request, item, previousOwner, trade };
    const payment = trade && previous && isPayment(previous) ? [previous] : [];
    compose(nftTransferBlock(data, block.failed), [block, ...payment, ...match.blocks]);
  },
};

/** A payload, and the price paid by the winner of an auction. */
function readPayload(payload: Slice) {
  return { boc: restAsBoc(payload), bid: teleitem.bid_info.match(payload)?.through('bid_ts').bid };
}

/** The block that ended an auction with its payouts in sending order; none for a new item. */
function findEnd(before: Block | undefined) {
  const fromOutside = before?.type === 'call_contract' && before.node.message?.source === null;
  if (!before || !(before.type === 'ton_transfer' || fromOutside)) return undefined;
  const payouts = before.next.filter((one) => one.calls(nft.auction_fill_up));
  return { end: before, payouts: payouts.sort((a, b) => Number(a.node.lt - b.node.lt)) };
}

function payoutOf({ message }: Block): Payout {
  return { to: message.destination, amount: message.value };
}

function tradeFor(bid: bigint, before: Block | undefined, payouts: readonly Block[]): NftTrade {
  const [first, second] = payouts.map(payoutOf);
  return {
    marketplace: 'fragment',
    marketplaceAddress: null,
    isPurchase: before?.type !== 'nft_mint' && !before?.calls(teleitem.msg_deploy),
    price: bid,
    seller: null,
    // A fee is always the first of two payouts.
    royalty: second && first,
    payout: second ?? first,
  };
}

/** An ownership notification without a transfer request: the item ended its own auction. */
export const nftOwnershipNotification: Rule = {
  type: 'nft_transfer',
  calls: [nft.nft_ownership_assigned],
  build(block, match, { interfaces }) {
    const { source, destination } = block.message;
    const notice = nft.nft_ownership_assigned.read(block);
    const { query_id: queryId, prev_owner: previousOwner } = notice;
    const item = interfaces.nftItem(source ?? '');
    if (!item || destination === null) return;
    const payload = tryRead(() => readPayload(notice.forward_payload));
    const bid = payload?.bid;
    const ended = bid === undefined ? undefined : findEnd(block.previous);
    const data = {
      item,
      previousOwner,
      newOwner: destination,
      queryId,
      forwardPayload: payload?.boc ?? null,
      forwardAmount: null,
      responseDestination: null,
      customPayload: null,
      trade: bid === undefined ? undefined : tradeFor(bid, block.previous, ended?.payouts ?? []),
    };
    const members = ended ? [...ended.payouts, ended.end] : [];
    compose(nftTransferBlock(data, false), [block, ...members, ...match.blocks]);
  },
};

interface NftMintData {
  readonly item: string;
  readonly index: bigint;
}

export const nftMintOf = blockData<NftMintData>('nft_mint');

/** A message deploys an NFT. */
export const nftMint: Rule = {
  type: 'nft_mint',
  test: ({ deployed }) => deployed.size === 1,
  build(block, _match, { interfaces }) {
    const [address] = block.deployed;
    const item = interfaces.nftItem(address ?? '');
    if (!item) return undefined;
    const blockData: NftMintData = { item: item.address, index: item.index };
    return {
      source: block.node.message?.source ?? null,
      destination: item.address,
      asset: item.collection,
      asset_secondary: item.address,
      opcode: block.node.message?.opcode ?? null,
      data: { nft_mint_data: { nft_item_index: item.index } },
      blockData,
    };
  },
};

/** An NFT reports its index and collection on request. */
export const nftDiscovery: Rule = {
  type: 'nft_discovery',
  calls: [nft.get_static_data],
  around: { each: call(nft.report_static_data, { as: 'report' }) },
  build(block, match) {
    const report = match.named('report')!;
    const { index, collection } = nft.report_static_data.read(report);
    const { source, destination } = block.message;
    return {
      source,
      asset: collection,
      asset_secondary: destination,
      data: { nft_transfer_data: { nft_item_index: index } },
      members: [block, report],
    };
  },
};

const TON_DOMAIN_CODE = 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=';
const TON_DOMAINS = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF';
const FRAGMENT = 'https://nft.fragment.com';

/** A Telegram username or number, which auctions itself. */
export function isTeleitem({ content }: NftItemRecord): boolean {
  const uri = content?.uri;
  return typeof uri === 'string' && uri.includes(FRAGMENT);
}

export function isTonDomain({ codeHash, collection }: NftItemRecord): boolean {
  return codeHash === TON_DOMAIN_CODE || collection === TON_DOMAINS;
}
