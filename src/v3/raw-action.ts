import type { ActionRow } from '../index/action-row.ts';
import { type ActionColumns, readerOf } from './action-detail-fields.ts';
import { formatHashOrNull, formatOpcode } from './values.ts';

/** Groups of columns with the prefix of their keys. A column with `#` is written as a JSON number, other numbers as strings. */
const GROUPS: readonly (readonly [prefix: string, group: string, columns: string])[] = [
  ['TonTransfer', 'ton_transfer', 'content encrypted'],
  [
    'JettonTransfer',
    'jetton_transfer',
    'response_destination forward_amount query_id custom_payload forward_payload comment is_encrypted_comment',
  ],
  [
    'NFTTransfer',
    'nft_transfer',
    'is_purchase price query_id custom_payload forward_payload forward_amount response_destination nft_item_index ' +
      'marketplace real_prev_owner marketplace_address payout_amount payout_comment_encrypted payout_comment_encoded ' +
      'payout_comment royalty_amount',
  ],
  [
    'NFTListing',
    'nft_listing',
    'nft_item_index full_price marketplace_fee royalty_amount mp_fee_factor mp_fee_base royalty_fee_base max_bid min_bid ' +
      'marketplace_fee_address royalty_address marketplace',
  ],
  ['JettonSwap', 'jetton_swap', 'dex sender'],
  ...['Incoming', 'Outgoing'].map(
    (way) =>
      [
        `JettonSwapDex${way}Transfer`,
        `jetton_swap.dex_${way.toLowerCase()}_transfer`,
        'amount asset source destination source_jetton_wallet destination_jetton_wallet',
      ] as const,
  ),
  ['JettonSwap', 'jetton_swap', 'peer_swaps min_out_amount'],
  ['ChangeDNSRecord', 'change_dns_record', 'key value_schema value flags#'],
  ['NFTMint', 'nft_mint', 'nft_item_index'],
  [
    'DexWithdrawLiquidityData',
    'dex_withdraw_liquidity',
    'dex amount1 amount2 asset1_out asset2_out user_jetton_wallet_1 user_jetton_wallet_2 dex_jetton_wallet_1 ' +
      'dex_jetton_wallet_2 lp_tokens_burnt burned_nft_index burned_nft_address tick_lower tick_upper',
  ],
  [
    'DexDepositLiquidityData',
    'dex_deposit_liquidity',
    'dex amount1 amount2 asset1 asset2 user_jetton_wallet_1 user_jetton_wallet_2 lp_tokens_minted target_asset_1 ' +
      'target_asset_2 target_amount_1 target_amount_2 vault_excesses tick_lower tick_upper nft_index nft_address',
  ],
  ['StakingData', 'staking', 'provider ts_nft tokens_burnt tokens_minted'],
  [
    'MultisigCreateOrder',
    'multisig_create_order',
    'query_id order_seqno is_created_by_signer is_signed_by_creator creator_index# expiration_date# order_boc',
  ],
  ['MultisigApprove', 'multisig_approve', 'signer_index# exit_code#'],
  [
    'MultisigExecute',
    'multisig_execute',
    'query_id order_seqno expiration_date# approvals_num# signers_hash order_boc',
  ],
  ['VestingSendMessage', 'vesting_send_message', 'query_id message_boc'],
  ['VestingAddWhitelist', 'vesting_add_whitelist', 'query_id accounts_added'],
  [
    'EvaaSupply',
    'evaa_supply',
    'sender_jetton_wallet recipient_jetton_wallet master_jetton_wallet master asset_id is_ton',
  ],
  [
    'EvaaWithdraw',
    'evaa_withdraw',
    'recipient_jetton_wallet master_jetton_wallet master fail_reason asset_id',
  ],
  ['EvaaLiquidate', 'evaa_liquidate', 'fail_reason debt_amount asset_id'],
  ['JvaultClaim', 'jvault_claim', 'claimed_jettons claimed_amounts'],
  ['JvaultStake', 'jvault_stake', 'period# minted_stake_jettons stake_wallet'],
  [
    'ToncoDeployPool',
    'tonco_deploy_pool',
    'jetton0_router_wallet jetton1_router_wallet jetton0_minter jetton1_minter tick_spacing initial_price_x96 ' +
      'protocol_fee lp_fee_base lp_fee_current pool_active',
  ],
  [
    'CoffeeCreatePool',
    'coffee_create_pool',
    'amount_1 amount_2 initiator_1 initiator_2 provided_asset lp_tokens_minted pool_creator_contract',
  ],
  ['CoffeeStakingDeposit', 'coffee_staking_deposit', 'minted_item_address minted_item_index'],
  ['CoffeeStakingWithdraw', 'coffee_staking_withdraw', 'nft_address nft_index points'],
  [
    'LayerzeroSend',
    'layerzero_send',
    'send_request_id# msglib_manager msglib uln native_fee# zro_fee# endpoint channel',
  ],
  ['LayerzeroPacket', 'layerzero_packet', 'src_oapp dst_oapp src_eid# dst_eid# nonce# guid message'],
  ['LayerzeroDvnVerify', 'layerzero_dvn_verify', 'nonce# status dvn proxy uln uln_connection'],
  [
    'CocoonWorkerPayout',
    'cocoon_worker_payout',
    'payout_type query_id new_tokens worker_state# worker_tokens',
  ],
  ['CocoonProxyPayout', 'cocoon_proxy_payout', 'query_id'],
  ['CocoonProxyCharge', 'cocoon_proxy_charge', 'query_id new_tokens_used expected_address'],
  ['CocoonClientTopUp', 'cocoon_client_top_up', 'query_id'],
  ['CocoonRegisterProxy', 'cocoon_register_proxy', 'query_id'],
  ['CocoonUnregisterProxy', 'cocoon_unregister_proxy', 'query_id seqno#'],
  ['CocoonClientRegister', 'cocoon_client_register', 'query_id nonce'],
  ['CocoonClientChangeSecretHash', 'cocoon_client_change_secret_hash', 'query_id new_secret_hash'],
  ['CocoonClientRequestRefund', 'cocoon_client_request_refund', 'query_id via_wallet'],
  ['CocoonGrantRefund', 'cocoon_grant_refund', 'query_id new_tokens_used expected_address'],
  ['CocoonClientIncreaseStake', 'cocoon_client_increase_stake', 'query_id new_stake'],
  ['CocoonClientWithdraw', 'cocoon_client_withdraw', 'query_id withdraw_amount'],
];

/** Groups whose keys spell NFT in capitals. */
const WITH_CAPITALS = /^(?:nft|dex)_/;

interface RawField {
  readonly key: string;
  readonly isNumber: boolean;
  readonly read: (row: ActionColumns) => unknown;
}

const FIELDS: readonly RawField[] = GROUPS.flatMap(([prefix, group, columns]) =>
  columns.split(' ').map((name) => {
    const column = name.replace('#', '');
    return {
      key: prefix + toKey(column, WITH_CAPITALS.test(group)),
      isNumber: name.endsWith('#'),
      read: readerOf(`${group}.${column}`),
    };
  }),
);

function toKey(column: string, withCapitals: boolean): string {
  const key = column
    .replace(/^mp_/, 'marketplace_')
    .replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
  return withCapitals ? key.replace('Nft', 'NFT') : key;
}

/** Writes all stored columns of an action, for types without details. */
export function writeRawAction(row: ActionRow, columns: ActionColumns): string {
  const hash = (bytes: Buffer | null) => JSON.stringify(formatHashOrNull(bytes));
  const text = (value: string | null) => JSON.stringify(value);
  const members: (readonly [key: string, json: string])[] = [
    ['TraceId', hash(row.trace_id)],
    ['ActionId', hash(row.action_id)],
    ['StartLt', row.start_lt],
    ['EndLt', row.end_lt],
    ['StartUtime', row.start_utime],
    ['EndUtime', row.end_utime],
    ['TraceEndLt', row.trace_end_lt],
    ['TraceEndUtime', row.trace_end_utime],
    ['TraceMcSeqnoEnd', String(row.trace_mc_seqno_end)],
    ['Source', text(columns.source)],
    ['SourceSecondary', text(columns.source_secondary)],
    ['Destination', text(columns.destination)],
    ['DestinationSecondary', text(columns.destination_secondary)],
    ['Asset', text(columns.asset)],
    ['AssetSecondary', text(columns.asset_secondary)],
    ['Asset2', text(columns.asset2)],
    ['Asset2Secondary', text(columns.asset2_secondary)],
    ['Opcode', text(row.opcode === null ? null : formatOpcode(Number(row.opcode)))],
    ['TxHashes', `[${row.tx_hashes.map(hash).join()}]`],
    ['Type', text(row.type)],
    ['Value', text(row.value)],
    ['Amount', text(row.amount)],
    ...FIELDS.map((field) => [field.key, writeField(field, columns)] as const),
    ['Success', String(row.success)],
    ['Finality', text('finalized')],
    ['TraceExternalHash', hash(row.trace_external_hash)],
    ['TraceExternalHashNorm', hash(row.trace_external_hash_norm)],
    ['ExtraCurrencies', JSON.stringify(columns.value_extra_currencies)],
    ['AncestorType', JSON.stringify(row.ancestor_type)],
    ['Extra', JSON.stringify(columns.data.extra ?? null)],
    // Only `include_accounts` shows them.
    ['Accounts', 'null'],
  ];
  return `{${members.map(([key, json]) => `"${key}":${json}`).join()}}`;
}

function writeField({ isNumber, read }: RawField, columns: ActionColumns): string {
  const value = read(columns);
  if (isNumber) return value === null ? 'null' : String(value);
  return JSON.stringify(value, (_, each) => (typeof each === 'number' ? String(each) : each));
}
