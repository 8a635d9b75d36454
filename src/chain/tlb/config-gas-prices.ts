import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/** Parameters 20 (masterchain) and 21: gas and what it costs, prices being fractions of 65536 nanotons. */
export interface GasPrices {
  /** Gas up to this limit costs `flatGasPrice` together; both are 0 without a flat part. */
  readonly flatGasLimit: bigint;
  readonly flatGasPrice: bigint;
  readonly gasPrice: bigint;
  readonly gasLimit: bigint;
  /** For special accounts; the same as `gasLimit` in the older form. */
  readonly specialGasLimit: bigint;
  readonly gasCredit: bigint;
  readonly blockGasLimit: bigint;
  readonly freezeDueLimit: bigint;
  readonly deleteDueLimit: bigint;
}

const FLAT_TAG = 0xd1;
const TAG = 0xdd;
const EXTENDED_TAG = 0xde;

/** Reads parameter 20 or 21. */
export function readGasPrices(cells: Cells, cell: number): GasPrices {
  const slice = new Slice(cells, cell);
  let tag = slice.uint(8);
  const flat = tag === FLAT_TAG;
  const flatGasLimit = flat ? slice.uint64() : 0n;
  const flatGasPrice = flat ? slice.uint64() : 0n;
  if (flat) tag = slice.uint(8);
  if (tag !== TAG && tag !== EXTENDED_TAG) throw new CellFault('gas prices of an unknown form');
  const gasPrice = slice.uint64();
  const gasLimit = slice.uint64();
  return {
    flatGasLimit,
    flatGasPrice,
    gasPrice,
    gasLimit,
    specialGasLimit: tag === EXTENDED_TAG ? slice.uint64() : gasLimit,
    gasCredit: slice.uint64(),
    blockGasLimit: slice.uint64(),
    freezeDueLimit: slice.uint64(),
    deleteDueLimit: slice.uint64(),
  };
}
