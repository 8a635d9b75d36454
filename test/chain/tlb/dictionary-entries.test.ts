import { type Builder, beginCell, Dictionary } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { dictionaryEntries } from '../../../src/chain/tlb/dictionary-entries.ts';

const KEY_BITS = 16;

/** A Hashmap 16 uint8 in one cell. */
function dictionaryOf(keys: readonly number[]) {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(KEY_BITS), {
    serialize: (value: number, builder: Builder) => {
      builder.storeUint(value, 16);
    },
    parse: (slice) => slice.loadUint(16),
  });
  for (const key of keys) dictionary.set(key, key);
  return fromCoreCell(beginCell().storeDictDirect(dictionary).endCell());
}

describe('entries of a dictionary from a key on', () => {
  it('come in order, from the key on, in either direction', () => {
    const keys = fc.uniqueArray(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 40 });
    const start = fc.option(fc.integer({ min: 0, max: 0xffff }), { nil: undefined });
    fc.assert(
      fc.property(
        keys,
        start,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (all, from, onKey, inclusive, reverse) => {
          const cells = dictionaryOf(all);
          const at = onKey ? all[0]! : from;
          const key = at === undefined ? undefined : Buffer.from([at >> 8, at & 0xff]);
          const found: number[] = [];
          const order = { from: key, inclusive, reverse };
          for (const entry of dictionaryEntries(new Slice(cells, cells.root), KEY_BITS, order)) {
            expect(entry.value.uint(16)).toBe(entry.key.readUInt16BE(0));
            found.push(entry.key.readUInt16BE(0));
          }
          const sorted = all.toSorted((a, b) => (reverse ? b - a : a - b));
          const expected = sorted.filter((one) => {
            if (at === undefined) return true;
            return one === at ? inclusive : reverse ? one < at : one > at;
          });
          expect(found).toEqual(expected);
        },
      ),
    );
  });
});
