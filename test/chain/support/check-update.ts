import { expect } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { type Cells, MERKLE_PROOF, MERKLE_UPDATE } from '../../../src/chain/boc/cells.ts';
import { openMerkleUpdate } from '../../../src/chain/boc/merkle.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { CellArena } from '../../../src/chain/state/arena.ts';
import type { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { applyMerkleUpdate, makeMerkleUpdate } from '../../../src/chain/state/merkle-updates.ts';
import { treeDifference } from './cell-comparison.ts';

/**
 * Makes the update between two states and checks that whoever knows the old state alone gets the new one whole, and
 * that a node would take it. Gives the update's cell.
 */
export function expectUpdateWorks(arena: BuildingArena, before: number, after: number): number {
  const update = makeMerkleUpdate(arena, before, after);
  // Written and read again, so that everything is hashed anew from the data.
  const bag = readBoc(writeBoc({ cells: arena, roots: [update] }, { order: 'tonlib' }));
  bag.hashAll();
  expect(bag.levelMask(bag.root)).toBe(0);
  const { old, new: shown } = openMerkleUpdate(bag, bag.root);

  const fresh = new CellArena();
  const start = fresh.add(arena, before, 3);
  const root = applyMerkleUpdate(fresh, start, bag, bag.root);
  expect(fresh.missing(root, 1)).toEqual([]);
  expect(treeDifference(fresh, root, arena, after)).toBe('');

  // A node looks for what the update itself prunes on the new side among the cells of the old side.
  const known = new Set<string>();
  walk(bag, old, (cell, depth) => known.add(bag.hash(cell, depth).toString('hex')));
  walk(bag, shown, (cell, depth) => {
    const isCut = bag.isPruned(cell) && bag.levelMask(cell) >> depth === 1;
    if (isCut) expect(known).toContain(bag.hash(cell, depth).toString('hex'));
  });
  return update;
}

/** The number of cells of a tree, and of pruned branches among them. */
export function countCells(cells: Cells, root: number): { all: number; pruned: number } {
  const found = new Set<number>();
  walk(cells, root, (cell) => found.add(cell));
  return { all: found.size, pruned: [...found].filter((cell) => cells.isPruned(cell)).length };
}

/** Visits the cells of a tree, with the number of Merkle cells above each. */
function walk(cells: Cells, root: number, visit: (cell: number, merkleDepth: number) => void): void {
  const visited = new Set<string>();
  const enter = (cell: number, depth: number): void => {
    if (visited.has(`${cell} ${depth}`)) return;
    visited.add(`${cell} ${depth}`);
    visit(cell, depth);
    const kind = cells.kind(cell);
    const below = kind === MERKLE_PROOF || kind === MERKLE_UPDATE ? depth + 1 : depth;
    for (let i = 0; i < cells.refCount(cell); i++) enter(cells.ref(cell, i), below);
  };
  enter(root, 0);
}
