import { crc16 } from '../show/address-forms.ts';

export type ArgumentKind = 'number' | 'address' | 'cell' | 'slice';

/** Names of get-methods that many contracts have; code holds only numbers that are computed from them. */
const PLAIN =
  'seqno get_public_key get_subwallet_id is_plugin_installed get_plugin_list get_extensions is_signature_allowed get_wallet_id ' +
  'get_wallet_data get_jetton_data get_status is_claimed get_nft_data get_collection_data royalty_params get_editor ' +
  'get_authority_address get_revoked_time get_sale_data get_auction_data get_auction_info get_domain get_full_domain ' +
  'get_last_fill_up_time get_multisig_data get_order_data get_lockup_data get_locked_amount get_vesting_data get_whitelist ' +
  'get_pool_data get_pool_full_data get_pool_status get_reserves get_assets get_asset get_trade_fee get_lp_data get_router_data ' +
  'get_channel_data get_channel_state get_balances get_storage_contract_data get_next_proof_info get_providers ' +
  'get_contract_data get_nominators_list list_nominators list_votes has_withdraw_requests active_election_id past_elections past_elections_list ' +
  'participant_list participant_list_extended list_proposals get_pow_params get_subscription_data get_bill_amount ' +
  'get_next_admin_address get_seqno get_timeout_data get_counter counter get_owner owner get_balance balance get_version version ' +
  'get_telemint_auction_state get_telemint_auction_config get_telemint_token_name get_telemint_cur_bid get_fix_price_data_v4 get_auction_data_v4';

const WITH_ARGUMENTS: Readonly<Record<string, readonly ArgumentKind[]>> = {
  get_wallet_address: ['address'],
  get_nft_address_by_index: ['number'],
  get_nft_content: ['number', 'cell'],
  get_order_address: ['number'],
  is_whitelisted: ['address'],
  is_plugin_installed: ['number', 'number'],
  get_locked_amount: ['number'],
  dnsresolve: ['slice', 'number'],
  participates_in: ['number'],
  compute_returned_stake: ['number'],
  get_proposal: ['number'],
  get_past_elections: [],
  get_nominator_data: ['number'],
  estimate_swap_out: ['slice', 'number'],
  get_expected_outputs: ['number', 'address'],
};

/** The bit of the numbers that are computed from names. Those of functions that code calls itself count from 1. */
const NAMED = 0x10000;

const byId = new Map(
  [...PLAIN.split(' '), ...Object.keys(WITH_ARGUMENTS)].map((name) => [methodId(name), name]),
);

/** Methods that all code has and nobody calls: entry points of messages. */
const ENTRY_POINTS = new Set([-1 >>> 0, -2 >>> 0, 0x7fffe, 0x7ffff]);

function methodId(name: string): number {
  return crc16(new TextEncoder().encode(name)) | NAMED;
}

/** Whether a contract has a method, by the numbers of its methods. */
export function hasMethod(ids: readonly number[] | null, name: string): boolean {
  return ids?.includes(methodId(name)) === true;
}

/** The methods of a contract by their numbers, those with a name first; the name of others is the number. */
export function methodsOf(ids: readonly number[]) {
  return ids
    .filter((id) => id >>> 0 >= NAMED && !ENTRY_POINTS.has(id >>> 0))
    .map((id) => ({ id, name: byId.get(id) ?? String(id) }))
    .toSorted((a, b) => Number(byId.has(b.id)) - Number(byId.has(a.id)) || (a.name < b.name ? -1 : 1));
}

export function usualArguments(name: string): readonly ArgumentKind[] {
  return Object.hasOwn(WITH_ARGUMENTS, name) ? WITH_ARGUMENTS[name]! : [];
}
