import { beginCell, type Cell } from '@ton/core';
import type fc from 'fast-check';
import { arbitraryCell } from '../boc/arbitrary-cell.ts';

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
