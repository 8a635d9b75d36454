import { describe, expect, it } from 'vitest';
import { CellFault } from '../../../src/chain/boc/cell-fault.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { MAGIC_INDEXED, type RawBoc, type RawCell, rawBoc } from './raw-boc.ts';

const HASH = '11'.repeat(32);
const DEPTH = '0001';
const leaf: RawCell = { data: '00' };
/** A pruned branch of level 1. */
const pruned: RawCell = { head: 0x28, data: `0101${HASH}${DEPTH}` };

/** Bags put together wrongly in one way, and what is said of them. */
const wrong: readonly (readonly [name: string, text: string, boc: RawBoc])[] = [
  ['other first bytes', 'not a bag of cells: unknown first bytes', { cells: [leaf], magic: 0xb5ee9c73 }],
  ['unknown flags', 'a bag of cells with unknown flags', { cells: [leaf], flags: 0x08 }],
  [
    'flags in an old kind',
    'a bag of cells of an old kind with flags',
    { cells: [leaf], magic: MAGIC_INDEXED, flags: 0x40 },
  ],
  ['cache bits without index', 'a bag of cells with cache bits but no index', { cells: [leaf], flags: 0x20 }],
  ['references of no bytes', 'a bag of cells with references of a wrong size', { cells: [leaf], refSize: 0 }],
  [
    'references of five bytes',
    'a bag of cells with references of a wrong size',
    { cells: [leaf], refSize: 5 },
  ],
  ['offsets of no bytes', 'a bag of cells with offsets of a wrong size', { cells: [leaf], offsetSize: 0 }],
  ['no root', 'a bag of cells without a root', { cells: [leaf], roots: [] }],
  ['no cell', 'a root that is not there', { cells: [] }],
  [
    'several roots in an old kind',
    'a bag of cells of an old kind with several roots',
    { cells: [leaf, leaf], magic: MAGIC_INDEXED, rootCount: 2 },
  ],
  ['absent cells', 'a bag of cells with absent cells', { cells: [leaf], absentCount: 1 }],
  [
    'more roots than bytes',
    'the bag of cells is shorter than its header says',
    { cells: [leaf], rootCount: 255 },
  ],
  ['a root that is not there', 'a root that is not there', { cells: [leaf], roots: [1] }],
  ['more cells than bytes', 'a bag of cells with more cells than bytes', { cells: [leaf], cellCount: 2 }],
  [
    'a huge number of cells',
    'a bag of cells with more cells than bytes',
    { cells: [leaf], refSize: 4, cellCount: 0xffffffff },
  ],
  [
    'more bytes said than there',
    'the bag of cells is shorter than its header says',
    { cells: [leaf], cellBytes: 4 },
  ],
  [
    'a huge number of bytes',
    'the bag of cells is shorter than its header says',
    { cells: [leaf], offsetSize: 8, cellBytes: 2 ** 60 },
  ],
  ['bytes after the end', 'the bag of cells is longer than its header says', { cells: [leaf], tail: '00' }],
  [
    'bytes after the last cell',
    'the bag of cells has bytes after its last cell',
    { cells: [leaf, leaf], cellCount: 1 },
  ],
  ['a cell beyond the end', 'the bag of cells ends inside a cell', { cells: [{ ...leaf, size: 4 }] }],
  [
    'a second cell beyond the end',
    'the bag of cells ends inside a cell',
    { cells: [{ data: '0000' }], cellCount: 2 },
  ],
  ['references beyond the end', 'the bag of cells ends inside a cell', { cells: [{ ...leaf, head: 1 }] }],
  [
    'stored hashes beyond the end',
    'the bag of cells ends inside a cell',
    { cells: [{ ...leaf, head: 0x10 }] },
  ],
  ['five references', 'a cell with 5 references, more than 4', { cells: [{ refs: [1, 1, 1, 1, 1] }, leaf] }],
  ['an absent cell', 'a cell with 7 references, more than 4', { cells: [{ head: 0x17, size: 0 }] }],
  [
    'a cell that holds itself',
    'a reference leads to the cell itself or one before it',
    { cells: [{ refs: [0] }] },
  ],
  [
    'a cycle',
    'a reference leads to the cell itself or one before it',
    { cells: [{ refs: [1] }, { refs: [0] }] },
  ],
  [
    'a reference backwards',
    'a reference leads to the cell itself or one before it',
    { cells: [leaf, { refs: [0] }], roots: [1] },
  ],
  ['a reference to nothing', 'a reference leads to a cell that is not there', { cells: [{ refs: [1] }] }],
  ['a last byte without a bit', 'a cell whose last byte holds no bit', { cells: [{ data: '80', size: 1 }] }],
  ['a last byte of zero', 'a cell whose last byte holds no bit', { cells: [{ data: 'ff00', size: 3 }] }],
  [
    'an index with a wrong end',
    'the index of the bag of cells is wrong',
    { cells: [leaf], flags: 0x80, index: [2] },
  ],
  [
    'an index in disorder',
    'the index of the bag of cells is wrong',
    { cells: [{ refs: [1] }, leaf], flags: 0x80, index: [6, 3] },
  ],
  ['a level of nothing', 'the level mask of a cell is wrong', { cells: [{ ...leaf, head: 0x20 }] }],
  ['no level above a pruned branch', 'the level mask of a cell is wrong', { cells: [{ refs: [1] }, pruned] }],
  [
    'a wrong level of a pruned branch',
    'the level mask of a cell is wrong',
    { cells: [{ ...pruned, head: 0x48 }] },
  ],
  [
    'a level of a library',
    'the level mask of a cell is wrong',
    { cells: [{ head: 0x28, data: `02${HASH}` }] },
  ],
  [
    'a level of a Merkle proof',
    'the level mask of a cell is wrong',
    { cells: [{ head: 0x29, data: `03${HASH}${DEPTH}`, refs: [1] }, pruned] },
  ],
  [
    'an exotic cell of 7 bits',
    'an exotic cell without a kind',
    { cells: [{ head: 8, data: '03', size: 1 }] },
  ],
  ['an exotic cell of kind 0', 'an exotic cell of an unknown kind', { cells: [{ head: 8, data: '00' }] }],
  ['an exotic cell of kind 5', 'an exotic cell of an unknown kind', { cells: [{ head: 8, data: '05' }] }],
  ['a pruned branch without a mask', 'a pruned branch of a wrong form', { cells: [{ head: 8, data: '01' }] }],
  [
    'a pruned branch of mask 0',
    'a pruned branch of a wrong form',
    { cells: [{ head: 8, data: `0100${HASH}${DEPTH}` }] },
  ],
  [
    'a pruned branch of mask 8',
    'a pruned branch of a wrong form',
    { cells: [{ head: 0x28, data: `0108${HASH}${DEPTH}` }] },
  ],
  [
    'a pruned branch with a hash too few',
    'a pruned branch of a wrong form',
    { cells: [{ head: 0x68, data: `0103${HASH}${DEPTH}` }] },
  ],
  [
    'a pruned branch with a reference',
    'a pruned branch of a wrong form',
    { cells: [{ ...pruned, head: 0x29, refs: [1] }, leaf] },
  ],
  [
    'a library too short',
    'a library reference of a wrong form',
    { cells: [{ head: 8, data: `02${HASH.slice(2)}` }] },
  ],
  [
    'a library with a reference',
    'a library reference of a wrong form',
    { cells: [{ head: 9, data: `02${HASH}`, refs: [1] }, leaf] },
  ],
  [
    'a Merkle proof of nothing',
    'a Merkle proof of a wrong form',
    { cells: [{ head: 8, data: `03${HASH}${DEPTH}` }] },
  ],
  [
    'a Merkle proof too long',
    'a Merkle proof of a wrong form',
    { cells: [{ head: 9, data: `03${HASH}${DEPTH}00`, refs: [1] }, leaf] },
  ],
  [
    'a Merkle update of one',
    'a Merkle update of a wrong form',
    { cells: [{ head: 9, data: `04${HASH}${HASH}${DEPTH}${DEPTH}`, refs: [1] }, leaf] },
  ],
  [
    'a Merkle update too short',
    'a Merkle update of a wrong form',
    { cells: [{ head: 10, data: `04${HASH}`, refs: [1, 1] }, leaf] },
  ],
];

describe('a bag of cells is refused', () => {
  it.each(wrong)('with %s: %s', (_name, text, boc) => {
    expect(() => readBoc(rawBoc(boc))).toThrow(new CellFault(text));
  });

  it('when it is cut anywhere', () => {
    const whole = rawBoc({ cells: [{ refs: [1, 2] }, { data: 'abcd' }, leaf], flags: 0x40, roots: [0, 1] });
    for (let length = 0; length < whole.length; length++)
      expect(() => readBoc(whole.subarray(0, length)), `${length} bytes`).toThrow(CellFault);
    expect(() => readBoc(whole.subarray(0, 5))).toThrow('too short for a bag of cells');
    expect(() => readBoc(whole.subarray(0, 9))).toThrow('the bag of cells ends inside its header');
  });

  it('when any bit of it is changed and it has a checksum', () => {
    const whole = rawBoc({ cells: [{ refs: [1, 2] }, { data: 'abcd' }, leaf], flags: 0x40 });
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const changed = Buffer.from(whole);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => readBoc(changed), `bit ${bit}`).toThrow(CellFault);
    }
    whole[whole.length - 1]! ^= 1;
    expect(() => readBoc(whole)).toThrow('the checksum of the bag of cells is wrong');
  });
});

describe('cells that only their hash shows to be wrong', () => {
  it('a Merkle proof of another cell', () => {
    const bag = readBoc(rawBoc({ cells: [{ head: 9, data: `03${HASH}0000`, refs: [1] }, leaf] }));
    expect(() => bag.hash(0)).toThrow(new CellFault('a Merkle cell holds another cell than it says'));
    expect(() => bag.hashAll()).toThrow(CellFault);
    expect(() => bag.hash(0)).toThrow(CellFault);
    expect(bag.hash(1)).toHaveLength(32);
  });

  it('a pruned branch that says it is too deep', () => {
    const deep = readBoc(
      rawBoc({
        cells: [
          { head: 0x21, refs: [1] },
          { ...pruned, data: `0101${HASH}0400` },
        ],
      }),
    );
    expect(() => deep.hash(0)).toThrow(new CellFault('the cells are too deep'));
    const fits = readBoc(
      rawBoc({
        cells: [
          { head: 0x21, refs: [1] },
          { ...pruned, data: `0101${HASH}03ff` },
        ],
      }),
    );
    expect(fits.depth(0, 0)).toBe(1024);
  });
});
