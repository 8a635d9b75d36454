import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { walkDictionary } from './dictionary.ts';

/** Prices of storage from a time on, in nanotons for 65536 seconds. */
export interface StoragePrices {
  readonly since: number;
  readonly bitPrice: bigint;
  readonly cellPrice: bigint;
  readonly mcBitPrice: bigint;
  readonly mcCellPrice: bigint;
}

const TAG = 0xcc;

/** Reads parameter 18, whose cell is the root of the dictionary itself; in the order of time. */
export function readStoragePrices(cells: Cells, cell: number): StoragePrices[] {
  const prices: StoragePrices[] = [];
  walkDictionary(cells, cell, 32, (_, value) => {
    prices.push(readPrices(value));
  });
  return prices;
}

function readPrices(slice: Slice): StoragePrices {
  if (slice.uint(8) !== TAG) throw new CellFault('storage prices of an unknown form');
  return {
    since: slice.uint(32),
    bitPrice: slice.uint64(),
    cellPrice: slice.uint64(),
    mcBitPrice: slice.uint64(),
    mcCellPrice: slice.uint64(),
  };
}
