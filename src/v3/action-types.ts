import type { V3Call } from './operation.ts';
import { stringKind } from './parameter-kinds.ts';
import { listParam } from './parameters.ts';

/** Names of action types in a request. */
export const MAX_TYPES = 1000;

export function supportedTypesParam() {
  return {
    supported_action_types: listParam(
      stringKind,
      'Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on; `tongate` is `latest` and the types that only this server has. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter.',
      { max: MAX_TYPES, splitCommas: true },
    ),
  };
}

export function supportedTypes(
  { options }: Pick<V3Call, 'options'>,
  { supported_action_types: names }: { readonly supported_action_types: readonly string[] },
): readonly string[] {
  const { actionsVersion } = options;
  return [...expandActionTypes(actionsVersion === undefined ? names : [actionsVersion])];
}

/** Named sets of types; a set may contain names of other sets. */
const TYPE_SETS: Readonly<Record<string, string>> = {
  v1:
    'call_contract contract_deploy ton_transfer tick_tock stake_deposit stake_withdrawal ' +
    'stake_withdrawal_request dex_deposit_liquidity dex_withdraw_liquidity jetton_swap jetton_transfer ' +
    'jetton_burn jetton_mint nft_transfer nft_mint auction_bid change_dns delete_dns renew_dns subscribe ' +
    'unsubscribe election_deposit election_recover',
  v2:
    'v1 multisig vesting evaa jvault coffee coffee_mev_protect_failed_swap nft_discovery ' +
    'tonco_deploy_pool unknown',
  v3: 'v2 nft.v3 layerzero',
  v4: 'v3 cocoon',
  v5: 'v4 dedust_v2_claim_fees dedust_v2_claim_reward',
  latest: 'v5',
  staking: 'stake_deposit stake_withdrawal stake_withdrawal_request',
  jettons: 'jetton_transfer jetton_burn jetton_mint',
  nft: 'nft_transfer nft_mint auction_bid',
  'nft.v3':
    'nft nft_put_on_sale nft_put_on_auction auction_outbid nft_cancel_sale nft_purchase ' +
    'nft_cancel_auction nft_finish_auction teleitem_start_auction teleitem_cancel_auction nft_update_sale ' +
    'dns_purchase dns_release',
  dns: 'change_dns delete_dns renew_dns dns_purchase dns_release',
  'dns.v2': 'dns',
  multisig: 'multisig_create_order multisig_approve multisig_execute',
  vesting: 'vesting_send_message vesting_add_whitelist',
  evaa: 'evaa_supply evaa_withdraw evaa_liquidate',
  jvault: 'jvault_stake jvault_unstake jvault_claim jvault_unstake_request',
  coffee:
    'coffee_create_vault coffee_create_pool_creator coffee_create_pool coffee_mev_protect_hold_funds ' +
    'coffee_staking_claim_rewards coffee_staking_deposit coffee_staking_withdraw',
  tgbtc:
    'tgbtc_dkg_log_fallback tgbtc_new_key tgbtc_new_key_fallback tgbtc_burn tgbtc_burn_fallback ' +
    'tgbtc_mint tgbtc_mint_fallback',
  layerzero:
    'layerzero_send layerzero_send_tokens layerzero_receive layerzero_commit_packet layerzero_dvn_verify',
  cocoon:
    'cocoon_worker_payout cocoon_proxy_payout cocoon_proxy_charge cocoon_client_top_up ' +
    'cocoon_register_proxy cocoon_unregister_proxy cocoon_client_register ' +
    'cocoon_client_change_secret_hash cocoon_client_request_refund cocoon_grant_refund ' +
    'cocoon_client_increase_stake cocoon_client_withdraw',
};

/** Sets of types that the reference does not have. No version contains them, so a client must ask for them. */
const ADDITIONAL_SETS: Readonly<Record<string, string>> = {
  tongate: 'latest wallet_v5 launchpads tradoor purchase flawed_jetton_transfer dex_swap',
  wallet_v5: 'add_extension remove_extension set_signature_allowed gas_relay',
  launchpads: 'launchpad_buy launchpad_sell',
  tradoor: 'tradoor_order tradoor_position',
};

export const ACTION_TYPE_SETS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ ...TYPE_SETS, ...ADDITIONAL_SETS }).map(([name, types]) => [name, types.split(' ')]),
);

/** Expands names of types and sets. The types of v1 are always included; without names, the latest version. */
export function expandActionTypes(names: readonly string[]): ReadonlySet<string> {
  const left = [...(names.length === 0 ? ['latest'] : names), 'v1'];
  const types = new Set<string>();
  const seen = new Set<string>();
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const list = Object.hasOwn(ACTION_TYPE_SETS, name) ? ACTION_TYPE_SETS[name] : undefined;
    if (list === undefined) types.add(name);
    else left.push(...list);
  }
  return types;
}
