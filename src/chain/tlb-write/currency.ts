import type { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { type CurrencyCollection, type ExtraCurrency, readExtraCurrencies } from '../tlb/currency.ts';
import { Dictionary } from './dictionary.ts';
import type { DictionaryForm } from './dictionary-form.ts';

const EXTRA_CURRENCIES: DictionaryForm<bigint> = {
  keyBits: 32,
  write: (builder, amount) => builder.varUint(amount, 5),
};

/** No money at all. */
export const NO_CURRENCY: CurrencyCollection = Object.freeze({ grams: 0n, extra: -1 });

/** Writes a CurrencyCollection. */
export function writeCurrencyCollection(builder: CellBuilder, { grams, extra }: CurrencyCollection): void {
  builder.coins(grams).maybeRef(extra);
}

/** Makes the dictionary of extra currencies, given in ascending order of their ids; -1 if there is none. */
export function buildExtraCurrencies(arena: BuildingArena, currencies: readonly ExtraCurrency[]): number {
  return new Dictionary(arena, EXTRA_CURRENCIES).build(
    currencies.map(({ id, amount }) => {
      const key = Buffer.allocUnsafe(4);
      key.writeUInt32BE(id);
      return [key, amount];
    }),
  );
}

/** Adds two amounts, currency by currency. */
export function addCurrencies(
  a: CurrencyCollection,
  b: CurrencyCollection,
  arena: BuildingArena,
): CurrencyCollection {
  const grams = a.grams + b.grams;
  if (b.extra < 0) return { grams, extra: a.extra };
  if (a.extra < 0) return { grams, extra: b.extra };
  const sums = new Map<number, bigint>();
  for (const { id, amount } of [...readExtraCurrencies(arena, a), ...readExtraCurrencies(arena, b)])
    sums.set(id, (sums.get(id) ?? 0n) + amount);
  const sorted = [...sums].map(([id, amount]) => ({ id, amount })).sort((x, y) => x.id - y.id);
  return { grams, extra: buildExtraCurrencies(arena, sorted) };
}
