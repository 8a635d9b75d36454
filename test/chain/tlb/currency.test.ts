import { beginCell, Dictionary, storeCurrencyCollection } from '@ton/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import {
  readCurrencyCollection,
  readExtraCurrencies,
  skipCurrencyCollection,
} from '../../../src/chain/tlb/currency.ts';
import { sliceFrom } from '../support/built-cells.ts';

const amounts = fc.array(fc.tuple(fc.nat(2 ** 32 - 1), fc.bigInt(1n, 2n ** 248n - 1n)), { maxLength: 5 });

it('reads and skips what @ton/core writes', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 120n - 1n), amounts, (coins, extra) => {
      const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
      for (const [id, amount] of extra) other.set(id, amount);
      const slice = sliceFrom(beginCell().store(storeCurrencyCollection({ coins, other })).storeUint(5, 3));
      const copy = slice.clone();
      const found = readCurrencyCollection(slice);
      expect(found.grams).toBe(coins);
      const sorted = [...new Map(extra)].sort(([a], [b]) => a - b).map(([id, amount]) => ({ id, amount }));
      expect(readExtraCurrencies(slice.cells, found)).toEqual(sorted);
      skipCurrencyCollection(copy);
      expect([slice.uint(3), copy.uint(3)]).toEqual([5, 5]);
      slice.end();
      copy.end();
    }),
  );
});

it('reads -1 without extra currencies', () => {
  expect(readCurrencyCollection(sliceFrom(beginCell().storeCoins(7).storeBit(0)))).toEqual({
    grams: 7n,
    extra: -1,
  });
});

it('throws on a truncated amount and on a missing dictionary', () => {
  expect(() => readCurrencyCollection(sliceFrom(beginCell().storeUint(2, 4)))).toThrow(CellError);
  expect(() => readCurrencyCollection(sliceFrom(beginCell().storeCoins(1).storeBit(1)))).toThrow(CellError);
  expect(() => skipCurrencyCollection(sliceFrom(beginCell().storeUint(2, 4)))).toThrow(CellError);
});
