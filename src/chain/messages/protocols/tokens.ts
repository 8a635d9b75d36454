/** Messages of jettons. */
export const JETTONS = `
  0 0f8a7ea5 jetton_transfer = query_id u64, amount vu16, destination addr, response_destination addr,
    custom_payload ^cell?, forward_ton_amount vu16, forward_payload either<cell, ^cell>;
  0 178d4519 jetton_internal_transfer = query_id u64, amount vu16, from addr, response_address addr,
    forward_ton_amount vu16, forward_payload either<cell, ^cell>;
  0 595f07bc jetton_burn = query_id u64, amount vu16, response_destination addr, custom_payload ^cell?;
  1 00000015 minter_jetton_mint = query_id u64, to_address addr, ton_amount coins, master_msg ^cell;
  1 178d4519 jetton_internal_transfer = query_id u64, amount vu16, from addr, response_address addr,
    forward_ton_amount vu16, forward_payload any;
  1 642b7d07 jetton_mint = query_id u64, to_address addrInt, ton_amount coins;
  1 6501f354 jetton_change_admin = query_id u64, new_admin_address addr;
  1 7362d09c jetton_notify = query_id u64, amount vu16, sender addr, forward_payload either<cell, ^cell>;
  1 7bdd97de jetton_burn_notification = query_id u64, amount vu16, sender addr, response_destination addr;
  1 eed236d3 jetton_set_status = query_id u64, status u4;
  12 27756729 tgbtc_new_key_event = amount coins, new_internal_pubkey u256, pegout_address addr;
  12 453443a6 tgbtc_dkg_completed_event = timestamp u64, internal_pubkey u256;
  12 77a80ef3 tgbtc_mint_event = amount coins, recipient_address addr, bitcoin_txid u256;
  12 ac392598 scaled_ui_display_multiplier_changed = numerator vu32, denominator vu32, comment snake?;
  12 ca444ce6 tgbtc_burn_event = amount coins, sender_address addr, pegout_address addr;
`;

/** Messages of NFTs, soul-bound tokens and their sales. */
export const NFTS = `
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

/** Messages of domains and their auctions. */
export const DNS = `
  0 370fec51 auction_fill_up = query_id u64;
  0 44beae41 process_governance_decision = query_id u64;
  0 4eb1f0f9 change_dns_record = query_id u64, key b256, value ^@DNSRecord;
  0 4ed14b65 dns_balance_release = query_id u64;
  0 557cea20 outbid_notification = query_id u64;
  1 4eb1f0f9 delete_dns_record = query_id u64, key b256;

  DNSRecord dns_text #1eda = @Text;
  DNSRecord dns_next_resolver #ba93 = resolver addrInt;
  DNSRecord dns_adnl_address #ad01 = adnl_addr b256, flags u8, {flags <= 1},
    proto_list [flags.0] @ProtoList;
  DNSRecord dns_smc_address #9fd3 = smc_addr addrInt, flags u8, {flags <= 1},
    cap_list [flags.0] @SmcCapList;
  DNSRecord dns_storage_address #7473 = bag_id b256;
  ProtoList proto_list_nil $0;
  ProtoList proto_list_next $1 = item @Protocol, next @ProtoList;
  Protocol proto_http #4854;
  SmcCapList cap_list_nil $0;
  SmcCapList cap_list_next $1 = item @SmcCapability, next @SmcCapList;
  SmcCapability cap_method_seqno #5371;
  SmcCapability cap_method_pubkey #71f4;
  SmcCapability cap_is_wallet #2177;
  SmcCapability cap_name #ff = name @Text;
  Text text = chunks u8, rest @TextChunks<chunks>;
  TextChunkRef<n+1> chunk_ref = ref ^@TextChunks<n+1>;
  TextChunkRef<0> chunk_ref_empty;
  TextChunks<n+1> text_chunk = len u8, data b<len*8>, next @TextChunkRef<n>;
  TextChunks<0> text_chunk_empty;
`;

/** Messages of smaller exchanges, launch pads and vaults. */
export const NFT_MARKETS = `
  0 5c11ada9 daolama_vault_supply = amount coins;
  1 77a33521 megaton_wton_mint = query_id u64, amount coins;
  5 600c00fd tegro_swap_ton = query_id u64, extract bool, max_in coins, min_out coins, destination addr,
    error_destination addr, ref ^addr?;
  6 0168d4b7 jvault_unstake_request = query_id u64, jettons_to_unstake coins;
  6 076ee4e0 jvault_update_referrer = rest any;
  6 383411ea jvault_set_data = rest any;
  6 44bc1fe3 jvault_send_claimed_rewards = rest any;
  6 499a9262 jvault_unstake_jettons = query_id u64, jettons_to_unstake coins, force_unstake bool;
  6 55c35b40 jvault_request_update_referrer = rest any;
  6 78d9f109 jvault_claim_rewards_msg = query_id u64, jettons_to_claim dict<267, bit>;
  6 ae9307ce jvault_update_rewards = rest any;
  6 d68a4ac1 jvault_receive_jettons = query_id u64, min_deposit coins, max_deposit coins,
    unstake_commission u16, unstake_fee coins, whitelist dict<267, bit>, received_jettons coins;
  6 f5c5baa3 jvault_request_update_rewards = rest any;
  8 30c7219b blum_memepad_send_liq_log = ton_liq_amount coins, jetton_liq_amount coins;
  8 67617302 gas_pump_buy_log = buyer_address addr, input_ton_amount coins, ton_amount coins,
    jetton_amount coins, fee_ton_amount coins, bonding_curve_overflow bool;
  8 67617303 gas_pump_sell_log = seller_address addr, ton_amount coins, jetton_amount coins,
    fee_ton_amount coins;
  8 67617305 gas_pump_send_to_pool_log = ton_amount coins, jetton_amount coins, fee_ton_amount coins;
  8 67617306 gas_pump_change_trade_state_log = old_trade_state u16, new_trade_state u16;
  8 742b36d8 blum_memepad_sell = query_id u64, amount coins, min_recieve coins, refferal cell;
  8 af750d34 blum_memepad_buy = query_id u64, min_recieve coins, receiver addr, refferal cell;
  8 ceac8af4 blum_memepad_buy_log = buyer_address addr, tons_consumed coins, supply_delta coins,
    new_supply coins, collected_ton_liq coins, refferal cell;
  8 ef2e2def blum_memepad_sell_log = seller_address addr, ton_value coins, supply_delta coins,
    new_supply coins, collected_ton_liq coins, refferal cell;
  8 f0fd50bb blum_memepad_unlock_wallet = query_id u64;
  12 56a8e920 megaton_update_mining_params = pool_addr addrInt, last_mined u256, last_index u256,
    ^@MegatonUpdateMiningParams;
  12 7362d09c megaton_swap = account_addr addrInt, in_token_addr addrInt, in_amount coins,
    ^{out_token_addr addrInt, out_amount coins};
  13 01fb7a25 tegro_jetton_swap_forward_payload = extract bool, max_in vu16, min_out vu16, destination addr,
    error_destination addr, payload ^cell?;
  13 287e167a tegro_add_liquidity_forward_payload = amount_a vu16, abount_b vu16;

  MegatonUpdateMiningParams _ = last_mined u256, last_index u256;
`;
