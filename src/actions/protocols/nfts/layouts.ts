import { messagesOf } from '../../rules/message-layouts.ts';

/** Messages of NFTs, soul-bound tokens and their sales and auctions. */
export const NFTS = `
  0 370fec51 auction_fill_up = query_id u64;
  0 557cea20 outbid_notification = query_id u64;
  2 04ded148 prove_ownership = query_id u64, dest addr, forward_payload ^cell, with_content bool;
  2 05138d91 nft_ownership_assigned = query_id u64, prev_owner addr, forward_payload either<cell, ^cell>;
  2 0524c7ae ownership_proof = query_id u64, item_id u256, owner addr, data ^cell, revoked_at u64,
    content ^cell?;
  2 0dd607e3 sbt_owner_info = query_id u64, item_id u256, initiator addr, owner addr, data ^cell,
    revoked_at u64, content ^cell?;
  2 1f04537a sbt_destroy = query_id u64;
  2 2fcb26a2 get_static_data = query_id u64;
  2 5fcc3d14 nft_transfer = query_id u64, new_owner addr, response_destination addr, custom_payload ^cell?,
    forward_amount vu16, forward_payload either<cell, ^cell>;
  2 693d3950 get_royalty_params = query_id u64;
  2 6f89f5e3 sbt_revoke = query_id u64;
  2 8b771735 report_static_data = query_id u64, index u256, collection addr;
  2 a8cb00ad report_royalty_params = query_id u64, numerator u16, denominator u16, destination addr;
  2 d0c3bfea sbt_request_owner = query_id u64, dest addr, forward_payload ^cell, with_content bool;
  6 6c6c2080 sale_update_message = query_id u64, new_full_price coins, new_mp_fee coins,
    new_royalty_amount coins;

  NftRoyaltyParams nft_royalty_params = numerator u16, denominator u16, destination addr;
`;

/** Messages of Telegram usernames and numbers, and their auctions. */
export const TELEMINT = `
  5 299a3e15 teleitem_msg_deploy = sender_address addrInt, bid grams, token_info ^@TelemintTokenInfo,
    nft_content ^cell, auction_config ^@TeleitemAuctionConfig, royalty_params ^@NftRoyaltyParams;
  5 371638ae teleitem_msg_cancel_auction = query_id i64;
  5 38127de1 teleitem_bid_info = bid grams, bid_ts u32;
  5 4637289a telemint_msg_deploy = sig b512, msg @TelemintUnsignedDeploy;
  5 4637289b telemint_msg_deploy_v2 = sig b512, msg @TelemintUnsignedDeployV2;
  5 487a8e81 teleitem_msg_start_auction = query_id i64, auction_config ^@TeleitemAuctionConfig;
  5 a37a0983 teleitem_ok = query_id i64;
  5 a43227e1 teleitem_return_bid = query_id i64;
  6 299a3e15 teleitem_msg_deploy_head = sender_address addrInt, bid grams;

  TeleitemAuctionConfig teleitem_auction_config = beneficiary_address addrInt, initial_min_bid grams,
    max_bid grams, min_bid_step u8, min_extend_time u32, duration u32;
  TelemintRestrictions telemint_restrictions = force_sender_address addrInt?,
    rewrite_sender_address addrInt?;
  TelemintText telemint_text = len u8, text b<len*8>;
  TelemintTokenInfo telemint_token_info = name @TelemintText, domain @TelemintText;
  TelemintUnsignedDeploy telemint_unsigned_deploy = subwallet_id u32, valid_since u32, valid_till u32,
    token_name @TelemintText, content ^cell, auction_config ^@TeleitemAuctionConfig,
    royalty_params ^@NftRoyaltyParams?;
  TelemintUnsignedDeployV2 telemint_unsigned_deploy_v2 = subwallet_id u32, valid_since u32, valid_till u32,
    token_name @TelemintText, content ^cell, auction_config ^@TeleitemAuctionConfig,
    royalty_params ^@NftRoyaltyParams?, restrictions ^@TelemintRestrictions?;
`;

export const nft = messagesOf(NFTS);

export const teleitem = messagesOf(TELEMINT, 'teleitem_');

/** Requests to sales and auctions, which are not shown decoded. */
export const marketRequest = messagesOf(`
  0 00000003 cancel_sale;
  0 5616c572 cancel_auction;
  0 b95616b6 stop_auction;
  0 20c9eb18 finish_auction;
`);
