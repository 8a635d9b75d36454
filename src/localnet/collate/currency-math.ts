import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../chain/tlb/currency.ts';
import { addCurrencies, buildExtraCurrencies, NO_CURRENCY } from '../../chain/tlb-write/currency.ts';

/** Nanotons alone. */
export function coins(grams: bigint): CurrencyCollection {
  return { grams, extra: -1 };
}

/** The sum of amounts. */
export function sumOf(arena: BuildingArena, ...amounts: readonly CurrencyCollection[]): CurrencyCollection {
  return amounts.reduce((sum, amount) => addCurrencies(sum, amount, arena), NO_CURRENCY);
}

/** One amount less another, which must be in it. */
export function difference(
  arena: BuildingArena,
  from: CurrencyCollection,
  taken: CurrencyCollection,
): CurrencyCollection {
  const grams = from.grams - taken.grams;
  if (grams < 0n) throw new Error('an amount is less than what is taken from it');
  if (taken.extra < 0) return { grams, extra: from.extra };
  const left = new Map(readExtraCurrencies(arena, from).map(({ id, amount }) => [id, amount]));
  for (const { id, amount } of readExtraCurrencies(arena, taken)) {
    const rest = (left.get(id) ?? 0n) - amount;
    if (rest < 0n) throw new Error(`an amount of currency ${id} is less than what is taken from it`);
    if (rest === 0n) left.delete(id);
    else left.set(id, rest);
  }
  const currencies = [...left].map(([id, amount]) => ({ id, amount })).sort((a, b) => a.id - b.id);
  return { grams, extra: buildExtraCurrencies(arena, currencies) };
}

/** Whether two amounts are the same. */
export function sameAmount(a: CurrencyCollection, b: CurrencyCollection): boolean {
  // Equal dictionaries of one arena are one cell.
  return a.grams === b.grams && a.extra === b.extra;
}

/** Whether an amount is nothing at all. */
export function isNothing({ grams, extra }: CurrencyCollection): boolean {
  return grams === 0n && extra < 0;
}
