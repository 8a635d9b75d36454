import Type from 'typebox';
import type { Cells } from '../../chain/boc/cells.ts';
import type { BocSource } from '../../chain/boc/gather-cells.ts';
import type { Slice } from '../../chain/boc/slice.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { PlainText } from '../../http/serializer.ts';

/** A bag of cells in base64, in the order that existing clients know; empty where there is no cell. */
export const BocText = () => PlainText({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });

/** `tvm.cell`. */
export const TvmCell = Type.Object({ '@type': Type.Literal('tvm.cell'), bytes: BocText() });

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
