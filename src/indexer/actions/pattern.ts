import type { Block } from './block.ts';

/** What a pattern found: the blocks, and those among them that have a name. */
export class Found {
  readonly blocks: Block[] = [];
  readonly #named: (readonly [name: string, block: Block])[] = [];

  /** The first block of a name, in the order in which the pattern came to them. */
  named(name: string): Block | undefined {
    return this.#named.find(([one]) => one === name)?.[1];
  }

  allNamed(name: string): Block[] {
    return this.#named.filter(([one]) => one === name).map(([, block]) => block);
  }

  /** The first plain call with these first 32 bits. */
  call(opcode: number): Block | undefined {
    return this.blocks.find((block) => block.calls(opcode));
  }

  ofType(type: string): Block[] {
    return this.blocks.filter((block) => block.type === type);
  }

  /** Notes a block's name. */
  name(name: string, block: Block): void {
    this.#named.push([name, block]);
  }

  /** Takes over all that another one found. With a set of blocks, those in it are left out, and the others put into it. */
  add(other: Found, taken?: Set<Block>): void {
    // One by one: there may be more than a call can have arguments.
    for (const block of other.blocks) {
      if (taken?.has(block)) continue;
      taken?.add(block);
      this.blocks.push(block);
    }
    for (const one of other.#named) this.#named.push(one);
  }
}

/** What surrounds a block for a pattern to fit. */
export interface Surroundings {
  /** Tried on every block that follows; one at least must fit, unless it is optional or something else was found. */
  readonly each?: Pattern;
  /** In this order; each takes the first block that follows, fits and is not taken yet. */
  readonly next?: readonly Pattern[];
  /** Tried on the block before. */
  readonly previous?: Pattern;
  /** Whether what asks for it is content without. */
  readonly optional?: boolean;
  /** Whether answers that only return what is left over belong to it; true unless told otherwise. */
  readonly excess?: boolean;
  /** The name by which a rule finds the block. */
  readonly as?: string;
}

/** A shape in the tree of blocks. */
export interface Pattern {
  readonly optional: boolean;
  /** Whether the block itself fits, whatever surrounds it. */
  test(block: Block): boolean;
  /** What the pattern finds with this block as its first; undefined where it does not fit. */
  find(block: Block): Found | undefined;
}

/** An answer that only returns what is left over. */
export const EXCESS = 0xd53276db;
export const BOUNCE = 0xffffffff;

/** A block that passes a test, with its surroundings. */
export function blockThat(test: (block: Block) => boolean, around: Surroundings = {}): Pattern {
  return {
    optional: around.optional ?? false,
    test,
    find(block) {
      const surrounding = findAround(block, test, around);
      if (!surrounding) return undefined;
      const found = new Found();
      if (around.as) found.name(around.as, block);
      found.blocks.push(block);
      found.add(surrounding);
      found.blocks.push(...leftovers(block, around.excess ?? true));
      return found;
    },
  };
}

/** A plain call of a contract. */
export function call(opcode: number, around?: Surroundings): Pattern {
  return blockThat((block) => block.calls(opcode), around);
}

/** A block of a type: a basic one, or one that an earlier rule made. */
export function blockOf(type: string, around?: Surroundings): Pattern {
  return blockThat((block) => block.type === type, around);
}

/** The first of several patterns that fits. */
export function anyOf(patterns: readonly Pattern[], { optional = false } = {}): Pattern {
  return {
    optional,
    test: (block) => patterns.some((one) => one.test(block)),
    find(block) {
      for (const one of patterns) {
        const found = one.find(block);
        if (found) return found;
      }
      return undefined;
    },
  };
}

/** What a pattern finds around a block that passes the test, without the block itself. */
export function findAround(
  block: Block,
  test: (block: Block) => boolean,
  { each, next, previous }: Surroundings,
): Found | undefined {
  if (!test(block)) return undefined;
  // First, because it is one block only: a rule that wants it does not search a long way down in vain.
  const before = previous && block.previous ? previous.find(block.previous) : undefined;
  if (previous && !before && !previous.optional) return undefined;
  const found = new Found();
  if (each) {
    for (const follower of block.next) {
      const one = each.find(follower);
      if (one) found.add(one);
    }
    if (!each.optional && found.blocks.length === 0) return undefined;
  }
  if (next) {
    const inOrder = findInOrder(block, next);
    if (!inOrder) return undefined;
    found.add(inOrder);
  }
  if (before) found.add(before);
  return found;
}

function findInOrder(block: Block, patterns: readonly Pattern[]): Found | undefined {
  const found = new Found();
  const free = [...block.next];
  for (const pattern of patterns) {
    const one = takeFirst(free, pattern);
    if (one) found.add(one);
    else if (!pattern.optional) return undefined;
  }
  return found;
}

function takeFirst(free: Block[], pattern: Pattern): Found | undefined {
  for (const [at, block] of free.entries()) {
    const found = pattern.find(block);
    if (!found) continue;
    free.splice(at, 1);
    return found;
  }
  return undefined;
}

/** The answers after a block that return what is left over, or a message that bounced. */
export function leftovers(block: Block, excess: boolean): Block[] {
  return block.next.filter((one) => one.calls(BOUNCE) || (excess && one.calls(EXCESS)));
}

/** Nobody goes further: what is longer was made to keep us busy, and is left as it is from there on. */
const MAX_REPETITIONS = 200;

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
  for (let length = 0; length < MAX_REPETITIONS && current.length > 0; length++) {
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
const MAX_NESTING = 100;

/** A pattern that is known only when it is tried: one that is a part of itself, to a certain depth. */
export function lazyPattern(pattern: () => Pattern): Pattern {
  let depth = 0;
  return {
    optional: false,
    test: (block) => pattern().test(block),
    find(block) {
      if (depth === MAX_NESTING) return undefined;
      depth++;
      try {
        return pattern().find(block);
      } finally {
        depth--;
      }
    },
  };
}
