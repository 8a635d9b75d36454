import { MERKLE_PROOF, MERKLE_UPDATE } from '../boc/cell-kind.ts';
import type { CellArena } from './cell-arena.ts';

const OLD = 1;
const NEW = 2;
const BOTH = OLD | NEW;

/** How two trees of one arena differ. */
export interface TreeComparison {
  /** Cells with references that both trees have; what is below them is not listed. */
  readonly shared: ReadonlySet<number>;
  /** Cells that only the old tree has and that lead to shared ones. */
  readonly oldPaths: ReadonlySet<number>;
}

/**
 * Finds what two trees share without walking through it. Cells are met in the order of falling depth, so that when it
 * is a cell's turn all its parents are done: known to both sides, it ends the search there. A cell that the new tree
 * has in a place of its own and the old one only below a shared cell is taken for new, as a node does. What Merkle
 * cells hold is not looked at.
 */
export function compareTrees(arena: CellArena, oldRoot: number, newRoot: number): TreeComparison {
  const sides = new Map<number, number>();
  const byDepth: number[][] = [];
  const meet = (cell: number, side: number): void => {
    const known = sides.get(cell);
    if (known === undefined) {
      const depth = arena.depth(cell);
      while (byDepth.length <= depth) byDepth.push([]);
      byDepth[depth]!.push(cell);
    }
    sides.set(cell, (known ?? 0) | side);
  };
  meet(oldRoot, OLD);
  meet(newRoot, NEW);

  const shared = new Set<number>();
  const oldOnly: number[] = [];
  for (let depth = byDepth.length - 1; depth > 0; depth--)
    for (const cell of byDepth[depth]!) {
      const side = sides.get(cell)!;
      if (side === BOTH) shared.add(cell);
      else if (isOpen(arena, cell)) {
        if (side === OLD) oldOnly.push(cell);
        for (let i = 0; i < arena.refCount(cell); i++) meet(arena.ref(cell, i), side);
      }
    }
  return { shared, oldPaths: pathsTo(arena, shared, oldOnly) };
}

/** Those of some cells, given parents before children, that are above a shared one. */
function pathsTo(arena: CellArena, shared: ReadonlySet<number>, cells: readonly number[]): Set<number> {
  const paths = new Set<number>();
  for (const cell of cells.toReversed())
    for (let i = 0; i < arena.refCount(cell); i++) {
      const child = arena.ref(cell, i);
      if (shared.has(child) || paths.has(child)) paths.add(cell);
    }
  return paths;
}

function isOpen(arena: CellArena, cell: number): boolean {
  const kind = arena.kind(cell);
  return kind !== MERKLE_PROOF && kind !== MERKLE_UPDATE && !arena.isPlaceholder(cell);
}
