/** Messages of wallets and their extensions: plugins, subscriptions, vesting, two-factor, cron. */
export const WALLETS = `
  0 2e04891a cron_reward = rest any;
  0 2e41d3ac cron_init = rest any;
  0 56f6110e w5_dns_renewal_calc_and_topup = first_call_time u32, repeat_every u32, salt u32, reward coins,
    owner_address addrInt, renewal_actions_cell ^cell, topup_amount coins, msg_to_wallet_amount coins;
  0 bbe27821 cron_destroyed = rest any;
  0 d027efe5 cron_notify = init_state_hash u256, init_state_depth u10;
  4 508238ec subscription_reduce_payment = query_id u64, new_payment grams;
  4 73756273 subscription_payment = rest any;
  4 756e6b77 subscription_fallback = rest any;
  4 f71783cb subscription_deploy = query_id u64, first_charging_date u32, payment_per_period grams,
    period u32, grace_period u32, caller_fee grams, withdraw_address addrInt, withdraw_msg_body ^cell,
    metadata ^cell;
  5 53684037 tonkeeper_2fa_signed = ref_with_certificate ^@Certificate2Fa,
    ref_seed_signature ^@SeedSignature, payload @Payload2Fa, certificate_signature b512;
  5 64737472 wallet_plugin_destruct = query_id u64;
  5 6e6f7465 wallet_plugin_installation_notification = query_id u64;
  5 706c7567 payment_request = query_id u64, amount @CurrencyCollection;
  5 e4737472 wallet_plugin_destruct_response = query_id u64;
  5 f06c7567 payment_confirmed = query_id u64;
  6 7258a69b vesting_add_white_list = query_id u64, addresses_ref_snake any;
  6 a7733acd vesting_send_message = query_id u64, send_mode u8, message ^@MessageRelaxed<any>;
  6 f258a69b vesting_add_white_list_response = query_id u64;
  6 f7733acd vesting_send_message_response = query_id u64;
  8 6578746e w5_extension_action_request = rest any;
  8 7369676e w5_external_signed_request = rest any;
  8 73696e74 w5_internal_signed_request = rest any;
  8 ae42e5a4 highload_v3_internal_request = rest any;
  12 2114702d cron_trigger = reward_address addr, salt u32;
  13 878da6e3 tonkeeper_relayer_fee_forward_payload = rest any;

  Certificate2Fa certificate = data @CertificateData2Fa, signature b512;
  CertificateData2Fa certificate_data = valid_until u64, pubkey b256;
  HighloadV1MsgBody highload_wallet_signed_v1 = signature b512, subwallet_id u32, valid_until u32,
    msg_seqno u32, payload ^tree<16, @ModeWithMessage>;
  HighloadV2MsgBody highload_wallet_signed_v2 = signature b512, subwallet_id u32, query_id u64,
    payload dict<16, @ModeWithMessage>;
  HighloadV3InternalRequest<n> highload_v3_internal_request #ae42e5a4 = query_id u64, actions ^@OutList<n>;
  HighloadV3MsgBody highload_wallet_signed_v3 = signature b512, msg_inner ^@HighloadV3MsgInner;
  HighloadV3MsgInner _ = subwallet_id u32, message_to_send ^@MessageRelaxed<any>, send_mode u8,
    query_id @HighloadV3QueryId, created_at u64, timeout u22;
  HighloadV3QueryId _ = shift u13, bit_number u10;
  Payload2Fa send_actions #b15f2c8c = seqno u32, valid_until u64, msg ^cell, mode u8;
  Payload2Fa remove_extension #9d8084d6 = seqno u32, valid_until u64;
  Payload2Fa delegation #23d9c15c = seqno u32, valid_until u64, new_state_init ^cell, forward_amount coins;
  Payload2Fa cancel_delegation #de82b501 = seqno u32, valid_until u64;
  PreprocessedWalletV2MsgBody<n> preprocessed_wallet_signed_v2 = signature b512,
    inner ^@PreprocessedWalletV2MsgInner<n>;
  PreprocessedWalletV2MsgInner<n> _ = valid_until u64, seqno u16, actions ^@OutList<n>;
  SeedSignature _ = seed_signature b512;
  W1W2MsgBody<n> wallet_signed_v1_v2 = signature b512, msg_seqno u32, valid_until u32,
    msgs @WalletV1toV4Msgs<n>;
  W3MsgBody<n> wallet_signed_v3 = signature b512, subwallet_id u32, valid_until u32, msg_seqno u32,
    msgs @WalletV1toV4Msgs<n>;
  W4MsgBody<n> wallet_signed_v4 = signature b512, subwallet_id u32, valid_until u32, msg_seqno u32,
    op @W4Operation<n>;
  W4Operation<n> simple_send #00 = msgs @WalletV1toV4Msgs<n>;
  W4Operation<n> deploy_install_plugin #01 = plugin_workchain i8, plugin_balance coins,
    state_init ^@StateInit, body ^cell;
  W4Operation<n> install_plugin #02 = plugin_workchain i8, plugin_address b256, amount coins, query_id u64;
  W4Operation<n> remove_plugin #03 = plugin_workchain i8, plugin_address b256, amount coins, query_id u64;
  W5ExtendedAction add_extension #02 = addr addrInt;
  W5ExtendedAction delete_extension #03 = addr addrInt;
  W5ExtendedAction set_signature_auth_allowed #04 = allowed bool;
  W5ExtendedActionList<0> extended_list_last = action @W5ExtendedAction;
  W5ExtendedActionList<m+1> extended_list_action = action @W5ExtendedAction, prev ^@W5ExtendedActionList<m>;
  W5InnerRequest<m, n> w5_actions_request = out_actions ^@OutList<m>?,
    extended_actions @W5ExtendedActionList<n>?;
  W5MsgBody<m, n> w5_internal_signed_request #73696e74 = request @W5SignedRequest<m, n>;
  W5MsgBody<m, n> w5_external_signed_request #7369676e = request @W5SignedRequest<m, n>;
  W5MsgBody<m, n> w5_extension_action_request #6578746e = query_id u64, request @W5InnerRequest<m, n>;
  W5SignedRequest<m, n> w5_signed_request = wallet_id u32, valid_until u32, msg_seqno u32,
    inner @W5InnerRequest<m, n>, signature b512;
  WalletV1toV4Msgs<0> msgs_0;
  WalletV1toV4Msgs<1> msgs_1 = msg_1 @ModeWithMessage;
  WalletV1toV4Msgs<2> msgs_2 = msg_1 @ModeWithMessage, msg_2 @ModeWithMessage;
  WalletV1toV4Msgs<3> msgs_3 = msg_1 @ModeWithMessage, msg_2 @ModeWithMessage, msg_3 @ModeWithMessage;
  WalletV1toV4Msgs<4> msgs_4 = msg_1 @ModeWithMessage, msg_2 @ModeWithMessage, msg_3 @ModeWithMessage,
    msg_4 @ModeWithMessage;
`;

/** Messages of multisig wallets and their orders. */
export const MULTISIG = `
  2 75097f5d multisig_execute = query_id u64, order_seqno u256, expiration_date u48, approvals_num u8,
    signers_hash b256, order ^@MultisigOrder;
  2 82609bf6 multisig_approve_accepted = query_id u64;
  2 9c73fba2 multisig_order_init = query_id u64, threshold u8, signers ^tree<8, addrInt>,
    expiration_date u48, order ^@MultisigOrder, signer_index u8?;
  2 a32c59bf multisig_execute_internal = query_id u64, order ^@MultisigOrder;
  2 a762230f multisig_approve = query_id u64, signer_index u8;
  2 afaf283e multisig_approve_rejected = query_id u64, exit_code u32;
  2 f718510f mulisig_new_order = query_id u64, order_seqno u256, signer bool, index u8, expiration_date u48,
    order ^@MultisigOrder;

  MulisigAction send_message #f1381e5b = mode u8, message ^@MessageRelaxed<any>;
  MulisigAction update_multisig_param #1d0cfbd3 = threshold u8, signers ^tree<8, addrInt>, proposers dict<8,
    addrInt>;
  MultisigOrder _ = tree<8, ^@MulisigAction>;
`;

/** Messages of payment channels. */
export const PAYMENT_CHANNELS = `
  2 088eaa32 challenge_quarantined_channel_state = challenged_by_A bool, signature b512, tag u32,
    channel_id u128, sch_A ^@SignedSemiChannel, sch_B ^@SignedSemiChannel;
  2 0e0620c2 init_payment_channel = is_A bool, signature b512, tag u32, channel_id u128, balance_A coins,
    balance_B coins;
  2 1f151acf start_uncooperative_channel_close = signed_by_A bool, signature b512, tag u32, channel_id u128,
    sch_A ^@SignedSemiChannel, sch_B ^@SignedSemiChannel;
  2 25432a91 finish_uncooperative_channel_close = rest any;
  2 5577587e channel_cooperative_close = sig_A ^b512, sig_B ^b512, tag u32, channel_id u128,
    balance_A coins, balance_B coins, seqno_A u64, seqno_B u64;
  2 66f6f069 settle_channel_conditionals = from_A bool, signature b512, tag u32, channel_id u128,
    conditionals_to_settle dict<32, cell>;
  2 67c7d281 top_up_channel_balance = add_A coins, add_B coins;
  2 79a126ef channel_cooperative_commit = sig_A ^b512, sig_B ^b512, tag u32, channel_id u128, seqno_A u64,
    seqno_B u64;
  2 dddc88ba channel_closed = channel_id u128;

  ConditionalPayment cp = amount coins, condition cell;
  SemiChannel semichannel_state #43685374 = channel_id u128, data @SemiChannelBody,
    counterparty_data ^@SemiChannelBody?;
  SemiChannelBody sc_body = seqno u64, sent coins, conditionals dict<32, @ConditionalPayment>;
  SignedSemiChannel signed_schs = signature b512, state @SemiChannel;
`;
