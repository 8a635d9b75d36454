import type { Slice } from '../../../chain/boc/slice.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { readAccount, restAsBoc, tryRead } from '../read-body.ts';
import type { Rule } from '../rule.ts';
import { NFT_OWNERSHIP_ASSIGNED, type NftTrade, nftTransferBlock, type Payout } from './nft-transfer.ts';

/** The payouts of items that are their own auctions. */
export const FILL_UP = 0x370fec51;
const BID_INFO = 0x38127de1;
const TELEMINT = 0x299a3e15;

interface Payload {
  readonly boc: string;
  /** What the winner of an auction paid. */
  readonly bid: bigint | undefined;
}

function readPayload(body: Slice): Payload {
  const payload = body.boolean() ? body.refSlice() : body;
  const boc = restAsBoc(payload);
  if (payload.bitsLeft < 32 || payload.uint(32) !== BID_INFO) return { boc, bid: undefined };
  const bid = payload.coins();
  // When it was made.
  payload.skip(32);
  return { boc, bid };
}

/** The block that ended an auction with its payouts in the order in which they were sent; none for a new item. */
function findEnd(
  before: Block | undefined,
): { readonly end: Block; readonly payouts: readonly Block[] } | undefined {
  const fromOutside = before?.type === 'call_contract' && before.node.message?.source === null;
  if (!before || !(before.type === 'ton_transfer' || fromOutside)) return undefined;
  const payouts = before.next.filter((one) => one.calls(FILL_UP));
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
    isPurchase: before?.type !== 'nft_mint' && !before?.calls(TELEMINT),
    price: bid,
    seller: null,
    // A fee is always the first of two payouts.
    royalty: second && first,
    payout: second ?? first,
  };
}

/** An NFT tells its new owner without having been told to go: the end of an auction that the item ran itself. */
export const nftNotice: Rule = {
  name: 'NFT transfer by its notice',
  test: (block) => block.calls(NFT_OWNERSHIP_ASSIGNED),
  build(block, found, { interfaces }) {
    const { source, destination } = block.message;
    const body = block.bodyAfterOpcode();
    const queryId = body.uint64();
    const previousOwner = readAccount(body);
    const item = interfaces.nftItem(source ?? '');
    if (!item || destination === null) return;
    const payload = tryRead(() => readPayload(body));
    const bid = payload?.bid;
    const ended = bid === undefined ? undefined : findEnd(block.previous);
    const data = {
      ...{ item, previousOwner, newOwner: destination, queryId, forwardPayload: payload?.boc ?? null },
      ...{ forwardAmount: null, responseDestination: null, customPayload: null },
      trade: bid === undefined ? undefined : tradeFor(bid, block.previous, ended?.payouts ?? []),
    };
    const members = ended ? [...ended.payouts, ended.end] : [];
    compose(nftTransferBlock(data, false), [block, ...members, ...found.blocks]);
  },
};
