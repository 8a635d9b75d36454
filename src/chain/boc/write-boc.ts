import { CellList } from './cell-list.ts';
import { type BocSource, gatherCells } from './gather-cells.ts';
import { type WriteBocOptions, writeCells } from './write-cells.ts';

/** Writes a bag of cells, byte for byte as the program does whose order is asked for. Linear work. */
export function writeBoc(source: BocSource, options: WriteBocOptions): Buffer {
  const list = new CellList();
  const roots = gatherCells(source, list, options.order === 'core');
  return writeCells(list, roots, options);
}
