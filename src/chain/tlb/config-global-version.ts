import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/** Parameter 8: which rules hold. Both are 0 without the parameter. */
export interface GlobalVersion {
  readonly version: number;
  readonly capabilities: bigint;
}

const TAG = 0xc4;

/** Reads a GlobalVersion. */
export function readGlobalVersion(cells: Cells, cell: number): GlobalVersion {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== TAG) throw new CellFault('a global version of an unknown form');
  return { version: slice.uint(32), capabilities: slice.uint64() };
}
