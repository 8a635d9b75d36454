import { type BitString, type Builder, beginCell, Cell, Dictionary } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import { openMerkleProof, ReadRecorder } from '../../../src/chain/boc/merkle.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { dictionaryEntries, lookUp, walkDictionary } from '../../../src/chain/tlb/dictionary.ts';
import { sampled } from '../../support/long-run.ts';
import { makeMerkleProof } from '../support/proofs.ts';

const keyBits = fc.constantFrom(1, 3, 8, 15, 32, 64, 256, 267);
/** Keys of one length: some near each other, so that labels of every length come up. */
const keysOfLength = (bits: number) =>
  fc.uniqueArray(
    fc.oneof(fc.bigInt(0n, (1n << BigInt(bits)) - 1n), fc.bigInt(0n, BigInt(Math.min(2 ** bits - 1, 40)))),
    { minLength: 1, maxLength: 40 },
  );
const dictionaries = keyBits.chain((bits) =>
  fc.tuple(fc.constant(bits), keysOfLength(bits), keysOfLength(bits)),
);

/** A key as it is passed to us: filled with zeros to whole bytes. */
function keyBuffer(key: bigint, bits: number): Buffer {
  const bytes = (bits + 7) >> 3;
  return Buffer.from((key << BigInt(bytes * 8 - bits)).toString(16).padStart(bytes * 2, '0'), 'hex');
}

function rootOf(bits: number, keys: readonly bigint[]): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(bits), Dictionary.Values.BigUint(300));
  for (const key of keys) dictionary.set(key, key * 2n + 1n);
  return beginCell().storeDictDirect(dictionary).endCell();
}

describe('a dictionary, compared with @ton/core', () => {
  it('has the same keys and values in ascending order', () => {
    fc.assert(
      fc.property(dictionaries, ([bits, keys]) => {
        const found: [string, bigint][] = [];
        walkDictionary(fromCoreCell(rootOf(bits, keys)), 0, bits, (key, value) => {
          found.push([key.toString('hex'), value.bigUint(300)]);
          value.end();
        });
        const sorted = keys.toSorted((a, b) => (a < b ? -1 : 1));
        expect(found).toEqual(sorted.map((key) => [keyBuffer(key, bits).toString('hex'), key * 2n + 1n]));
      }),
      { numRuns: sampled(75, 300) },
    );
  });

  it('returns the value of a key, and undefined for a missing one', () => {
    fc.assert(
      fc.property(dictionaries, ([bits, keys, others]) => {
        const bag = fromCoreCell(rootOf(bits, keys));
        for (const key of keys)
          expect(lookUp(bag, 0, bits, keyBuffer(key, bits))?.bigUint(300)).toBe(key * 2n + 1n);
        for (const key of others)
          expect(lookUp(bag, 0, bits, keyBuffer(key, bits)) !== undefined).toBe(keys.includes(key));
      }),
      { numRuns: sampled(75, 300) },
    );
  });
});

describe('a dictionary in a proof', () => {
  const keys = Array.from({ length: 100 }, (_, i) => BigInt(i * 600));
  const whole = fromCoreCell(rootOf(16, keys));
  const recorder = new ReadRecorder(whole);
  lookUp(recorder, 0, 16, keyBuffer(600n, 16));
  const proof = readBoc(makeMerkleProof(whole, 0, recorder.read));
  const { root } = openMerkleProof(proof, proof.root);

  it('throws at pruned parts, or skips them', () => {
    const found: number[] = [];
    expect(() => walkDictionary(proof, root, 16, () => {})).toThrow(PrunedCellError);
    walkDictionary(proof, root, 16, (key) => found.push(key.readUInt16BE()), 'skip');
    expect(found).toContain(600);
    expect(found.length).toBeLessThan(5);
  });

  it('has no entries when its root is pruned', () => {
    const nothing = readBoc(makeMerkleProof(whole, 0, () => false));
    const visit = () => expect.unreachable();
    walkDictionary(nothing, nothing.ref(nothing.root, 0), 16, visit, 'skip');
    expect(() => walkDictionary(nothing, nothing.ref(nothing.root, 0), 16, visit)).toThrow(PrunedCellError);
  });
});

describe('labels', () => {
  const entry = (label: string, value = '11111111'): Cell => {
    const builder = beginCell();
    for (const bit of label + value) builder.storeBit(bit === '1');
    return builder.endCell();
  };
  const keysOf = (root: Cell, bits: number): string[] => {
    const found: string[] = [];
    walkDictionary(fromCoreCell(root), 0, bits, (key, value) => {
      expect(value.uint(8)).toBe(255);
      found.push(key.toString('hex'));
    });
    return found;
  };

  it.each([
    ['a short one', `0${'1'.repeat(8)}0${'10100101'}`, 8, 'a5'],
    ['a long one', `10${'1000'}${'10100101'}`, 8, 'a5'],
    ['one of ones', `111${'1000'}`, 8, 'ff'],
    ['one of zeros', `110${'1000'}`, 8, '00'],
    ['a long one over a byte', `10${'1100'}${'101001011111'}`, 12, 'a5f0'],
  ])('%s is read', (_name, label, bits, key) => {
    expect(keysOf(entry(label), bits)).toEqual([key]);
  });

  it.each([
    ['a short one', `0${'1'.repeat(9)}0`],
    ['a long one', `10${'1001'}`],
    ['one of ones', `111${'1111'}`],
  ])('%s that is longer than the key is rejected', (_name, label) => {
    expect(() => keysOf(entry(label, '1'.repeat(20)), 8)).toThrow(
      new CellError('dictionary label is longer than its key'),
    );
  });

  it.each([
    ['ends in its label', entry('0111', '')],
    ['ends before its label', entry('10', '')],
    ['is empty', Cell.EMPTY],
  ])('a cell that %s is rejected', (_name, cell) => {
    expect(() => keysOf(cell, 8)).toThrow(new CellError('not enough bits in the cell'));
  });

  it('a fork without children is rejected', () => {
    expect(() => keysOf(entry('00', ''), 8)).toThrow(new CellError('not enough references in the cell'));
    const half = beginCell().storeUint(0, 2).storeRef(entry('110111')).endCell();
    expect(() => keysOf(half, 8)).toThrow(new CellError('not enough references in the cell'));
    expect(() => lookUp(fromCoreCell(half), 0, 8, Buffer.of(0xff))).toThrow(CellError);
  });
});

/** The form that blocks use: with something before the value of every fork and leaf. */
describe('an augmented dictionary', () => {
  it('is visited with the extra before the value', () => {
    const bits = (text: string): BitString =>
      beginCell().storeUint(Number.parseInt(text, 2), text.length).endCell().bits;
    const leaf = (label: string, extra: number, value: number) =>
      beginCell().storeBits(bits(label)).storeUint(extra, 8).storeUint(value, 8).endCell();
    const fork = beginCell()
      .storeUint(0, 2)
      .storeRef(leaf('11011', 1, 10))
      .storeRef(leaf('11111', 2, 20));
    const root = fork.storeUint(3, 8).storeRef(Cell.EMPTY).endCell();
    const found: number[][] = [];
    walkDictionary(fromCoreCell(root), 0, 4, (key, value) =>
      found.push([key[0]!, value.uint(8), value.uint(8)]),
    );
    expect(found).toEqual([
      [0x00, 1, 10],
      [0xf0, 2, 20],
    ]);
  });
});

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

describe('dictionaryEntries', () => {
  it('yields entries from a key on in either direction', () => {
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
