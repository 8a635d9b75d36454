export const STORM = `
  10 0302cd79 storm_deploy_ordinary_sa = query_id u64, user_public_keys dict<256, cell>;
  10 04db6665 storm_change_lazer_data = query_id u64, response_destination addrInt,
    oracle_flag @StormOracleType, index_asset_pyth_id u32, settlement_asset_pyth_id u32;
  10 0b9d20cc storm_change_cold_key_factory = query_id u64, new_cold_key u256;
  10 0c6ca95e storm_update_sa_ordinary_code = query_id u64, version u8, new_code ^cell;
  10 0ef28735 storm_change_max_leverage = query_id u64, response_destination addrInt, new_max_leverage u32;
  10 13076670 storm_provide_position = direction u1, gas_to_addr addr, inner_opcode u32, executor_index u32,
    oracle_ref ^@StormOraclePayload;
  10 13559d58 storm_change_factory_content = query_id u64, new_content ^cell;
  10 174c830c storm_change_lazer_data_request = query_id u64, vamm_address addrInt,
    oracle_flag @StormOracleType, index_asset_pyth_id u32, settlement_asset_pyth_id u32;
  10 179d61f9 storm_change_factory_code = query_id u64, new_code ^cell;
  10 186b2edf storm_deposit_notify = query_id u64, amount coins, sender_address addrInt,
    jetton_minter_address addrInt;
  10 18a092f7 storm_deposit_notify_with_deploy = query_id u64, vault_address addrInt, amount coins,
    sender_address addrInt, init_data @StormInitializationData;
  10 1bd24ca6 storm_change_hot_key_factory = query_id u64, new_hot_key u256;
  10 1bea50f1 storm_take_position_v2 = query_id u64, bundle_sender_address addr, amm_address addrInt,
    direction @StormDirection, spent_amount coins, addresses ^@StormAddressesData, ref_count u4,
    ref_data [ref_count] @StormReferralData, position ^@StormPositionData, intent ^@StormIntent;
  10 1ca43d2f storm_notify_update_position = query_id u64, jetton_minter_address addrInt,
    notification_payload ^@StormNotificationPayload;
  10 20d835c2 storm_withdraw_success = query_id u64;
  10 220c4c19 storm_add_public_key = query_id u64, public_key u256;
  10 28055719 storm_change_max_leverage_request = query_id u64, vamm_address addrInt, new_max_leverage u32;
  10 28d36491 storm_trade_notification_v2 = query_id u64, asset_id u16, free_amount i64, locked_amount i64,
    exchange_amount i64, withdraw_locked_amount u64, fee_to_stakers u64, executor_amount u64,
    total_referrer_amount u64, ref_count u4, referral_data dict<4, @StormReferrerData>, sa_address addrInt,
    notification_payload ^@StormNotificationPayload;
  10 29bb3721 storm_deposit_native = query_id u64, amount coins, receiver_address addrInt, init bool,
    key_init @StormInitializationRequest;
  10 3475fdd2 storm_trade_notification = asset_id u16, free_amount i64, locked_amount i64,
    exchange_amount i64, withdraw_locked_amount u64, fee_to_stakers u64, withdraw_amount u64,
    trader_addr addrInt, origin_addr addrInt, referral_data ^@StormNotificationReferralParams?,
    executor_params ^@StormNotificationExecutorParams?;
  10 367f2743 storm_fail_notification = query_id u64, spent_amount coins, jetton_minter_address addrInt,
    amm_address addrInt, direction @StormDirection, bundle_sender_address addr, intent ^@StormIntent;
  10 3e56c929 storm_change_v3_state = query_id u64;
  10 4fedc82b storm_referral_fees = query_id u64, referral_sa_address addrInt, amount coins,
    jetton_minter_address addrInt, notification_payload ^@StormNotificationPayload;
  10 512cbd25 storm_withdraw_request = query_id u64, amount coins, owner_address addrInt;
  10 5a091c43 storm_deposit_ton = query_id u64;
  10 5a89f5a2 storm_notify_with_deploy = query_id u64, amount coins, user_public_keys dict<256, cell>,
    sender_address addrInt, owner_address addrInt, jetton_minter_address addrInt;
  10 5a8cf652 storm_force_close_min_margin = executor_index u32, oracle_payload ^@StormOraclePayload;
  10 5b0dd9f4 storm_init_sa = query_id u64, init_data @StormInitializationData;
  10 5b27f9c5 storm_deposit_revert = query_id u64, amount coins, sender_address addr, owner_address addrInt;
  10 5b705138 storm_force_close_max_leverage = executor_index u32, oracle_payload ^@StormOraclePayload;
  10 5f40f1ec storm_execute_orders_bundle = query_id u64, signature b512, payload ^@StormExternalMsgPayload;
  10 60dfc677 storm_update_position = direction @StormDirection, origin_op u32, oracle_price coins,
    settlement_oracle_price coins, new_position_ref ^@StormPositionData, amm_state_log ^@StormAmmStateLog;
  10 644794b8 storm_remove_all_keys_except_current = query_id u64, public_key u256;
  10 666392ee storm_failed_bundle_execution = query_id u64, asset_id u16, error_code u16,
    spent_amount coins, sa_address addrInt, amm_address addrInt, direction @StormDirection,
    bundle_sender_address addr, intent ^@StormIntent;
  10 6cde12e2 storm_unsuccessful_deposit = query_id u64;
  10 6eec039d storm_withdraw_request_user = query_id u64, vault_address addrInt, amount coins;
  10 70246da6 storm_change_cold_key = query_id u64, response_destination addr, new_cold_key u256;
  10 76519f8b storm_remove_public_key = query_id u64, public_key u256;
  10 76840119 storm_deposit_jetton = query_id u64, receiver_address addrInt, init bool,
    key_init @StormInitializationRequest;
  10 7a0bda1c storm_change_cold_key_request = query_id u64, sa_address addrInt;
  10 cf90d618 storm_complete_order = order_type u4, order_index u3, direction @StormDirection,
    origin_op u32, oracle_price coins, settlement_oracle_price coins, new_position_ref ^@StormPositionData,
    amm_state_log ^@StormAmmStateLog, market_depth_log_ref ^@StormMarketDepth;
  10 de1ddbcc storm_execute_order = direction @StormDirection, order_index u3, trader_addr addrInt,
    prev_addr addrInt, ref_addr addr, executor_index u32, order ^@StormUserOrder,
    position ^@StormPositionData, oracle_payload ^@StormOraclePayload;
  12 012e8f40 logs = log_dict dict<8, @StormIntentLog>;
  12 01d81ebc storm_self_deposit_jetton = query_id u64, signature b512,
    signed_payload ^@StormSignedSelfDepositJettonPayload;
  12 04c52fd2 storm_execute_orders_bundle = query_id u64, signature b512, payload ^@StormExternalMsgPayload;
  12 34d2e9f9 storm_change_hot_key = query_id u64, signature b512, signed_payload ^@SignedChangeKeyPayload;
  12 558e804a storm_self_deposit_native = query_id u64, signature b512,
    signed_payload ^@StormSignedSelfDepositNativePayload;

  InvertedMaybe<X> nothing_from_inverted_maybe $1;
  InvertedMaybe<X> just_from_inverted_maybe $0 = value @X;
  SignedChangeKeyPayload _ = query_id @StormExecutorQueryId, created_at u32, sa_address addrInt,
    new_hot_key u256;
`;

/** Types in messages of Storm Trade. */
export const STORM_TYPES = `
  StormAddressesData _ = trader_address addrInt, smart_account_factory_address addrInt, vault_address addr;
  StormAmmStateLog amm_state_log = quote_asset_reserve coins, quote_asset_weight coins,
    base_asset_reserve coins, total_long_position_size coins, total_short_position_size coins,
    open_interest_long coins, open_interest_short coins;
  StormCreateOrder limit_order #2 = expiration u32, direction @StormDirection, amount coins, leverage u64,
    limit_price coins, stop_price coins, stop_trigger_price coins, take_trigger_price coins;
  StormCreateOrder market_order #3 = expiration u32, direction @StormDirection, amount coins, leverage u64,
    limit_price coins, stop_price coins, stop_trigger_price coins, take_trigger_price coins;
  StormCreatedOraclePayload created_price #00 = update_msg ^@StormUpdateMsg, signatures ^@StormSignature;
  StormCreatedOraclePayload created_price_with_settlement #01 = update_msg ^@StormUpdateMsg,
    signatures ^@StormSignature, settlement_update_msg ^@StormUpdateMsg,
    settlement_signatures ^@StormSignature;
  StormDirection long $0;
  StormDirection short $1;
  StormDoubleOraclePayload with_settlement = update_msg ^@StormUpdateMsg, signatures ^@StormSignature,
    settlement_update_msg ^@StormUpdateMsg, settlement_signatures ^@StormSignature;
  StormExecuteSelector execute_stop $0;
  StormExecuteSelector execute_take $1;
  StormExecutorIntent _ = amm_address addrInt, sa_address addrInt, order ^@StormExecutorOrder;
  StormExecutorOrder liquidate #6 = direction @StormDirection;
  StormExecutorOrder force_close #7 = direction @StormDirection;
  StormExecutorOrder force_close_max_leverage #9 = direction @StormDirection;
  StormExecutorOrder force_close_min_margin #a = direction @StormDirection;
  StormExecutorQueryId _ = shift u13, {shift >= 6000}, bit_number u10, {bit_number >= 0},
    {bit_number <= 1022};
  StormExternalMsgPayload _ = query_id @StormExecutorQueryId, created_at u32, sa_address addrInt,
    actual_version u8, upgrade_payload ^@StormSignedUpgradePayload?, msg ^@MessageRelaxed<any>?;
  StormInitializationData _ = highload_timeout u24, keys ^@StormKeys, version u8, new_code ^cell;
  StormInitializationRequest need_key_init $1 = user_public_keys dict<256, cell>;
  StormInitializationRequest no_key_init $0;
  StormIntent user_intent $0 = signature b512, intent ^@StormUserIntent,
    oracle_payload ^@StormOraclePayload, next_intent ^@StormIntent?;
  StormIntent executor_intent $1 = intent ^@StormExecutorIntent, oracle_payload ^@StormOraclePayload,
    next_intent ^@StormIntent?;
  StormIntentLog _ = type @StormLogType, size i128, margin coins, open_notional coins, last_updated_cpf i64,
    realized_pnl i64, funding_payment i64, rollover_fee u64, position_fee_rate u32, executor_fee_rate u32,
    position_fee_amount coins, executor_fee_amount coins, fee_to_stakers_percent u32;
  StormKeys _ = hot_public_key u256, cold_public_key u256, user_public_keys dict<256, cell>, keys_count u8;
  StormLazerFeed _ = number_of_properties u8, {number_of_properties = 2}, price_property_id u8,
    {price_property_id = 0}, price_property_value u64, exponent_property_id u8, {exponent_property_id = 4},
    exponent_property_value i16;
  StormLazerMessage lazer_message #9a99222a = r u256, s u256, v u8, payload_length u16,
    payload @StormLazerPayload;
  StormLazerPayload single_lazer_payload $0 = magic @StormLazerPayloadMagic, timestamp u64, channel_id u8,
    number_of_feeds u8, {number_of_feeds = 1}, index_feed_id u32, index_feed @StormLazerFeed;
  StormLazerPayload double_lazer_payload $1 = magic @StormLazerPayloadMagic, timestamp u64, channel_id u8,
    number_of_feeds u8, {number_of_feeds = 2}, index_feed_id u32, index_feed @StormLazerFeed,
    settlement_feed_id u32, settlement_feed @StormLazerFeed;
  StormLazerPayloadMagic lazer_payload_magic #93c7d375;
  StormLogType increase #00;
  StormLogType close #01;
  StormLogType add_margin #02;
  StormLogType remove_margin #03;
  StormMarketDepth market_depth = vpi_spread coins, vpi_market_depth_long coins,
    vpi_market_depth_short coins, vpi_coefficient u64;
  StormNotificationExecutorParams executor_params = split_executor_reward u1, executor_amount coins,
    executor_index u32;
  StormNotificationPayload _ = bundle_sender_address addr, balance_delta coins, amm_address addrInt,
    direction @StormDirection, position_data ^@StormPositionData?;
  StormNotificationReferralParams referral_params = referral_amount coins, referral_addr addr;
  StormOraclePayload single_lazer_payload #00 = price_oracle_payload ^@StormSingleOraclePayload,
    lazer_message ^@StormLazerMessage?;
  StormOraclePayload double_lazer_payload #01 = price_oracle_payload ^@StormDoubleOraclePayload,
    lazer_message ^@StormLazerMessage?;
  StormOraclePayload single_with_created #02 = price_oracle_payload ^@StormSingleOraclePayload,
    created_oracle_payload ^@StormCreatedOraclePayload, lazer_message ^@StormLazerMessage?,
    created_lazer_message ^@StormLazerMessage?;
  StormOraclePayload double_with_created #03 = price_oracle_payload ^@StormDoubleOraclePayload,
    created_oracle_payload ^@StormCreatedOraclePayload, lazer_message ^@StormLazerMessage?,
    created_lazer_message ^@StormLazerMessage?;
  StormOracleType storm #0;
  StormOracleType lazer #1;
  StormPositionData _ = size i128, direction @StormDirection, margin coins, open_notional coins,
    last_updated_cumulative_premium i64, fee u32, discount u32, rebate u32, last_updated_timestamp u32;
  StormReferralData _ = discount u32, rebate u32, ref_info dict<4, @StormReferrerData>;
  StormReferrerData _ = referrer_address addrInt, referrer_part u8;
  StormSignature empty $0 = continue @InvertedMaybe<^@StormSignature>;
  StormSignature fulled $1 = signature b512, continue @InvertedMaybe<^@StormSignature>;
  StormSignedSelfDepositJettonPayload _ = external_query_id @StormExecutorQueryId, created_at u32,
    sa_address addrInt, query_id u64, amount coins, vault_address addrInt, ^{jetton_wallet_address addrInt};
  StormSignedSelfDepositNativePayload _ = external_query_id @StormExecutorQueryId, created_at u32,
    sa_address addrInt, query_id u64, amount coins, vault_address addrInt;
  StormSignedUpgradePayload _ = signature b512, payload dict<8, @StormUpgradePayload>;
  StormSingleOraclePayload without_settlement = update_msg ^@StormUpdateMsg, signatures ^@StormSignature;
  StormUpdateMsg update_msg = price coins, spread coins, timestamp u32, assetIndex u16, pause_at u32,
    unpause_at u32, vpi_spread coins, vpi_market_depth_long coins, vpi_market_depth_short coins,
    vpi_coefficient u64;
  StormUpgradePayload _ = migrate_code ^cell?, new_code ^cell?;
  StormUserIntent _ = query_id @StormUserQueryId, created_at u32, reference_query_id @StormUserQueryId?,
    public_key b256, intent ^@StormUserIntentPayload;
  StormUserIntentPayload user_intent_payload = amm_address addrInt, sa_address addrInt,
    order ^@StormUserOrder;
  StormUserOrder stop_loss_order #0 = expiration u32, direction @StormDirection, amount coins,
    trigger_price coins;
  StormUserOrder take_profit_order #1 = expiration u32, direction @StormDirection, amount coins,
    trigger_price coins;
  StormUserOrder _ = order @StormCreateOrder;
  StormUserOrder add_margin #4 = direction @StormDirection, amount coins;
  StormUserOrder remove_margin #5 = direction @StormDirection, amount coins;
  StormUserOrder request_order #8 = selector @StormExecuteSelector, order @StormCreateOrder;
  StormUserQueryId _ = shift u13, {shift >= 0}, {shift <= 5999}, bit_number u10, {bit_number >= 0},
    {bit_number <= 1022};
`;
