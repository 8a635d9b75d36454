import { CellError } from '../../chain/boc/cells.ts';
import type { ActionColumns } from './action.ts';
import { type Block, type Callable, compose, DisconnectedBlocks } from './block.ts';
import type { Interfaces } from './classifier-input.ts';
import { findAround, type Match, type PatternContext, refundsOf } from './pattern.ts';

export interface RuleContext {
  readonly interfaces: Interfaces;
  /** Called when a rule throws an unexpected error: a bug of ours. The rule does not apply then. */
  onError?(rule: string, fault: unknown): void;
}

/** The match is not what the rule is for. */
export class RuleMismatch extends Error {}

export type Rule = RuleStart & RuleBody;

/** A reader of the data of blocks of a type; it throws RuleMismatch for other blocks. */
export function blockData<Data>(type: string): (block: Block) => Data {
  return (block) => {
    if (block.type !== type) throw new RuleMismatch(`not a ${type}`);
    return block.data as Data;
  };
}

/** Where a rule is tried: at calls with one of these messages, or at blocks that pass a test. */
export type RuleStart = { readonly calls: readonly Callable[] } | { test(block: Block): boolean };

interface RuleBody {
  /** The type of the block that it composes, of several the first; names the rule in error reports. */
  readonly type: string;
  readonly around?: PatternContext;
  /** Whether excess and bounced messages after the first block are part of the match. */
  readonly includesRefunds?: boolean;
  /**
   * Returns the action that the matched blocks become, or composes blocks itself. If it does neither, or throws RuleMismatch
   * or CellError, the rule does not apply; it must not have changed anything then.
   */
  build(block: Block, match: Match, context: RuleContext): RuleResult | undefined;
}

/** An action, and the block that is composed for it. */
export interface RuleResult extends ActionColumns {
  /** Data for later rules. */
  readonly blockData?: unknown;
  /** The blocks that it consists of, if not the first one and all that matched. */
  readonly members?: readonly (Block | undefined)[];
}

/** A rule with its start as a test. */
type TestedRule = RuleBody & { test(block: Block): boolean };

/** Rules in order, of which most are left out for a trace by the opcodes in it. */
export type RuleList = ReturnType<typeof createRuleList>;

export function createRuleList(rules: readonly Rule[]) {
  const tested = rules.map(
    (rule): TestedRule => ('calls' in rule ? { ...rule, test: (block) => block.calls(...rule.calls) } : rule),
  );
  const everywhere: number[] = [];
  const byOpcode = new Map<number, number[]>();
  for (const [at, rule] of rules.entries()) {
    if (!('calls' in rule)) everywhere.push(at);
    else for (const { opcode } of rule.calls) byOpcode.set(opcode, [...(byOpcode.get(opcode) ?? []), at]);
  }
  return {
    /** The rules that may match one of these blocks, or a block composed of them. */
    startingAt(blocks: readonly Block[]): TestedRule[] {
      const chosen = new Set(everywhere);
      for (const { opcode } of blocks) for (const at of byOpcode.get(opcode ?? -1) ?? []) chosen.add(at);
      return [...chosen].sort((one, other) => one - other).map((at) => tested[at]!);
    },
  };
}

export function applyRule(rule: TestedRule, block: Block, context: RuleContext): void {
  const match = findAround(block, rule.test, rule.around ?? {});
  if (!match) return;
  if (rule.includesRefunds) match.blocks.push(...refundsOf(block, true));
  try {
    const result = rule.build(block, match, context);
    if (!result) return;
    const { blockData: data, members = [block, ...match.blocks], ...columns } = result;
    compose(
      { type: rule.type, data, describe: () => columns },
      members.filter((one) => one !== undefined),
    );
  } catch (error) {
    if (error instanceof RuleMismatch || error instanceof CellError || error instanceof DisconnectedBlocks)
      return;
    context.onError?.(rule.type, error);
  }
}
