import type { Cells } from '../boc/cells.ts';
import type { ForwardPrices } from '../tlb/config-forward-prices.ts';
import { priceOf } from './price-of.ts';

/** How much there is of something that is paid by its size. */
export interface CellsSize {
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
