/** What the messages of EVAA are made of. */
export const EVAA_TYPES = `
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
