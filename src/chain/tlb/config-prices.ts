import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { readDictionary } from './dictionary.ts';

// gas_flat_pfx#d1 flat_gas_limit:uint64 flat_gas_price:uint64 other:GasLimitsPrices = GasLimitsPrices;
// gas_prices_ext#de gas_price:uint64 gas_limit:uint64 special_gas_limit:uint64 gas_credit:uint64
//   block_gas_limit:uint64 freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
// gas_prices#dd is the same without special_gas_limit.

/** Config params 20 (masterchain) and 21: gas limits and prices, in units of 1/65536 nanoton. */
export type GasPrices = Readonly<ReturnType<typeof readGasPrices>>;

const FLAT_TAG = 0xd1;
const GAS_PRICES_TAG = 0xdd;
const EXTENDED_TAG = 0xde;

/** Reads config param 20 or 21. */
export function readGasPrices(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  let tag = slice.uint(8);
  const flat = tag === FLAT_TAG;
  const flatGasLimit = flat ? slice.uint64() : 0n;
  const flatGasPrice = flat ? slice.uint64() : 0n;
  if (flat) tag = slice.uint(8);
  if (tag !== GAS_PRICES_TAG && tag !== EXTENDED_TAG) throw new CellError('unknown tag of gas prices');
  const gasPrice = slice.uint64();
  const gasLimit = slice.uint64();
  return {
    /** Gas up to this limit costs `flatGasPrice` in total; both are 0 without a flat part. */
    flatGasLimit,
    flatGasPrice,
    gasPrice,
    gasLimit,
    /** For special accounts; equal to `gasLimit` in the older version. */
    specialGasLimit: tag === EXTENDED_TAG ? slice.uint64() : gasLimit,
    gasCredit: slice.uint64(),
    blockGasLimit: slice.uint64(),
    freezeDueLimit: slice.uint64(),
    deleteDueLimit: slice.uint64(),
  };
}

// msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64 ihr_price_factor:uint32
//   first_frac:uint16 next_frac:uint16 = MsgForwardPrices;

/** Config params 24 (masterchain) and 25: forward prices, in units of 1/65536 nanoton except `lumpPrice`. */
export type ForwardPrices = Readonly<ReturnType<typeof readForwardPrices>>;

const FORWARD_PRICES_TAG = 0xea;

/** Reads config param 24 or 25. */
export function readForwardPrices(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== FORWARD_PRICES_TAG) throw new CellError('unknown tag of forward prices');
  return {
    lumpPrice: slice.uint64(),
    bitPrice: slice.uint64(),
    cellPrice: slice.uint64(),
    ihrPriceFactor: slice.uint(32),
    firstFrac: slice.uint(16),
    nextFrac: slice.uint(16),
  };
}

// _#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64 mc_bit_price_ps:uint64 mc_cell_price_ps:uint64
//   = StoragePrices;
// _ (Hashmap 32 StoragePrices) = ConfigParam 18;

/** Storage prices since a unix time, in nanotons per 65536 seconds. */
export type StoragePrices = Readonly<ReturnType<typeof readPrices>>;

const STORAGE_PRICES_TAG = 0xcc;

/** Reads config param 18, whose cell is the root of the dictionary itself, in the order of time. */
export function readStoragePrices(cells: Cells, cell: number): StoragePrices[] {
  return readDictionary(cells, cell, 32, (_, value) => readPrices(value));
}

function readPrices(slice: Slice) {
  if (slice.uint(8) !== STORAGE_PRICES_TAG) throw new CellError('unknown tag of storage prices');
  return {
    since: slice.uint(32),
    bitPrice: slice.uint64(),
    cellPrice: slice.uint64(),
    mcBitPrice: slice.uint64(),
    mcCellPrice: slice.uint64(),
  };
}
