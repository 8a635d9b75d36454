/** Names by their stored ids, which start at 1. */
export class NameTable {
  readonly #names: readonly string[];
  readonly #ids: ReadonlyMap<string, number>;

  constructor(text: string) {
    this.#names = text.trim().split(/\s+/);
    this.#ids = new Map(this.#names.map((name, at) => [name, at + 1]));
  }

  /** The id of a name; 0 if it has none. */
  idOf(name: string): number {
    return this.#ids.get(name) ?? 0;
  }

  /** The name of an id. A newer version may have stored an id that this one does not know. */
  nameOf(id: number): string {
    return this.#names[id - 1] ?? `unknown#${id}`;
  }
}

/** Types of actions. Their places are stored: new names go to the end, and none is ever removed. */
export const ACTION_TYPES = new NameTable(`
  call_contract ton_transfer jetton_transfer jetton_swap contract_deploy nft_transfer unknown tick_tock
  stake_deposit stake_withdrawal stake_withdrawal_request dex_deposit_liquidity dex_withdraw_liquidity
  jetton_burn jetton_mint nft_mint auction_bid change_dns delete_dns renew_dns subscribe unsubscribe
  election_deposit election_recover multisig_create_order multisig_approve multisig_execute vesting_send_message
  vesting_add_whitelist evaa_supply evaa_withdraw evaa_liquidate jvault_stake jvault_unstake jvault_claim
  jvault_unstake_request coffee_create_vault coffee_create_pool_creator coffee_create_pool
  coffee_mev_protect_hold_funds coffee_staking_claim_rewards coffee_staking_deposit coffee_staking_withdraw
  coffee_mev_protect_failed_swap nft_discovery tonco_deploy_pool nft_put_on_sale nft_put_on_auction
  auction_outbid nft_cancel_sale nft_purchase nft_cancel_auction nft_finish_auction teleitem_start_auction
  teleitem_cancel_auction nft_update_sale dns_purchase dns_release layerzero_send layerzero_send_tokens
  layerzero_receive layerzero_commit_packet layerzero_dvn_verify cocoon_worker_payout cocoon_proxy_payout
  cocoon_proxy_charge cocoon_client_top_up cocoon_register_proxy cocoon_unregister_proxy cocoon_client_register
  cocoon_client_change_secret_hash cocoon_client_request_refund cocoon_grant_refund cocoon_client_increase_stake
  cocoon_client_withdraw tgbtc_dkg_log_fallback tgbtc_new_key tgbtc_new_key_fallback tgbtc_burn
  tgbtc_burn_fallback tgbtc_mint tgbtc_mint_fallback dedust_v2_claim_fees dedust_v2_claim_reward
  add_extension remove_extension set_signature_allowed gas_relay purchase flawed_jetton_transfer dex_swap
  launchpad_buy launchpad_sell tradoor_order tradoor_position
`);

/** Keys of the type-specific columns of actions. Their places are stored too. */
export const DETAIL_KEYS = new NameTable(`
  ton_transfer_data content encrypted jetton_transfer_data response_destination forward_amount query_id
  custom_payload forward_payload comment is_encrypted_comment nft_transfer_data is_purchase
  payout_comment_encrypted payout_comment_encoded price nft_item_index payout_amount royalty_amount
  real_prev_owner marketplace_address payout_comment marketplace nft_listing_data full_price marketplace_fee
  mp_fee_factor mp_fee_base royalty_fee_base max_bid min_bid marketplace_fee_address royalty_address
  jetton_swap_data dex sender dex_incoming_transfer asset source destination source_jetton_wallet
  destination_jetton_wallet amount dex_outgoing_transfer peer_swaps asset_in asset_out amount_in amount_out
  min_out_amount change_dns_record_data key value_schema value flags nft_mint_data dex_withdraw_liquidity_data
  amount1 amount2 lp_tokens_burnt burned_nft_index asset1_out asset2_out user_jetton_wallet_1
  user_jetton_wallet_2 burned_nft_address dex_jetton_wallet_1 dex_jetton_wallet_2 dex_wallet_1 dex_wallet_2
  tick_lower tick_upper dex_deposit_liquidity_data lp_tokens_minted target_amount_1 target_amount_2 nft_index
  asset1 asset2 nft_address target_asset_1 target_asset_2 vault_excesses staking_data provider ts_nft
  tokens_burnt tokens_minted multisig_create_order_data order_seqno is_created_by_signer is_signed_by_creator
  creator_index expiration_date order_boc multisig_approve_data signer_index exit_code multisig_execute_data
  approvals_num signers_hash vesting_send_message_data message_boc vesting_add_whitelist_data accounts_added
  evaa_supply_data sender_jetton_wallet recipient_jetton_wallet master_jetton_wallet master asset_id is_ton
  evaa_withdraw_data fail_reason evaa_liquidate_data debt_amount jvault_claim_data claimed_jettons
  claimed_amounts jvault_stake_data period minted_stake_jettons stake_wallet tonco_deploy_pool_data
  jetton0_router_wallet jetton1_router_wallet jetton0_minter jetton1_minter initial_price_x96 tick_spacing
  protocol_fee lp_fee_base lp_fee_current pool_active coffee_create_pool_data amount_1 amount_2 initiator_1
  initiator_2 provided_asset pool_creator_contract coffee_staking_deposit_data minted_item_address
  minted_item_index coffee_staking_withdraw_data points layerzero_send_data send_request_id native_fee zro_fee
  msglib_manager msglib uln endpoint channel layerzero_packet_data src_oapp dst_oapp src_eid dst_eid nonce guid
  message layerzero_dvn_verify_data status dvn proxy uln_connection cocoon_worker_payout_data payout_type
  worker_state new_tokens worker_tokens cocoon_proxy_payout_data cocoon_proxy_charge_data new_tokens_used
  expected_address cocoon_client_top_up_data cocoon_register_proxy_data cocoon_unregister_proxy_data seqno
  cocoon_client_register_data cocoon_client_change_secret_hash_data new_secret_hash
  cocoon_client_request_refund_data via_wallet cocoon_grant_refund_data cocoon_client_increase_stake_data
  new_stake cocoon_client_withdraw_data withdraw_amount set_signature_allowed_data allowed purchase_data
  invoice_id flawed_jetton_transfer_data sent_amount launchpad_trade_data launchpad fee
  tradoor_order_data op_type token_id is_long margin_delta size_delta trigger_price trigger_above
  execution_fee order_id tradoor_position_data is_increase position_id margin_after size_after trade_price
  entry_price
`);

/**
 * Types that one trace in fifty or more has, in the index that `npm run fill` generates after the model of mainnet, and
 * deployments. Lists of them walk all traces, newest or oldest first; for every other type the index has a row per trace.
 */
const COMMON_TYPES: ReadonlySet<string> = new Set([
  'call_contract',
  'ton_transfer',
  'jetton_transfer',
  'jetton_swap',
  'contract_deploy',
  'nft_transfer',
  'unknown',
]);

/** Whether lists of a type walk all traces. */
export function isCommonType(type: string): boolean {
  return COMMON_TYPES.has(type);
}

const OWN_BITS = 8;
const SHARED_BITS = 23;

/** The bits of types in the mask of a trace. The first types have their own bit, the others share the rest. */
export function maskOfTypes(types: Iterable<string>): number {
  let mask = 0;
  for (const type of types) {
    const id = ACTION_TYPES.idOf(type);
    mask |= 1 << (id > 0 && id <= OWN_BITS ? id - 1 : OWN_BITS + (id % SHARED_BITS));
  }
  return mask;
}

/** The key under which `action_keys` has the traces with a type; types without an id share one. */
export function typeKey(type: string): bigint {
  return BigInt(ACTION_TYPES.idOf(type));
}

const SLICE_BITS = 28n;

/**
 * The slice of logical time in which a trace ended. A block takes a million of logical time, so a slice has about 268 of
 * them. `action_slices` tells the types in a slice: walks skip the times before a type existed.
 */
export function sliceOf(endLt: bigint): bigint {
  return endLt >> SLICE_BITS;
}

/** The logical times of slices that follow each other, both ends inclusive. */
export function ltsOfSlices(first: bigint, last: bigint) {
  return { startLt: first << SLICE_BITS, endLt: ((last + 1n) << SLICE_BITS) - 1n };
}
