/** Messages of storage providers. */
export const STORAGE = `
  3 107c49ef offer_storage_contract = query_id u64;
  3 419d5d4d proof_storage = query_id u64, file_dict_proof ^cell;
  3 46ed2e94 storage_withdraw = query_id u64;
  3 54cbf19b update_storage_params = query_id u64, accept_new_contracts bool, rate_per_mb_day coins,
    max_span u32, minimal_file_size u64, maximal_file_size u64;
  3 79f937ea close_storage_contract = query_id u64;
  3 7a361688 accept_storage_contract = query_id u64;
  3 a91baf56 storage_reward_withdrawal = query_id u64;
  3 b6236d63 storage_contract_terminated = cur_lt u64, torrent_hash b256;
  3 d4caedcd storage_contract_confirmed = cur_lt u64, torrent_hash b256;
  3 e4748df1 deploy_storage_contract = query_id u64, info ^@TorrentInfo, merkle_hash b256,
    expected_rate coins, expected_max_span u32;

  TorrentInfo torrent_info = piece_size u32, file_size u64, root_hash u256, header_size u64,
    header_hash u256, microchunk_hash u256?, description cell;
`;

/** Messages of Pyth. */
export const ORACLES = `
  5 00000001 pyth_update_guardian_set = ^{version u8, guardian_set_index u32, signatures_length u8,
    rest_signatures any};
  6 00000006 pyth_parse_unique_price_feed_updates = update_data ^cell, price_ids ^cell, publish_time u64,
    max_staleness u64, target_address addr, custom_payload ^cell;
  7 00000005 pyth_parse_price_feed_updates = update_data ^cell, price_ids ^cell, min_publish_time u64,
    max_publish_time u64, target_address addr, custom_payload ^cell;
  7 00000006 pyth_parse_unique_price_feed_updates = number_of_price_feeds u8, price_feeds ^cell,
    sender_address addr, custom_payload any;
  7 00010001 pyth_response_success = result ^cell, original_custom_payload ^cell;
  7 00010002 pyth_response_error = error_code u32, original_op_code u32, original_custom_payload ^cell;
`;

/** Messages of Cocoon. */
export const COCOON = `
  11 022fa189 cocoon_change_params = query_id u64, price_per_token coins, worker_fee_per_token coins,
    proxy_delay_before_close u32, client_delay_before_close u32, min_proxy_stake coins,
    min_client_stake coins;
  11 08e7d036 cocoon_worker_proxy_payout_request = worker_part coins, proxy_part coins,
    send_excesses_to addr;
  11 11aefd51 cocoon_upgrade_code = query_id u64, new_code ^cell;
  11 2565934c cocoon_return_excesses_back = query_id u64;
  11 26ed7f65 cocoon_owner_worker_register = query_id u64, send_excesses_to addr;
  11 3c41d0b2 cocoon_del_proxy_type = query_id u64, proxy_hash u256;
  11 4d725d2c cocoon_worker_proxy_request = query_id u64, owner_address addr, state u2, tokens u64,
    payload ^cell?;
  11 4f7c5789 cocoon_upgrade_full = query_id u64, new_data ^cell, new_code ^cell;
  11 563c1d96 cocoon_reset_root = query_id u64;
  11 5cfc6b87 cocoon_client_proxy_top_up = top_up_coins coins, send_excesses_to addr;
  11 636a4391 cocoon_close_request_payload = query_id u64, expected_my_address addr;
  11 65448ff4 cocoon_client_proxy_request = query_id u64, owner_address addr, state_data ^cell,
    payload ^cell?;
  11 6a1f6a60 cocoon_owner_client_increase_stake = query_id u64, new_stake coins, send_excesses_to addr;
  11 6d49eaf2 cocoon_unregister_proxy = query_id u64, seqno u32;
  11 71860e80 cocoon_add_proxy_type = query_id u64, proxy_hash u256;
  11 7610e6eb cocoon_ext_proxy_payout_request = query_id u64, send_excesses_to addr;
  11 8473b408 cocoon_owner_client_change_secret_hash_and_top_up = query_id u64, top_up_amount coins,
    new_secret_hash u256, send_excesses_to addr;
  11 8d94a79a cocoon_del_worker_type = query_id u64, worker_hash u256;
  11 927c7cb5 cocoon_register_proxy = query_id u64, proxy_info cell;
  11 92b11c18 cocoon_del_model_type = query_id u64, model_hash u256;
  11 9713f187 cocoon_ext_proxy_increase_stake = query_id u64, grams coins, send_excesses_to addr;
  11 9c7924ba cocoon_update_proxy = query_id u64, seqno u32, proxy_addr cell;
  11 a040ad28 cocoon_payout_payload = query_id u64, new_tokens u64, expected_my_address addr;
  11 a2370f61 cocoon_upgrade_contracts = query_id u64, proxy_code ^cell, worker_code ^cell,
    client_code ^cell;
  11 a35cb580 cocoon_client_proxy_register;
  11 a9357034 cocoon_owner_client_change_secret_hash = query_id u64, new_secret_hash u256,
    send_excesses_to addr;
  11 b51d5a01 cocoon_owner_proxy_close = query_id u64, send_excesses_to addr;
  11 bb63ff93 cocoon_charge_payload = query_id u64, new_tokens_used u64, expected_my_address addr;
  11 c146134d cocoon_add_model_type = query_id u64, model_hash u256;
  11 c45f9f3b cocoon_owner_client_register = query_id u64, nonce u64, send_excesses_to addr;
  11 c4a1ae54 cocoon_change_owner = query_id u64, new_owner_address addr;
  11 c52ed8d4 cocoon_change_fees = query_id u64, price_per_token coins, worker_fee_per_token coins;
  11 c59a7cd3 cocoon_payout = query_id u64;
  11 c68ebc7b cocoon_client_proxy_refund_granted = coins coins, send_excesses_to addr;
  11 da068e78 cocoon_owner_client_withdraw = query_id u64, send_excesses_to addr;
  11 e34b1c60 cocoon_add_worker_type = query_id u64, worker_hash u256;
  11 e511abc7 cocoon_close_complete_request_payload = query_id u64, expected_my_address addr;
  11 efd711e1 cocoon_grant_refund_payload = query_id u64, new_tokens_used u64, expected_my_address addr;
  11 f172e6c2 cocoon_ext_client_top_up = query_id u64, top_up_amount coins, send_excesses_to addr;
  11 f4c354c9 cocoon_client_proxy_refund_force = coins coins, send_excesses_to addr;
  11 f5f26a36 cocoon_last_payout_payload = query_id u64, new_tokens u64, expected_my_address addr;
  11 fafa6cc1 cocoon_owner_client_request_refund = query_id u64, send_excesses_to addr;
`;
