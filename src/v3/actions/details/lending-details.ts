import { addr, bool, type DetailFields, int, list, num, str } from '../detail-fields.ts';
import { claimedRewards, evaaAsset, isKnownEvaaAsset } from '../detail-rules.ts';

const ENDS = { source: addr('source'), destination: addr('destination') };

const JVAULT_UNSTAKE = {
  source: addr('source'),
  stake_wallet: addr('source_secondary'),
  pool: addr('destination'),
  amount: num('amount'),
  // That column holds it.
  exit_code: int('opcode'),
  asset: addr('asset'),
  staking_asset: addr('asset2'),
};

const TGBTC_MINT = {
  ...ENDS,
  amount: num('amount'),
  asset: addr('asset'),
  bitcoin_tx_id: str('asset_secondary'),
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
  pubkey: str('source_secondary'),
  coordinator: addr('destination'),
  pegout: addr('destination_secondary'),
  amount: num('amount'),
  asset: addr('asset'),
};

/** Details of EVAA, JVault and tgBTC. */
export const LENDING_DETAILS: Readonly<Record<string, DetailFields>> = {
  evaa_supply: {
    sender_jetton_wallet: addr('evaa_supply.sender_jetton_wallet'),
    recipient_jetton_wallet: addr('evaa_supply.recipient_jetton_wallet'),
    master_jetton_wallet: addr('evaa_supply.master_jetton_wallet'),
    master: addr('evaa_supply.master'),
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
    recipient_jetton_wallet: addr('evaa_withdraw.recipient_jetton_wallet'),
    master_jetton_wallet: addr('evaa_withdraw.master_jetton_wallet'),
    master: addr('evaa_withdraw.master'),
    fail_reason: str('evaa_withdraw.fail_reason'),
    asset_id: str('evaa_withdraw.asset_id'),
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
    // The number of the asset, decimal.
    collateral: str('asset'),
    asset_id: str('evaa_liquidate.asset_id'),
    asset: addr(evaaAsset),
    is_known_asset: bool(isKnownEvaaAsset),
    amount: num('amount'),
  },
  jvault_claim: {
    claimed_rewards: list(claimedRewards, { jetton: addr, amount: num }),
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
  tgbtc_dkg_log_fallback: { coordinator: addr('source'), pubkey: str('asset'), timestamp: num('value') },
};
