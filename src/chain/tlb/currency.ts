import type { Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { walkDictionary } from './dictionary.ts';

/** An amount of nanotons and, rarely, of extra currencies. */
export interface CurrencyCollection {
  readonly grams: bigint;
  /** The root cell of the dictionary of extra currencies, or -1; `readExtraCurrencies` reads it. */
  readonly extra: number;
}

/** An amount of one extra currency. */
export interface ExtraCurrency {
  /** The currency's id, an unsigned number of 32 bits. */
  readonly id: number;
  readonly amount: bigint;
}

const ID_BITS = 32;
const AMOUNT_LENGTH_BITS = 5;

/** Reads a CurrencyCollection. The extra currencies are not looked at: a proof may leave them out. */
export function readCurrencyCollection(slice: Slice): CurrencyCollection {
  return { grams: slice.coins(), extra: slice.maybeRef() };
}

/** Moves past a CurrencyCollection. */
export function skipCurrencyCollection(slice: Slice): void {
  slice.skip(8 * slice.uint(4));
  slice.maybeRef();
}

/** The extra currencies of an amount in ascending order of their ids. */
export function readExtraCurrencies(cells: Cells, amount: CurrencyCollection): ExtraCurrency[] {
  const found: ExtraCurrency[] = [];
  if (amount.extra < 0) return found;
  walkDictionary(cells, amount.extra, ID_BITS, (key, value) => {
    found.push({ id: key.readUInt32BE(0), amount: value.varUint(AMOUNT_LENGTH_BITS) });
  });
  return found;
}
