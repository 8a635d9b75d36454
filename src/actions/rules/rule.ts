import { CellError } from '../../chain/boc/cells.ts';
import { type Block, DisconnectedBlocks } from './block.ts';
import type { Interfaces } from './classifier-input.ts';
import { type Found, findAround, type PatternContext, refundsOf } from './pattern.ts';

/** Context of a rule. */
export interface RuleContext {
  readonly interfaces: Interfaces;
  /** Called when a rule throws an unexpected error: a bug of ours. The rule does not apply then. */
  onError?(rule: string, fault: unknown): void;
}

/** The match is not what the rule is for. */
export class RuleMismatch extends Error {}

/** A classification rule. */
export interface Rule {
  /** For error reports. */
  readonly name: string;
  test(block: Block): boolean;
  readonly around?: PatternContext;
  /** Whether excess and bounced messages after the first block are part of the match. */
  readonly includesRefunds?: boolean;
  /**
   * Composes blocks with `compose`. If it does not, or throws RuleMismatch or CellError, the rule does not apply; it must not
   * have changed anything then.
   */
  build(block: Block, found: Found, context: RuleContext): void;
}

/** Applies a rule to a block. */
export function applyRule(rule: Rule, block: Block, context: RuleContext): void {
  const found = findAround(block, rule.test, rule.around ?? {});
  if (!found) return;
  if (rule.includesRefunds) found.blocks.push(...refundsOf(block, true));
  try {
    rule.build(block, found, context);
  } catch (error) {
    if (error instanceof RuleMismatch || error instanceof CellError || error instanceof DisconnectedBlocks)
      return;
    context.onError?.(rule.name, error);
  }
}
