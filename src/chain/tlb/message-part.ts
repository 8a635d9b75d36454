import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/**
 * A piece of a message that stands for a cell: either a whole cell, or bits and references inside another one.
 * Numbers and no cursor, because a whole cell may be of a kind that cannot be read (a library reference, say).
 */
export interface MessagePart {
  readonly cell: number;
  /** True when the piece is the whole cell. */
  readonly whole: boolean;
  readonly bit: number;
  readonly bitEnd: number;
  readonly refAt: number;
  readonly refEnd: number;
}

/** A piece that is a whole cell. */
export function wholeCell(cells: Cells, cell: number): MessagePart {
  return { cell, whole: true, bit: 0, bitEnd: cells.bits[cell]!, refAt: 0, refEnd: cells.refCount(cell) };
}

/** The piece between two places of one cell. */
export function partBetween(from: { bit: number; refAt: number }, to: Slice): MessagePart {
  const { cell, bit, refAt } = to;
  return { cell, whole: false, bit: from.bit, bitEnd: bit, refAt: from.refAt, refEnd: refAt };
}

/** All that a cursor has not read yet. */
export function restOf(slice: Slice): MessagePart {
  const { cell, bit, bitEnd, refAt, refEnd } = slice;
  return { cell, whole: false, bit, bitEnd, refAt, refEnd };
}

/** A cursor over a piece; throws a CellFault where the cell is exotic. */
export function sliceOf(cells: Cells, part: MessagePart): Slice {
  const slice = new Slice(cells, part.cell);
  slice.bit = part.bit;
  slice.bitEnd = part.bitEnd;
  slice.refAt = part.refAt;
  slice.refEnd = part.refEnd;
  return slice;
}
