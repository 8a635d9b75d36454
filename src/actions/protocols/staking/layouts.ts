import { messagesOf } from '../../rules/message-layouts.ts';

export const STAKING = `
  0 10a1ce75 bemo_deploy_unstake_request = query_id u64, owner_address addr, withdraw_ton_amount vu16,
    withdraw_jetton_amount vu16, forward_payload ^cell?, lockup_timestamp u32;
  0 38633538 bemo_return_unstake_request = lockup_timestamp u32;
  0 3d3761a6 hipo_finance_deposit_coins = query_id u64, owner addr, coins vu16,
    ownership_assigned_amount vu16, referrer addr;
  0 4253c4d5 bemo_stake = query_id u64, forward_ton_amount vu16, forward_payload ^cell?;
  0 492ab1b3 bemo_unstake = index u64, owner addr, ton_amount vu16, jetton_amount vu16,
    forward_payload ^cell?;
  0 5445efee hipo_finance_tokens_minted = query_id u64, tokens vu16, coins vu16, owner addr,
    round_since u32;
  0 5be57626 hipo_finance_proxy_tokens_minted = query_id u64, tokens vu16, coins vu16, owner addr,
    round_since u32;
  0 90c80a07 bemo_unstake_notification = query_id u64, forward_payload ^cell?;
  1 0a77535c tonstake_pool_withdrawal = query_id u64;
  1 132f9a45 tonstake_nft_init = query_id u64, owner addr, amount coins, prev addr, next addr;
  1 139a1b4e tonstake_controller_pool_halt = query_id u64;
  1 1674b0a0 tonstake_payout_mint_jettons = query_id u64, destination addr, amount coins,
    notification coins, forward coins;
  1 270695fb tonstake_controller_pool_send_message = query_id u64, mode u8, msg ^cell;
  1 2aaa96a0 tonstake_pool_set_governance_fee = query_id u64, governance_fee u16;
  1 30026327 tonstake_controller_validator_withdrawal = query_id u64, amount coins;
  1 319b0cdc tonstake_pool_withdraw = query_id u64, jetton_amount coins, from_address addr,
    response_address addr;
  1 47657424 elector_recover_stake_request = query_id u64;
  1 47d54391 tonstake_pool_deposit = query_id u64, referral cell;
  1 4bc7c2df tonstake_pool_touch = query_id u64;
  1 4e73744b elector_new_stake = query_id u64, validator_pubkey b256, stake_at u32, max_factor u32,
    adnl_addr b256, signature ^b512;
  1 54d37487 tonstake_imanager_operation_fee = query_id u64;
  1 55c26cd5 tonstake_controller_return_available_funds = query_id u64;
  1 5e517f36 tonstake_pool_set_roles = query_id u64, governor addr?, interest_manager addr?, halter addr?;
  1 6335b11a tonstake_controller_send_request_loan = query_id u64, min_loan coins, max_loan coins,
    max_interst u24;
  1 7247e7a5 tonstake_controller_pool_unhalt = query_id u64;
  1 79e7c016 tonstake_controller_pool_set_sudoer = query_id u64, sudoer addr;
  1 8efed779 tonstake_controller_withdraw_validator = query_id u64, value coins;
  1 96e7f528 tonstake_controller_pool_upgrade = query_id u64, data ^cell?, code ^cell?,
    after_upgrade ^cell?;
  1 9971881c tonstake_pool_prepare_governance_migration = query_id u64, governor_update_after u48;
  1 9bf5561c tonstake_pool_set_deposit_settings = query_id u64, optimistic_deposit_withdrawals bool,
    deposits_open bool;
  1 b1ebae06 tonstake_imanager_request_notification = query_id u64, min_loan coins, max_loan coins,
    max_interest u16;
  1 b27edcad tonstake_pool_deploy_controller = controller_id u32, query_id u64;
  1 c1344900 tonstake_imanager_stats = query_id u64, borrowed coins, expected coins, returned coins,
    profit_sign i1, profit coins, total_balance coins;
  1 c9f04485 tonstake_imanager_set_interest = query_id u64, interest_rate u16;
  1 db3b8abd tonstake_nft_payout = query_id u64;
  1 dfdca27b tonstake_pool_loan_repayment = query_id u64;
  1 e0505d0e tonstake_controller_new_stake = query_id u64, value coins, validator_pubkey u256, stake_at u32,
    max_factor u32, adnl_addr u256, signature ^b512;
  1 e642c965 tonstake_pool_request_loan = query_id u64, min_loan coins, max_loan coins, max_interest u24,
    controller_data ^@TonstakersControllerData;
  1 eb373a05 tonstake_controller_recover_stake = query_id u64;
  1 ed58b0b2 tonstake_nft_burn_notification = query_id u64, amount coins, owner addr, index u64;
  1 ed7378a6 tonstake_controller_return_unused_loan = query_id u64;
  1 f0fd2250 tonstake_controller_update_validator_hash = query_id u64;
  1 f127fe4e tonstake_nft_burn = query_id u64;
  1 f374484c elector_new_stake_confirmation = query_id u64;
  1 f96f7324 elector_recover_stake_response = query_id u64;
  5 1596920c whales_nominators_force_kick = query_id i64;
  5 1d1715bf whales_nominators_withdraw_unowned_response = query_id u64;
  5 23d421e1 whales_nominators_stake_withdraw_completed = query_id i64;
  5 251d6a98 whales_nominators_withdraw_unowned = query_id u64, gas_limit grams;
  5 74bb3427 whales_nominators_stake_withdraw_delayed = query_id i64;
  5 7bcd1fef whales_nominators_deposit = query_id i64, gas grams;
  5 99a811fb whales_nominators_accept_stake = query_id u64, members cell;
  5 a19fd934 whales_nominators_accept_withdraws = query_id u64, members cell;
  5 a2065f2c whales_nominators_send_stake = query_id u64, gas_limit grams, stake grams,
    validator_pubkey b256, stake_at u32, max_factor u32, adnl_addr b256, signature ^b512;
  5 da803efd whales_nominators_withdraw = query_id i64, gas grams, amount grams;

  ApproverHalter _ = approver addr, halter addr;
  TonstakersControllerData data = controller_id u32, validator addr, pool addr, governor addr,
    ^@ApproverHalter;
`;

export const staking = messagesOf(STAKING, 'tonstake_');

/** Requests to staking pools that are not shown decoded. */
export const poolRequest = messagesOf(`
  0 00000002 process_withdrawals;
  0 1140a64f start_distribution;
`);
