import type { Action, Classification } from './action.ts';
import { buildBasicBlocks } from './basic-blocks.ts';
import { Block } from './block.ts';
import { buildEventTree, type EventNode } from './event-tree.ts';
import { addIntendedMessages } from './intended-messages.ts';
import { joinDedustDeposits } from './protocols/dedust-deposit-join.ts';
import { applyRule, type Rule, type RuleContext } from './rule.ts';
import { RULES, RULES_OF_REFUSED } from './rule-order.ts';
import { toActions, unknownAction } from './to-actions.ts';
import type { ClassifierInput, TraceFacts } from './trace-facts.ts';

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
      const actions = toActions(listBlocks(blocksByRules(tree, RULES_OF_REFUSED, context)), trace);
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
