import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/** Parameters 24 (to and from the masterchain) and 25: prices of forwarding, as fractions of 65536 but the first. */
export interface ForwardPrices {
  readonly lumpPrice: bigint;
  readonly bitPrice: bigint;
  readonly cellPrice: bigint;
  readonly ihrPriceFactor: number;
  readonly firstFrac: number;
  readonly nextFrac: number;
}

const TAG = 0xea;

/** Reads parameter 24 or 25. */
export function readForwardPrices(cells: Cells, cell: number): ForwardPrices {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== TAG) throw new CellFault('forward prices of an unknown form');
  return {
    lumpPrice: slice.uint64(),
    bitPrice: slice.uint64(),
    cellPrice: slice.uint64(),
    ihrPriceFactor: slice.uint(32),
    firstFrac: slice.uint(16),
    nextFrac: slice.uint(16),
  };
}
