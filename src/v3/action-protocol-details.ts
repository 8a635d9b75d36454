import {
  addr,
  bool,
  columns,
  type DetailFields,
  described,
  int,
  list,
  num,
  object,
  str,
} from './action-detail-fields.ts';
import { claimedRewards, evaaAsset, extraOr, isKnownEvaaAsset } from './action-detail-rules.ts';

const ENDS = { source: addr('source'), destination: addr('destination') };

const JVAULT_UNSTAKE = {
  source: addr('source'),
  stake_wallet: addr('source_secondary'),
  pool: addr('destination'),
  amount: num('amount'),
  // Stored in the column `opcode`.
  exit_code: int('opcode'),
  asset: addr('asset'),
  staking_asset: addr('asset2'),
};

const TGBTC_MINT = {
  ...ENDS,
  amount: num('amount'),
  asset: addr('asset'),
  bitcoin_tx_id: str(extraOr('btc_txid', 'asset_secondary')),
  destination_wallet: addr('destination_secondary'),
};

const TGBTC_BURN = {
  source: addr('source'),
  source_wallet: addr('source_secondary'),
  destination: addr('destination'),
  amount: num('amount'),
  asset: addr('asset'),
};

const TGBTC_NEW_KEY = {
  source: addr('source'),
  pubkey: str(extraOr('pubkey', 'source_secondary')),
  coordinator: addr('destination'),
  pegout: addr('destination_secondary'),
  amount: num('amount'),
  asset: addr('asset'),
};

/** Details of EVAA, JVault and tgBTC. */
export const LENDING_DETAILS: Readonly<Record<string, DetailFields>> = {
  evaa_supply: {
    ...columns(
      addr,
      'evaa_supply',
      'sender_jetton_wallet',
      'recipient_jetton_wallet',
      'master_jetton_wallet',
      'master',
    ),
    asset_id: str('evaa_supply.asset_id'),
    is_ton: bool('evaa_supply.is_ton'),
    source: addr('source'),
    source_wallet: addr('source_secondary'),
    recipient: addr('destination'),
    recipient_contract: addr('destination_secondary'),
    asset: addr('asset'),
    amount: num('amount'),
  },
  evaa_withdraw: {
    ...columns(addr, 'evaa_withdraw', 'recipient_jetton_wallet', 'master_jetton_wallet', 'master'),
    ...columns(str, 'evaa_withdraw', 'fail_reason', 'asset_id'),
    source: addr('source'),
    recipient: addr('destination'),
    owner_contract: addr('destination_secondary'),
    asset: addr('asset'),
    amount: num('amount'),
  },
  evaa_liquidate: {
    fail_reason: str('evaa_liquidate.fail_reason'),
    debt_amount: num('evaa_liquidate.debt_amount'),
    source: addr('source'),
    borrower: addr('destination'),
    borrower_contract: addr('destination_secondary'),
    // The asset id, decimal.
    collateral: str('asset'),
    asset_id: str('evaa_liquidate.asset_id'),
    asset: addr(evaaAsset),
    is_known_asset: bool(isKnownEvaaAsset),
    amount: num('amount'),
  },
  jvault_claim: {
    claimed_rewards: list('JettonAmountPair', claimedRewards, { jetton: addr, amount: num }),
    source: addr('source'),
    stake_wallet: addr('source_secondary'),
    pool: addr('destination'),
  },
  jvault_stake: {
    period: int('jvault_stake.period'),
    minted_stake_jettons: num('jvault_stake.minted_stake_jettons'),
    stake_wallet: addr('jvault_stake.stake_wallet'),
    source: addr('source'),
    source_jetton_wallet: addr('source_secondary'),
    asset: addr('asset'),
    pool: addr('destination'),
    amount: num('amount'),
  },
  jvault_unstake: JVAULT_UNSTAKE,
  jvault_unstake_request: JVAULT_UNSTAKE,
  tgbtc_mint: TGBTC_MINT,
  tgbtc_mint_fallback: TGBTC_MINT,
  tgbtc_burn: TGBTC_BURN,
  tgbtc_burn_fallback: TGBTC_BURN,
  tgbtc_new_key: TGBTC_NEW_KEY,
  tgbtc_new_key_fallback: TGBTC_NEW_KEY,
  tgbtc_dkg_log_fallback: {
    coordinator: addr('source'),
    pubkey: str(extraOr('pubkey', 'asset')),
    timestamp: num('value'),
  },
};

const COFFEE_STAKE = {
  source: addr('source'),
  source_jetton_wallet: addr('source_secondary'),
  pool: addr('destination'),
  pool_jetton_wallet: addr('destination_secondary'),
  asset: addr('asset'),
  amount: num('amount'),
};

const CLAIMED = 'Null for TON, and if nothing was paid.';

const DEDUST_V2_CLAIM = {
  dex: str(() => 'dedust_v2'),
  source: addr('source'),
  pool: addr('destination'),
  position: addr('destination_secondary'),
};

/** Details of DeDust v2, TONCO and swap.coffee. */
export const POOL_DETAILS: Readonly<Record<string, DetailFields>> = {
  dedust_v2_claim_fees: {
    ...DEDUST_V2_CLAIM,
    asset_1: described(addr('dex_withdraw_liquidity.asset1_out'), CLAIMED),
    asset_2: described(addr('dex_withdraw_liquidity.asset2_out'), CLAIMED),
    amount_1: num('dex_withdraw_liquidity.amount1'),
    amount_2: num('dex_withdraw_liquidity.amount2'),
    ...columns(
      addr,
      'dex_withdraw_liquidity',
      'user_jetton_wallet_1',
      'user_jetton_wallet_2',
      'dex_jetton_wallet_1',
      'dex_jetton_wallet_2',
    ),
  },
  dedust_v2_claim_reward: {
    ...DEDUST_V2_CLAIM,
    asset: described(addr('dex_withdraw_liquidity.asset1_out'), CLAIMED),
    amount: num('dex_withdraw_liquidity.amount1'),
    user_jetton_wallet: addr('dex_withdraw_liquidity.user_jetton_wallet_1'),
    dex_jetton_wallet: addr('dex_withdraw_liquidity.dex_jetton_wallet_1'),
  },
  tonco_deploy_pool: {
    source: addr('source'),
    pool: addr('destination_secondary'),
    router: addr('destination'),
    router_jetton_wallet_1: addr('tonco_deploy_pool.jetton0_router_wallet'),
    router_jetton_wallet_2: addr('tonco_deploy_pool.jetton1_router_wallet'),
    jetton_minter_1: addr('tonco_deploy_pool.jetton0_minter'),
    jetton_minter_2: addr('tonco_deploy_pool.jetton1_minter'),
    ...columns(
      num,
      'tonco_deploy_pool',
      'tick_spacing',
      'initial_price_x96',
      'protocol_fee',
      'lp_fee_base',
      'lp_fee_current',
    ),
    pool_active: bool('tonco_deploy_pool.pool_active'),
  },
  coffee_create_vault: {
    source: addr('source'),
    vault: addr('destination'),
    asset: addr('asset'),
    value: num('value'),
  },
  coffee_create_pool: {
    source: addr('source'),
    source_jetton_wallet: addr('source_secondary'),
    ...columns(addr, 'coffee_create_pool', 'initiator_1', 'initiator_2'),
    pool: addr('destination'),
    ...columns(addr, 'coffee_create_pool', 'pool_creator_contract', 'provided_asset'),
    amount: num('amount'),
    asset_1: addr('asset'),
    asset_2: addr('asset2'),
    ...columns(num, 'coffee_create_pool', 'amount_1', 'amount_2', 'lp_tokens_minted'),
  },
  coffee_create_pool_creator: {
    source: addr('source'),
    source_jetton_wallet: addr('source_secondary'),
    deposit_recipient: addr('destination'),
    pool_creator_contract: addr('destination_secondary'),
    provided_asset: addr('coffee_create_pool.provided_asset'),
    asset_1: addr('asset'),
    asset_2: addr('asset2'),
    amount: num('amount'),
  },
  coffee_mev_protect_hold_funds: {
    source: addr('source'),
    source_jetton_wallet: addr('source_secondary'),
    mev_contract: addr('destination'),
    mev_contract_jetton_wallet: addr('destination_secondary'),
    asset: addr('asset'),
    amount: num('amount'),
  },
  coffee_staking_deposit: {
    ...COFFEE_STAKE,
    minted_item_address: addr('coffee_staking_deposit.minted_item_address'),
    minted_item_index: num('coffee_staking_deposit.minted_item_index'),
  },
  coffee_staking_withdraw: {
    ...COFFEE_STAKE,
    nft_address: addr('coffee_staking_withdraw.nft_address'),
    ...columns(num, 'coffee_staking_withdraw', 'nft_index', 'points'),
  },
  coffee_staking_claim_rewards: {
    pool: addr('source'),
    pool_jetton_wallet: addr('source_secondary'),
    recipient: addr('destination'),
    recipient_jetton_wallet: addr('destination_secondary'),
    asset: addr('asset'),
    amount: num('amount'),
  },
};

const LAYERZERO_SEND = {
  layerzero_send_data: object('ActionDetailsLayerZeroSendDetails', {
    send_request_id: int('layerzero_send.send_request_id'),
    ...columns(str, 'layerzero_send', 'msglib_manager', 'msglib'),
    uln: addr('layerzero_send.uln'),
    ...columns(int, 'layerzero_send', 'native_fee', 'zro_fee'),
    ...columns(addr, 'layerzero_send', 'endpoint', 'channel'),
  }),
};

const LAYERZERO_PACKET = {
  layerzero_packet_data: object('ActionDetailsLayerZeroPacket', {
    ...columns(str, 'layerzero_packet', 'src_oapp', 'dst_oapp'),
    ...columns(int, 'layerzero_packet', 'src_eid', 'dst_eid', 'nonce'),
    ...columns(str, 'layerzero_packet', 'guid', 'message'),
  }),
};

/** Details of LayerZero and Cocoon. */
export const NETWORK_DETAILS: Readonly<Record<string, DetailFields>> = {
  layerzero_send: { initiator: addr('source'), ...LAYERZERO_SEND, ...LAYERZERO_PACKET },
  layerzero_send_tokens: {
    sender: addr('source'),
    sender_wallet: addr('source_secondary'),
    oapp: addr('destination'),
    oapp_wallet: addr('destination_secondary'),
    asset: addr('asset'),
    amount: num('amount'),
    ...LAYERZERO_SEND,
    ...LAYERZERO_PACKET,
  },
  layerzero_receive: {
    sender: addr('source'),
    oapp: addr('destination'),
    channel: addr('destination_secondary'),
    ...LAYERZERO_PACKET,
  },
  layerzero_commit_packet: {
    sender: addr('source'),
    endpoint: addr('source_secondary'),
    uln: addr('destination'),
    uln_connection: addr('destination_secondary'),
    channel: addr('asset'),
    msglib_connection: addr('asset_secondary'),
    ...LAYERZERO_PACKET,
  },
  layerzero_dvn_verify: {
    initiator: addr('source'),
    nonce: int('layerzero_dvn_verify.nonce'),
    status: str('layerzero_dvn_verify.status'),
    ...columns(addr, 'layerzero_dvn_verify', 'dvn', 'proxy', 'uln', 'uln_connection'),
  },
  cocoon_worker_payout: {
    payout_type: str('cocoon_worker_payout.payout_type'),
    ...columns(num, 'cocoon_worker_payout', 'query_id', 'new_tokens'),
    worker_state: int('cocoon_worker_payout.worker_state'),
    worker_tokens: num('cocoon_worker_payout.worker_tokens'),
    ...ENDS,
    amount: num('amount'),
  },
  cocoon_proxy_payout: { query_id: num('cocoon_proxy_payout.query_id'), ...ENDS },
  cocoon_proxy_charge: {
    ...columns(num, 'cocoon_proxy_charge', 'query_id', 'new_tokens_used'),
    expected_address: str('cocoon_proxy_charge.expected_address'),
    ...ENDS,
  },
  cocoon_client_top_up: {
    query_id: num('cocoon_client_top_up.query_id'),
    ...ENDS,
    amount: num('amount'),
  },
  cocoon_register_proxy: {
    query_id: num('cocoon_register_proxy.query_id'),
    destination: addr('destination'),
  },
  cocoon_unregister_proxy: {
    query_id: num('cocoon_unregister_proxy.query_id'),
    seqno: int('cocoon_unregister_proxy.seqno'),
    destination: addr('destination'),
  },
  cocoon_client_register: {
    ...columns(num, 'cocoon_client_register', 'query_id', 'nonce'),
    ...ENDS,
  },
  cocoon_client_change_secret_hash: {
    query_id: num('cocoon_client_change_secret_hash.query_id'),
    new_secret_hash: str('cocoon_client_change_secret_hash.new_secret_hash'),
    ...ENDS,
  },
  cocoon_client_request_refund: {
    query_id: num('cocoon_client_request_refund.query_id'),
    via_wallet: bool('cocoon_client_request_refund.via_wallet'),
    ...ENDS,
  },
  cocoon_grant_refund: {
    ...columns(num, 'cocoon_grant_refund', 'query_id', 'new_tokens_used'),
    expected_address: str('cocoon_grant_refund.expected_address'),
    ...ENDS,
    amount: num('amount'),
  },
  cocoon_client_increase_stake: {
    ...columns(num, 'cocoon_client_increase_stake', 'query_id', 'new_stake'),
    ...ENDS,
    amount: num('amount'),
  },
  cocoon_client_withdraw: {
    ...columns(num, 'cocoon_client_withdraw', 'query_id', 'withdraw_amount'),
    ...ENDS,
    amount: num('amount'),
  },
};
