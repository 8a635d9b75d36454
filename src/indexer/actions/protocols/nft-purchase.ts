import { type TonTransferData, tonTransferOf } from '../basic-blocks.ts';
import type { Block } from '../block.ts';
import { compose, insertBetween } from '../compose.ts';
import { NotThis, type Rule } from '../rule.ts';
import { describeTransfer, FINISHING_COMMENTS, type NftTransferData, nftTransferOf } from './nft-transfer.ts';

/** A purchase, which has all that a transfer has; throws where a block is something else. */
export function nftPurchaseOf(block: Block): NftTransferData {
  if (block.type !== 'nft_purchase') throw new NotThis('not a purchase of an NFT');
  return block.data as NftTransferData;
}

/** The transfer that brings the seller his part. */
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

/** An NFT is sold on a market: it goes one way, the money another. */
export const nftPurchase: Rule = {
  name: 'NFT purchase',
  test: ({ type, data }) =>
    type === 'nft_transfer' && (data as NftTransferData).trade?.marketplace === 'getgems',
  build(block) {
    const data = nftTransferOf(block);
    const { previous } = block;
    const seller = data.trade?.seller;
    if (!seller) return;
    // An auction that is told to end sends the item and the money side by side.
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
