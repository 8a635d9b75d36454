import type { ActionColumns } from '../action.ts';
import { tonTransferOf } from '../basic-blocks.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { blockOf } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import type { Rule } from '../rule.ts';
import { nftPurchaseOf } from './nft-purchase.ts';
import { FINISHING_COMMENTS, type NftTransferData, nftTransferOf } from './nft-transfer.ts';

const CANCEL_SALE = 0x00000003;
const CANCEL_AUCTION = 0x5616c572;
const STOP_AUCTION = 0xb95616b6;
const FINISH_AUCTION = 0x20c9eb18;

/** The columns of the end of a sale or auction. */
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
  return transfer ? FINISHING_COMMENTS.has(transfer.comment) : block.calls(STOP_AUCTION, FINISH_AUCTION);
}

function cancelsAuction(block: Block): boolean {
  return tonTransferOf(block)?.comment === 'cancel' || block.calls(CANCEL_AUCTION);
}

/** Makes the request alone the end of the trade; where the NFT went is an action of its own. */
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

/** A sale gives the NFT back. */
export const nftCancelSale: Rule = {
  name: 'NFT sale cancelled',
  test: (block) => block.calls(CANCEL_SALE),
  around: { each: blockOf('nft_transfer', { as: 'return' }) },
  build(block, found, { interfaces }) {
    const back = found.named('return');
    const sale = interfaces.nftSale(block.message.destination ?? '');
    if (back) composeEnd('nft_cancel_sale', block, nftTransferOf(back), sale);
  },
};

/** An auction ends with a buyer. */
export const nftAuctionSold: Rule = {
  name: 'NFT auction finished with a buyer',
  test: endsAuction,
  around: { each: blockOf('nft_purchase', { as: 'purchase' }) },
  build(block, found, { interfaces }) {
    const purchase = found.named('purchase');
    const auction = interfaces.nftAuction(block.message.destination ?? '');
    if (!purchase || !auction) return;
    // The purchase beside it tells the marketplace.
    composeEnd('nft_finish_auction', block, nftPurchaseOf(purchase), { ...auction, marketplace: null });
  },
};

/** An auction gives the NFT back, because it is cancelled or ends without a buyer. */
export const nftAuctionReturned: Rule = {
  name: 'NFT auction cancelled or finished without a buyer',
  test: (block) => endsAuction(block) || cancelsAuction(block),
  around: { each: blockOf('nft_transfer', { as: 'return' }) },
  build(block, found, { interfaces }) {
    const back = found.named('return');
    const auction = interfaces.nftAuction(block.message.destination ?? '');
    const type = endsAuction(block) ? 'nft_finish_auction' : 'nft_cancel_auction';
    if (back) composeEnd(type, block, nftTransferOf(back), auction);
  },
};
