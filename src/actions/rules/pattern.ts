import type { Block, Callable } from './block.ts';

/** The blocks that a pattern matched, some of them named. */
export class Match {
  readonly blocks: Block[] = [];
  readonly #named: (readonly [name: string, block: Block])[] = [];

  /** The first block with a name, in match order. */
  named(name: string): Block | undefined {
    return this.#named.find(([one]) => one === name)?.[1];
  }

  allNamed(name: string): Block[] {
    return this.#named.filter(([one]) => one === name).map(([, block]) => block);
  }

  call(message: Callable): Block | undefined {
    return this.blocks.find((block) => block.calls(message));
  }

  ofType(type: string): Block[] {
    return this.blocks.filter((block) => block.type === type);
  }

  name(name: string, block: Block): void {
    this.#named.push([name, block]);
  }

  /** Adds everything that another pattern found. With `taken`, blocks in the set are skipped and the others added to it. */
  add(other: Match, taken?: Set<Block>): void {
    // One by one: a spread might exceed the argument limit.
    for (const block of other.blocks) {
      if (taken?.has(block)) continue;
      taken?.add(block);
      this.blocks.push(block);
    }
    for (const one of other.#named) this.#named.push(one);
  }
}

/** Conditions on the neighbours of a block. */
export interface PatternContext {
  /** Tried on every following block; at least one must match, unless it is optional or something else was found. */
  readonly each?: Pattern;
  /** In this order; each takes the first following block that matches and is not taken yet. */
  readonly next?: readonly Pattern[];
  /** Tried on the previous block. */
  readonly previous?: Pattern;
  /** Whether the enclosing pattern also matches without it. */
  readonly optional?: boolean;
  /** Whether excess messages belong to it; true by default. */
  readonly excess?: boolean;
  /** The name by which a rule finds the block. */
  readonly as?: string;
}

/** A pattern in the tree of blocks. */
export interface Pattern {
  readonly optional: boolean;
  /** Whether the block itself matches, without its neighbours. */
  test(block: Block): boolean;
  /** The match that starts with this block; undefined if there is none. */
  find(block: Block): Match | undefined;
}

/** A message that returns excess TON. */
export const EXCESS: Callable = { opcode: 0xd53276db };
export const BOUNCE: Callable = { opcode: 0xffffffff };

/** A block that passes a test, with conditions on its neighbours. */
export function blockThat(test: (block: Block) => boolean, around: PatternContext = {}): Pattern {
  return {
    optional: around.optional ?? false,
    test,
    find(block) {
      const surrounding = findAround(block, test, around);
      if (!surrounding) return undefined;
      const match = new Match();
      if (around.as) match.name(around.as, block);
      match.blocks.push(block);
      match.add(surrounding);
      match.blocks.push(...refundsOf(block, around.excess ?? true));
      return match;
    },
  };
}

export function call(message: Callable, around?: PatternContext): Pattern {
  return blockThat((block) => block.calls(message), around);
}

/** A block of a type: a basic one, or one composed by an earlier rule. */
export function blockOf(type: string, around?: PatternContext): Pattern {
  return blockThat((block) => block.type === type, around);
}

/** The first of several patterns that matches. */
export function anyOf(patterns: readonly Pattern[], { optional = false } = {}): Pattern {
  return {
    optional,
    test: (block) => patterns.some((one) => one.test(block)),
    find(block) {
      for (const one of patterns) {
        const match = one.find(block);
        if (match) return match;
      }
      return undefined;
    },
  };
}

/** Matches the neighbours of a block that passes the test; the block itself is not included. */
export function findAround(
  block: Block,
  test: (block: Block) => boolean,
  { each, next, previous }: PatternContext,
): Match | undefined {
  if (!test(block)) return undefined;
  // First, because it is a single block: a mismatch here avoids a long search below.
  const before = previous && block.previous ? previous.find(block.previous) : undefined;
  if (previous && !before && !previous.optional) return undefined;
  const match = new Match();
  if (each) {
    for (const follower of block.next) {
      const one = each.find(follower);
      if (one) match.add(one);
    }
    if (!each.optional && match.blocks.length === 0) return undefined;
  }
  if (next) {
    const inOrder = findInOrder(block, next);
    if (!inOrder) return undefined;
    match.add(inOrder);
  }
  if (before) match.add(before);
  return match;
}

function findInOrder(block: Block, patterns: readonly Pattern[]): Match | undefined {
  const match = new Match();
  const free = [...block.next];
  for (const pattern of patterns) {
    const one = takeFirst(free, pattern);
    if (one) match.add(one);
    else if (!pattern.optional) return undefined;
  }
  return match;
}

function takeFirst(free: Block[], pattern: Pattern): Match | undefined {
  for (const [at, block] of free.entries()) {
    const match = pattern.find(block);
    if (!match) continue;
    free.splice(at, 1);
    return match;
  }
  return undefined;
}

/** The excess and bounced messages after a block. */
export function refundsOf(block: Block, excess: boolean): Block[] {
  return block.next.filter((one) => one.calls(BOUNCE) || (excess && one.calls(EXCESS)));
}

/** A longer chain is hostile; the rest of it is left as it is. */
const MAX_REPETITIONS = 200;

/**
 * A pattern repeated down the tree until another one matches: the route of a swap through several pools. It matches as far
 * as it got, if it found anything at all.
 */
export function repeated(
  step: Pattern,
  exit: Pattern | undefined,
  { optional = false, as }: Pick<PatternContext, 'optional' | 'as'> = {},
): Pattern {
  return {
    optional,
    test: step.test,
    find(block) {
      if (!step.test(block)) return undefined;
      const path = followPath(block, step, exit);
      if (path.blocks.length === 0) return undefined;
      const match = new Match();
      if (as) match.name(as, block);
      match.blocks.push(block);
      match.add(path);
      match.blocks.push(...refundsOf(block, true));
      return match;
    },
  };
}

function followPath(start: Block, step: Pattern, exit: Pattern | undefined): Match {
  const path = new Match();
  const taken = new Set<Block>();
  let current = [start];
  for (let length = 0; length < MAX_REPETITIONS && current.length > 0; length++) {
    const ahead: Block[] = [];
    for (const block of current) {
      const end = exit?.find(block);
      if (end) {
        path.add(end, taken);
        return path;
      }
      const match = step.find(block);
      if (!match) continue;
      path.add(match, taken);
      for (const one of match.blocks) ahead.push(...one.next);
      break;
    }
    current = ahead;
  }
  return path;
}

/** More than any legitimate trace, and less than the call stack permits. */
const MAX_NESTING = 100;

/** A recursive pattern, limited in depth. */
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
