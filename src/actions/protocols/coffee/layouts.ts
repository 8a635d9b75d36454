import { messagesOf } from '../../rules/message-layouts.ts';
import { RuleMismatch } from '../../rules/rule.ts';

export const COFFEE = `
  4 0a9577f0 coffee_staking_update_rewards = query_id u64, jetton_wallet addrInt, jetton_amount coins,
    duration u64;
  4 200f9086 coffee_cross_dex_resend = query_id u64, next_recipient addrInt, next ^cell, total_gas coins,
    next_gas coins;
  4 6bc79e7e coffee_mev_protect_hold_funds = query_id u64;
  4 b30c7310 coffee_staking_claim_rewards = query_id u64, jetton_wallet addrInt, jetton_amount coins,
    receiver addrInt, payload ^@CoffeeStakingForwardData?;
  4 b902e61a coffee_cross_dex_failure = query_id u64, recipient addrInt;
  4 be5a7595 coffee_staking_init = query_id u64, owner addrInt, jetton_data ^@CoffeeStakingAssetData,
    position_data ^@CoffeeStakingPositionData, periods ^cell;
  4 c0ffee00 coffee_swap = query_id u64, amount coins, @CoffeeSwapStepParams, params ^@CoffeeSwapParams;
  4 c0ffee01 coffee_swap_extra = query_id u64, @CoffeeSwapStepParams, params ^@CoffeeSwapParams;
  4 c0ffee02 coffee_create_pool = query_id u64, amount coins, params @CoffeePoolParams,
    creation_params @CoffeePoolCreationParams;
  4 c0ffee03 coffee_create_pool_extra = query_id u64, params @CoffeePoolParams,
    creation_params @CoffeePoolCreationParams;
  4 c0ffee04 coffee_deposit_liquidity = query_id u64, input_amount coins,
    params @CoffeeDepositLiquidityParams;
  4 c0ffee05 coffee_deposit_liquidity_extra = query_id u64, params @CoffeeDepositLiquidityParams;
  4 c0ffee20 coffee_swap_internal = query_id u64, @CoffeeSwapStepInternalParams, params ^@CoffeeSwapParams,
    proof ^cell;
  4 c0ffee21 coffee_payout_internal = query_id u64, recipient addrInt, amount coins,
    notification_data ^@CoffeeNotificationDataSingle?, proof ^cell?;
  4 c0ffee22 coffee_deploy = code ^cell, data ^cell, action ^cell?;
  4 c0ffee23 coffee_create_pool_creator_request = query_id u64, amount coins, params @CoffeePoolParams,
    creation_params ^@CoffeePoolCreationParams, sender addrInt, proof ^cell;
  4 c0ffee24 coffee_create_pool_creator_internal = query_id u64, asset @CoffeeAsset, amount coins,
    creation_params ^@CoffeePoolCreationParams;
  4 c0ffee25 coffee_create_pool_request = query_id u64, amount1 coins, amount2 coins, tx_initiator addrInt,
    creation_params ^@CoffeePoolCreationParams, proof ^cell;
  4 c0ffee26 coffee_create_pool_internal = query_id u64, amount1 coins, amount2 coins, tx_initiator addrInt,
    recipient addrInt, use_recipient_on_failure i1, extra_settings ^cell?,
    notification_data ^@CoffeeNotificationData?;
  4 c0ffee27 coffee_create_liquidity_depository_request = query_id u64, amount coins,
    params @CoffeeDepositLiquidityParams, sender addrInt, proof ^cell;
  4 c0ffee28 coffee_create_liquidity_depository_internal = query_id u64, asset @CoffeeAsset, amount coins,
    params ^@CoffeeDepositLiquidityParamsTrimmed;
  4 c0ffee29 coffee_deposit_liquidity_internal = query_id u64, amount1 coins, amount2 coins,
    tx_initiator addrInt, params ^@CoffeeDepositLiquidityParamsTrimmed, proof ^cell;
  4 c0ffee32 coffee_payout = query_id u64;
  4 ee51ce51 coffee_mev_protect_failed_swap = query_id u64, recipient addrInt;
  4 f9471134 coffee_staking_deposit = query_id u64, sender addrInt, jetton_amount coins, from_user addrInt,
    period_id u32;
  5 c0ffee06 coffee_create_vault = query_id u64, asset @CoffeeAsset;
  5 c0ffee07 coffee_withdraw_deposit = query_id u64;
  5 c0ffee2a coffee_create_vault_internal = query_id u64;
  5 c0ffee2c coffee_activate_vault_internal = query_id u64, wallet addrInt;
  5 c0ffee2d coffee_withdraw_internal = query_id u64, asset @CoffeeAsset, amount coins, receiver addrInt;
  5 c0ffee2e coffee_update_contract_internal = query_id u64, excesses_receiver addrInt,
    @CoffeeContractUpdate;
  5 c0ffee36 coffee_notification = query_id u64, body ^cell;
  5 c0ffee40 coffee_update_admin = query_id u64, address addrInt;
  5 c0ffee42 coffee_activate_vault = query_id u64, asset @CoffeeAsset, wallet addrInt;
  5 c0ffee43 coffee_withdraw = query_id u64, pool_address addrInt, asset @CoffeeAsset, amount coins,
    receiver addrInt;
  5 c0ffee44 coffee_update_code_cells = query_id u64, first ^cell, second ^cell;
  5 c0ffee45 coffee_update_contract = query_id u64, contract_address addrInt, @CoffeeContractUpdate;
  5 c0ffee46 coffee_update_withdrawer = query_id u64, address addrInt;
  12 0a9577f0 coffee_staking_rewards_updated = query_id u64, jetton_wallet addrInt, duration u64,
    finish_at u64, rewards_rate coins;
  12 b30c7310 coffee_staking_rewards_claimed = query_id u64, jetton_wallet addrInt, amount coins,
    receiver addrInt;
  12 c0ffee30 coffee_swap_succeeded = query_id u64, input @CoffeeAsset, input_amount coins,
    output_amount coins, reserves @CoffeePoolReserves, protocol_fee coins;
  12 c0ffee31 coffee_swap_failed = query_id u64, input @CoffeeAsset, input_amount coins,
    reserves ^@CoffeePoolReserves?;
  12 c0ffee33 coffee_deposit_liquidity_succeeded = query_id u64, amount1 coins, amount2 coins,
    lp_amount coins, total_supply @CoffeePoolReserves, reserves @CoffeePoolReserves;
  12 c0ffee34 coffee_deposit_liquidity_failed = query_id u64, amount1 coins, amount2 coins,
    min_lp_amount coins, total_supply coins, reserves @CoffeePoolReserves;
  12 c0ffee35 coffee_withdraw_liquidity_succeeded = query_id u64, amount1 coins, amount2 coins,
    lp_amount coins, total_supply @CoffeePoolReserves, reserves @CoffeePoolReserves;
  13 0c0ffede coffee_staking_lock_forward_payload = never;
  13 4ee9b106 coffee_cross_dex_resend_forward_payload = next ^cell;
  13 b902e61a coffee_cross_dex_failure_forward_payload = query_id u64, recipient addrInt;
  13 c0ffee10 coffee_swap_forward_payload = @CoffeeSwapStepParams, params ^@CoffeeSwapParams;
  13 c0ffee11 coffee_create_pool_forward_payload = params @CoffeePoolParams,
    creation_params @CoffeePoolCreationParams;
  13 c0ffee12 coffee_deposit_liquidity_forward_payload = params @CoffeeDepositLiquidityParams;
  13 c0ffee36 coffee_notification_forward_payload = query_id u64, body ^cell;
  13 ee51ce51 coffee_mev_protect_failed_swap_forward_payload = query_id u64, recipient addrInt;

  CoffeeAMM constant_product $000;
  CoffeeAMM curve_fi_stable $001;
  CoffeeAsset native $00;
  CoffeeAsset jetton $01 = chain u8, hash u256;
  CoffeeAsset extra $10 = id u32;
  CoffeeContractUpdate contract_update = code ^cell?, data ^cell?;
  CoffeeDepositLiquidityCondition none $00;
  CoffeeDepositLiquidityCondition lp_quantity $01 = min_lp_amount coins;
  CoffeeDepositLiquidityCondition reserves_ratio $10 = denominator u16, min_nominator u16,
    max_nominator u16;
  CoffeeDepositLiquidityCondition complex $11 = min_lp_amount coins, denominator u16, min_nominator u16,
    max_nominator u16;
  CoffeeDepositLiquidityParams deposit_liquidity_params = params ^@CoffeeDepositLiquidityParamsTrimmed,
    pool_params ^@CoffeePoolParams;
  CoffeeDepositLiquidityParamsTrimmed deposit_liquidity_params_trimmed = recipient addrInt,
    use_recipient_on_failure i1, referral addrInt, deadline u32, condition @CoffeeDepositLiquidityCondition,
    extra_settings ^cell?, notification_data ^@CoffeeNotificationData?;
  CoffeeNotificationData notification_data = on_success ^@CoffeeNotificationDataSingle?,
    on_failure ^@CoffeeNotificationDataSingle?;
  CoffeeNotificationDataSingle notification_data_single = receiver addrInt, fwd_gas coins, payload ^cell;
  CoffeePoolCreationParams pool_creation_params = public @CoffeePublicPoolCreationParams,
    private @CoffeePrivatePoolCreationParams;
  CoffeePoolParams pool_params = first @CoffeeAsset, second @CoffeeAsset, amm @CoffeeAMM,
    amm_settings ^cell?;
  CoffeePoolReserves pool_reserves = input_reserve coins, output_reserve coins;
  CoffeePrivatePoolCreationParams private_pool_creation_params = is_active u1, extra_settings ^cell?;
  CoffeePublicPoolCreationParams public_pool_creation_params = recipient addrInt,
    use_recipient_on_failure i1, notification_data ^cell?;
  CoffeeStakingAssetData staking_asset_data = wallet addrInt, amount coins;
  CoffeeStakingForwardData staking_forward_data = gas coins, payload ^cell;
  CoffeeStakingPositionData staking_position_data = user_points coins, additional_points coins,
    start_timestamp u64, end_timestamp u64, period_id u32;
  CoffeeSwapParams swap_params = deadline u32, recipient addrInt, referral addrInt,
    notification_data ^@CoffeeNotificationData?;
  CoffeeSwapStepInternalParams swap_step_internal_params = previous_amount coins,
    previous_asset_hint @CoffeeAsset?, min_output_amount coins, next ^@CoffeeSwapStepParams?;
  CoffeeSwapStepParams swap_step_params = pool_address_hash u256, min_output_amount coins,
    next ^@CoffeeSwapStepParams?;
`;

export const coffee = messagesOf(COFFEE, 'coffee_');

/** Messages of swap.coffee, and of jetton masters to its vaults, that are not shown decoded. */
export const coffeeOther = messagesOf(`
  0 c0ffeea0 service_fee;
  0 b216d31f after_notification;
  0 2c76b973 provide_wallet_address;
  0 d1735400 take_wallet_address;
  0 cb03bfaf staking_withdraw;
  0 cb03bfaf staking_withdraw_position = query_id u64, nft_index u64, owner addr, points coins;
  0 cb03bfaf staking_withdraw_payment = query_id u64, wallet addr, amount coins, receiver addr;
`);

type Asset = ReturnType<typeof coffee.create_vault.read>['asset'];

/** The jetton master of an asset; null for TON. Extra currencies are a mismatch. */
export function coffeeMaster(asset: Asset): string | null {
  if (asset['@type'] === 'native') return null;
  if (asset['@type'] === 'extra') throw new RuleMismatch('neither TON nor a jetton');
  // The workchain is signed.
  const workchain = (asset.chain << 24) >> 24;
  return `${workchain}:${asset.hash.toString(16).padStart(64, '0').toUpperCase()}`;
}
