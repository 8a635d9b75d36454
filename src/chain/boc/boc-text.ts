import type { BocSource } from './cell-list.ts';
import type { Cells } from './cells.ts';
import type { Slice } from './slice.ts';
import { writeBoc } from './writer.ts';

/** Writes a cell as base64; a cell of -1 is none. */
export function bocText(cells: Cells, cell: number): string {
  return cell < 0 ? '' : textOf({ cells, roots: [cell] });
}

/** Writes what is left of a slice as base64 of a cell of its own. */
export function restText(slice: Slice): string {
  return textOf(slice);
}

function textOf(source: BocSource): string {
  return writeBoc(source, { order: 'tonlib', crc: true }).toString('base64');
}
