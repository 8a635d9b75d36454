import { compose } from '../compose.ts';
import { plainContent } from '../plain-content.ts';
import type { Rule } from '../rule.ts';

const UPDATE_SALE = 0x6c6c2080;

/** A sale gets another price. */
export const nftUpdateSale: Rule = {
  name: 'NFT sale updated',
  test: (block) => block.calls(UPDATE_SALE),
  build(block, _found, { interfaces }) {
    const body = block.bodyAfterOpcode();
    body.uint64();
    const full_price = body.coins();
    const marketplace_fee = body.coins();
    const royalty_amount = body.coins();
    const { source, destination } = block.message;
    const sale = interfaces.nftSale(destination ?? '');
    if (!sale) return;
    const columns = {
      source,
      destination,
      asset_secondary: sale.nft,
      accounts: [sale.nft],
      data: {
        nft_listing_data: { full_price, marketplace_fee, royalty_amount },
        nft_transfer_data: { marketplace_address: sale.marketplace },
      },
    };
    compose(plainContent('nft_update_sale', columns, block.node.transaction.aborted), [block]);
  },
};
