/** Messages of smaller exchanges, launch pads and vaults. */
export const SMALLER_EXCHANGES = `
  0 5c11ada9 daolama_vault_supply = amount coins;
  1 77a33521 megaton_wton_mint = query_id u64, amount coins;
  5 600c00fd tegro_swap_ton = query_id u64, extract bool, max_in coins, min_out coins, destination addr,
    error_destination addr, ref ^addr?;
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
