import { BitString, beginCell, Cell } from '@ton/core';
import fc from 'fast-check';

/** Masks of pruned branches that @ton/core can hold. */
const CORE_MASKS = [1, 3, 7] as const;
const HASHES_BY_MASK = { 1: 1, 3: 2, 7: 3 } as const;

const bits = fc
  .oneof({ weight: 8, arbitrary: fc.integer({ min: 0, max: 70 }) }, fc.integer({ min: 0, max: 1023 }))
  .chain((length) =>
    fc
      .uint8Array({ minLength: (length + 7) >> 3, maxLength: (length + 7) >> 3 })
      .map((bytes) => new BitString(Buffer.from(bytes), 0, length)),
  );

/** A number for each reference: which of the cells before it leads to. */
const refs = fc.array(fc.nat({ max: 30 }), { maxLength: 4 });

const ordinary = fc.record({ kind: fc.constant('ordinary' as const), bits, refs });
const exotic = fc.oneof(
  fc.record({
    kind: fc.constant('library' as const),
    hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  }),
  fc.record({
    kind: fc.constant('pruned' as const),
    mask: fc.constantFrom(...CORE_MASKS),
    hashes: fc.uint8Array({ minLength: 96, maxLength: 96 }),
    depths: fc.array(fc.nat({ max: 500 }), { minLength: 3, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('proof' as const), ref: fc.nat({ max: 30 }) }),
  fc.record({
    kind: fc.constant('update' as const),
    old: fc.nat({ max: 30 }),
    new: fc.nat({ max: 30 }),
  }),
);
type Recipe =
  typeof ordinary extends fc.Arbitrary<infer O>
    ? O | (typeof exotic extends fc.Arbitrary<infer E> ? E : never)
    : never;

/** Cells with whatever can be below them: shared parts, equal parts, every exotic kind. */
export const arbitraryCell: fc.Arbitrary<Cell> = trees(
  fc.oneof({ weight: 4, arbitrary: ordinary }, { weight: 1, arbitrary: exotic }),
);

/** Cells without exotic ones below. */
export const arbitraryOrdinaryCell: fc.Arbitrary<Cell> = trees(ordinary);

function trees(recipe: fc.Arbitrary<Recipe>): fc.Arbitrary<Cell> {
  return fc.array(recipe, { minLength: 1, maxLength: 30 }).map((recipes) => {
    const made: Cell[] = [];
    for (const next of recipes) made.push(make(next, made));
    return made.at(-1)!;
  });
}

function make(recipe: Recipe, made: readonly Cell[]): Cell {
  // Counted from the last one, so that trees grow deep, and empty when there is none yet.
  const pick = (back: number): Cell => made.at(-1 - (back % Math.max(1, made.length))) ?? Cell.EMPTY;
  switch (recipe.kind) {
    case 'ordinary': {
      const children = made.length === 0 ? [] : recipe.refs.map(pick);
      return new Cell({ bits: recipe.bits, refs: children });
    }
    case 'library':
      return beginCell().storeUint(2, 8).storeBuffer(Buffer.from(recipe.hash)).endCell({ exotic: true });
    case 'pruned': {
      const count = HASHES_BY_MASK[recipe.mask];
      const hashes = Buffer.from(recipe.hashes).subarray(0, 32 * count);
      const builder = beginCell().storeUint(1, 8).storeUint(recipe.mask, 8).storeBuffer(hashes);
      for (const depth of recipe.depths.slice(0, count)) builder.storeUint(depth, 16);
      return builder.endCell({ exotic: true });
    }
    case 'proof': {
      const child = pick(recipe.ref);
      const builder = beginCell().storeUint(3, 8).storeBuffer(child.hash(0)).storeUint(child.depth(0), 16);
      return builder.storeRef(child).endCell({ exotic: true });
    }
    case 'update':
      return makeUpdate(pick(recipe.old), pick(recipe.new));
  }
}

function makeUpdate(before: Cell, after: Cell): Cell {
  return beginCell()
    .storeUint(4, 8)
    .storeBuffer(before.hash(0))
    .storeBuffer(after.hash(0))
    .storeUint(before.depth(0), 16)
    .storeUint(after.depth(0), 16)
    .storeRef(before)
    .storeRef(after)
    .endCell({ exotic: true });
}

/** A proof can cut cells away below two Merkle cells, not deeper. */
const MAX_MERKLE_DEPTH = 2;

/** What a state can be: any cells, but all pruned branches below Merkle cells of the state itself. */
export const arbitraryState: fc.Arbitrary<Cell> = arbitraryCell
  .map((cell) => {
    let state = cell;
    while (state.mask.value !== 0) state = wrap(state);
    return state;
  })
  .filter((state) => merkleDepth(state, new Map()) <= MAX_MERKLE_DEPTH);

function wrap(cell: Cell): Cell {
  const builder = beginCell().storeUint(3, 8).storeBuffer(cell.hash(0)).storeUint(cell.depth(0), 16);
  return builder.storeRef(cell).endCell({ exotic: true });
}

/** How many Merkle cells lie above each other at most. */
function merkleDepth(cell: Cell, known: Map<Cell, number>): number {
  const found = known.get(cell);
  if (found !== undefined) return found;
  const below = Math.max(0, ...cell.refs.map((ref) => merkleDepth(ref, known)));
  const isMerkle = cell.isExotic && cell.refs.length > 0;
  const depth = below + (isMerkle ? 1 : 0);
  known.set(cell, depth);
  return depth;
}
