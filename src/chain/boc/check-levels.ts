import { CellFault } from './cell-fault.ts';
import {
  HASH_AND_DEPTH_BITS,
  LEVELS_IN_MASK,
  LIBRARY_REFERENCE,
  MAX_DEPTH,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  PRUNED_BRANCH,
} from './cell-kind.ts';
import { type Cells, EXOTIC_BIT, LEVEL_SHIFT } from './cells.ts';

/** Checks the form of exotic cells, the level masks, and that no cell is too deep; one pass, children first. */
export function checkLevels(cells: Cells): void {
  const { heads, count } = cells;
  const depths = new Uint16Array(count);
  for (let cell = count - 1; cell >= 0; cell--) {
    const head = heads[cell]!;
    const refs = head & 7;
    let below = 0;
    let depth = 0;
    for (let i = 0; i < refs; i++) {
      const child = cells.ref(cell, i);
      below |= heads[child]! >> LEVEL_SHIFT;
      if (depths[child]! >= depth) depth = depths[child]! + 1;
    }
    if (depth > MAX_DEPTH) throw new CellFault(`the cells are deeper than ${MAX_DEPTH}`);
    depths[cell] = depth;
    const mask = head & EXOTIC_BIT ? exoticMask(cells, cell, refs, below) : below;
    if (mask !== head >> LEVEL_SHIFT) throw new CellFault('the level mask of a cell is wrong');
  }
}

/** The level mask that an exotic cell must have. */
function exoticMask(cells: Cells, cell: number, refs: number, below: number): number {
  const bits = cells.bits[cell]!;
  if (bits < 8) throw new CellFault('an exotic cell without a kind');
  const start = cells.starts[cell]!;
  switch (cells.bytes[start]) {
    case PRUNED_BRANCH: {
      const mask = bits < 16 ? 0 : cells.bytes[start + 1]!;
      const fits = mask >= 1 && mask <= 7 && bits === 16 + LEVELS_IN_MASK[mask]! * HASH_AND_DEPTH_BITS;
      if (!fits || refs !== 0) throw new CellFault('a pruned branch of a wrong form');
      return mask;
    }
    case LIBRARY_REFERENCE:
      if (bits !== 8 + 256 || refs !== 0) throw new CellFault('a library reference of a wrong form');
      return 0;
    case MERKLE_PROOF:
      if (bits !== 8 + HASH_AND_DEPTH_BITS || refs !== 1)
        throw new CellFault('a Merkle proof of a wrong form');
      return below >> 1;
    case MERKLE_UPDATE:
      if (bits !== 8 + 2 * HASH_AND_DEPTH_BITS || refs !== 2)
        throw new CellFault('a Merkle update of a wrong form');
      return below >> 1;
    default:
      throw new CellFault('an exotic cell of an unknown kind');
  }
}
