import Type from 'typebox';
import type { ExtraCurrency } from '../../chain/tlb/currency.ts';
import { PlainText } from '../../http/serializer.ts';

/** `extraCurrency` entries in the order of their ids. */
export const ExtraCurrencies = Type.Array(
  Type.Object({
    '@type': Type.Literal('extraCurrency'),
    id: Type.Integer(),
    amount: PlainText({ pattern: '^[0-9]+$' }),
  }),
);

/** Writes `extraCurrency` entries. */
export function extraCurrencies(currencies: readonly ExtraCurrency[]) {
  return currencies.map(({ id, amount }) => ({
    '@type': 'extraCurrency' as const,
    id: id | 0,
    amount: String(amount),
  }));
}
