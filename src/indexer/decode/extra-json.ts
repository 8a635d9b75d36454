import type { Cells } from '../../chain/boc/cells.ts';
import { readExtraCurrencies } from '../../chain/tlb/currency.ts';

/** Extra currencies as JSON, by the root of their dictionary (-1 for none): `{"<id>":"<amount>"}`; undefined when there are none. */
export function extraJson(cells: Cells, extra: number): string | undefined {
  if (extra < 0) return undefined;
  const entries = readExtraCurrencies(cells, { grams: 0n, extra }).map(
    (one) => `"${one.id}":"${one.amount}"`,
  );
  return entries.length === 0 ? undefined : `{${entries.join()}}`;
}
