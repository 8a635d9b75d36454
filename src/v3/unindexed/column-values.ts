import type { Cells } from '../../chain/boc/cells.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../chain/tlb/currency.ts';

/** A whole number as the database would hand it out. */
export function textColumn(value: bigint | number | undefined): string | null {
  return value === undefined ? null : String(value);
}

/** Extra currencies as the database would hand them out: null when there are none. */
export function extraColumn(
  cells: Cells,
  amount: CurrencyCollection | undefined,
): Readonly<Record<string, string>> | null {
  if (amount === undefined || amount.extra < 0) return null;
  const found = readExtraCurrencies(cells, amount);
  return found.length === 0 ? null : Object.fromEntries(found.map(({ id, amount: held }) => [id, `${held}`]));
}
