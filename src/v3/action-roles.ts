import { ELECTOR } from '../chain/contracts/elector.ts';
import type { ActionRow } from '../index/action-row.ts';
import type { WantedActions } from '../index/read/account-actions.ts';
import { formatAccount } from './values.ts';

/** What an account did in an action: value left it, came to it, it began the trace, or none of these. */
export const ACTION_ROLES = ['sender', 'receiver', 'initiated', 'observer'] as const;
export type ActionRole = (typeof ACTION_ROLES)[number];

/** The roles of an account in an action; it must be one of its accounts. */
export function rolesOf(row: ActionRow, account: Buffer, initiator: Buffer | undefined): ActionRole[] {
  const { sends, receives } = flowOf(row, account);
  const roles: ActionRole[] = [];
  if (sends) roles.push('sender');
  if (receives) roles.push('receiver');
  if (initiator?.equals(account)) roles.push('initiated');
  return roles.length === 0 ? ['observer'] : roles;
}

/** The test that an account has a role in an action; undefined if any will do. */
export function wantedRole(account: Buffer, role: ActionRole | undefined): WantedActions | undefined {
  if (role === undefined) return undefined;
  return {
    needsInitiator: role === 'initiated' || role === 'observer',
    isWanted: (row, initiator) => rolesOf(row, account, initiator).includes(role),
  };
}

interface Flow {
  readonly sends: boolean;
  readonly receives: boolean;
}

const NONE: Flow = { sends: false, receives: false };
const OUT: Flow = { sends: true, receives: false };
const IN: Flow = { sends: false, receives: true };
const BOTH: Flow = { sends: true, receives: true };

/** How value flows in actions of a type: the first column that has the account decides. */
interface Flows {
  readonly source?: Flow;
  readonly source_secondary?: Flow;
  readonly destination?: Flow;
  readonly destination_secondary?: Flow;
  readonly asset?: Flow;
  readonly elector?: Flow;
  /** For the accounts in members of the data. */
  readonly members?: { readonly of: (data: ActionRow['data']) => readonly unknown[]; readonly flow: Flow };
  readonly others: Flow;
}

const COLUMNS = ['source', 'source_secondary', 'destination', 'destination_secondary', 'asset'] as const;

function flowOf(row: ActionRow, account: Buffer): Flow {
  if (isShownItem(row, account)) return BOTH;
  if (row.type === 'jetton_mint') return flowOfMint(row, account);
  const flows = FLOWS.get(row.type)?.(row);
  if (flows === undefined) return flowByDefault(row, account);
  for (const column of COLUMNS) {
    const flow = flows[column];
    if (flow !== undefined && row[column]?.equals(account)) return flow;
  }
  if (flows.elector !== undefined && account.equals(ELECTOR)) return flows.elector;
  const { members } = flows;
  return members?.of(row.data).includes(formatAccount(account)) ? members.flow : flows.others;
}

/** Sources send and destinations receive; contracts between them do both. */
function flowByDefault(row: ActionRow, account: Buffer): Flow {
  const isOneOf = (...columns: readonly (typeof COLUMNS)[number][]) =>
    columns.some((column) => row[column]?.equals(account));
  const flow = {
    sends: isOneOf('source', 'source_secondary'),
    receives: isOneOf('destination', 'destination_secondary'),
  };
  return flow.sends || flow.receives ? flow : BOTH;
}

/**
 * Who asked for a mint is in no column: it is an account besides the master and the receiver. Without one, the receiver
 * asked for it.
 */
function flowOfMint({ accounts, asset, ...row }: ActionRow, account: Buffer): Flow {
  const receivers = [row.destination, row.destination_secondary];
  const isMinter = (one: Buffer) => ![asset, ...receivers].some((known) => known?.equals(one));
  if (asset?.equals(account)) return BOTH;
  if (row.destination?.equals(account)) return accounts.some(isMinter) ? IN : BOTH;
  return row.destination_secondary?.equals(account) ? IN : OUT;
}

/** Actions in which the NFT itself has a transaction. */
const TYPES_WITH_ITEM: ReadonlySet<string> = new Set(
  `nft_transfer nft_purchase dns_purchase nft_mint nft_put_on_sale nft_put_on_auction teleitem_start_auction
  nft_cancel_sale nft_cancel_auction nft_finish_auction teleitem_cancel_auction nft_discovery dns_release`.split(
    /\s+/,
  ),
);

/** An NFT is found by each direction on its own page. */
function isShownItem({ type, asset_secondary: item }: ActionRow, account: Buffer): boolean {
  return TYPES_WITH_ITEM.has(type) && item?.equals(account) === true;
}

const ORDER: Flows = { source: OUT, others: NONE };
const SWAP: Flows = {
  source: BOTH,
  source_secondary: OUT,
  destination: IN,
  destination_secondary: IN,
  members: { of: walletsOfSwap, flow: BOTH },
  others: NONE,
};
const WITHDRAWAL: Flows = {
  source: BOTH,
  source_secondary: OUT,
  destination: OUT,
  destination_secondary: OUT,
  others: NONE,
};
const LIQUIDITY: Flows = {
  source: BOTH,
  source_secondary: OUT,
  destination: BOTH,
  destination_secondary: NONE,
  others: BOTH,
};
const PURCHASE: Flows = { source: BOTH, destination: BOTH, others: NONE };
const TGBTC_MINT: Flows = {
  source: OUT,
  source_secondary: OUT,
  destination: IN,
  destination_secondary: IN,
  others: NONE,
};
const BURN: Flows = { source: OUT, source_secondary: OUT, others: NONE };
const LAYERZERO_SEND: Flows = {
  ...TGBTC_MINT,
  members: { of: (data) => [data?.layerzero_send_data?.endpoint], flow: IN },
};
const LAYERZERO_OTHER: Flows = {
  source: OUT,
  destination: OUT,
  members: { of: (data) => [data?.layerzero_dvn_verify_data?.dvn], flow: OUT },
  others: NONE,
};

function stakeFlows({ type, data }: ActionRow): Flows {
  const isNominator = data?.staking_data?.provider === 'nominator';
  if (isNominator && type === 'stake_withdrawal_request') return ORDER;
  // Nominator pools give nothing for a deposit, liquid ones give tokens.
  const source = isNominator ? OUT : BOTH;
  return { source, source_secondary: OUT, destination: IN, destination_secondary: IN, others: BOTH };
}

/** Flows of types, where they are not those of a transfer. */
const FLOWS: ReadonlyMap<string, (row: ActionRow) => Flows> = new Map(
  (
    [
      ['jetton_swap dex_swap', SWAP],
      ['stake_deposit stake_withdrawal_request', stakeFlows],
      ['stake_withdrawal dex_withdraw_liquidity jvault_unstake jvault_claim', WITHDRAWAL],
      ['nft_cancel_sale nft_cancel_auction nft_finish_auction teleitem_cancel_auction', WITHDRAWAL],
      ['dex_deposit_liquidity', LIQUIDITY],
      ['nft_purchase dns_purchase launchpad_buy launchpad_sell', PURCHASE],
      ['election_deposit', { source: OUT, elector: IN, others: NONE }],
      ['election_recover', { source: BOTH, elector: OUT, others: NONE }],
      ['jetton_burn', { ...BURN, asset: IN }],
      ['nft_mint', { source: OUT, destination: IN, others: NONE }],
      ['evaa_withdraw', { source: BOTH, destination: IN, destination_secondary: OUT, others: NONE }],
      ['evaa_liquidate', { source: BOTH, destination: OUT, destination_secondary: OUT, others: NONE }],
      ['tgbtc_mint tgbtc_mint_fallback', TGBTC_MINT],
      ['tgbtc_burn tgbtc_burn_fallback', BURN],
      ['coffee_staking_withdraw', { ...WITHDRAWAL, source_secondary: IN }],
      ['auction_outbid', { source: OUT, source_secondary: OUT, destination: IN, others: NONE }],
      ['vesting_send_message', { source: OUT, destination_secondary: IN, others: NONE }],
      ['layerzero_send layerzero_send_tokens', LAYERZERO_SEND],
      ['layerzero_receive layerzero_commit_packet layerzero_dvn_verify', LAYERZERO_OTHER],
      ['tick_tock change_dns delete_dns unsubscribe nft_update_sale nft_discovery', ORDER],
      ['multisig_create_order multisig_approve multisig_execute vesting_add_whitelist', ORDER],
      ['jvault_unstake_request tgbtc_new_key tgbtc_new_key_fallback tgbtc_dkg_log_fallback', ORDER],
      ['add_extension remove_extension set_signature_allowed tradoor_order tradoor_position', ORDER],
    ] as const
  ).flatMap(([types, flows]) =>
    types.split(' ').map((type) => [type, typeof flows === 'function' ? flows : () => flows] as const),
  ),
);

/** The pools of a swap and their wallets, as raw addresses. */
function walletsOfSwap(data: ActionRow['data']): readonly unknown[] {
  const { dex_incoming_transfer: incoming, dex_outgoing_transfer: outgoing } = data?.jetton_swap_data ?? {};
  return [incoming, outgoing].flatMap((transfer) => {
    if (typeof transfer !== 'object' || transfer === null || Array.isArray(transfer)) return [];
    const { source, source_jetton_wallet, destination, destination_jetton_wallet } = transfer as Readonly<
      Record<string, unknown>
    >;
    return [source, source_jetton_wallet, destination, destination_jetton_wallet];
  });
}
