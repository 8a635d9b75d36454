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
