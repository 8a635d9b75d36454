import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { walkDictionary } from './dictionary.ts';

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
const GAS_PRICES_TAG = 0xdd;
const EXTENDED_TAG = 0xde;

/** Reads parameter 20 or 21. */
export function readGasPrices(cells: Cells, cell: number): GasPrices {
  const slice = new Slice(cells, cell);
  let tag = slice.uint(8);
  const flat = tag === FLAT_TAG;
  const flatGasLimit = flat ? slice.uint64() : 0n;
  const flatGasPrice = flat ? slice.uint64() : 0n;
  if (flat) tag = slice.uint(8);
  if (tag !== GAS_PRICES_TAG && tag !== EXTENDED_TAG) throw new CellError('gas prices of an unknown form');
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

/** Parameters 24 (to and from the masterchain) and 25: prices of forwarding, as fractions of 65536 but the first. */
export interface ForwardPrices {
  readonly lumpPrice: bigint;
  readonly bitPrice: bigint;
  readonly cellPrice: bigint;
  readonly ihrPriceFactor: number;
  readonly firstFrac: number;
  readonly nextFrac: number;
}

const FORWARD_PRICES_TAG = 0xea;

/** Reads parameter 24 or 25. */
export function readForwardPrices(cells: Cells, cell: number): ForwardPrices {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== FORWARD_PRICES_TAG) throw new CellError('forward prices of an unknown form');
  return {
    lumpPrice: slice.uint64(),
    bitPrice: slice.uint64(),
    cellPrice: slice.uint64(),
    ihrPriceFactor: slice.uint(32),
    firstFrac: slice.uint(16),
    nextFrac: slice.uint(16),
  };
}

/** Prices of storage from a time on, in nanotons for 65536 seconds. */
export interface StoragePrices {
  readonly since: number;
  readonly bitPrice: bigint;
  readonly cellPrice: bigint;
  readonly mcBitPrice: bigint;
  readonly mcCellPrice: bigint;
}

const STORAGE_PRICES_TAG = 0xcc;

/** Reads parameter 18, whose cell is the root of the dictionary itself; in the order of time. */
export function readStoragePrices(cells: Cells, cell: number): StoragePrices[] {
  const prices: StoragePrices[] = [];
  walkDictionary(cells, cell, 32, (_, value) => {
    prices.push(readPrices(value));
  });
  return prices;
}

function readPrices(slice: Slice): StoragePrices {
  if (slice.uint(8) !== STORAGE_PRICES_TAG) throw new CellError('storage prices of an unknown form');
  return {
    since: slice.uint(32),
    bitPrice: slice.uint64(),
    cellPrice: slice.uint64(),
    mcBitPrice: slice.uint64(),
    mcCellPrice: slice.uint64(),
  };
}
