import { beginCell, type Cell, Dictionary } from '@ton/core';
import type { Cells } from '../chain/boc/cells.ts';
import { toCoreCell } from '../chain/boc/core-cell.ts';
import { configParam } from '../chain/tlb/config.ts';

/**
 * The parameters that the emulator itself reads to set up a get-method: version (8), workchains (12), what goes into
 * the unpacked part of c7 (18 to 21, 24, 25, 43), special accounts (31) and precompiled contracts (45).
 */
const SET_UP_PARAMS = [8, 12, 18, 19, 20, 21, 24, 25, 31, 43, 45];

/**
 * A configuration of those parameters alone. The emulator parses the configuration anew on every get-method, which
 * takes ten times as long as a small method does when the validators are in it. A run on the trimmed configuration
 * is the same as one on the whole as long as the code does not look at the configuration itself, see `readsLeftOut`.
 */
export function trimConfig(cells: Cells, root: number): Cell {
  const kept = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const index of SET_UP_PARAMS) {
    const cell = configParam(cells, root, index);
    if (cell >= 0) kept.set(index, toCoreCell(cells, cell));
  }
  return beginCell().storeDictDirect(kept).endCell();
}
