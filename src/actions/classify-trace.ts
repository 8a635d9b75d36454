import { hash } from 'node:crypto';
import { addIntendedMessages } from './intended-messages.ts';
import { dedustDepositSides } from './protocols/dedust/rules.ts';
import { dedustV2DepositSides } from './protocols/dedust/v2-rules.ts';
import { joinDepositSides } from './protocols/dex/deposit-sides.ts';
import { ADDITIONAL_RULES, RULES, RULES_FOR_REJECTED_EXTERNALS } from './rule-order.ts';
import type { Action, Classification } from './rules/action.ts';
import { type AdditionalBlock, createAdditionalRuleList, findAdditional } from './rules/additional.ts';
import { buildBasicBlocks } from './rules/basic-blocks.ts';
import { Block, buildEventTree, type EventNode } from './rules/block.ts';
import type { ClassifierInput, TraceFacts } from './rules/classifier-input.ts';
import { applyRule, createRuleList, type RuleContext, type RuleList } from './rules/rule.ts';

const ALL_RULES = createRuleList(RULES);
const REJECTED_RULES = createRuleList(RULES_FOR_REJECTED_EXTERNALS);
const OWN_RULES = createAdditionalRuleList(ADDITIONAL_RULES);

/** Classifies a trace. Never throws: if the rules fail, only basic actions are returned. */
export function classifyTrace(
  { trace, interfaces }: ClassifierInput,
  onFault?: (rule: string, fault: unknown) => void,
): Classification {
  const context: RuleContext = { interfaces, ...(onFault && { onError: onFault }) };
  if (isLoneTickTock(trace)) return { state: 'ok', actions: [] };
  try {
    const root = blocksByRules(buildEventTree(trace.transactions), ALL_RULES, context);
    const found = toActions(listBlocks(root), trace);
    const actions = found.length > 0 ? found : classifyRejectedExternal(trace, context);
    return { state: 'ok', actions: withAdditional(actions, findAdditional(root, OWN_RULES, context), trace) };
  } catch (fault) {
    return { state: 'failed', actions: basicActions(trace), fault };
  }
}

/** Adds actions that the reference does not have; those that they cover have them as ancestors. */
function withAdditional(
  actions: readonly Action[],
  additional: readonly AdditionalBlock[],
  trace: TraceFacts,
): readonly Action[] {
  if (additional.length === 0) return actions;
  const covering = new Map<string, Set<string>>();
  const cover = (id: string, type: string) => covering.set(id, (covering.get(id) ?? new Set()).add(type));
  for (const { type, covered } of additional) {
    for (const block of withParts(covered)) cover(actionId(block), type);
    // Nothing is unknown of a trace with such an action.
    for (const action of actions) if (action.type === 'unknown') cover(action.action_id, type);
  }
  return [
    ...actions.map((action): Action => {
      const types = covering.get(action.action_id);
      return types ? { ...action, ancestor_type: [...action.ancestor_type, ...types] } : action;
    }),
    ...additional.map(({ block }) => toAction(block, trace, undefined)),
  ];
}

/** Blocks and those that they consist of. Deployments are not parts: they are shown beside every action. */
function withParts(blocks: readonly Block[]): Block[] {
  const all = [...blocks];
  for (const { children } of all) all.push(...children.filter(({ type }) => type !== 'contract_deploy'));
  return all;
}

function isLoneTickTock({ transactions }: TraceFacts): boolean {
  return transactions.length === 1 && transactions[0]!.tickTock;
}

/** Applies every rule to every block of a tree; returns an artificial root. */
function blocksByRules(tree: EventNode, rules: RuleList, context: RuleContext): Block {
  const root = rootOver(tree);
  let blocks = [...root.walk()];
  for (const rule of rules.startingAt(blocks)) {
    // Most rules match nothing in most traces, and without a match the tree does not change.
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
  const withDedust = joinDepositSides([...root.walk()], dedustDepositSides);
  const blocks = joinDepositSides(withDedust, dedustV2DepositSides);
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

/** The intended actions of a rejected external message, or one unknown action. */
function classifyRejectedExternal(trace: TraceFacts, context: RuleContext): Action[] {
  try {
    const tree = buildEventTree(trace.transactions);
    const fromOutside = tree.message !== undefined && tree.message.source === null;
    if (tree.children.length === 0 && fromOutside) {
      addIntendedMessages(tree);
      const actions = toActions(listBlocks(blocksByRules(tree, REJECTED_RULES, context)), trace);
      if (tree.children.length > 0 && actions.length > 0) return actions;
    }
  } catch {
    // An external message may contain anything.
  }
  return [unknownAction(trace)];
}

/** Transfers, calls and deployments only, without rules. */
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
 * Types whose parts are not actions themselves: the types that the first clients knew. Parts of all other types are
 * actions too, so that clients that do not know the outer type still see them.
 */
const ATOMIC_TYPES = new Set([
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
  'dedust_v2_deposit_liquidity',
  'dedust_v2_deposit_liquidity_partial',
  'tonco_deposit_liquidity',
  'tonco_withdraw_liquidity',
  'coffee_deposit_liquidity',
]);

/** The actions of blocks, each followed by those of its parts. Throws if a part has the id of another action. */
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
    if (!isAction(block)) continue;
    const action = toAction(block, trace, parentId);
    if (action.action_id === parentId) continue;
    ids.add(action.action_id);
    made.push(action);
    if (ATOMIC_TYPES.has(block.type)) continue;
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

/** External messages are not actions. */
function isAction({ type, nodes }: Block): boolean {
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

/** A stable action id across reclassification: from the first message and the type. */
function actionId({ nodes, type }: Block): string {
  const first = nodes.reduce((least, node) => (node.lt < least.lt ? node : least));
  return hash('sha256', `${first.hash}${type}`, 'base64');
}

/** The only action of a trace without recognised actions. */
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
