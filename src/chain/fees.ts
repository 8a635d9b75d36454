import type { Cells } from './boc/cells.ts';
import type { StorageInfo } from './tlb/account.ts';
import type { ForwardPrices, GasPrices, StoragePrices } from './tlb/config-prices.ts';

/** The fee for an amount of gas, in nanotons. */
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

/** The size that forward fees are charged for. */
interface CellsSize {
  readonly cells: number;
  readonly bits: number;
}

/** The fee for forwarding a message, in nanotons; its root cell does not count. */
export function forwardFee({ cells, bits }: CellsSize, prices: ForwardPrices): bigint {
  const { lumpPrice, bitPrice, cellPrice } = prices;
  return lumpPrice + roundUpPrice(bitPrice * BigInt(bits) + cellPrice * BigInt(cells));
}

/** Counts cells and everything below them; equal cells count once. */
export function countCells(table: Cells, roots: readonly number[]): CellsSize {
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
