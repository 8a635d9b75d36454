import type { Kysely } from 'kysely';
import { toAccountOrText } from '../../../src/chain/address.ts';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { type ActionRow, PARTY_COLUMNS } from '../../../src/index/action-row.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { clearActions, putActions } from '../../support/stored-actions.ts';
import { readStoredTraces } from '../../support/stored-traces.ts';
import { readStoredTransactions } from '../../support/stored-transactions.ts';
import { sortBy } from './list-queries.ts';
import { scatter } from './made-rows.ts';

/** A raw address that contains its purpose. */
export const rawOf = (name: string): string => `0:${hashOf(name).toString('hex').toUpperCase()}`;

/** A text comment as a payload. */
export const HELLO = 'te6cckEBAQEACwAAEgAAAABoZWxsb5oNank=';

const numbers = (group: string, names: string) =>
  Object.fromEntries(
    names
      .split(' ')
      .map((name) => [name, String(BigInt(`0x${hashOf(`${group}.${name}`).toString('hex', 0, 11)}`))]),
  );
const addresses = (group: string, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, rawOf(`${group}.${name}`)]));
const texts = (group: string, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, `text of ${group}.${name}`]));
const flags = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, true]));

const SIDES = 'asset source destination source_jetton_wallet destination_jetton_wallet';
const swapSide = (name: string) => ({ ...addresses(name, SIDES), ...numbers(name, 'amount') });

/** All groups of columns, each column with a distinct value. */
export const ALL_GROUPS = {
  ton_transfer_data: { ...texts('ton', 'content'), encrypted: false },
  jetton_transfer_data: {
    ...addresses('jetton', 'response_destination'),
    ...numbers('jetton', 'forward_amount query_id'),
    custom_payload: 'te6cckEBAQEAAgAAAEysuc0=',
    forward_payload: HELLO,
    comment: 'a "comment" \\ with\nall & <sorts> \u2028 of 🦊',
    is_encrypted_comment: true,
  },
  nft_transfer_data: {
    ...flags('is_purchase payout_comment_encrypted payout_comment_encoded'),
    ...numbers('nft', 'price query_id forward_amount nft_item_index payout_amount royalty_amount'),
    ...addresses('nft', 'response_destination real_prev_owner marketplace_address'),
    custom_payload: 'te6cckEBAQEAAgAAAEysuc0=',
    forward_payload: HELLO,
    payout_comment: 'Profit',
    marketplace: 'getgems',
  },
  nft_listing_data: {
    ...numbers(
      'listing',
      'nft_item_index full_price marketplace_fee royalty_amount mp_fee_factor mp_fee_base',
    ),
    ...numbers('listing', 'royalty_fee_base max_bid min_bid'),
    ...addresses('listing', 'marketplace_fee_address royalty_address'),
    marketplace: 'getgems',
  },
  jetton_swap_data: {
    dex: 'tonco',
    ...addresses('swap', 'sender'),
    dex_incoming_transfer: swapSide('incoming'),
    dex_outgoing_transfer: swapSide('outgoing'),
    peer_swaps: [
      { ...addresses('peer 1', 'asset_in asset_out'), ...numbers('peer 1', 'amount_in amount_out') },
      { ...addresses('peer 2', 'asset_out'), asset_in: null, ...numbers('peer 2', 'amount_in amount_out') },
    ],
    ...numbers('swap', 'min_out_amount'),
  },
  change_dns_record_data: {
    key: 'ab'.repeat(32),
    value_schema: 'DNSText',
    value: 'a text',
    flags: 7,
  },
  nft_mint_data: numbers('mint', 'nft_item_index'),
  dex_withdraw_liquidity_data: {
    dex: 'dedust',
    ...numbers('withdraw', 'amount1 amount2 lp_tokens_burnt burned_nft_index'),
    ...addresses(
      'withdraw',
      'asset1_out asset2_out user_jetton_wallet_1 user_jetton_wallet_2 burned_nft_address',
    ),
    ...addresses('withdraw', 'dex_jetton_wallet_1 dex_jetton_wallet_2 dex_wallet_1 dex_wallet_2'),
    tick_lower: -30,
    tick_upper: '50',
  },
  dex_deposit_liquidity_data: {
    dex: 'dedust',
    ...numbers('deposit', 'amount1 amount2 lp_tokens_minted target_amount_1 target_amount_2 nft_index'),
    ...addresses('deposit', 'asset1 asset2 user_jetton_wallet_1 user_jetton_wallet_2 nft_address'),
    ...addresses('deposit', 'target_asset_1 target_asset_2'),
    vault_excesses: [
      { asset: null, amount: '5' },
      { asset: rawOf('excess'), amount: '6' },
    ],
    tick_lower: '-30',
    tick_upper: 50,
  },
  staking_data: {
    provider: 'liquid_staking',
    ts_nft: rawOf('staking.ts_nft'),
    ...numbers('staking', 'tokens_burnt tokens_minted'),
  },
  multisig_create_order_data: {
    ...numbers('create', 'query_id order_seqno'),
    ...flags('is_created_by_signer is_signed_by_creator'),
    creator_index: '3',
    expiration_date: 1_800_000_000,
    order_boc: HELLO,
  },
  multisig_approve_data: { signer_index: -1, exit_code: '106' },
  multisig_execute_data: {
    ...numbers('execute', 'query_id order_seqno'),
    expiration_date: '1800000001',
    approvals_num: 2,
    signers_hash: 'cd'.repeat(32),
    order_boc: HELLO,
  },
  vesting_send_message_data: { ...numbers('vesting', 'query_id'), message_boc: HELLO },
  vesting_add_whitelist_data: { query_id: '18446744073709551615', accounts_added: ['a', 'b'].map(rawOf) },
  evaa_supply_data: {
    ...addresses('supply', 'sender_jetton_wallet recipient_jetton_wallet master_jetton_wallet master'),
    asset_id: '0x1',
    is_ton: false,
  },
  evaa_withdraw_data: {
    ...addresses('withdraw evaa', 'sender_jetton_wallet recipient_jetton_wallet master_jetton_wallet master'),
    fail_reason: 'withdraw_locked_excess',
    asset_id: '0x2',
  },
  evaa_liquidate_data: {
    fail_reason: 'immediate_rejection',
    ...numbers('liquidate', 'debt_amount'),
    asset_id: '0xb387968236197958ca4ac55e9b5be38e688c7631af84c86756431f49a878ef33',
  },
  jvault_claim_data: { claimed_jettons: ['c', 'd'].map(rawOf), claimed_amounts: ['7', 8] },
  jvault_stake_data: {
    period: 86400,
    ...numbers('jvault', 'minted_stake_jettons'),
    ...addresses('jvault', 'stake_wallet'),
  },
  tonco_deploy_pool_data: {
    ...addresses('tonco', 'jetton0_router_wallet jetton1_router_wallet jetton0_minter jetton1_minter'),
    ...numbers('tonco', 'initial_price_x96'),
    tick_spacing: 60,
    protocol_fee: 33268,
    lp_fee_base: 15,
    lp_fee_current: 16,
    pool_active: true,
  },
  coffee_create_pool_data: {
    ...numbers('coffee', 'amount_1 amount_2 lp_tokens_minted'),
    ...addresses('coffee', 'initiator_1 initiator_2 provided_asset pool_creator_contract'),
  },
  coffee_staking_deposit_data: {
    ...addresses('coffee stake', 'minted_item_address'),
    ...numbers('coffee stake', 'minted_item_index'),
  },
  coffee_staking_withdraw_data: {
    ...addresses('coffee unstake', 'nft_address'),
    ...numbers('coffee unstake', 'nft_index points'),
  },
  layerzero_send_data: {
    send_request_id: 5,
    native_fee: '18446744073709551615',
    zro_fee: '0',
    msglib_manager: '0x15',
    msglib: '0x63',
    ...addresses('layerzero', 'uln endpoint channel'),
  },
  layerzero_packet_data: {
    src_oapp: '0x17',
    dst_oapp: '0x70',
    src_eid: 30101,
    dst_eid: 30343,
    nonce: '9007199254740993',
    guid: '0x46',
    message: '0x00',
  },
  layerzero_dvn_verify_data: {
    nonce: 125,
    status: 'succeeded',
    ...addresses('dvn', 'dvn proxy uln uln_connection'),
  },
  cocoon_worker_payout_data: {
    payout_type: 'regular',
    worker_state: 0,
    ...numbers('payout', 'query_id new_tokens worker_tokens'),
  },
  cocoon_proxy_payout_data: numbers('proxy payout', 'query_id'),
  cocoon_proxy_charge_data: {
    ...numbers('charge', 'query_id new_tokens_used'),
    expected_address: '260;8da2',
  },
  cocoon_client_top_up_data: numbers('top up', 'query_id'),
  cocoon_register_proxy_data: numbers('register proxy', 'query_id'),
  cocoon_unregister_proxy_data: { ...numbers('unregister proxy', 'query_id'), seqno: 1 },
  cocoon_client_register_data: numbers('register', 'query_id nonce'),
  cocoon_client_change_secret_hash_data: { ...numbers('secret', 'query_id'), new_secret_hash: 'e3b0' },
  cocoon_client_request_refund_data: { ...numbers('refund', 'query_id'), via_wallet: true },
  cocoon_grant_refund_data: {
    ...numbers('grant', 'query_id new_tokens_used'),
    expected_address: '260;8da2',
  },
  cocoon_client_increase_stake_data: numbers('increase', 'query_id new_stake'),
  cocoon_client_withdraw_data: numbers('withdraw cocoon', 'query_id withdraw_amount'),
  set_signature_allowed_data: flags('allowed'),
  purchase_data: { invoice_id: '018f3b4c-0000-7000-8000-1234567890ab' },
  flawed_jetton_transfer_data: numbers('flawed', 'sent_amount'),
  launchpad_trade_data: { launchpad: 'gaspump', ...numbers('launchpad', 'fee') },
  tradoor_order_data: {
    op_type: 10,
    token_id: 4,
    ...flags('is_long trigger_above'),
    ...numbers('order', 'margin_delta size_delta trigger_price execution_fee order_id'),
  },
  tradoor_position_data: {
    op_type: 12,
    token_id: 4,
    ...flags('is_increase is_long'),
    ...numbers('position', 'position_id order_id margin_delta margin_after size_delta size_after'),
    ...numbers('position', 'trade_price entry_price'),
  },
};

/** Columns that hold addresses, with addresses. */
export const ADDRESSES = addresses('column', PARTY_COLUMNS.join(' '));

/** Defaults of a generated action: every column has a value. */
export interface MadeAction extends Partial<Omit<ActionRow, (typeof PARTY_COLUMNS)[number] | 'data'>> {
  readonly type: string;
  /** Texts of columns. */
  readonly columns?: Readonly<Record<string, string | null>>;
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/** A row with a value in every column. */
export function makeAction({ columns = {}, data = ALL_GROUPS, ...given }: MadeAction): ActionRow {
  const texts = { ...ADDRESSES, ...columns };
  const bytes = Object.entries(texts).map(([name, text]) => [name, text && toAccountOrText(text)]);
  return {
    trace_id: hashOf('trace'),
    action_id: hashOf(`action ${given.type}`),
    parent_action_id: null,
    trace_mc_seqno_end: 7,
    trace_end_lt: '9007199254740995',
    trace_end_utime: '1700000009',
    trace_external_hash: hashOf('external'),
    trace_external_hash_norm: hashOf('normalized'),
    ancestor_type: [],
    success: true,
    mc_seqno_end: 6,
    start_lt: '9007199254740993',
    end_lt: '9007199254740994',
    start_utime: '1700000000',
    end_utime: '1700000005',
    tx_hashes: ['t1', 't2'].map(hashOf),
    accounts: [toAccountOrText(rawOf('column.source'))],
    opcode: '4160749568',
    value: '123456789012345678901',
    amount: '98765432109876543210',
    value_extra_currencies: null,
    ...Object.fromEntries(bytes),
    ...given,
    data: data as ActionRow['data'],
  } as ActionRow;
}

const TYPES = [
  'ton_transfer',
  'call_contract',
  'jetton_transfer',
  'nft_transfer',
  'jetton_swap',
  'contract_deploy',
  'multisig_execute',
  'nft_purchase',
  'cocoon_grant_refund',
  'tgbtc_mint',
  'unknown',
  'no_such_type',
];
const WHOLES = ['multisig_execute', 'nft_purchase', 'cocoon_grant_refund', 'tgbtc_mint'];
const MAX_PER_TRACE = 4;

/** An action with the values that filters use. */
export interface DemoAction {
  readonly row: ActionRow;
  readonly transactions: ReadonlySet<string>;
  /** Hashes of messages of its transactions, normalized ones too. */
  readonly messages: ReadonlySet<string>;
}

/**
 * Replaces the actions in the demo index by random ones over its real traces: of several types, some of them parts of
 * others, with some of the transactions and accounts of their trace.
 */
export async function writeDemoActions(db: Kysely<Tables>): Promise<DemoAction[]> {
  await clearActions(db);
  const traces = sortBy(
    await readStoredTraces(db),
    ({ endLt }) => endLt,
    ({ traceId }) => traceId,
  );
  const transactions = await readStoredTransactions(db);
  const ownOf = Map.groupBy(transactions, ({ traceId }) => traceId.toString('hex'));
  const made = traces.flatMap((trace, at) => {
    const all = ownOf.get(trace.traceId.toString('hex')) ?? [];
    return Array.from({ length: scatter(at, MAX_PER_TRACE + 1) }, (_, turn): DemoAction => {
      const chance = (below: number, salt: number) => scatter(at * 100 + turn * 10 + salt, below);
      const first = chance(all.length, 1);
      const own = all.slice(first, first + 1 + chance(3, 2));
      const type = TYPES[chance(TYPES.length, 3)]!;
      const row = makeAction({
        type,
        data: null,
        action_id: hashOf(`made ${at} ${turn}`),
        trace_id: trace.traceId,
        trace_mc_seqno_end: trace.mcSeqnoEnd,
        trace_end_lt: `${trace.endLt}`,
        trace_end_utime: `${trace.endUtime}`,
        trace_external_hash: trace.externalHash ?? null,
        trace_external_hash_norm: trace.externalHashNorm ?? null,
        success: chance(5, 4) > 0,
        ancestor_type: chance(3, 5) === 0 ? [WHOLES[chance(WHOLES.length, 6)]!] : [],
        start_lt: `${own[0]!.lt}`,
        end_lt: `${own.at(-1)!.lt}`,
        start_utime: `${own[0]!.now}`,
        // Sometimes the order of time differs from that of logical time.
        end_utime: `${own.at(-1)!.now + chance(3, 7)}`,
        tx_hashes: own.map(({ hash }) => hash),
        accounts: [...new Map(own.map(({ account }) => [account.toString('hex'), account])).values()],
      });
      return {
        row,
        transactions: new Set(own.map(({ hash }) => hash.toString('base64'))),
        messages: new Set(
          own
            .flatMap(({ inMessage, outMessages }) => [inMessage ?? [], outMessages].flat())
            .flatMap(({ hash, normalizedHash }) =>
              [hash, normalizedHash ?? hash].map((each) => each.toString('base64')),
            ),
        ),
      };
    });
  });
  await putActions(
    db,
    made.map(({ row }) => row),
  );
  return made;
}
