import { messagesOf } from '../../rules/message-layouts.ts';

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

export const cocoon = messagesOf(COCOON, 'cocoon_');

/** A message through the wallet contract of a client, which is not shown decoded. */
export const cocoonWallet = messagesOf(`
  0 9c69f376 wallet_send;
`);
