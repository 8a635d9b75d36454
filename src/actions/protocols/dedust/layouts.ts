import { formatRaw } from '../../../chain/address.ts';
import { messageAt, messagesOf } from '../../rules/message-layouts.ts';

export const DEDUST = `
  0 d55e4686 dedust_deposit_liquidity = query_id u64, amount coins, pool_params @DedustPoolParams,
    deposit_params ^@DedustDepositLiquidityParams, fulfill_payload ^cell?, reject_payload ^cell?;
  8 0085f5a3 dedust_upgrade_operator = query_id u64, role @DedustRole;
  8 16cb7fc2 dedust_cancel_ownership_transfer = query_id u64;
  8 1be6df93 dedust_change_operator_user_addr = query_id u64, role @DedustRole, user_addr addrInt;
  8 21cfe02b dedust_create_vault = query_id u64, asset @DedustAsset;
  8 25d66911 dedust_upgrade_vault = query_id u64, asset @DedustAsset;
  8 97d51f2f dedust_create_volatile_pool = query_id u64, asset0 @DedustAsset, asset1 @DedustAsset;
  8 9f3f0937 dedust_reset_gas = query_id u64;
  8 a3e45df1 dedust_install_pool_code = query_id u64, code_version @DedustVersion, code ^cell;
  8 b9d29997 dedust_deploy_operator = query_id u64, role @DedustRole, user_addr addrInt;
  8 bc3f26f6 dedust_install_vault_code = query_id u64, asset_type @DedustAssetType,
    code_version @DedustVersion, code ^cell;
  8 c9a5752d dedust_create_legacy_jetton_vault = query_id u64, minter_addr addrInt, resolver_addr addrInt;
  8 ca61554e dedust_transfer_ownership = query_id u64, new_owner_addr addr;
  8 dee60404 dedust_accept_ownership = query_id u64;
  8 df4a27aa dedust_upgrade = query_id u64, code_version @DedustVersion, code ^cell;
  8 e505d21a dedust_install_operator_code = query_id u64, code_version @DedustVersion, code ^cell;
  9 0b429f52 dedust_collect_fees = query_id u64, asset0_amount coins, asset0_destination addrInt,
    asset0_payload ^cell?, asset1_amount coins, asset1_destination addr, asset1_payload ^cell?;
  9 166cedee dedust_cancel_deposit = query_id u64, payload ^cell?;
  9 26c63ab7 dedust_reset_gas_v2 = query_id u64, response_destination addrInt;
  9 474f86cf dedust_payout = query_id u64, payload ^cell?;
  9 48e5a95d dedust_set_user_addr = query_id u64, user_addr addr;
  9 53e252ae dedust_upgrade_pool = query_id u64, pool_params @DedustPoolParams;
  9 54240fe5 dedust_deposit_asset = query_id u64, asset @DedustAsset, amount coins;
  9 59317e9a dedust_sync_pool_asset_quote = query_id u64, pool_addr addrInt, asset @DedustAsset;
  9 61ee542d dedust_swap_external = query_id u64, proof ^@DedustVaultProof, amount coins,
    sender_addr addrInt, current @DedustSwapStepParams, swap_params ^@DedustSwapParams;
  9 6873c90c dedust_sync_asset_quote = query_id u64, asset @DedustAsset;
  9 6b0b787f dedust_pay_out_from_deposit = query_id u64, proof ^@DedustLiquidityDepositProof, amount coins,
    payload ^cell?;
  9 6e24728d dedust_provide_pool_state = query_id u64, include_assets bool;
  9 72aca8aa dedust_swap_peer = query_id u64, proof ^@DedustPoolProof, asset @DedustAsset, amount coins,
    sender_addr addrInt, current @DedustSwapStepParams, swap_params ^@DedustSwapParams;
  9 7c40ac87 dedust_create_stable_pool = query_id u64, asset0 @DedustAsset, asset0_decimals u8,
    asset1 @DedustAsset, asset1_decimals u8;
  9 7ed7f6ce dedust_configure_start_time = query_id u64, start_at @DedustTimestamp;
  9 817462a9 dedust_sync_fee_collector_addr = query_id u64, pool_addr addrInt;
  9 8a518d0d dedust_destroy_non_ready_vault = query_id u64, asset @DedustAsset;
  9 99a84311 dedust_install_liquidity_deposit_code = query_id u64, code_version @DedustVersion, code ^cell;
  9 9b3aa3fa dedust_install = query_id u64, blank_code ^cell, code_version @DedustVersion, code ^cell,
    extra_params cell;
  9 9d65482b dedust_destroy_non_ready = query_id u64;
  9 a805f43e dedust_configure_pool_asset_quote_provider = query_id u64, pool_addr addrInt,
    asset @DedustAsset, quote_provider_addr addr;
  9 a913dc0d dedust_take_vault_state = query_id u64, is_ready bool;
  9 aae79256 dedust_fulfill_deposit = query_id u64, proof ^@DedustPoolProof, asset0_deposit coins,
    asset1_deposit coins;
  9 abb46b3d dedust_configure_quote_provider = query_id u64, asset @DedustAsset, quote_provider_addr addr;
  9 ad4eb6f5 dedust_pay_out_from_pool = query_id u64, proof ^@DedustPoolProof, amount coins,
    recipient_addr addr, payload ^cell?;
  9 b56b9598 dedust_deposit_liquidity_all = query_id u64, proof ^@DedustLiquidityDepositProof,
    owner_addr addrInt, min_lp_amount coins, ^{asset0 @DedustAsset, asset0_amount coins,
    asset1 @DedustAsset, asset1_amount coins}, fulfill_payload ^cell?, reject_payload ^cell?;
  9 bddd4954 dedust_take_pool_state = query_id u64, reserve0 coins, reserve1 coins, total_supply coins,
    assets ^{asset0 @DedustAsset, asset1 @DedustAsset}?;
  9 c015297f dedust_configure_trade_fee = query_id u64, trade_fee u16;
  9 d55e4686 dedust_deposit_liquidity = query_id u64, amount coins, pool_params @DedustPoolParams,
    min_lp_amount coins, asset0_target_balance coins, asset1_target_balance coins, fulfill_payload ^cell?,
    reject_payload ^cell?;
  9 e1a36cd4 dedust_reject_deposit = query_id u64, proof ^@DedustPoolProof, payload ^cell?;
  9 e93405b9 dedust_provide_vault_state = query_id u64;
  9 ea06185d dedust_swap = query_id u64, amount coins, @DedustSwapStep, swap_params ^@DedustSwapParams;
  9 eda15922 dedust_configure_fee_collector_addr = query_id u64, fee_collector_addr addrInt;
  9 f04ec526 dedust_create_liquidity_deposit = query_id u64, proof ^@DedustVaultProof, owner_addr addrInt,
    pool_params @DedustPoolParams, ^{asset0_target_balance coins, asset1_target_balance coins,
    deposit_asset @DedustAsset, deposit_amount coins, min_lp_amount coins}, fulfill_payload ^cell?,
    reject_payload ^cell?;
  9 f1989255 dedust_forward = query_id u64, destination addrInt, body ^cell;
  13 40e108d6 dedust_deposit_liquidity = pool_params @DedustPoolParams, min_lp_amount coins,
    asset0_target_balance coins, asset1_target_balance coins, fulfill_payload ^cell?, reject_payload ^cell?;
  13 e3a0d482 dedust_swap = @DedustSwapStep, swap_params ^@DedustSwapParams;

  DedustAsset native $0000;
  DedustAsset jetton $0001 = workchain_id i8, address b256;
  DedustAssetType _ = asset_type u4;
  DedustContractType vault #01;
  DedustContractType pool #02;
  DedustContractType liquidity_deposit #03;
  DedustContractType operator #04;
  DedustDepositLiquidityParams _ = min_lp_amount coins, asset0_target_balance coins,
    asset1_target_balance coins;
  DedustLiquidityDepositProof _ = proof @DedustProof<^{owner_addr addrInt, pool_params @DedustPoolParams}>;
  DedustPoolParams pool_params = is_stable bool, asset0 @DedustAsset, asset1 @DedustAsset;
  DedustPoolProof _ = proof @DedustProof<@DedustPoolParams>;
  DedustProof<X> proof = factory_addr addrInt, contract_type @DedustContractType, params @X;
  DedustRole code_installer #01;
  DedustRole code_updater #02;
  DedustRole fee_collector #03;
  DedustRole fee_configurator #04;
  DedustRole stable_pool_factory #05;
  DedustRole legacy_vault_factory #06;
  DedustRole quote_synchronizer #07;
  DedustRole quote_configurator #08;
  DedustSwapKind given_in $0;
  DedustSwapKind given_out $1;
  DedustSwapParams swap_params = deadline @DedustTimestamp, recipient_addr addr, referral_addr addr,
    fulfill_payload ^cell?, reject_payload ^cell?;
  DedustSwapStep step = pool_addr addrInt, params @DedustSwapStepParams;
  DedustSwapStepParams step_params = kind @DedustSwapKind, limit coins, next ^@DedustSwapStep?;
  DedustTimestamp _ = timestamp u32;
  DedustVaultProof _ = proof @DedustProof<@DedustAsset>;
  DedustVersion _ = version u16;
`;

export const DEDUST_V2 = `
  9 a5a7cbf8 dedust_v2_pay_native = query_id u64, amount coins, payment_payload ^cell, payout_config ^cell;
  9 3216ca09 dedust_v2_payout = query_id u64, amount coins, exit_code i32, payload ^cell?;
  9 78e79ba4 dedust_v2_swap_event = x_to_y bool, amount_in coins, amount_out coins, initiator addrInt,
    recipient addrInt, state ^cell, fees ^cell;
  9 20b5ef89 dedust_v2_withdraw = query_id u64, liquidity coins, min_x coins, min_y coins,
    auto_claim_fees bool, payout_config ^cell;
  9 bc1531a9 dedust_v2_withdraw_liquidity = query_id u64, liquidity coins, min_x coins, min_y coins,
    x_fee vu32, y_fee vu32, rewards ^cell?, auto_claim_fees bool, payout_config ^cell;
  9 f6f6a3aa dedust_v2_exit_liquidity = query_id u64, liquidity coins, x_fees coins, y_fees coins,
    owner addrInt, min_x coins, min_y coins, payout_config ^cell;
  9 c0d77b54 dedust_v2_withdrawal_event = liquidity coins, x_out coins, y_out coins, initiator addrInt,
    recipient addrInt, state ^cell;
  9 dc5ddba1 dedust_v2_credit_asset = query_id u64, is_x bool, amount coins;
  9 25251ee0 dedust_v2_join_liquidity = query_id u64, config ^cell, amount_x coins, amount_y coins,
    initiator addrInt;
  9 35df2e12 dedust_v2_deposit_event = x_in coins, y_in coins, liquidity coins, initiator addrInt,
    recipient addrInt, state ^cell;
  9 855afcbd dedust_v2_credit_liquidity = query_id u64, liquidity coins, locked_share u16, notify_gas coins,
    payload ^cell?, excesses_to addrInt, x_fee vu32, y_fee vu32, rewards ^cell?;
  9 5652f1df dedust_v2_claim_position_fees = query_id u64, excesses_to addrInt;
  9 25f19752 dedust_v2_claim_available_fees = query_id u64, excesses_to addrInt, x_fee vu32, y_fee vu32;
  9 29ff1bcf dedust_v2_payout_position_fees = query_id u64, x_fees coins, y_fees coins, owner addrInt,
    excesses_to addrInt;
  9 909fdb65 dedust_v2_claim_reward = query_id u64, reward_index u2, excesses_to addrInt;
  9 2e0cccba dedust_v2_claim_position_reward = query_id u64, reward_index u2, remaining_time u40,
    budget coins, per_token vu32, last_update u40, excesses_to addrInt;
  9 9e17fbbe dedust_v2_payout_reward = query_id u64, amount coins, reward_index u2, owner addrInt,
    excesses_to addrInt;
  13 cbc33949 dedust_v2_pay_jetton = payment_payload ^cell, payout_config ^cell;
  13 c442500f dedust_v2_swap = minimal_out coins, deadline u40, next ^@DedustV2SwapStep?,
    partner @DedustV2FeeShare?, referrer @DedustV2FeeShare?;
  13 c9a015da dedust_v2_deposit = amount_x coins, amount_y coins, min_liquidity coins, locked_share u16;

  DedustV2SwapStep step = pool_addr addrInt, minimal_out coins, deadline u40, next ^@DedustV2SwapStep?;
  DedustV2FeeShare fee_share = account b256, fee u16;
`;

export const dedust = messagesOf(DEDUST, 'dedust_');

/** The requests in forward payloads. */
export const dedustPayload = {
  swap: messageAt(DEDUST, 'e3a0d482'),
  deposit: messageAt(DEDUST, '40e108d6'),
};

/** The log of a pool, which is not shown decoded. */
export const dedustLog = messagesOf(`
  0 9c610de3 swap = asset_in @DedustAsset, asset_out @DedustAsset, amount_in coins, amount_out coins;

  DedustAsset native $0000;
  DedustAsset jetton $0001 = workchain_id i8, address b256;
`);

export const dedustV2 = messagesOf(DEDUST_V2, 'dedust_v2_');

/** The jetton master of an asset; null for TON. */
export function dedustMaster(asset: ReturnType<typeof dedustLog.swap.read>['asset_in']): string | null {
  if (asset['@type'] === 'native') return null;
  return formatRaw({ workchain: asset.workchain_id, hash: asset.address }, 'upper');
}
