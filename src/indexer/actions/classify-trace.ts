import { hash } from 'node:crypto';
import type { Action, Classification } from './action.ts';
import { buildBasicBlocks } from './basic-blocks.ts';
import { Block, buildEventTree, type EventNode } from './block.ts';
import type { ClassifierInput, TraceFacts } from './classifier-input.ts';
import { addIntendedMessages } from './intended-messages.ts';
import { joinDedustDeposits } from './protocols/dedust.ts';
import { applyRule, type Rule, type RuleContext } from './rule.ts';
import { RULES, RULES_FOR_REJECTED_EXTERNALS } from './rule-order.ts';

/** Says what happened in a trace. Never throws: where the rules fail, only the basic actions are told. */
export function classifyTrace(
  { trace, interfaces }: ClassifierInput,
  onFault?: (rule: string, fault: unknown) => void,
): Classification {
  const context: RuleContext = { interfaces, ...(onFault && { onFault }) };
  if (isLoneTickTock(trace)) return { state: 'ok', actions: [] };
  try {
    const actions = toActions(
      listBlocks(blocksByRules(buildEventTree(trace.transactions), RULES, context)),
      trace,
    );
    return { state: 'ok', actions: actions.length > 0 ? actions : classifyRefused(trace, context) };
  } catch (fault) {
    return { state: 'failed', actions: basicActions(trace), fault };
  }
}

function isLoneTickTock({ transactions }: TraceFacts): boolean {
  return transactions.length === 1 && transactions[0]!.tickTock;
}

/** The blocks of a tree after every rule was tried on every block, below an artificial root. */
function blocksByRules(tree: EventNode, rules: readonly Rule[], context: RuleContext): Block {
  const root = rootOver(tree);
  let blocks = [...root.walk()];
  for (const rule of rules) {
    // In most traces most rules have nothing to begin with, and nothing changes before one begins.
    if (!blocks.some((block) => rule.test(block))) continue;
    for (const block of root.walk()) if (!block.parent) applyRule(rule, block, context);
    blocks = [...root.walk()];
  }
  return root;
}

function rootOver(tree: EventNode): Block {
  const root = new Block({ type: 'root', data: undefined, describe: () => ({}) });
  root.connect(buildBasicBlocks(tree));
  return root;
}

/** All blocks that may become actions: those of the tree, then the deployments inside them. */
function listBlocks(root: Block): Block[] {
  const blocks = joinDedustDeposits([...root.walk()]);
  const seen = new Set<Block>();
  const deployments: Block[] = [];
  for (const block of blocks) {
    const inside = [...block.children];
    for (const child of inside) {
      if (seen.has(child)) continue;
      seen.add(child);
      if (child.type === 'contract_deploy') deployments.push(child);
      else inside.push(...child.children);
    }
  }
  return [...blocks, ...deployments];
}

/** What a refused external message was meant to do; failing that, one action that says nothing. */
function classifyRefused(trace: TraceFacts, context: RuleContext): Action[] {
  try {
    const tree = buildEventTree(trace.transactions);
    const fromOutside = tree.message !== undefined && tree.message.source === null;
    if (tree.children.length === 0 && fromOutside) {
      addIntendedMessages(tree);
      const actions = toActions(
        listBlocks(blocksByRules(tree, RULES_FOR_REJECTED_EXTERNALS, context)),
        trace,
      );
      if (tree.children.length > 0 && actions.length > 0) return actions;
    }
  } catch {
    // Anything may stand in a message from outside.
  }
  return [unknownAction(trace)];
}

/** Transfers, calls and deployments alone, by no rule at all. */
function basicActions(trace: TraceFacts): Action[] {
  try {
    const tree = buildEventTree(trace.transactions);
    if (tree.children.length === 0) return [unknownAction(trace)];
    return toActions(listBlocks(rootOver(tree)), trace);
  } catch {
    return [];
  }
}

/**
 * Blocks whose parts are not actions of their own: the types that the first clients knew. Parts of all others are kept as
 * actions too, so that a client that does not know the whole still sees them.
 */
const WITHOUT_PARTS = new Set([
  'call_contract',
  'contract_deploy',
  'ton_transfer',
  'tick_tock',
  'jetton_transfer',
  'jetton_burn',
  'jetton_mint',
  'jetton_swap',
  'nft_transfer',
  'nft_mint',
  'auction_bid',
  'change_dns',
  'delete_dns',
  'renew_dns',
  'subscribe',
  'unsubscribe',
  'election_deposit',
  'election_recover',
  'dex_deposit_liquidity',
  'dex_withdraw_liquidity',
  'stake_deposit',
  'stake_withdrawal',
  'stake_withdrawal_request',
  'nominator_pool_deposit',
  'nominator_pool_withdraw_request',
  'tonstakers_deposit',
  'tonstakers_withdraw_request',
  'tonstakers_withdraw',
  'ethena_deposit',
  'ethena_withdrawal_request',
  'dedust_deposit_liquidity',
  'dedust_deposit_liquidity_partial',
  'tonco_deposit_liquidity',
  'tonco_withdraw_liquidity',
  'coffee_deposit_liquidity',
]);

/** The actions of blocks, each followed by those of its parts. Throws where a part has the id of another action. */
function toActions(blocks: readonly Block[], trace: TraceFacts): Action[] {
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
function unknownAction(trace: TraceFacts): Action {
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
