import type { Cells } from '../../chain/boc/cells.ts';
import { bocText } from './cell-bytes.ts';

/** Writes `tvm.cell`; a cell of -1 is none. */
export function tvmCell(cells: Cells, cell: number) {
  return { '@type': 'tvm.cell' as const, bytes: bocText(cells, cell) };
}
