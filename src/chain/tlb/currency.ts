import type { CellBuilder } from '../boc/builder.ts';
import type { Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { Codec } from './codecs.ts';
import {
  type Augmentation,
  Dictionary,
  type DictionaryCodec,
  int32Key,
  readDictionary,
} from './dictionary.ts';

// nanograms$_ amount:(VarUInteger 16) = Grams;
// currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;

/** An amount of nanotons and, rarely, of extra currencies. */
export type CurrencyCollection = Readonly<ReturnType<typeof readCurrencyCollection>>;

export const NO_CURRENCY: CurrencyCollection = Object.freeze({ grams: 0n, extra: -1 });

/** Reads a CurrencyCollection. The dictionary of extra currencies is not read: a proof may leave it out. */
export function readCurrencyCollection(slice: Slice) {
  return {
    grams: slice.coins(),
    /** The root cell of the dictionary of extra currencies, or -1; `readExtraCurrencies` reads it. */
    extra: slice.maybeRef(),
  };
}

export function skipCurrencyCollection(slice: Slice): void {
  slice.skip(8 * slice.uint(4));
  slice.maybeRef();
}

export function writeCurrencyCollection(builder: CellBuilder, { grams, extra }: CurrencyCollection): void {
  builder.coins(grams).maybeRef(extra);
}

export const CURRENCY_COLLECTION: Codec<CurrencyCollection> = {
  read: readCurrencyCollection,
  write: writeCurrencyCollection,
};

/** Adds two amounts currency by currency. */
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

/** The extra of dictionaries where nodes sum up an amount of each entry. */
export function sumAugmentation<Value>(
  of: Augmentation<Value, CurrencyCollection>['of'],
): Augmentation<Value, CurrencyCollection> {
  return { empty: NO_CURRENCY, of, combine: addCurrencies, ...CURRENCY_COLLECTION };
}

// extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;

export interface ExtraCurrency {
  /** An unsigned 32-bit number. */
  readonly id: number;
  readonly amount: bigint;
}

const ID_BITS = 32;
const AMOUNT_LENGTH_BITS = 5;

const EXTRA_CURRENCIES: DictionaryCodec<bigint> = {
  keyBits: ID_BITS,
  write: (builder, amount) => builder.varUint(amount, AMOUNT_LENGTH_BITS),
};

/** The extra currencies of an amount in ascending order of their ids. */
export function readExtraCurrencies(cells: Cells, amount: CurrencyCollection): ExtraCurrency[] {
  return readDictionary(cells, amount.extra, ID_BITS, (key, value) => ({
    id: key.readUInt32BE(0),
    amount: value.varUint(AMOUNT_LENGTH_BITS),
  }));
}

/** Amounts as decimal texts, by currency id. */
export type CurrencyTexts = Readonly<Record<string, string>>;

export const NO_CURRENCY_TEXTS: CurrencyTexts = Object.freeze({});

export function currencyTexts(cells: Cells, amount: CurrencyCollection): CurrencyTexts {
  if (amount.extra < 0) return NO_CURRENCY_TEXTS;
  return Object.fromEntries(readExtraCurrencies(cells, amount).map(({ id, amount: one }) => [id, `${one}`]));
}

/** Builds the dictionary of extra currencies, which are given in ascending order of their ids; -1 if empty. */
export function buildExtraCurrencies(arena: BuildingArena, currencies: readonly ExtraCurrency[]): number {
  return new Dictionary(arena, EXTRA_CURRENCIES).build(
    currencies.map(({ id, amount }) => [int32Key(id), amount]),
  );
}
