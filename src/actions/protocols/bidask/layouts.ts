import { messagesOf } from '../../rules/message-layouts.ts';

export const BIDASK = `
  0 02422cbe bidask_provide_refund = query_id u64, first_range_bin i32, x_excess coins, y_excess coins,
    user_address addr, reject_payload ^cell?, order bool;
  0 0c09445a bidask_internal_continue_provide = query_id u64, amount_x coins, amount_y coins,
    excess_x coins, excess_y coins, user_address addr, first_bin i32, number_of_bins u32,
    liquidity_dict dict<32, i32>, lp_tokens dict<32, i32>, reject_payload ^cell?, forward_payload ^cell?,
    order bool;
  0 0dc8bb28 bidask_liquidity_added_notify = query_id u64, forward_payload ^cell?;
  0 16e09400 bidask_internal_burn = query_id u64, owner_address addr, amount_x coins, amount_y coins,
    first_bin i32, tokens_to_burn dict<32, i32>, forward_payload ^cell?;
  0 1bba3896 bidask_swap_fallback_v2 = query_id u64, first_range_bin i32, order bool, user_address addr,
    is_x bool, amount_in coins, distributed_x_amount coins, distributed_y_amount coins,
    additional_data ^@BidaskAdditionalData?, reject_payload ^cell?;
  0 214ad1d2 bidask_save_liquidity_info = query_id u64, amount_x coins, amount_y coins, deposit_type u3,
    liquidity_dict dict<32, i32>, reject_payload ^cell?, forward_payload ^cell?;
  0 250ad226 bidask_multitoken_mint = query_id u64, ref_1 ^cell?, ref_2 ^cell?, liquidity_dict dict<32,
    i32>, number_of_bins u32, forward_payload ^cell?;
  0 42062d62 bidask_burn_payout = query_id u64, first_range_bin i32, amount_x coins, amount_y coins,
    user_address addr, forward_payload ^cell?;
  0 520e4831 bidask_swap_success = query_id u64, new_current_bin i32, new_sqrt_price u256, order bool,
    amount_x coins, amount_y coins, is_x bool, user_address addr, ref_cell ^cell?, additional_data ^cell?,
    reject_payload ^cell?, forward_payload ^cell?;
  0 59699475 bidask_internal_continue_swap = query_id u64, to_address addr, order bool, is_x bool,
    amount_in coins, amount_out coins, exact_out coins, slippage either<coins, u256>, ref_cell ^cell?,
    additional_data ^cell?, reject_payload ^cell?, forward_payload ^cell?;
  0 5a6a036f bidask_internal_continue_swap_v2 = query_id u64, to_address addr, order bool, is_x bool,
    amount_in coins, amount_out coins, exact_out coins, slippage either<coins, u256>,
    swap_additional_data ^@BidaskSwapAdditionalData?, additional_data ^@BidaskAdditionalData?,
    reject_payload ^cell?, forward_payload ^cell?;
  0 66210c65 bidask_internal_swap = query_id u64, to_address addr, order bool, is_x bool, amount_in coins,
    amount_out coins, exact_out coins, slippage either<coins, u256>, ref_cell ^cell?,
    additional_data ^cell?, reject_payload ^cell?, forward_payload ^cell?;
  0 6edd65f0 bidask_native_transfer_notification = query_id u64, native_amount coins,
    forward_payload ^cell?;
  0 73403c43 bidask_burn = query_id u64, tokens_to_burn dict<32, i32>, forward_payload ^cell?;
  0 87d36990 bidask_internal_swap_v2 = query_id u64, to_address addr, order bool, is_x bool,
    amount_in coins, amount_out coins, exact_out coins, slippage either<coins, u256>,
    farming_cell ^@BidaskFarmingData?, additional_data ^@BidaskAdditionalData?, reject_payload ^cell?,
    forward_payload ^cell?;
  0 96feef7b bidask_provide = query_id u64, deposit_type u4, liquidity_dict dict<32, i32>,
    reject_payload ^cell?, forward_payload ^cell?;
  0 af31d23f bidask_adding_liquidity_notify = query_id u64, user_address addr, amount_x coins,
    amount_y coins, deposit_type u3, liquidity_dict dict<32, i32>, reject_payload ^cell?,
    forward_payload ^cell?;
  0 d1b02ea5 bidask_internal_provide = query_id u64, ref_1 ^cell?, ref_2 ^cell?, ref_3 ^cell?,
    amount_x coins, amount_y coins, to_address addr, dex_payload ^@BidaskDexPayload;
  0 d3a25890 bidask_swap_success_v2 = query_id u64, new_current_bin i32, new_sqrt_price u256, order bool,
    amount_x coins, amount_y coins, is_x bool, user_address addr, dynamic_fee u16,
    additional_data ^@BidaskAdditionalData?, reject_payload ^cell?, forward_payload ^cell?;
  0 ebd6ec83 bidask_burn_all = query_id u64, forward_payload ^cell?;
  0 f2ef6c1b bidask_swap = query_id u64, native_amount coins, to_address addr, slippage either<coins, u256>,
    exact_out coins, ref_address addr, additional_data ^cell?, reject_payload ^cell?,
    forward_payload ^cell?;
  1 1bba3896 bidask_swap_fallback = query_id u64, first_range_bin i32, order bool, user_address addr,
    is_x bool, amount_in coins, additional_data ^cell?, reject_payload ^cell?;
  1 87d36990 bidask_swap_v2 = query_id u64, native_amount coins, to_address addr, slippage either<coins,
    u256>, exact_out coins, additional_data ^@BidaskAdditionalData?, reject_payload ^cell?,
    forward_payload ^cell?;
  1 d1b02ea5 bidask_internal_provide = query_id u64, ref_1 ^cell?, ref_2 ^cell?, ref_3 ^cell?,
    amount_x coins, amount_y coins, to_address addr, dex_payload any;
  13 3ea0bafc bidask_provide_both_forward_payload = ton_amount coins, deposit_type u4,
    liquidity_dict dict<32, i32>, reject_payload ^cell?, forward_payload ^cell?;
  13 87d36990 bidask_swap_v2_forward_payload = to_address addr, slippage either<coins, u256>,
    exact_out coins, additional_data ^@BidaskAdditionalData?, reject_payload ^cell?, forward_payload ^cell?;
  13 96feef7b bidask_provide_forward_payload = deposit_type u4, liquidity_dict dict<32, i32>,
    reject_payload ^cell?, forward_payload ^cell?;
  13 f2ef6c1b bidask_swap_forward_payload = to_address addr, slippage either<coins, u256>, exact_out coins,
    ref_address addr, additional_data ^cell?, reject_payload ^cell?, forward_payload ^cell?;

  BidaskAdditionalData additional_data = from_address addr, ref_address addr;
  BidaskDexPayload _ = first_bin i32, liquidity_dict dict<32, i32>, current_bin i32, remaining cell;
  BidaskFarmingData farming_data = distributed_x_amount coins, distributed_y_amount coins;
  BidaskSwapAdditionalData swap_additional = previous_time u64, start_price u256, actual_fee u16,
    distributed_x_amount coins, distributed_y_amount coins;
`;

/** Pools with a constant product, which TON Center's decoder does not know. */
const CONSTANT_PRODUCT = `
  0 dd79732c swap = query_id u64, native_amount coins, to_address addr, min_out coins, from_address addr,
    exact_out coins, ref_cell ^cell?;
  13 dd79732c swap_payload = to_address addr, min_out coins, from_address addr, exact_out coins,
    ref_cell ^cell?;
`;

export const bidask = messagesOf(BIDASK, 'bidask_');
export const bidaskConstantProduct = messagesOf(CONSTANT_PRODUCT);
