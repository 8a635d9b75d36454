import { messagesOf } from '../../rules/message-layouts.ts';

export const TONCO = `
  4 a1daa96d tonco_router_pay_to_normal = query_id u64, reciever0 addr, reciever1 addr, exit_code u32,
    seqno u64, coinsinfo_cell ^@ToncoCoinsInfoCellFull?, indexer_swap_info_cell ^@ToncoIndexerSwapInfoCell?;
  5 0bf3f447 tonco_account_refund_me = never;
  5 2e3034ef tonco_router_create_pool = query_id u64, jetton_wallet0 addr, jetton_wallet1 addr,
    tick_spacing i24, initial_price_x96 u160, protocol_fee u16, lp_fee_base u16, lp_fee_current u16,
    nftv3_content ^cell, nftv3item_content ^cell, minter_cell ^@ToncoMinterControllerCell;
  5 3ebe5431 tonco_account_add_liquidity = query_id u64, new_amount0 vu16, new_amount1 vu16,
    new_enough0 vu16, new_enough1 vu16, liquidity u128, tick_lower i24, tick_upper i24;
  5 42a0fb43 tonco_reset_gas = query_id u64;
  5 441c39ed tonco_pool_init = query_id u64, from_admin bool, has_admin bool, admin_address addr,
    has_controller bool, controller_address addr, set_spacing bool, tick_spacing i24, set_price bool,
    initial_price_x96 u160, set_active bool, pool_active bool, protocol_fee u16, lp_fee_base u16,
    lp_fee_current u16, nftv3_content ^cell, nftv3item_content ^cell, minter_cell ^@ToncoMinterCell?;
  5 4468de77 tonco_pool_fund_account = query_id u64, owner_address addr, amount0 vu16, amount1 vu16,
    enough0 vu16, enough1 vu16, liquidity u128, tick_lower i24, tick_upper i24;
  5 46ca335a tonco_position_nft_burn = query_id u64, nft_owner addr, liquidity_to_burn u128, tick_lower i24,
    tick_upper i24, old_fee_cell ^@ToncoOldFeeCell;
  5 4e737e4d tonco_pool_unlock = query_id u64;
  5 530b5f2c tonco_pool_start_burn = query_id u64, burned_index u64, liquidity_to_burn u128, tick_lower i24,
    tick_upper i24;
  5 6bdcbeb8 tonco_pool_set_fee = query_id u64, protocol_fee u16, lp_fee_base u16, lp_fee_current u16;
  5 81702ef8 tonco_pool_mint_and_refund = query_id u64, amount0_funded vu16, amount1_funded vu16,
    recipient addr, liquidity u128, tick_lower i24, tick_upper i24;
  5 a1daa96d tonco_router_pay_to_exit_code_201 = query_id u64, reciever0 addr, reciever1 addr,
    exit_code u32, seqno u64, coinsinfo_cell ^@ToncoCoinsInfoCell?,
    indexer_burn_info_cell ^@ToncoIndexerBurnInfoCell?;
  5 a7fb58f8 tonco_pool_swap = query_id u64, owner_address addr, source_wallet addr,
    swap_params ^@ToncoSwapParams, swap_payloads ^@ToncoSwapPayloads;
  5 b1b0b7e2 tonco_pool_lock = query_id u64;
  5 b2c1b6e3 tonco_pool_mint = query_id u64, owner_address addr, amount0 vu16, amount1 vu16, enough0 vu16,
    enough1 vu16, liquidity u128, tick_lower i24, tick_upper i24;
  5 d5ecca2a tonco_position_nft_init = query_id u64, user_address addr, liquidity u128, tick_lower i24,
    tick_upper i24, old_fee_cell ^@ToncoOldFeeCellFull;
  5 d73ac09d tonco_pool_burn = query_id u64, recipient addr, burned_index u64, liquidity u128,
    tick_lower i24, tick_upper i24, liquidity_to_burn u128, old_fee_cell ^@ToncoOldFeeCell,
    new_fee_cell ^@ToncoNewFeeCell;
  13 4468de77 tonco_pool_fund_account_payload = other_jetton_wallet addr, amount0 vu16, amount1 vu16,
    liquidity u128, tick_lower i24, tick_upper i24;

  ToncoCoinsInfoCell _ = amount0 vu16, jetton0_address addr, amount1 vu16, jetton1_address addr;
  ToncoCoinsInfoCellFull _ = amount0 vu16, jetton0_address addr, amount1 vu16, jetton1_address addr,
    payload_cell ^@ToncoPayloadCell;
  ToncoIndexerBurnInfoCell _ = nft_index u64, liquidity_burned u128, tick_lower i24, tick_upper i24,
    tick_burn i24;
  ToncoIndexerSwapInfoCell _ = liquidity u128, price_sqrt u160, tick i24, fee_growth_global_0x128 i256,
    fee_growth_global_1x128 i256;
  ToncoMinterCell _ = jetton0_minter addr, jetton1_minter addr;
  ToncoMinterControllerCell _ = jetton0_minter addr, jetton1_minter addr, controller_addr addr;
  ToncoNewFeeCell _ = fee_growth_inside_0_current_x128 u256, fee_growth_inside_1_current_x128 u256;
  ToncoOldFeeCell _ = fee_growth_inside_0_last_x128 u256, fee_growth_inside_1_last_x128 u256;
  ToncoOldFeeCellFull _ = fee_growth_inside_0_last_x128 u256, fee_growth_inside_1_last_x128 u256,
    nft_index u64, jetton0_amount vu16, jetton1_amount vu16, tick i24;
  ToncoPayloadCell _ = payload_amount0 vu16, payload_0 ^cell?, payload_amount1 vu16, payload_1 ^cell?;
  ToncoSwapParams _ = amount vu16, sqrtPriceLimitX96 u160, minOutAmount vu16;
  ToncoSwapPayloads _ = target_address addr, ok_forward_amount vu16, ok_forward_payload ^cell?,
    ret_forward_amount vu16, ret_forward_payload ^cell?;
`;

export const tonco = messagesOf(TONCO, 'tonco_');

/** The request to the router in forward payloads, which is not shown decoded. */
export const toncoPayload = messagesOf(`
  0 a7fb58f8 swap = target_wallet addr, price_limit u160, min_out coins, target addr, ok_payload ^cell?;
`);
