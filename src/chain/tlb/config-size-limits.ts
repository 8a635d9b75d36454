import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/** Parameter 43: how large messages and accounts may be. What an older form does not say is undefined. */
export interface SizeLimits {
  readonly maxMsgBits: number;
  readonly maxMsgCells: number;
  readonly maxLibraryCells: number;
  readonly maxVmDataDepth: number;
  readonly maxExtMsgSize: number;
  readonly maxExtMsgDepth: number;
  readonly accounts: AccountSizeLimits | undefined;
  readonly maxTotalMsgBits: number | undefined;
  readonly maxTotalMsgCells: number | undefined;
}

/** What the second form added. The fields after the first four came later, and a configuration may end before them. */
export interface AccountSizeLimits {
  readonly maxAccStateCells: number;
  readonly maxMcAccStateCells: number;
  readonly maxAccPublicLibraries: number;
  readonly deferOutQueueSizeLimit: number;
  readonly maxMsgExtraCurrencies: number | undefined;
  readonly maxAccFixedPrefixLength: number | undefined;
  readonly accStateCellsForStorageDict: number | undefined;
  readonly maxTransactionLibraryLoads: number | undefined;
}

const NEWEST_FORM = 3;

/** Reads parameter 43. */
export function readSizeLimits(cells: Cells, cell: number): SizeLimits {
  const slice = new Slice(cells, cell);
  const form = slice.uint(8);
  if (form < 1 || form > NEWEST_FORM) throw new CellFault('size limits of an unknown form');
  return {
    maxMsgBits: slice.uint(32),
    maxMsgCells: slice.uint(32),
    maxLibraryCells: slice.uint(32),
    maxVmDataDepth: slice.uint(16),
    maxExtMsgSize: slice.uint(32),
    maxExtMsgDepth: slice.uint(16),
    accounts: form >= 2 ? readAccountLimits(slice) : undefined,
    maxTotalMsgBits: form >= 3 ? slice.uint(32) : undefined,
    maxTotalMsgCells: form >= 3 ? slice.uint(32) : undefined,
  };
}

function readAccountLimits(slice: Slice): AccountSizeLimits {
  return {
    maxAccStateCells: slice.uint(32),
    maxMcAccStateCells: slice.uint(32),
    maxAccPublicLibraries: slice.uint(32),
    deferOutQueueSizeLimit: slice.uint(32),
    maxMsgExtraCurrencies: readIfLeft(slice, 32),
    maxAccFixedPrefixLength: readIfLeft(slice, 8),
    accStateCellsForStorageDict: readIfLeft(slice, 32),
    maxTransactionLibraryLoads: readIfLeft(slice, 1) ? slice.uint(32) : undefined,
  };
}

function readIfLeft(slice: Slice, bits: number): number | undefined {
  return slice.bitsLeft > 0 ? slice.uint(bits) : undefined;
}
