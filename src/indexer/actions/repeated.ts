import type { Block } from './block.ts';
import { Found, leftovers, type Pattern, type Surroundings } from './pattern.ts';

/** Nobody goes further: what is longer was made to keep us busy, and is left as it is from there on. */
const LONGEST_WAY = 200;

/**
 * One pattern over and over down the tree, until another one fits: the way of a swap through several pools. It fits as far
 * as it came, if it found anything at all.
 */
export function repeated(
  step: Pattern,
  exit: Pattern | undefined,
  { optional = false, as }: Pick<Surroundings, 'optional' | 'as'> = {},
): Pattern {
  return {
    optional,
    test: step.test,
    find(block) {
      if (!step.test(block)) return undefined;
      const way = followWay(block, step, exit);
      if (way.blocks.length === 0) return undefined;
      const found = new Found();
      if (as) found.name(as, block);
      found.blocks.push(block);
      found.add(way);
      found.blocks.push(...leftovers(block, true));
      return found;
    },
  };
}

function followWay(start: Block, step: Pattern, exit: Pattern | undefined): Found {
  const way = new Found();
  const taken = new Set<Block>();
  let current = [start];
  for (let length = 0; length < LONGEST_WAY && current.length > 0; length++) {
    const ahead: Block[] = [];
    for (const block of current) {
      const end = exit?.find(block);
      if (end) {
        way.add(end, taken);
        return way;
      }
      const found = step.find(block);
      if (!found) continue;
      way.add(found, taken);
      for (const one of found.blocks) ahead.push(...one.next);
      break;
    }
    current = ahead;
  }
  return way;
}

/** More than anybody does in good faith, and less than the stack holds. */
const MOST_NESTED = 100;

/** A pattern that is known only when it is tried: one that is a part of itself, to a certain depth. */
export function later(pattern: () => Pattern): Pattern {
  let depth = 0;
  return {
    optional: false,
    test: (block) => pattern().test(block),
    find(block) {
      if (depth === MOST_NESTED) return undefined;
      depth++;
      try {
        return pattern().find(block);
      } finally {
        depth--;
      }
    },
  };
}
