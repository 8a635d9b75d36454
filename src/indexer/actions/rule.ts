import { CellError } from '../../chain/boc/cells.ts';
import { type Block, DisconnectedBlocks } from './block.ts';
import type { Interfaces } from './classifier-input.ts';
import { type Found, findAround, leftovers, type Surroundings } from './pattern.ts';

/** What a rule may ask when it has found its pattern. */
export interface RuleContext {
  readonly interfaces: Interfaces;
  /** Told of a rule that threw what it should not have: a fault of ours. The rule then does not apply. */
  onFault?(rule: string, fault: unknown): void;
}

/** Says that what was found is not what the rule is for. */
export class RuleMismatch extends Error {}

/** One thing that the classifier recognises. */
export interface Rule {
  /** For the report of faults; the position in the order is what counts. */
  readonly name: string;
  test(block: Block): boolean;
  readonly around?: Surroundings;
  /** Whether leftovers of the first block belong to what was found before the rule builds. */
  readonly takesLeftovers?: boolean;
  /**
   * Puts blocks together by `compose`. Not to do so, and to throw NotThis or a CellError of a body with another layout, mean
   * that the rule does not apply; it must not have changed anything then.
   */
  build(block: Block, found: Found, context: RuleContext): void;
}

/** Tries a rule on a block. */
export function applyRule(rule: Rule, block: Block, context: RuleContext): void {
  const found = findAround(block, rule.test, rule.around ?? {});
  if (!found) return;
  if (rule.takesLeftovers) found.blocks.push(...leftovers(block, true));
  try {
    rule.build(block, found, context);
  } catch (error) {
    if (error instanceof RuleMismatch || error instanceof CellError || error instanceof DisconnectedBlocks)
      return;
    context.onFault?.(rule.name, error);
  }
}
