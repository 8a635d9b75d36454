/** Messages of wallets and their extensions: two-factor, cron. */
export const WALLETS = `
  0 2e04891a cron_reward = rest any;
  0 2e41d3ac cron_init = rest any;
  0 56f6110e w5_dns_renewal_calc_and_topup = first_call_time u32, repeat_every u32, salt u32, reward coins,
    owner_address addrInt, renewal_actions_cell ^cell, topup_amount coins, msg_to_wallet_amount coins;
  0 bbe27821 cron_destroyed = rest any;
  0 d027efe5 cron_notify = init_state_hash u256, init_state_depth u10;
  5 53684037 tonkeeper_2fa_signed = ref_with_certificate ^@Certificate2Fa,
    ref_seed_signature ^@SeedSignature, payload @Payload2Fa, certificate_signature b512;
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
