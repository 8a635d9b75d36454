import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellFault } from '../../../src/chain/boc/cell-fault.ts';
import { crc32c } from '../../../src/chain/boc/crc32c.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { writeBoc } from '../../../src/chain/boc/write-boc.ts';
import { MAGIC_INDEXED, MAGIC_INDEXED_CRC, type RawBoc, rawBoc } from './raw-boc.ts';

const right = beginCell().storeUint(0xabcd, 16).endCell();
const left = beginCell().storeUint(0b10110, 5).storeRef(right).endCell();
const root = beginCell().storeRef(left).storeRef(right).endCell();
const cells = [{ refs: [1, 2] }, { size: 1, data: 'b4', refs: [2] }, { data: 'abcd' }];

const variants: readonly (readonly [name: string, boc: Partial<RawBoc>])[] = [
  ['nothing special', {}],
  ['a checksum', { flags: 0x40 }],
  ['an index', { flags: 0x80 }],
  ['an index with cache bits', { flags: 0xa0 }],
  ['index, checksum and cache bits', { flags: 0xe0 }],
  ['cache bits set', { flags: 0xa0, index: [8, 16, 25] }],
  ['wide references', { refSize: 4 }],
  ['references of three bytes and an index', { refSize: 3, flags: 0x80 }],
  ['wide offsets', { offsetSize: 8, flags: 0x80 }],
  ['the first old kind', { magic: MAGIC_INDEXED }],
  ['the second old kind', { magic: MAGIC_INDEXED_CRC }],
];

describe('a bag of cells is read', () => {
  it.each(variants)('with %s', (_name, variant) => {
    const bag = readBoc(rawBoc({ cells, ...variant }));
    expect(bag.roots).toEqual([0]);
    expect(bag.count).toBe(3);
    expect(bag.hash(0)).toEqual(root.hash());
    expect(bag.ref(0, 1)).toBe(2);
    expect(bag.bits[1]).toBe(5);
  });

  it('with several roots, in any order, twice the same, and one below another', () => {
    const bag = readBoc(rawBoc({ cells, roots: [2, 0, 2] }));
    expect(bag.roots).toEqual([2, 0, 2]);
    expect(() => bag.root).toThrow(new CellFault('expected one root cell, found 3'));
    expect(bag.hash(bag.roots[0]!)).toEqual(right.hash());
  });

  it('with hashes stored in cells, which are not believed', () => {
    const stored = `${'55'.repeat(32)}0007`;
    const withHashes = [
      { ...cells[0]!, head: 0x12, stored },
      cells[1]!,
      { ...cells[2]!, head: 0x10, stored },
    ];
    const bag = readBoc(rawBoc({ cells: withHashes, flags: 0xc0 }));
    expect(bag.hash(0)).toEqual(root.hash());
    expect(bag.depth(0)).toBe(2);
    const plain = writeBoc({ cells: bag, roots: bag.roots }, { order: 'core' });
    expect(plain).toEqual(root.toBoc());
  });

  it('with several hashes stored in cells of a level', () => {
    const pruned = { head: 0x38, stored: '77'.repeat(2 * 34), data: `0101${'11'.repeat(32)}0001` };
    const bag = readBoc(rawBoc({ cells: [{ head: 0x31, stored: '77'.repeat(2 * 34), refs: [1] }, pruned] }));
    expect(bag.depth(0, 0)).toBe(2);
    expect(bag.hash(1, 0)).toEqual(Buffer.alloc(32, 0x11));
  });

  it('from any view of bytes, at any offset', () => {
    const shifted = new Uint8Array([9, 9, 9, ...rawBoc({ cells })]).subarray(3);
    expect(readBoc(shifted).hash(0)).toEqual(root.hash());
  });

  it('with cells that no root reaches', () => {
    const bag = readBoc(rawBoc({ cells, roots: [1] }));
    expect(bag.hash(bag.root)).toEqual(left.hash());
    expect(writeBoc({ cells: bag, roots: bag.roots }, { order: 'tonlib' })).toEqual(left.toBoc());
  });
});

describe('a bag with several roots is written', () => {
  it.each(['core', 'tonlib'] as const)('in the order of %s', (order) => {
    const bag = readBoc(root.toBoc());
    const roots = [bag.ref(0, 1), 0, bag.ref(0, 0), 0];
    const again = readBoc(writeBoc({ cells: bag, roots }, { order, index: true }));
    expect(again.count).toBe(3);
    expect(again.roots.map((cell) => again.hash(cell))).toEqual(
      [right, root, left, root].map((cell) => cell.hash()),
    );
  });

  it('with equal cells only once, whatever their numbers', () => {
    const bag = readBoc(
      rawBoc({ cells: [{ refs: [1, 2] }, { data: 'aa', refs: [3] }, { data: 'aa', refs: [4] }, {}, {}] }),
    );
    for (const order of ['core', 'tonlib'] as const)
      expect(readBoc(writeBoc({ cells: bag, roots: [0, 1, 2] }, { order })).count).toBe(3);
  });

  it('only with a root', () => {
    const bag = readBoc(root.toBoc());
    expect(() => writeBoc({ cells: bag, roots: [] }, { order: 'core' })).toThrow(
      new CellFault('a bag of cells needs a root'),
    );
  });
});

it('the checksum is that of Castagnoli', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(Buffer.from('xx123456789x'), 2, 11)).toBe(0xe3069283);
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
  expect(crc32c(Buffer.alloc(0))).toBe(0);
});
