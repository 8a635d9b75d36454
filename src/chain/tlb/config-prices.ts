import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { StorageInfo } from './account.ts';
import { tagged, UINT32, UINT64, uint, type ValueOf } from './codecs.ts';
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

/** Config params 24 (masterchain) and 25: forward prices, in units of 1/65536 nanoton except `lumpPrice`. */
const FORWARD_PRICES = tagged('msg_forward_prices#ea', 'unknown tag of forward prices', {
  lumpPrice: UINT64,
  bitPrice: UINT64,
  cellPrice: UINT64,
  ihrPriceFactor: UINT32,
  firstFrac: uint(16),
  nextFrac: uint(16),
});

export type ForwardPrices = ValueOf<typeof FORWARD_PRICES>;

export const readForwardPrices = FORWARD_PRICES.open;

/** Storage prices since a unix time, in nanotons per 65536 seconds. */
const STORAGE_PRICES = tagged('_#cc', 'unknown tag of storage prices', {
  since: UINT32,
  bitPrice: UINT64,
  cellPrice: UINT64,
  mcBitPrice: UINT64,
  mcCellPrice: UINT64,
});

export type StoragePrices = ValueOf<typeof STORAGE_PRICES>;

/** Reads config param 18, whose cell is the root of the dictionary itself, in the order of time. */
export function readStoragePrices(cells: Cells, cell: number): StoragePrices[] {
  return readDictionary(cells, cell, 32, (_, value) => STORAGE_PRICES.read(value));
}

export function gasFee(gas: bigint, { flatGasLimit, flatGasPrice, gasPrice }: GasPrices): bigint {
  return gas <= flatGasLimit ? flatGasPrice : flatGasPrice + roundUpPrice(gasPrice * (gas - flatGasLimit));
}

/** How much gas an amount of nanotons pays for, up to the gas limit of a transaction. */
export function affordableGas(nanotons: bigint, prices: GasPrices): bigint {
  const { flatGasLimit, flatGasPrice, gasPrice, gasLimit } = prices;
  if (nanotons >= gasFee(gasLimit, prices)) return gasLimit;
  if (nanotons < flatGasPrice) return 0n;
  return ((nanotons - flatGasPrice) << 16n) / gasPrice + flatGasLimit;
}

/** The storage fee of an account since its last payment, in nanotons. Not for special accounts, which pay none. */
export function storageFee(
  { usedCells, usedBits, lastPaid }: Pick<StorageInfo, 'usedCells' | 'usedBits' | 'lastPaid'>,
  unixTime: number,
  prices: readonly StoragePrices[],
  isMasterchain: boolean,
): bigint {
  // An account that never paid does not exist yet, or comes from the zero state.
  if (lastPaid === 0) return 0n;
  const [cells, bits] = [BigInt(usedCells), BigInt(usedBits)];
  let owed = 0n;
  prices.forEach((price, i) => {
    const from = Math.max(lastPaid, price.since);
    const until = Math.min(unixTime, prices[i + 1]?.since ?? unixTime);
    if (until <= from) return;
    const rate = isMasterchain
      ? cells * price.mcCellPrice + bits * price.mcBitPrice
      : cells * price.cellPrice + bits * price.bitPrice;
    owed += rate * BigInt(until - from);
  });
  return roundUpPrice(owed);
}

/** The fee for forwarding a message, in nanotons; its root cell does not count. */
export function forwardFee({ cells, bits }: ReturnType<typeof countCells>, prices: ForwardPrices): bigint {
  const { lumpPrice, bitPrice, cellPrice } = prices;
  return lumpPrice + roundUpPrice(bitPrice * BigInt(bits) + cellPrice * BigInt(cells));
}

/** Counts cells and everything below them; equal cells count once. */
export function countCells(table: Cells, roots: readonly number[]) {
  const seen = new Set<string>();
  let bits = 0;
  const waiting = [...roots];
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    const hash = table.hash(cell).toString('latin1');
    if (seen.has(hash)) continue;
    seen.add(hash);
    bits += table.bits[cell]!;
    for (let i = 0; i < table.refCount(cell); i++) waiting.push(table.ref(cell, i));
  }
  return { cells: seen.size, bits };
}

/** Prices are in units of 1/65536 nanoton; fees are rounded up to whole nanotons. */
function roundUpPrice(fractions: bigint): bigint {
  return (fractions + 0xffffn) >> 16n;
}
