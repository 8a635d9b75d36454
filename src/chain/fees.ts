import type { Cells } from './boc/cells.ts';
import type { StorageInfo } from './tlb/account.ts';
import type { ForwardPrices, GasPrices, StoragePrices } from './tlb/config-prices.ts';

/** What an amount of gas costs, in nanotons. */
export function gasFee(gas: bigint, { flatGasLimit, flatGasPrice, gasPrice }: GasPrices): bigint {
  return gas <= flatGasLimit ? flatGasPrice : flatGasPrice + priceOf(gasPrice * (gas - flatGasLimit));
}

/** How much gas an amount of nanotons buys, up to the limit of a transaction. */
export function gasBought(nanotons: bigint, prices: GasPrices): bigint {
  const { flatGasLimit, flatGasPrice, gasPrice, gasLimit } = prices;
  if (nanotons >= gasFee(gasLimit, prices)) return gasLimit;
  if (nanotons < flatGasPrice) return 0n;
  return ((nanotons - flatGasPrice) << 16n) / gasPrice + flatGasLimit;
}

/** What an account owes for its storage since it last paid, in nanotons; special accounts owe nothing. */
export function storageFee(
  { usedCells, usedBits, lastPaid }: Pick<StorageInfo, 'usedCells' | 'usedBits' | 'lastPaid'>,
  unixTime: number,
  prices: readonly StoragePrices[],
  isMasterchain: boolean,
): bigint {
  // An account that never paid is one that does not exist yet, or that the zero state brought.
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
  return priceOf(owed);
}

/** How much there is of something that is paid by its size. */
interface CellsSize {
  readonly cells: number;
  readonly bits: number;
}

/** What it costs to forward a message, in nanotons; its root cell is not part of the size. */
export function forwardFee({ cells, bits }: CellsSize, prices: ForwardPrices): bigint {
  const { lumpPrice, bitPrice, cellPrice } = prices;
  return lumpPrice + priceOf(bitPrice * BigInt(bits) + cellPrice * BigInt(cells));
}

/** Counts some cells and all below them; cells that are alike count once. */
export function sizeOfCells(table: Cells, roots: readonly number[]): CellsSize {
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

/** Prices are in fractions of 65536 nanotons; what is paid is rounded up. */
function priceOf(fractions: bigint): bigint {
  return (fractions + 0xffffn) >> 16n;
}
