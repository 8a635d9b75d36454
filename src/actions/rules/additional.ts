import { CellError } from '../../chain/boc/cells.ts';
import type { ActionColumns } from './action.ts';
import { Block, type Callable } from './block.ts';
import { type RuleContext, RuleMismatch } from './rule.ts';

/**
 * A rule for actions that the reference does not have. It is tried when the tree is finished and leaves it as it is:
 * who does not ask for these types sees what the reference shows.
 */
export interface AdditionalRule {
  /** Names the rule in error reports. */
  readonly name: string;
  /** Calls with one of these messages, or blocks of a type. */
  readonly start: { readonly calls: readonly Callable[] } | { readonly type: string };
  /** Finds nothing if it throws RuleMismatch or CellError. */
  find(block: Block, context: RuleContext): readonly AdditionalAction[];
}

export interface AdditionalAction extends ActionColumns {
  readonly type: string;
  readonly success: boolean;
  readonly members: readonly Block[];
  /** Whether it stands beside the actions of its members. Otherwise who asks for its type does not see them. */
  readonly isBeside?: boolean;
}

/** Rules by what they start at. */
export type AdditionalRuleList = ReturnType<typeof createAdditionalRuleList>;

export function createAdditionalRuleList(rules: readonly AdditionalRule[]) {
  const starts = new Map<number | string, AdditionalRule[]>();
  const add = (key: number | string, rule: AdditionalRule) =>
    starts.set(key, [...(starts.get(key) ?? []), rule]);
  for (const rule of rules) {
    if ('type' in rule.start) add(rule.start.type, rule);
    else for (const { opcode } of rule.start.calls) add(opcode, rule);
  }
  return {
    startingAt({ type, opcode }: Block): readonly AdditionalRule[] {
      return starts.get(type === 'call_contract' ? (opcode ?? type) : type) ?? [];
    },
  };
}

export interface AdditionalBlock {
  /** Not part of the tree. */
  readonly block: Block;
  readonly type: string;
  /** The blocks whose actions it covers. */
  readonly covered: readonly Block[];
}

export function findAdditional(
  root: Block,
  rules: AdditionalRuleList,
  context: RuleContext,
): AdditionalBlock[] {
  const found: AdditionalBlock[] = [];
  const counts = new Map<string, number>();
  for (const block of root.walk())
    for (const rule of rules.startingAt(block))
      for (const action of tryRule(rule, block, context)) {
        const { members, isBeside = false, ...columns } = action;
        const key = `${earliestOf(members).node.hash}${action.type}`;
        const number = (counts.get(key) ?? 0) + 1;
        counts.set(key, number);
        found.push({
          block: blockOver(members, number === 1 ? action.type : `${action.type}#${number}`, columns),
          type: action.type,
          covered: isBeside ? [] : members,
        });
      }
  return found;
}

function tryRule(rule: AdditionalRule, block: Block, context: RuleContext): readonly AdditionalAction[] {
  try {
    return rule.find(block, context);
  } catch (error) {
    if (!(error instanceof RuleMismatch || error instanceof CellError)) context.onError?.(rule.name, error);
    return [];
  }
}

/** A block of the steps of others. Its type is that of the action, numbered if one message leads to several of them. */
function blockOver(members: readonly Block[], type: string, columns: ActionColumns): Block {
  const whole = new Block({ type, data: undefined, describe: () => columns });
  for (const { nodes, ghost } of members) {
    whole.nodes.push(...nodes);
    whole.ghost ||= ghost;
  }
  whole.initiating = earliestOf(members).initiating;
  whole.measure();
  return whole;
}

function earliestOf(members: readonly Block[]): Block {
  return members.reduce((first, one) => (one.minLt < first.minLt ? one : first));
}
