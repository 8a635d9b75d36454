/** What the messages of Storm Trade are made of. */
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
