import { hash } from 'node:crypto';
import type { Action } from './action.ts';
import type { Block } from './block.ts';
import type { TraceFacts } from './trace-facts.ts';

/**
 * Blocks whose parts are not actions of their own: the types that the first clients knew. Parts of all others are kept as
 * actions too, so that a client that does not know the whole still sees them.
 */
const WITHOUT_PARTS = new Set([
  ...['call_contract', 'contract_deploy', 'ton_transfer', 'tick_tock', 'jetton_transfer', 'jetton_burn'],
  ...[
    'jetton_mint',
    'jetton_swap',
    'nft_transfer',
    'nft_mint',
    'auction_bid',
    'change_dns',
    'delete_dns',
    'renew_dns',
  ],
  ...['subscribe', 'unsubscribe', 'election_deposit', 'election_recover', 'dex_deposit_liquidity'],
  ...['dex_withdraw_liquidity', 'stake_deposit', 'stake_withdrawal', 'stake_withdrawal_request'],
  ...[
    'nominator_pool_deposit',
    'nominator_pool_withdraw_request',
    'tonstakers_deposit',
    'tonstakers_withdraw_request',
  ],
  ...['tonstakers_withdraw', 'ethena_deposit', 'ethena_withdrawal_request', 'dedust_deposit_liquidity'],
  ...[
    'dedust_deposit_liquidity_partial',
    'tonco_deposit_liquidity',
    'tonco_withdraw_liquidity',
    'coffee_deposit_liquidity',
  ],
]);

/** The actions of blocks, each followed by those of its parts. Throws where a part has the id of another action. */
export function toActions(blocks: readonly Block[], trace: TraceFacts): Action[] {
  const byId = new Map<string, Action>();
  for (const action of actionsOf(blocks, trace, undefined)) {
    if (!byId.has(action.action_id)) byId.set(action.action_id, action);
  }
  return [...byId.values()];
}

function actionsOf(blocks: readonly Block[], trace: TraceFacts, parentId: string | undefined): Action[] {
  const made: Action[] = [];
  const ids = new Set<string>();
  for (const block of blocks) {
    if (!isShown(block)) continue;
    const action = toAction(block, trace, parentId);
    if (action.action_id === parentId) continue;
    ids.add(action.action_id);
    made.push(action);
    if (WITHOUT_PARTS.has(block.type)) continue;
    for (const part of actionsOf(block.children, trace, action.action_id)) {
      if (part.type === 'contract_deploy') continue;
      if (ids.has(part.action_id)) throw new Error(`two actions have the id ${part.action_id}`);
      ids.add(part.action_id);
      const ancestors = new Set([...part.ancestor_type, block.type]);
      made.push({ ...part, ancestor_type: [...ancestors] });
    }
  }
  return made;
}

/** Messages from outside the chain and to the outside are no actions. */
function isShown({ type, nodes }: Block): boolean {
  if (type === 'root' || type === 'empty') return false;
  const message = nodes[0]?.message;
  return type !== 'call_contract' || (message?.source != null && message.destination !== null);
}

function toAction(block: Block, trace: TraceFacts, parentId: string | undefined): Action {
  const { accounts: own = [], success = !block.failed, ...columns } = block.describe();
  const hashes = new Set(block.nodes.map(({ transaction }) => transaction.hash));
  const accounts = new Set<string | null | undefined>(
    block.nodes.map(({ transaction }) => transaction.account),
  );
  for (const one of [...own, columns.source, columns.source_secondary]) accounts.add(one);
  if (!block.ghost) for (const one of [columns.destination, columns.destination_secondary]) accounts.add(one);
  if (block.initiating) {
    hashes.add(block.initiating.transaction.hash);
    if (block.initiating.message) accounts.add(block.initiating.transaction.account);
  }
  return {
    ...NO_COLUMNS,
    type: block.type,
    ...columns,
    success,
    trace_id: trace.traceId,
    action_id: actionId(block),
    parent_action_id: parentId ?? null,
    ancestor_type: [],
    start_lt: block.minLt,
    end_lt: block.maxLt,
    start_utime: block.minUtime,
    end_utime: block.maxUtime,
    mc_seqno_end: block.nodes.reduce((most, { transaction }) => Math.max(most, transaction.mcSeqno), 0),
    tx_hashes: [...hashes],
    accounts: [...accounts].filter((one) => one != null),
  };
}

const NO_COLUMNS = {
  source: null,
  source_secondary: null,
  destination: null,
  destination_secondary: null,
  asset: null,
  asset_secondary: null,
  asset2: null,
  asset2_secondary: null,
  opcode: null,
  value: null,
  amount: null,
  value_extra_currencies: {},
  data: {},
} as const;

/** A name for an action that does not change when a trace is classified again: its first message and what it is. */
function actionId({ nodes, type }: Block): string {
  const first = nodes.reduce((least, node) => (node.lt < least.lt ? node : least));
  return hash('sha256', `${first.hash}${type}`, 'base64');
}

/** The one action of a trace of which nothing else can be said. */
export function unknownAction(trace: TraceFacts): Action {
  const { transactions } = trace;
  return {
    ...NO_COLUMNS,
    type: 'unknown',
    success: !transactions.some(({ aborted }) => aborted),
    trace_id: trace.traceId,
    action_id: trace.traceId,
    parent_action_id: null,
    ancestor_type: [],
    start_lt: trace.startLt,
    end_lt: trace.endLt,
    start_utime: trace.startUtime,
    end_utime: trace.endUtime,
    mc_seqno_end: trace.mcSeqnoEnd,
    tx_hashes: transactions.map(({ hash }) => hash),
    accounts: [...new Set(transactions.map(({ account }) => account))],
  };
}
