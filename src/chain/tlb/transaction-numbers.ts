import { CellFault } from '../boc/cell-fault.ts';
import type { Slice } from '../boc/slice.ts';

/** Size of something in the state. */
export interface StorageUsed {
  readonly cells: number;
  readonly bits: number;
}

/** VarUInteger 7 or less as a plain number: at most 48 bits, so nothing is lost. */
export function readVarNumber(slice: Slice, limit: 3 | 7): number {
  const bytes = slice.uint(limit === 3 ? 2 : 3);
  if (bytes >= limit) throw new CellFault('a number that is too long');
  return bytes <= 4 ? slice.uint(8 * bytes) : slice.uint(8 * bytes - 32) * 2 ** 32 + slice.uint(32);
}

/** Reads a StorageUsed. */
export function readStorageUsed(slice: Slice): StorageUsed {
  return { cells: readVarNumber(slice, 7), bits: readVarNumber(slice, 7) };
}
