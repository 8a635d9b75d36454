import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { openMerkleUpdate } from '../boc/merkle.ts';
import type { CellArena } from './cell-arena.ts';

/**
 * Applies a Merkle update, found at `update` among `cells`, to a state in the arena: gives the root of the new state.
 * `old` is the root of the state to start from, or its hash when none of its cells is known. Parts that the update
 * takes over from the old state are there if they were known, and placeholders if not.
 */
export function applyMerkleUpdate(
  arena: CellArena,
  old: number | Buffer,
  cells: Cells,
  update: number,
): number {
  const { oldHash, new: root } = openMerkleUpdate(cells, update);
  if (!oldHash.equals(typeof old === 'number' ? arena.hash(old) : old))
    throw new CellFault('the update starts from another state');
  return arena.add(cells, root);
}
