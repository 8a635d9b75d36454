import { beginCell, Dictionary } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { ReadRecorder } from '../../../src/chain/boc/read-recorder.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { walkFrom } from '../../../src/localnet/lite-server/proofs/walk-from.ts';

const KEY_BITS = 16;

/** A dictionary of numbers that are their own keys. */
function dictionaryOf(keys: readonly number[]) {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(KEY_BITS), Dictionary.Values.Uint(KEY_BITS));
  for (const key of keys) dictionary.set(key, key);
  return fromCoreCell(beginCell().storeDictDirect(dictionary).endCell());
}

function keyOf(value: number): Buffer {
  const key = Buffer.alloc(2);
  key.writeUInt16BE(value);
  return key;
}

const keys = fc.uniqueArray(fc.nat(0xffff), { minLength: 1, maxLength: 40 });

describe('a walk through a dictionary from a key on', () => {
  it('gives what comes after the key, in either order', () => {
    fc.assert(
      fc.property(
        keys,
        fc.nat(0xffff),
        fc.nat(50),
        fc.boolean(),
        fc.boolean(),
        (all, drawn, limit, reverse, inclusive) => {
          const start = drawn % 3 === 0 ? all[drawn % all.length]! : drawn;
          const bag = dictionaryOf(all);
          const found: number[] = [];
          const visit = (key: Buffer, value: Slice) => {
            expect(value.uint(KEY_BITS)).toBe(key.readUInt16BE());
            found.push(key.readUInt16BE());
            return found.length < limit;
          };
          const options = { key: keyOf(start), inclusive, reverse };
          const isEnd = walkFrom(new Slice(bag, bag.root), KEY_BITS, options, visit);
          const sorted = all.toSorted((a, b) => (reverse ? b - a : a - b));
          const after = sorted.filter((key) => (key === start ? inclusive : key > start !== reverse));
          const wanted = after.slice(0, Math.max(limit, 1));
          expect(found).toEqual(wanted);
          expect(isEnd).toBe(after.length === 0 || limit > after.length);
        },
      ),
    );
  });

  it('opens no node before its start or after its end', () => {
    const all = Array.from({ length: 256 }, (_, i) => i * 256);
    const bag = dictionaryOf(all);
    const recorder = new ReadRecorder(bag);
    const start = { key: keyOf(128 * 256), inclusive: true, reverse: false };
    walkFrom(new Slice(recorder, bag.root), KEY_BITS, start, () => false);
    // One path of eight forks and its leaf.
    expect(recorder.read.size).toBe(9);
  });
});
