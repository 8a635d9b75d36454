import { messagesOf, recordReader } from '../../rules/message-layouts.ts';

/** Messages of EVAA: supply, withdrawal and liquidation. */
export const EVAA = `
  0 00000001 evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin = never;
  5 000011ae evaa_supply_excess_with_data = query_id u64, custom_response_payload ^cell;
  5 0000211a evaa_withdraw_success = query_id u64, asset_id @EvaaAssetId, principal_amount @EvaaPrincipal,
    tracking_supply_index @EvaaTrackingIndex, tracking_borrow_index @EvaaTrackingIndex;
  6 00000001 evaa_supply_master = query_id u64, include_user_code @BoolExtended, supply_amount @EvaaAmount,
    recipient_address addrInt, forward_ton_amount @EvaaAmount, custom_response_payload ^cell;
  6 00000002 evaa_withdraw_master = query_id u64, asset_id @EvaaAssetId, amount @EvaaAmount,
    recipient_addr addrInt, include_user_code @BoolExtended, forward_ton_amount @EvaaAmount,
    custom_response_payload ^cell, prices_with_signature_packed ^@PricesPacked;
  6 0000000f evaa_revert_call = query_id u64, owner_address addrInt, revert_body ^cell;
  6 00000011 evaa_supply_user = query_id u64, asset_id @EvaaAssetId, supply_amount_current @EvaaAmount,
    s_rate @EvaaSbRate, b_rate @EvaaSbRate, dust u64, max_token_amount u64, total_supply @EvaaPrincipal,
    total_borrow @EvaaPrincipal, tracking_supply_index @EvaaTrackingIndex,
    tracking_borrow_index @EvaaTrackingIndex, custom_response_payload ^cell, ^{subaccount_id i16,
    return_repay_remainings_flag @BoolExtended, custom_payload_recipient addrInt,
    custom_payload_saturation_flag @BoolExtended, initial_sender addrInt};
  6 00000021 evaa_withdraw_user = query_id u64, asset_id @EvaaAssetId, withdraw_amount_current @EvaaAmount,
    s_rate @EvaaSbRate, b_rate @EvaaSbRate, recipient_address addrInt,
    ^{asset_config_collection @AssetConfigCollection, asset_dynamics_collection @AssetDynamicsCollection,
    prices_packed ^@PricesPacked, forward_ton_amount @EvaaAmount, custom_response_payload ^cell};
  6 0000011a evaa_supply_success = query_id u64, owner_address addrInt, asset_id @EvaaAssetId,
    amount_supplied @EvaaAmount, user_new_principal @EvaaPrincipal, repay_amount_principal @EvaaPrincipal,
    supply_amount_principal @EvaaPrincipal, custom_response_payload ^cell, subaccount_id i16,
    return_repay_remainings_flag @BoolExtended, ^{custom_payload_recipient addr},
    custom_payload_saturation_flag @BoolExtended;
  6 0000011f evaa_supply_fail = query_id u64, owner_address addrInt, asset_id @EvaaAssetId,
    amount @EvaaAmount, forward_ton_amount @EvaaAmount, custom_response_payload ^cell, subaccount_id i16,
    return_repay_remainings_flag @BoolExtended, ^{initial_sender addrInt};
  6 00000211 evaa_withdraw_collateralized = query_id u64, owner_address addrInt, asset_id @EvaaAssetId,
    withdraw_amount_current @EvaaAmount, user_new_principal @EvaaPrincipal,
    borrow_amount_principal @EvaaPrincipal, reclaim_amount_principal @EvaaPrincipal,
    ^{recipient_address addrInt, forward_ton_amount @EvaaAmount, custom_response_payload ^cell};
  6 000011ae evaa_supply_excess = query_id u64;
  6 0000211a evaa_withdraw_success_excess_with_data = query_id u64, custom_response_payload ^cell;
  6 0000211f evaa_withdraw_fail = query_id u64, asset_id @EvaaAssetId, principal_amount @EvaaPrincipal;
  6 000021e6 evaa_withdraw_locked_excess = query_id u64;
  6 000021e7 evaa_withdraw_not_collateralized_excess = query_id u64;
  6 000021e8 evaa_withdraw_missing_prices_excess = query_id u64;
  6 000021ec evaa_withdraw_execution_crashed = query_id u64;
  6 00011ae1 evaa_supply_fail_with_data = query_id u64, custom_response_payload ^cell;
  6 00211fe8 evaa_withdraw_no_funds_excess = query_id u64;
  6 107e0000 evaa_user_execute_action = extra any;
  7 00000001 evaa_supply_master = query_id u64, include_user_code @BoolExtended, supply_amount @EvaaAmount,
    recipient_address addrInt, custom_response_payload ^cell, supply_master_optional @SupplyMasterOptional;
  7 00000003 evaa_liquidate_master = query_id u64, borrower_address addrInt, liquidator_address addr,
    collateral_asset_id @EvaaAssetId, min_collateral_amount @EvaaAmount, include_user_code @BoolExtended,
    liquidate_incoming_amount @EvaaAmount, ^{forward_ton_amount @EvaaAmount, custom_response_payload ^cell},
    prices_with_signature_packed ^@PricesPacked;
  7 00000008 evaa_idle_master = query_id u64, target_address addrInt;
  7 00000011 evaa_supply_user = query_id u64, asset_id @EvaaAssetId, supply_amount_current @EvaaAmount,
    s_rate @EvaaSbRate, b_rate @EvaaSbRate, dust u64, max_token_amount u64, total_supply @EvaaPrincipal,
    total_borrow @EvaaPrincipal, tracking_supply_index @EvaaTrackingIndex,
    tracking_borrow_index @EvaaTrackingIndex, forward_ton_amount @EvaaAmount, custom_response_payload ^cell;
  7 00000031 evaa_liquidate_user = query_id u64, asset_config_collection @AssetConfigCollection,
    asset_dynamics_collection @AssetDynamicsCollection, ^{prices_packed ^@PricesPacked,
    collateral_asset_id @EvaaAssetId, min_collateral_amount @EvaaAmount, liquidator_address addrInt,
    transferred_asset_id @EvaaAssetId, transfered_amount @EvaaAmount, forward_ton_amount coins,
    custom_response_payload ^cell};
  7 00000041 evaa_supply_withdraw_user = query_id u64, supply_data ^@SWSupplyUser,
    withdraw_data ^@SWWithdrawUser, general_data ^@SupplyWithdrawUserParams;
  7 00000081 evaa_idle_user = query_id u64, tokens_keys ^cell?, originator_address addrInt;
  7 000000a1 evaa_init_master = query_id u64, new_asset_config_collection ^@AssetConfigCollection,
    packed_data ^@InitMasterPackedData;
  7 000000a2 evaa_claim_asset_reserves = query_id u64, target_address addrInt, asset_id @EvaaAssetId,
    amount_to_claim @EvaaAmount;
  7 000000c1 evaa_init_upgrade = query_id u64, new_master_code ^cell?, new_user_code ^cell?;
  7 000000c2 evaa_submit_upgrade = query_id u64;
  7 000000c3 evaa_cancel_upgrade = query_id u64;
  7 000000e1 evaa_force_enable = query_id u64;
  7 000000e4 evaa_update_config = query_id u64, new_meta ^cell, new_config ^@MasterConfig;
  7 000000e8 evaa_disable_contract_for_upgrade = query_id u64;
  7 000000e9 evaa_force_disable_contract = query_id u64;
  7 0000011a evaa_supply_success = query_id u64, owner_address addrInt, asset_id @EvaaAssetId,
    amount_supplied @EvaaAmount, user_new_principal @EvaaPrincipal, repay_amount_principal @EvaaPrincipal,
    supply_amount_principal @EvaaPrincipal, custom_response_payload ^cell;
  7 0000011f evaa_supply_fail = query_id u64, owner_address addrInt, asset_id @EvaaAssetId,
    amount @EvaaAmount, forward_ton_amount @EvaaAmount, custom_response_payload ^cell;
  7 00000211 evaa_withdraw_collateralized = query_id u64, owner_address addrInt, asset_id @EvaaAssetId,
    withdraw_amount_current @EvaaAmount, user_new_principal @EvaaPrincipal,
    borrow_amount_principal @EvaaPrincipal, reclaim_amount_principal_optional any;
  7 00000311 evaa_liquidate_satisfied = query_id u64, owner_address addrInt, liquidator_address addrInt,
    transferred_asset_id @EvaaAssetId, ^{delta_loan_principal @EvaaPrincipal,
    liquidatable_amount @EvaaAmount, protocol_gift @EvaaAmount, new_user_loan_principal @EvaaPrincipal,
    collateral_asset_id @EvaaAssetId, delta_collateral_principal @EvaaPrincipal,
    collateral_reward @EvaaAmount, min_collateral_amount @EvaaAmount,
    new_user_collateral_principal @EvaaPrincipal, forward_ton_amount coins, custom_response_payload ^cell};
  7 0000031f evaa_liquidate_unsatisfied = query_id u64, owner_address addrInt, liquidator_address addrInt,
    transferred_asset_id @EvaaAssetId, ^{transferred_amount @EvaaAmount, collateral_asset_id @EvaaAssetId,
    min_collateral_amount @EvaaAmount, forward_ton_amount coins, custom_response_payload ^cell,
    error @LiquidationError};
  7 00000401 evaa_supply_withdraw_master_without_prices = query_id u64, @SupplyWithdrawMasterParams;
  7 00000411 evaa_supply_withdraw_satisfied = query_id u64, supply_data ^@SupplyWithdrawSatisfiedSupplyData,
    withdraw_data ^@SupplyWithdrawSatisfiedWithdrawData, general_data ^@SWGeneralUser;
  7 0000041f evaa_supply_withdraw_unsatisfied = query_id u64,
    supply_data ^@SupplyWithdrawUnsatisfiedSupplyData, withdraw_data ^@SWWithdrawEmpty,
    general_data ^@SupplyWithdrawUnsatisfiedGeneralData;
  7 0000081e evaa_idle_excess = query_id u64;
  7 00000a32 evaa_add_new_token = query_id u64, asset_key @EvaaAssetId, new_asset_config ^@AssetConfig,
    new_asset_dynamics ^@AssetDynamics;
  7 00000a99 evaa_add_to_reserve = rest any;
  7 00000d21 evaa_debug_principals_edit_user = query_id u64, new_principals dict<256, @EvaaPrincipal>;
  7 0000211a evaa_withdraw_success_excess_with_data = query_id u64, custom_response_payload any;
  7 0000311a evaa_liquidate_success = query_id u64, transferred_asset_id @EvaaAssetId,
    delta_loan_principal @EvaaPrincipal, loan_tracking_supply_index @EvaaTrackingIndex,
    loan_tracking_borrow_index @EvaaTrackingIndex, collateral_asset_id @EvaaAssetId,
    delta_collateral_principal @EvaaPrincipal, collateral_tracking_supply_index @EvaaTrackingIndex,
    collateral_tracking_borrow_index @EvaaTrackingIndex;
  7 0000311d evaa_liquidate_success_report = transferred_asset_id @EvaaAssetId,
    transferred_amount @EvaaAmount, collateral_asset_id @EvaaAssetId, collateral_reward @EvaaAmount,
    custom_response_payload ^cell;
  7 0000311f evaa_liquidate_fail = query_id u64, transferred_asset_id @EvaaAssetId,
    delta_loan_principal @EvaaPrincipal, collateral_asset_id @EvaaAssetId,
    delta_collateral_principal @EvaaPrincipal;
  7 0000411a evaa_supply_withdraw_success = query_id u64, supply_data ^@SupplyWithdrawSuccessSupplyData,
    withdraw_data ^@SupplyWithdrawSuccessWithdrawData, general_data ^@SupplyWithdrawSuccessGeneralData;
  7 0000411f evaa_supply_withdraw_fail = query_id u64, supply_data ^@SupplyWithdrawFailSupplyData,
    withdraw_data ^@SupplyWithdrawFailWithdrawData, general_data ^@SupplyWithdrawFailGeneralData;
  7 00009998 evaa_get_store_request = query_id u64, body_data ^cell;
  7 00009999 evaa_get_store_response = query_id u64, body_data ^cell, storage @MasterStorage;
  7 0000d001 evaa_do_data_checks = query_id u64;
  8 00000001 evaa_supply_master = query_id u64, include_user_code @BoolExtended, supply_amount @EvaaAmount,
    recipient_address addrInt, custom_response_payload ^cell, supply_master_optional any;
  8 00000003 evaa_liquidate_master = query_id u64, borrower_address addrInt, liquidator_address addr,
    collateral_asset_id @EvaaAssetId, min_collateral_amount @EvaaAmount, include_user_code @BoolExtended,
    liquidate_incoming_amount @EvaaAmount, ^{forward_ton_amount @EvaaAmount, custom_response_payload ^cell};
  8 0000011a evaa_supply_success = query_id u64, owner_address addrInt, asset_id @EvaaAssetId,
    amount_supplied @EvaaAmount, user_new_principal @EvaaPrincipal, repay_amount_principal @EvaaPrincipal,
    custom_response_payload any;
  13 00000042 evaa_supply_withdraw_master_jetton = @SupplyWithdrawMasterJettonParams;
  13 00000401 evaa_supply_withdraw_master_without_prices = @SupplyWithdrawMasterJettonParams;

  AssetConfig _ = jw_address_hash @EvaaAddressHash, decimals u8, params ^@AssetConfigParams;
  AssetConfigCollection _ = asset_configs dict<256, @AssetConfig>;
  AssetConfigParams _ = collateral_factor u16, liquidation_threshold u16, liquidation_bonus u16,
    base_borrow_rate u64, borrow_rate_slope_low u64, borrow_rate_slope_high u64, supply_rate_slope_low u64,
    supply_rate_slope_high u64, target_utilization u64, origination_fee u64, dust_value u64,
    max_total_supply u64, reserve_factor u16, liquidation_reserve_factor u16, min_principal_for_rewards u64,
    base_tracking_supply_speed u64, base_tracking_borrow_speed u64;
  AssetDynamics _ = s_rate @EvaaSbRate, b_rate @EvaaSbRate, total_supply_principal @EvaaPrincipal,
    total_borrow_principal @EvaaPrincipal, last_accrual @EvaaTimestamp, token_balance @EvaaBalance,
    tracking_supply_index @EvaaTrackingIndex, tracking_borrow_index @EvaaTrackingIndex,
    awaited_supply @EvaaBalance;
  AssetDynamicsCollection _ = asset_dynamics dict<256, @AssetDynamics>;
  BoolExtended bool_true $11;
  BoolExtended bool_false $00;
  EvaaAddressHash _ = address_hash u256;
  EvaaAmount _ = amount u64;
  EvaaAssetId _ = asset_id u256;
  EvaaBalance _ = balance u64;
  EvaaPrincipal _ = principal i64;
  EvaaSbRate _ = sb_rate u64;
  EvaaTimestamp _ = timestamp u32;
  EvaaTrackingIndex _ = tracking_index u64;
  InitMasterPackedData _ = new_asset_dynamics_collection ^@AssetDynamicsCollection, tokens_keys ^cell;
  LiquidationError user_withdraw_in_progress #000031f0;
  LiquidationError not_liquidatable #000031f2;
  LiquidationError liquidation_prices_missing #000031f7;
  LiquidationError min_collateral_not_satisfied #000031f3 = collateral_amount @EvaaAmount;
  LiquidationError user_not_enough_collateral #000031f4 = collateral_present @EvaaAmount;
  LiquidationError user_liquidating_too_much #000031f5 = max_not_too_much @EvaaAmount;
  LiquidationError liqudation_execution_crashed #000031fe;
  LiquidationMasterError master_liquidating_too_much #000030f1 = max_allowed_liquidation @EvaaAmount;
  LiquidationMasterError master_not_enough_liquidity #000031f6 = available_liquidity @EvaaAmount;
  LiquidationMasterError liqudation_execution_crashed #000031fe;
  MasterConfig master_config = asset_config_collection @AssetConfigCollection, if_active i8, admin addrInt,
    oracles_info @OraclesInfo, tokens_keys ^cell?, maybe_supervisor_address_cell any;
  MasterStorage storage = meta ^cell, upgrade_config ^@UpgradeConfig, master_config ^@MasterConfig,
    asset_dynamics_collection @AssetDynamicsCollection;
  OraclesInfo oracles_info = total_oracles u16, threshold u16, oracles ^cell;
  PriceAssets price_assets = id u256, price coins, next_asset ^@PriceAssets?;
  PriceOraclesData price_oracles_data = oracle_id u32, proof ^cell, signature b512,
    next_oracles_data ^@PriceOraclesData?;
  PricesPacked prices_packed = assets ^@PriceAssets, oracles_data ^@PriceOraclesData;
  SWGeneral sw_general = include_user_code @BoolExtended, ton_amount_for_repay_remainings @EvaaAmount,
    custom_response_payload ^cell, swm_opt_rest any;
  SWGeneralUser sw_general_user = ton_amount_for_repay_remainings @EvaaAmount,
    custom_response_payload ^cell, @SupplyMasterWithdrawExtData;
  SWSupply sw_supply = supply_amount @EvaaAmount;
  SWSupplyEmpty sw_supply_empty;
  SWSupplyUser sw_supply_user = @SWSupply, supply_asset_id @EvaaAssetId;
  SWWithdraw sw_withdraw = withdraw_amount @EvaaAmount, withdraw_asset_id @EvaaAssetId,
    recipient_address_of_withdraw addrInt;
  SWWithdrawEmpty sw_withdraw_empty;
  SWWithdrawUser sw_withdraw_user = @SWWithdraw, prices_packed ^cell;
  SupplyMasterOptional sm_opt_data = subaccount_id i16, return_repay_remainings_flag @BoolExtended,
    custom_payload_recipient addrInt, custom_payload_saturation_flag @BoolExtended;
  SupplyMasterWithdrawExtData swm_ext_data = subaccount_id i16, return_repay_remainings_flag @BoolExtended,
    custom_payload_saturation_flag @BoolExtended;
  SupplyWithdrawFailGeneralData _ = subaccount_id i16;
  SupplyWithdrawFailSupplyData _ = supply_asset_id @EvaaAssetId, supply_principal_amount @EvaaAmount;
  SupplyWithdrawFailWithdrawData _ = withdraw_asset_id @EvaaAssetId, withdraw_principal_amount @EvaaAmount;
  SupplyWithdrawMasterJettonParams supply_withdraw_master_jetton_params = supply_data ^@SWSupplyEmpty,
    withdraw_data ^@SWWithdraw, general_data ^@SWGeneral;
  SupplyWithdrawMasterParams supply_withdraw_master_params = supply_data ^@SWSupply,
    withdraw_data ^@SWWithdraw, general_data ^@SWGeneral;
  SupplyWithdrawSatisfiedSupplyData _ = owner_address addrInt, @SWSupplyUser,
    supply_new_principal @EvaaPrincipal, repay_amount_principal @EvaaPrincipal,
    supply_amount_principal @EvaaPrincipal;
  SupplyWithdrawSatisfiedWithdrawData _ = @SWWithdraw, withdraw_new_principal @EvaaPrincipal,
    borrow_amount_principal @EvaaPrincipal, reclaim_amount_principal @EvaaPrincipal;
  SupplyWithdrawSuccessGeneralData _ = asset_config_collection @AssetConfigCollection,
    asset_dynamics_collection @AssetDynamicsCollection, subaccount_id i16;
  SupplyWithdrawSuccessSupplyData _ = supply_asset_id @EvaaAssetId, supply_principal_amount @EvaaAmount;
  SupplyWithdrawSuccessWithdrawData _ = withdraw_asset_id @EvaaAssetId,
    withdraw_principal_amount @EvaaAmount;
  SupplyWithdrawUnsatisfiedGeneralData _ = ton_amount_for_repay_remainings @EvaaAmount,
    custom_response_payload ^cell, subaccount_id i16;
  SupplyWithdrawUnsatisfiedSupplyData _ = owner_address addrInt, @SWSupplyUser;
  SupplyWithdrawUserParams _ = asset_config_collection @AssetConfigCollection,
    asset_dynamics_collection @AssetDynamicsCollection, @SWGeneralUser;
  UpgradeConfig upgrade_config = master_code_version coins, user_code_version coins, timeout u32,
    update_time u64, freeze_time u64, user_code ^cell, blank_code ^cell, new_master_code ^cell?,
    new_user_code ^cell?;
`;

/** Messages that are not shown decoded, or whose fields rules read in another way. */
const EVAA_OTHERS = `
  0 00000001 supply_jettons = include_user_code u2, recipient_address addr, forward_ton_amount u64,
    custom_response_payload ^cell;
  0 0000031f liquidate_unsatisfied = query_id u64, owner_address addr, liquidator_address addr,
    transferred_asset_id u256, ^{transferred_amount u64, collateral_asset_id u256, min_collateral_amount u64,
    forward_ton_amount u64, custom_response_payload ^cell, error any};
  0 fffffffe new_bounce;

  UserCall _ = code_version coins, upgrade ^cell?, flag u2, request any;
`;

export const evaa = messagesOf(EVAA, 'evaa_');

export const evaaOther = messagesOf(EVAA_OTHERS);

/** Reads a call of a user contract: code version, optional upgrade and a flag come before the request. */
export const userCallAt = recordReader(EVAA_OTHERS, 'UserCall');
