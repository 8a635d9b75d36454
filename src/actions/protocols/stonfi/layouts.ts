import { messagesOf } from '../../rules/message-layouts.ts';

export const STONFI = `
  2 25938561 stonfi_swap = query_id u64, to_address addr, sender_address addr, jetton_amount vu16,
    min_out vu16, has_ref_address bool, addrs ^@StonfiSwapAddrs;
  3 0490f09b stonfi_deposit_ref_fee_v2 = query_id u64, jetton_amount vu16, excesses_address addr;
  3 06ecd527 stonfi_cb_add_liquidity_v2 = query_id u64, tot_am0 vu16, tot_am1 vu16, user_address addr,
    min_lp_out vu16, fwd_amount coins, custom_payload_cs ^cell?, ^@AdditionalFields;
  3 2100c922 stonfi_vault_pay_to_v2 = query_id u64, amount_out vu16, token_address addr, to_address addr;
  3 297437cf stonfi_burn_notification_ext_v2 = query_id u64, jetton_amount vu16, from_address addr,
    response_address addr, maybe_custom_payload ^cell?;
  3 354bcdf4 stonfi_withdraw_fee_v2 = query_id u64;
  3 37c096df stonfi_provide_lp_v2 = query_id u64, from_user addr, left_amount vu16, right_amount vu16,
    ^@DexPayloadProvideLpV2;
  3 50c6a654 stonfi_add_liquidity_v2 = query_id u64, new_amount0 vu16, new_amount1 vu16, min_lp_out vu16,
    fwd_amount coins, both_positive u1, to_user addr, custom_payload_cs ^cell?,
    ^@AdditionalFieldsAddLiquidityV2;
  3 63381632 stonfi_pay_vault_v2 = query_id u64, owner addr, excesses_address addr,
    ^@AdditionalInfoPayVaultV2;
  3 657b54f5 stonfi_pay_to_v2 = query_id u64, to_address addr, excesses_address addr, original_caller addr,
    exit_code u32, custom_payload ^cell?, ^@AdditionalInfoPayToV2;
  3 6664de2a stonfi_swap_v2 = query_id u64, from_user addr, left_amount vu16, right_amount vu16,
    ^@DexPayload;
  3 f93bb43f stonfi_payment_request = query_id u64, owner addr, exit_code u32,
    params either<@StonfiPayToParams, ^@StonfiPayToParams>;
  13 25938561 stonfi_swap_forward_payload = token_wallet addr, min_out vu16, to_address addr,
    referral_address addr?;
  13 37c096df stonfi_provide_lp_v2_forward_payload = token_wallet1 addr, refund_address addr,
    excesses_address addr, tx_deadline u64, ^@CrossProvideLpBody;
  13 45078540 stonfi_swap_ok_ref_forward_payload;
  13 6664de2a stonfi_swap_v2_forward_payload = token_wallet1 addr, refund_address addr,
    excesses_address addr, tx_deadline u64, ^@CrossSwapBody;
  13 c64370e5 stonfi_swap_ok_forward_payload;
  13 fcf9e58f stonfi_provide_liquidity_forward_payload = token_wallet addr, min_lp_out vu16;

  AdditionalFields additional_fields = to_user_address addr, refund_address addr, excess_address addr;
  AdditionalFieldsAddLiquidityV2 additional_fields_add_liquidity_v2 = refund_address addr,
    excess_address addr;
  AdditionalInfoPayToV2 additional_info_pay_to_v2 = fwd_ton_amount coins, amount0_out vu16,
    token0_address addr, amount1_out vu16, token1_address addr;
  AdditionalInfoPayVaultV2 additional_info_pay_vault_v2 = amount0_out vu16, token0_address addr,
    amount1_out vu16, token1_address addr;
  CrossProvideLpBody cross_provide_lp_body = min_lp_out vu16, to_address addr, both_positive u1,
    fwd_amount coins, custom_payload ^cell?;
  CrossSwapBody cross_swap_body = min_out vu16, receiver addr, fwd_gas coins, custom_payload ^cell?,
    refund_fwd_gas coins, refund_payload ^cell?, ref_fee u16, ref_address addr;
  DexPayload dex_payload = transferred_op u32, token_wallet1 addr, refund_address addr,
    excesses_address addr, tx_deadline u64, ^@SwapBody;
  DexPayloadProvideLpV2 dex_payload_provide_lp_v2 = transferred_op u32, token_wallet1 addr,
    refund_address addr, excesses_address addr, tx_deadline u64, ^@ProvideLpBodyV2;
  ProvideLpBodyV2 provide_lp_body_v2 = min_lp_out vu16, to_address addr, both_positive u1, fwd_amount coins,
    custom_payload ^cell?;
  StonfiPayToParams pay_to_params = amount0_out vu16, token0_address addr, amount1_out vu16,
    token1_address addr;
  StonfiSwapAddrs swap_addresses = from_user addr;
  SwapBody swap_body = min_out vu16, receiver addr, fwd_gas coins, custom_payload ^cell?,
    refund_fwd_gas coins, refund_payload ^cell?, ref_fee u16, ref_address addr;
`;

export const stonfi = messagesOf(STONFI, 'stonfi_');

/**
 * Messages of STON.fi v2 that are not shown decoded: refunds of incomplete deposits, and the chain of requests of a swap,
 * of which nothing is read but the wallets and the request to the next pool.
 */
export const stonfiV2 = messagesOf(`
  0 0f98e2b8 refund;
  0 132b9a2c request_refund;
  0 6664de2a pool_swap = query_id u64, from_user addr, left_amount vu16, right_amount vu16, request ^cell;
  0 6664de2a swap_request = token_wallet1 addr, ^@SwapTerms;
  0 69cf1a5b cross_swap_request = token_wallet1 addr, ^@SwapTerms;

  SwapTerms _ = min_out vu16, receiver addr, fwd_gas coins, next ^cell?;
`);
