import { Slice } from '../../boc/slice.ts';

/** A cursor over the next reference, if there is one to an ordinary cell. */
export function childOf(slice: Slice): Slice | undefined {
  if (slice.refsLeft === 0) return undefined;
  const cell = slice.ref();
  return slice.cells.isExotic(cell) ? undefined : new Slice(slice.cells, cell);
}
