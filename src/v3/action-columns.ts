import { fromAccountOrText } from '../chain/address.ts';
import type { ActionRow } from '../index/action-row.ts';

/** The columns of an action that details are made of. Addresses are raw; a few types keep other texts in these columns. */
export interface ActionColumns {
  readonly type: string;
  readonly source: string | null;
  readonly source_secondary: string | null;
  readonly destination: string | null;
  readonly destination_secondary: string | null;
  readonly asset: string | null;
  readonly asset_secondary: string | null;
  readonly asset2: string | null;
  readonly asset2_secondary: string | null;
  readonly opcode: string | null;
  readonly value: string | null;
  readonly amount: string | null;
  readonly value_extra_currencies: Readonly<Record<string, string>>;
  /** Groups of columns by name: `jetton_transfer_data` and so on. */
  readonly data: Readonly<Record<string, unknown>>;
}

export function toActionColumns(row: ActionRow): ActionColumns {
  const { type, opcode, value, amount } = row;
  return {
    type,
    opcode,
    value,
    amount,
    source: textOf(row.source),
    source_secondary: textOf(row.source_secondary),
    destination: textOf(row.destination),
    destination_secondary: textOf(row.destination_secondary),
    asset: textOf(row.asset),
    asset_secondary: textOf(row.asset_secondary),
    asset2: textOf(row.asset2),
    asset2_secondary: textOf(row.asset2_secondary),
    value_extra_currencies: row.value_extra_currencies ?? {},
    data: row.data ?? {},
  };
}

function textOf(bytes: Buffer | null): string | null {
  return bytes && fromAccountOrText(bytes);
}

/** A reader of a column, `group.column` for one of a group; it returns null if the column or its group is missing. */
export function readerOf(path: string): (row: ActionColumns) => unknown {
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  if (rest.length === 0) return (row) => row[first as keyof ActionColumns] ?? null;
  const group = first === 'extra' ? first : `${first}_data`;
  return ({ data }) => rest.reduce<unknown>(memberOf, data[group]) ?? null;
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : null;
}

export type ColumnKind = 'text' | 'addr' | 'addrs' | 'int' | 'bool' | 'opcode' | 'amounts';

const COMMON_COLUMNS =
  'source:addr source_secondary:addr destination:addr destination_secondary:addr asset:addr asset_secondary:addr ' +
  'asset2:addr asset2_secondary:addr opcode:opcode value amount value_extra_currencies:amounts';

const SWAP_TRANSFER =
  'amount asset:addr source:addr destination:addr source_jetton_wallet:addr destination_jetton_wallet:addr';

/**
 * Groups of columns with the prefix of their keys in raw actions, which show them in this order. A column without a kind
 * is a text, and a number if it may be large.
 */
export const COLUMN_GROUPS: readonly (readonly [prefix: string, group: string, columns: string])[] = [
  ['TonTransfer', 'ton_transfer', 'content encrypted:bool'],
  [
    'JettonTransfer',
    'jetton_transfer',
    'response_destination:addr forward_amount query_id custom_payload forward_payload comment is_encrypted_comment:bool',
  ],
  [
    'NFTTransfer',
    'nft_transfer',
    'is_purchase:bool price query_id custom_payload forward_payload forward_amount response_destination:addr ' +
      'nft_item_index marketplace real_prev_owner:addr marketplace_address:addr payout_amount ' +
      'payout_comment_encrypted:bool payout_comment_encoded:bool payout_comment royalty_amount',
  ],
  [
    'NFTListing',
    'nft_listing',
    'nft_item_index full_price marketplace_fee royalty_amount mp_fee_factor mp_fee_base royalty_fee_base max_bid min_bid ' +
      'marketplace_fee_address:addr royalty_address:addr marketplace',
  ],
  ['JettonSwap', 'jetton_swap', 'dex sender'],
  ['JettonSwapDexIncomingTransfer', 'jetton_swap.dex_incoming_transfer', SWAP_TRANSFER],
  ['JettonSwapDexOutgoingTransfer', 'jetton_swap.dex_outgoing_transfer', SWAP_TRANSFER],
  ['JettonSwap', 'jetton_swap', 'peer_swaps min_out_amount'],
  ['ChangeDNSRecord', 'change_dns_record', 'key value_schema value flags:int'],
  ['NFTMint', 'nft_mint', 'nft_item_index'],
  [
    'DexWithdrawLiquidityData',
    'dex_withdraw_liquidity',
    'dex amount1 amount2 asset1_out:addr asset2_out:addr user_jetton_wallet_1:addr user_jetton_wallet_2:addr ' +
      'dex_jetton_wallet_1:addr dex_jetton_wallet_2:addr lp_tokens_burnt burned_nft_index burned_nft_address:addr ' +
      'tick_lower tick_upper',
  ],
  [
    'DexDepositLiquidityData',
    'dex_deposit_liquidity',
    'dex amount1 amount2 asset1:addr asset2:addr user_jetton_wallet_1:addr user_jetton_wallet_2:addr lp_tokens_minted ' +
      'target_asset_1:addr target_asset_2:addr target_amount_1 target_amount_2 vault_excesses tick_lower tick_upper ' +
      'nft_index nft_address:addr',
  ],
  ['StakingData', 'staking', 'provider ts_nft:addr tokens_burnt tokens_minted'],
  [
    'MultisigCreateOrder',
    'multisig_create_order',
    'query_id order_seqno is_created_by_signer:bool is_signed_by_creator:bool creator_index:int expiration_date:int ' +
      'order_boc',
  ],
  ['MultisigApprove', 'multisig_approve', 'signer_index:int exit_code:int'],
  [
    'MultisigExecute',
    'multisig_execute',
    'query_id order_seqno expiration_date:int approvals_num:int signers_hash order_boc',
  ],
  ['VestingSendMessage', 'vesting_send_message', 'query_id message_boc'],
  ['VestingAddWhitelist', 'vesting_add_whitelist', 'query_id accounts_added:addrs'],
  [
    'EvaaSupply',
    'evaa_supply',
    'sender_jetton_wallet:addr recipient_jetton_wallet:addr master_jetton_wallet:addr master:addr asset_id is_ton:bool',
  ],
  [
    'EvaaWithdraw',
    'evaa_withdraw',
    'recipient_jetton_wallet:addr master_jetton_wallet:addr master:addr fail_reason asset_id',
  ],
  ['EvaaLiquidate', 'evaa_liquidate', 'fail_reason debt_amount asset_id'],
  ['JvaultClaim', 'jvault_claim', 'claimed_jettons claimed_amounts'],
  ['JvaultStake', 'jvault_stake', 'period:int minted_stake_jettons stake_wallet:addr'],
  [
    'ToncoDeployPool',
    'tonco_deploy_pool',
    'jetton0_router_wallet:addr jetton1_router_wallet:addr jetton0_minter:addr jetton1_minter:addr tick_spacing ' +
      'initial_price_x96 protocol_fee lp_fee_base lp_fee_current pool_active:bool',
  ],
  [
    'CoffeeCreatePool',
    'coffee_create_pool',
    'amount_1 amount_2 initiator_1:addr initiator_2:addr provided_asset:addr lp_tokens_minted pool_creator_contract:addr',
  ],
  ['CoffeeStakingDeposit', 'coffee_staking_deposit', 'minted_item_address:addr minted_item_index'],
  ['CoffeeStakingWithdraw', 'coffee_staking_withdraw', 'nft_address:addr nft_index points'],
  [
    'LayerzeroSend',
    'layerzero_send',
    'send_request_id:int msglib_manager msglib uln:addr native_fee:int zro_fee:int endpoint:addr channel:addr',
  ],
  ['LayerzeroPacket', 'layerzero_packet', 'src_oapp dst_oapp src_eid:int dst_eid:int nonce:int guid message'],
  [
    'LayerzeroDvnVerify',
    'layerzero_dvn_verify',
    'nonce:int status dvn:addr proxy:addr uln:addr uln_connection:addr',
  ],
  [
    'CocoonWorkerPayout',
    'cocoon_worker_payout',
    'payout_type query_id new_tokens worker_state:int worker_tokens',
  ],
  ['CocoonProxyPayout', 'cocoon_proxy_payout', 'query_id'],
  ['CocoonProxyCharge', 'cocoon_proxy_charge', 'query_id new_tokens_used expected_address'],
  ['CocoonClientTopUp', 'cocoon_client_top_up', 'query_id'],
  ['CocoonRegisterProxy', 'cocoon_register_proxy', 'query_id'],
  ['CocoonUnregisterProxy', 'cocoon_unregister_proxy', 'query_id seqno:int'],
  ['CocoonClientRegister', 'cocoon_client_register', 'query_id nonce'],
  ['CocoonClientChangeSecretHash', 'cocoon_client_change_secret_hash', 'query_id new_secret_hash'],
  ['CocoonClientRequestRefund', 'cocoon_client_request_refund', 'query_id via_wallet:bool'],
  ['CocoonGrantRefund', 'cocoon_grant_refund', 'query_id new_tokens_used expected_address'],
  ['CocoonClientIncreaseStake', 'cocoon_client_increase_stake', 'query_id new_stake'],
  ['CocoonClientWithdraw', 'cocoon_client_withdraw', 'query_id withdraw_amount'],
];

/** Groups of types that the reference does not have. Raw actions are without them. */
const ADDITIONAL_GROUPS: readonly (readonly [group: string, columns: string])[] = [
  ['set_signature_allowed', 'allowed:bool'],
  ['purchase', 'invoice_id'],
  ['flawed_jetton_transfer', 'sent_amount'],
  ['launchpad_trade', 'launchpad fee'],
  [
    'tradoor_order',
    'op_type:int token_id:int is_long:bool margin_delta size_delta trigger_price trigger_above:bool execution_fee order_id',
  ],
  [
    'tradoor_position',
    'is_increase:bool op_type:int token_id:int is_long:bool position_id order_id margin_delta margin_after size_delta ' +
      'size_after trade_price entry_price',
  ],
];

/** The columns of a list as above, with their kinds. */
export function kindsOf(columns: string): (readonly [name: string, kind: ColumnKind])[] {
  return columns.split(' ').map((column) => {
    const [name, kind = 'text'] = column.split(':') as [string, ColumnKind?];
    return [name, kind];
  });
}

export const COLUMN_KINDS: ReadonlyMap<string, ColumnKind> = new Map([
  ...kindsOf(COMMON_COLUMNS),
  ...[...COLUMN_GROUPS.map(([, ...group]) => group), ...ADDITIONAL_GROUPS].flatMap(([group, columns]) =>
    kindsOf(columns).map(([name, kind]) => [`${group}.${name}`, kind] as const),
  ),
]);
