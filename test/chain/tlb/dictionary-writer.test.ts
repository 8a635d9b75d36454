import { type Builder, beginCell, type Cell, Dictionary as CoreDictionary } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellBuilder } from '../../../src/chain/boc/builder.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import {
  Dictionary,
  type DictionaryCodec,
  firstDifference,
  lookUp,
  walkDictionary,
  writeLabel,
} from '../../../src/chain/tlb/dictionary.ts';
import { storeAugmented } from '../../support/chain-builder/cells.ts';

/** Numbers of 16 bits; augmented ones add up their sum and count. */
const plainForm = (keyBits: number): DictionaryCodec<number> => ({
  keyBits,
  write: (builder, value) => builder.uint(value, 16),
});

interface Sum {
  readonly sum: bigint;
  readonly count: number;
}

const summedForm = (keyBits: number): DictionaryCodec<number, Sum> => ({
  ...plainForm(keyBits),
  augmentation: {
    empty: { sum: 0n, count: 0 },
    of: (value) => ({ sum: BigInt(value), count: 1 }),
    combine: (left, right) => ({ sum: left.sum + right.sum, count: left.count + right.count }),
    read: (slice) => ({ sum: slice.coins(), count: slice.uint(10) }),
    write: (builder, { sum, count }) => builder.coins(sum).uint(count, 10),
  },
});

const SUM_OF_CORE = {
  zero: { sum: 0n, count: 0 },
  combine: (left: Sum, right: Sum): Sum => ({ sum: left.sum + right.sum, count: left.count + right.count }),
  store: (builder: Builder, { sum, count }: Sum) => void builder.storeCoins(sum).storeUint(count, 10),
};

/** The same entries, written by @ton/core. */
function coreHash(keyBits: number, model: ReadonlyMap<bigint, number>): Buffer {
  const dictionary = CoreDictionary.empty(
    CoreDictionary.Keys.BigUint(keyBits),
    CoreDictionary.Values.Uint(16),
  );
  for (const [key, value] of model) dictionary.set(key, value);
  return beginCell().storeDictDirect(dictionary).endCell().hash();
}

/** The same augmented entries, written by the tests' own builder. */
function summedCell(keyBits: number, model: ReadonlyMap<bigint, number>): Cell {
  const entries = [...model].map(([key, value]) => ({
    key,
    extra: { sum: BigInt(value), count: 1 },
    value: beginCell().storeUint(value, 16),
  }));
  const root = beginCell();
  storeAugmented(root, entries, keyBits, SUM_OF_CORE);
  return root.endCell();
}

/** A key as bytes, padded with zeros at its end. */
function keyBytes(keyBits: number, key: bigint): Buffer {
  const bytes = (keyBits + 7) >> 3;
  const shifted = key << BigInt(bytes * 8 - keyBits);
  return Buffer.from(shifted.toString(16).padStart(bytes * 2, '0'), 'hex');
}

interface Step {
  readonly key: bigint;
  /** Undefined to remove the key. */
  readonly value: number | undefined;
}

/** Changes of a dictionary whose keys share beginnings, and now and then are removed again. */
const steps = fc.constantFrom(1, 5, 8, 15, 32, 64, 96, 256, 352).chain((keyBits) => {
  const max = 2n ** BigInt(keyBits) - 1n;
  const key = fc.oneof(
    fc.bigInt({ min: 0n, max }),
    fc.bigInt({ min: 0n, max: max < 40n ? max : 40n }),
    fc.bigInt({ min: 0n, max: max < 40n ? max : 40n }).map((low) => max - low),
  );
  const value = fc.option(fc.nat({ max: 0xffff }), { nil: undefined });
  return fc.tuple(
    fc.constant(keyBits),
    fc.array(fc.record({ key, value }), { maxLength: 40 }) satisfies fc.Arbitrary<Step[]>,
  );
});

function sorted(keyBits: number, model: ReadonlyMap<bigint, number>): [Buffer, number][] {
  const keys = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
  return keys.map(([key, value]) => [keyBytes(keyBits, key), value]);
}

describe('Dictionary', () => {
  it('behaves like a map and has the hash of @ton/core after any edits', () => {
    fc.assert(
      fc.property(steps, ([keyBits, changes]) => {
        const arena = new BuildingArena();
        const dictionary = new Dictionary(arena, plainForm(keyBits));
        const model = new Map<bigint, number>();
        let root = -1;
        for (const { key, value } of changes) {
          const bytes = keyBytes(keyBits, key);
          if (value === undefined) {
            root = dictionary.delete(root, bytes);
            model.delete(key);
          } else {
            root = dictionary.set(root, bytes, value);
            model.set(key, value);
          }
          expect(dictionary.get(root, bytes)?.uint(16)).toBe(value);
        }
        if (model.size === 0) expect(root).toBe(-1);
        else {
          expect(arena.hash(root)).toEqual(coreHash(keyBits, model));
          const read: [Buffer, number][] = [];
          walkDictionary(arena, root, keyBits, (key, value) => {
            read.push([Buffer.from(key), value.uint(16)]);
          });
          expect(read).toEqual(sorted(keyBits, model));
        }
        expect(dictionary.build(sorted(keyBits, model))).toBe(root);
        for (const { key } of changes)
          expect(dictionary.get(root, keyBytes(keyBits, key))?.uint(16)).toBe(model.get(key));
      }),
    );
  });

  it('combines extras in every node', () => {
    fc.assert(
      fc.property(steps, ([keyBits, changes]) => {
        const arena = new BuildingArena();
        const dictionary = new Dictionary(arena, summedForm(keyBits));
        const model = new Map<bigint, number>();
        let root = -1;
        for (const { key, value } of changes) {
          const bytes = keyBytes(keyBits, key);
          if (value === undefined) model.delete(key);
          else model.set(key, value);
          root = value === undefined ? dictionary.delete(root, bytes) : dictionary.set(root, bytes, value);
          const slice = dictionary.get(root, bytes);
          expect(slice?.uint(16)).toBe(value);
          slice?.end();
        }
        const sum = [...model.values()].reduce((total, value) => total + BigInt(value), 0n);
        expect(dictionary.extra(root)).toEqual({ sum, count: model.size });
        if (model.size > 0) expect(arena.hash(root)).toEqual(summedCell(keyBits, model).hash());
        expect(dictionary.build(sorted(keyBits, model))).toBe(root);
      }),
    );
  });

  it('is immutable: an edit returns a new root that shares most cells', () => {
    const arena = new BuildingArena();
    const dictionary = new Dictionary(arena, summedForm(256));
    // Multiples of a large odd number are spread as hashes are.
    const key = (i: number) => keyBytes(256, (BigInt(i) * 0x9e3779b97f4a7c15n ** 5n) & (2n ** 256n - 1n));
    let root = -1;
    for (let i = 0; i < 1000; i++) root = dictionary.set(root, key(i), i & 0x3f);
    const before = Buffer.from(arena.hash(root));
    const { count } = arena;
    const changed = dictionary.set(root, key(500), 0xffff);
    expect(arena.count - count).toBeLessThan(25);
    expect(arena.hash(root)).toEqual(before);
    expect(dictionary.get(root, key(500))?.uint(16)).toBe(500 & 0x3f);
    expect(dictionary.get(changed, key(500))?.uint(16)).toBe(0xffff);
    expect(dictionary.set(changed, key(500), 500 & 0x3f)).toBe(root);
    expect(dictionary.delete(root, key(1001))).toBe(root);
    expect(dictionary.set(dictionary.delete(root, key(3)), key(3), 3)).toBe(root);
  });

  it('writes HashmapE and HashmapAugE, empty or not', () => {
    const arena = new BuildingArena();
    const [plain, summed] = [new Dictionary(arena, plainForm(8)), new Dictionary(arena, summedForm(8))];
    const stored = (dictionary: { store(builder: CellBuilder, root: number): void }, root: number) => {
      const builder = new CellBuilder();
      dictionary.store(builder, root);
      return arena.hash(arena.build(builder));
    };
    const model = new Map([[5n, 300]]);
    expect(stored(plain, -1)).toEqual(beginCell().storeBit(0).endCell().hash());
    expect(stored(summed, -1)).toEqual(
      beginCell().storeBit(0).storeCoins(0).storeUint(0, 10).endCell().hash(),
    );
    const key = keyBytes(8, 5n);
    expect(stored(summed, summed.set(-1, key, 300))).toEqual(
      beginCell()
        .storeBit(1)
        .storeRef(summedCell(8, model))
        .storeCoins(300)
        .storeUint(1, 10)
        .endCell()
        .hash(),
    );
    expect(plain.extra(plain.set(-1, key, 1))).toBeUndefined();
    expect(plain.get(-1, key)).toBeUndefined();
    expect(plain.delete(-1, key)).toBe(-1);
  });

  it('rejects keys of another length or out of order', () => {
    const dictionary = new Dictionary(new BuildingArena(), plainForm(16));
    expect(() => dictionary.set(-1, Buffer.alloc(3), 1)).toThrow(
      new CellError('dictionary key has a wrong length'),
    );
    expect(() => dictionary.get(dictionary.set(-1, Buffer.alloc(2), 1), Buffer.alloc(1))).toThrow(CellError);
    const keys = [Buffer.from([0, 1]), Buffer.from([0, 1])] as const;
    expect(() => dictionary.build(keys.map((key) => [key, 1]))).toThrow(
      'dictionary keys are not in ascending order',
    );
  });

  it('throws on a pruned path', () => {
    const arena = new BuildingArena();
    const dictionary = new Dictionary(arena, plainForm(8));
    const pruned = arena.buildExotic(new CellBuilder().uint(0x0101, 16).hash(Buffer.alloc(32)).uint(1, 16));
    const leaf = dictionary.set(-1, Buffer.from([0]), 1);
    const root = arena.build(new CellBuilder().uint(0b00, 2).ref(leaf).ref(pruned));
    expect(() => dictionary.set(root, Buffer.from([0xff]), 1)).toThrow('the cell is pruned');
    expect(() => lookUp(arena, root, 8, Buffer.from([0xff]))).toThrow('the cell is pruned');
  });
});

/** The bits of a label as text. */
function labelBits(label: string, max: number): string {
  const padded = label.padEnd(Math.ceil(label.length / 8) * 8, '0');
  const key = Buffer.from(padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const builder = new CellBuilder();
  writeLabel(builder, key, 0, label.length, max);
  const bytes = [...builder.data.subarray(0, (builder.bitCount + 7) >> 3)];
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.slice(0, builder.bitCount);
}

describe('writeLabel', () => {
  it.each([
    ['nothing', '', 0, '00'],
    ['nothing of many bits', '', 256, '00'],
    ['one bit, too short for the form of equal bits', '1', 256, '0101'],
    ['one bit where its length takes none', '1', 1, '0101'],
    ['two equal bits, no longer in unary', '00', 7, '011000'],
    ['two equal bits, shorter as equal ones', '00', 3, '11010'],
    ['two equal bits as long both ways', '11', 4, '011011'],
    ['three bits in unary', '101', 15, '01110101'],
    ['as long with its length in unary as in binary', '1010', 15, '0111101010'],
    ['shorter with its length in binary', '10101', 15, '10010110101'],
    ['many equal bits', '1'.repeat(64), 64, '1111000000'],
    ['many bits', '10'.repeat(32), 64, `101000000${'10'.repeat(32)}`],
  ])('writes %s', (_, label, max, bits) => {
    expect(labelBits(label, max)).toBe(bits);
  });

  it('finds where keys differ', () => {
    const [a, b] = [Buffer.from('ff00f0', 'hex'), Buffer.from('ff00f8', 'hex')];
    expect(firstDifference(a, b, 0, 24)).toBe(20);
    expect(firstDifference(a, b, 3, 20)).toBe(20);
    expect(firstDifference(a, b, 3, 19)).toBe(19);
    expect(firstDifference(a, b, 21, 24)).toBe(24);
    expect(firstDifference(a, b, 7, 7)).toBe(7);
  });
});
