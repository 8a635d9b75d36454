import type { StoragePrices } from '../tlb/config-storage-prices.ts';
import type { StorageInfo } from '../tlb/storage-info.ts';
import { priceOf } from './price-of.ts';

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
