import { addr, bool, type DetailFields, type DetailSource, num, optional, str } from '../detail-fields.ts';
import { isPurchase, marketplaceOf, nftComment } from '../detail-rules.ts';

const NFT = { nft_item: addr('asset_secondary'), nft_collection: addr('asset') };

const ITEM = { nft_collection: addr('asset'), nft_item: addr('asset_secondary') };

const nameOfMarketplace = marketplaceOf('nft_transfer.marketplace_address');

const MARKETPLACE = { marketplace: str(nameOfMarketplace) };

const UNLISTED = { marketplace_address: addr('nft_transfer.marketplace_address'), ...MARKETPLACE };

const CANCELLED_AUCTION = {
  owner: addr('source'),
  ...NFT,
  auction_address: addr('destination'),
  ...UNLISTED,
};

const nftTransfer = (payout: DetailSource, royalty: DetailSource): DetailFields => ({
  ...ITEM,
  nft_item_index: num('nft_transfer.nft_item_index'),
  old_owner: optional(addr('source')),
  new_owner: addr('destination'),
  is_purchase: bool('nft_transfer.is_purchase'),
  price: optional(num('nft_transfer.price')),
  query_id: num('nft_transfer.query_id'),
  response_destination: addr('nft_transfer.response_destination'),
  custom_payload: str('nft_transfer.custom_payload'),
  forward_payload: str('nft_transfer.forward_payload'),
  forward_amount: num('nft_transfer.forward_amount'),
  comment: str((row, context) => nftComment(row, context)?.text),
  is_encrypted_comment: bool((row, context) => nftComment(row, context)?.isEncrypted),
  marketplace: str((row, context) => (isPurchase(row) ? nameOfMarketplace(row, context) : null)),
  real_old_owner: addr('nft_transfer.real_prev_owner'),
  marketplace_address: addr('nft_transfer.marketplace_address'),
  payout_amount: num('nft_transfer.payout_amount'),
  payout_address: addr(payout),
  payout_comment: str('nft_transfer.payout_comment'),
  payout_comment_encrypted: bool('nft_transfer.payout_comment_encrypted'),
  payout_comment_encoded: bool('nft_transfer.payout_comment_encoded'),
  royalty_amount: num('nft_transfer.royalty_amount'),
  royalty_address: addr(royalty),
});

const PUT_ON_AUCTION = {
  ...ITEM,
  nft_item_index: num('nft_listing.nft_item_index'),
  owner: addr('source'),
  listing_address: addr('source_secondary'),
  auction_address: addr('destination'),
  marketplace_address: addr('destination_secondary'),
  marketplace_fee_factor: num('nft_listing.mp_fee_factor'),
  marketplace_fee_base: num('nft_listing.mp_fee_base'),
  royalty_fee_base: num('nft_listing.royalty_fee_base'),
  max_bid: num('nft_listing.max_bid'),
  min_bid: num('nft_listing.min_bid'),
  marketplace_fee_address: addr('nft_listing.marketplace_fee_address'),
  royalty_address: addr('nft_listing.royalty_address'),
  marketplace: str(marketplaceOf('destination_secondary')),
};

/** Details of what is done with NFTs. */
export const NFT_DETAILS: Readonly<Record<string, DetailFields>> = {
  nft_mint: { owner: optional(addr('source')), ...NFT, nft_item_index: num('nft_mint.nft_item_index') },
  nft_transfer: nftTransfer('nft_listing.marketplace_fee_address', 'nft_listing.royalty_address'),
  nft_purchase: nftTransfer('nft_transfer.real_prev_owner', () => null),
  nft_discovery: { source: addr('source'), ...NFT, nft_item_index: num('nft_transfer.nft_item_index') },
  dns_purchase: {
    ...ITEM,
    nft_item_index: num('nft_transfer.nft_item_index'),
    new_owner: addr('destination'),
    price: num('nft_transfer.price'),
    query_id: num('nft_transfer.query_id'),
    payout_amount: num('nft_transfer.payout_amount'),
  },
  dns_release: {
    query_id: num('nft_transfer.query_id'),
    source: addr('source'),
    nft_item: addr('destination'),
    nft_collection: addr('asset'),
    nft_item_index: num('nft_transfer.nft_item_index'),
    value: num('value'),
  },
  nft_put_on_sale: {
    ...ITEM,
    nft_item_index: num('nft_listing.nft_item_index'),
    owner: addr('source'),
    listing_address: addr('source_secondary'),
    sale_address: addr('destination'),
    marketplace_address: addr('destination_secondary'),
    full_price: num('nft_listing.full_price'),
    marketplace_fee: num('nft_listing.marketplace_fee'),
    royalty_amount: num('nft_listing.royalty_amount'),
    marketplace_fee_address: addr('nft_listing.marketplace_fee_address'),
    royalty_address: addr('nft_listing.royalty_address'),
    ...MARKETPLACE,
  },
  nft_put_on_auction: PUT_ON_AUCTION,
  teleitem_start_auction: PUT_ON_AUCTION,
  nft_cancel_sale: { owner: addr('source'), ...NFT, sale_address: addr('destination'), ...UNLISTED },
  nft_cancel_auction: CANCELLED_AUCTION,
  teleitem_cancel_auction: CANCELLED_AUCTION,
  nft_finish_auction: CANCELLED_AUCTION,
  nft_update_sale: {
    source: addr('source'),
    sale_contract: addr('destination'),
    nft_address: addr('asset_secondary'),
    ...UNLISTED,
    full_price: num('nft_listing.full_price'),
    marketplace_fee: num('nft_listing.marketplace_fee'),
    royalty_amount: num('nft_listing.royalty_amount'),
  },
  auction_bid: {
    amount: num('value'),
    bidder: addr('source'),
    auction: addr('destination'),
    ...NFT,
    nft_item_index: num('nft_transfer.nft_item_index'),
  },
  auction_outbid: {
    auction_address: addr('source'),
    bidder: addr('destination'),
    new_bidder: addr('source_secondary'),
    ...NFT,
    amount: num('amount'),
    comment: optional(str('ton_transfer.content')),
    marketplace: optional(MARKETPLACE.marketplace),
  },
};
