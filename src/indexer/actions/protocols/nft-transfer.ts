import type { ActionColumns } from '../action.ts';
import { tonTransferOf } from '../basic-blocks.ts';
import type { Block, BlockContent } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces, NftItemRecord } from '../interfaces.ts';
import { anyOf, call, EXCESS } from '../pattern.ts';
import { readAccount, readMaybeRef, readSomeAccount, restAsBoc } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';

const NFT_TRANSFER = 0x5fcc3d14;
export const NFT_OWNERSHIP_ASSIGNED = 0x05138d91;

/** What later rules read of a transfer of an NFT. */
export interface NftTransferData {
  readonly item: NftItemRecord;
  readonly previousOwner: string | null;
  readonly newOwner: string;
  readonly queryId: bigint;
  readonly responseDestination: string | null;
  readonly customPayload: string | null;
  readonly forwardAmount: bigint | null;
  readonly forwardPayload: string | null;
  /** How the NFT changed hands, where that was by a market. */
  readonly trade: NftTrade | undefined;
}

/** What a market had to do with a transfer. */
export interface NftTrade {
  readonly marketplace: 'getgems' | 'fragment';
  readonly marketplaceAddress: string | null;
  /** False for the first owner of a new item. */
  readonly isPurchase: boolean;
  readonly price: bigint;
  /** The owner before the contract of the market. */
  readonly seller: string | null;
  readonly royalty?: Payout | undefined;
  readonly payout?: Payout | undefined;
}

/** A part of a price on its way. */
export interface Payout {
  readonly to: string | null;
  readonly amount: bigint | null;
}

/** A transfer of an NFT; throws where a block is something else. */
export function nftTransferOf(block: Block): NftTransferData {
  if (block.type !== 'nft_transfer') throw new NotThis('not a transfer of an NFT');
  return block.data as NftTransferData;
}

/** The block of a transfer of an NFT. */
export function nftTransferBlock(data: NftTransferData, failed: boolean): BlockContent<NftTransferData> {
  return { type: 'nft_transfer', data, failed, describe: () => describeTransfer(data) };
}

/** The columns that transfers and purchases share. */
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
  const body = block.bodyAfterOpcode();
  const queryId = body.uint64();
  const newOwner = readSomeAccount(body);
  const responseDestination = readAccount(body);
  const custom = readMaybeRef(body);
  const forwardAmount = body.coins();
  const payload = body.bitsLeft > 0 ? (body.boolean() ? body.refSlice() : body) : undefined;
  return {
    queryId,
    newOwner,
    responseDestination,
    customPayload: custom ? restAsBoc(custom) : null,
    forwardAmount,
    forwardPayload: payload ? restAsBoc(payload) : null,
  };
}

function readPreviousOwner(notice: Block): string | null {
  const body = notice.bodyAfterOpcode();
  body.uint64();
  return readAccount(body);
}

/** A sale or auction that has just sold the item to its new owner. */
function findTrade(
  before: Block | undefined,
  item: string,
  newOwner: string,
  interfaces: Interfaces,
): NftTrade | undefined {
  const [node] = before?.nodes ?? [];
  if (!before || !node) return undefined;
  const { account } = node.transaction;
  const paid = before.type === 'ton_transfer' && node.message?.source === newOwner;
  const sale = paid ? interfaces.nftSale(account) : undefined;
  const market = sale ?? interfaces.nftAuction(account);
  if (!market || market.nft !== item || market.nftOwner === newOwner) return undefined;
  return {
    marketplace: 'getgems',
    marketplaceAddress: market.marketplace,
    isPurchase: true,
    price: 'fullPrice' in market ? market.fullPrice : market.lastBid,
    seller: market.nftOwner,
  };
}

/** Words by which anybody ends an auction. */
export const FINISHING_COMMENTS: ReadonlySet<string | null> = new Set(['finish', 'stop']);

/** Whether what led to a purchase is a part of it: a payment is, the order to end an auction is not. */
function isPayment(before: Block): boolean {
  const transfer = tonTransferOf(before);
  if (transfer) return !FINISHING_COMMENTS.has(transfer.comment);
  return before.type === 'call_contract' && before.node.message?.source === null;
}

/** An NFT is told to go to another owner. */
export const nftTransfer: Rule = {
  name: 'NFT transfer',
  test: (block) => block.calls(NFT_TRANSFER),
  around: {
    each: anyOf([call(NFT_OWNERSHIP_ASSIGNED), call(EXCESS)], { optional: true }),
  },
  build(block, found, { interfaces }) {
    const request = readRequest(block);
    const notice = found.call(NFT_OWNERSHIP_ASSIGNED);
    const item = interfaces.nftItem(block.node.transaction.account);
    if (!item) return;
    const { previous } = block;
    const trade = findTrade(previous, item.address, request.newOwner, interfaces);
    const previousOwner = notice ? readPreviousOwner(notice) : block.message.source;
    const data = { ...request, item, previousOwner, trade };
    const payment = trade && previous && isPayment(previous) ? [previous] : [];
    compose(nftTransferBlock(data, block.failed), [block, ...payment, ...found.blocks]);
  },
};
