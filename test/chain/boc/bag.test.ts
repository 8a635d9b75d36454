import { Address, beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { crc32c } from '../../../src/chain/boc/checksums.ts';
import { digestOfCell, digestOfRest, hashOfParts, hashOfRest } from '../../../src/chain/boc/hashes.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell, toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { walkDictionary } from '../../../src/chain/tlb/dictionary.ts';
import { makeMerkleProof } from '../support/proofs.ts';
import { MAGIC_INDEXED, MAGIC_INDEXED_CRC, type RawBoc, type RawCell, rawBoc } from '../support/raw-boc.ts';

const address = Address.parse('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N');

const vectors: readonly (readonly [name: string, boc: string, hash: string | undefined, cell: Cell])[] = [
  [
    'a number',
    'te6cckEBAQEABgAACAAAAAX/FF46',
    'jDtz4L1xqg7TLr9nsw42Oac0YJHxxRM4hDxJLNaivZ0=',
    beginCell().storeUint(5, 32).endCell(),
  ],
  ['nothing', 'te6cckEBAQEAAgAAAEysuc0=', 'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=', Cell.EMPTY],
  [
    'the data of a wallet v4',
    'te6cckEBAQEAKwAAUQAAAAUpqaMXERERERERERERERERERERERERERERERERERERERERERFAGvaVSw==',
    undefined,
    beginCell()
      .storeUint(5, 32)
      .storeUint(698983191, 32)
      .storeBuffer(Buffer.alloc(32, 0x11))
      .storeBit(false)
      .endCell(),
  ],
  [
    'a body',
    'te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg=',
    'P3lF+eqlE3QWGOMzsrHulBRN8rPSDu+lr9OLyDD/2Ic=',
    beginCell().storeUint(0xd53276db, 32).storeUint(7, 64).endCell(),
  ],
  ['five bits', 'te6cckEBAQEAAwAAAbScKrQA', undefined, beginCell().storeUint(0b10110, 5).endCell()],
  [
    'an address',
    'te6cckEBAQEAJAAAQ4AQe/qqXMblNo5fl5kYi9eYzSLgSrFtHY6k/DdIB0HmNRBko+Gm',
    undefined,
    beginCell().storeAddress(address).endCell(),
  ],
  [
    'content off the chain',
    'te6cckEBAQEAHgAAOAFodHRwczovL2V4YW1wbGUudGVzdC9qLmpzb27qpQw3',
    undefined,
    beginCell().storeUint(1, 8).storeBuffer(Buffer.from('https://example.test/j.json')).endCell(),
  ],
  [
    'the shard account of an absent account',
    'te6cckEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFAAVi1MQ==',
    undefined,
    beginCell().storeRef(beginCell().storeBit(false).endCell()).storeUint(0, 256).storeUint(0, 64).endCell(),
  ],
  [
    'a message from outside',
    'te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AG9W33fOuLgbE=',
    'vuZPCcyYFV9nYC0oSOnpsvkJXJlIamIWhnAi/jvoMcU=',
    beginCell()
      .storeUint(8, 4)
      .storeAddress(address)
      .storeCoins(0)
      .storeUint(0, 2)
      .storeUint(0xdeadbeef, 32)
      .endCell(),
  ],
];

describe('readBoc of known bags of cells', () => {
  it.each(vectors)('%s', (_name, boc, hash, cell) => {
    const bag = readBoc(Buffer.from(boc, 'base64'));
    expect(bag.hash(bag.root)).toEqual(cell.hash());
    if (hash !== undefined) expect(bag.hash(bag.root).toString('base64')).toBe(hash);
    const { cells, roots } = { cells: fromCoreCell(cell), roots: [0] };
    expect(writeBoc({ cells, roots }, { order: 'tonlib' }).toString('base64')).toBe(boc);
    expect(writeBoc({ cells, roots }, { order: 'core' }).toString('base64')).toBe(boc);
  });

  it('reads a bag without a checksum', () => {
    const { cells, roots } = { cells: fromCoreCell(beginCell().storeUint(5, 32).endCell()), roots: [0] };
    expect(writeBoc({ cells, roots }, { order: 'tonlib', crc: false }).toString('base64')).toBe(
      'te6ccgEBAQEABgAACAAAAAU=',
    );
  });

  it('gives the normalised hash of a known external message', () => {
    const bag = readBoc(Buffer.from(vectors.at(-1)![1], 'base64'));
    const slice = new Slice(bag, bag.root);
    // The tag with an empty source, the address, no fee; then no StateInit, and the body inside.
    slice.skip(4 + 267 + 4 + 2);
    expect(hashOfRest(slice)).toEqual(beginCell().storeUint(0xdeadbeef, 32).endCell().hash());
    const start = beginCell().storeUint(8, 4).storeAddress(address).storeCoins(0).storeUint(1, 2).endCell();
    const flat = fromCoreCell(start);
    const data = flat.bytes.subarray(flat.starts[0]);
    const normalised = 'KvF3MY2lIx25hPdX4wZgGk2v4EnpGTqCX/sKE/Z2naw=';
    expect(hashOfParts(data, 277, [digestOfRest(slice)]).toString('base64')).toBe(normalised);
    const body = fromCoreCell(beginCell().storeUint(0xdeadbeef, 32).endCell());
    expect(hashOfParts(data, 277, [digestOfCell(body, 0)]).toString('base64')).toBe(normalised);
  });
});

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

describe('readBoc accepts a bag', () => {
  it.each(variants)('with %s', (_name, variant) => {
    const bag = readBoc(rawBoc({ cells, ...variant }));
    expect(bag.roots).toEqual([0]);
    expect(bag.count).toBe(3);
    expect(bag.hash(0)).toEqual(root.hash());
    expect(bag.ref(0, 1)).toBe(2);
    expect(bag.bits[1]).toBe(5);
  });

  it('with several roots, in any order, repeated, and one below another', () => {
    const bag = readBoc(rawBoc({ cells, roots: [2, 0, 2] }));
    expect(bag.roots).toEqual([2, 0, 2]);
    expect(() => bag.root).toThrow(new CellError('expected one root cell, found 3'));
    expect(bag.hash(bag.roots[0]!)).toEqual(right.hash());
  });

  it('with stored hashes, which are not trusted', () => {
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

  it('with several stored hashes in cells with a level', () => {
    const pruned = { head: 0x38, stored: '77'.repeat(2 * 34), data: `0101${'11'.repeat(32)}0001` };
    const bag = readBoc(rawBoc({ cells: [{ head: 0x31, stored: '77'.repeat(2 * 34), refs: [1] }, pruned] }));
    expect(bag.depth(0, 0)).toBe(2);
    expect(bag.hash(1, 0)).toEqual(Buffer.alloc(32, 0x11));
  });

  it('in any view of bytes, at any offset', () => {
    const shifted = new Uint8Array([9, 9, 9, ...rawBoc({ cells })]).subarray(3);
    expect(readBoc(shifted).hash(0)).toEqual(root.hash());
  });

  it('with unreachable cells', () => {
    const bag = readBoc(rawBoc({ cells, roots: [1] }));
    expect(bag.hash(bag.root)).toEqual(left.hash());
    expect(writeBoc({ cells: bag, roots: bag.roots }, { order: 'tonlib' })).toEqual(left.toBoc());
  });
});

describe('writeBoc writes a bag with several roots', () => {
  it.each(['core', 'tonlib'] as const)('in the order of %s', (order) => {
    const bag = readBoc(root.toBoc());
    const roots = [bag.ref(0, 1), 0, bag.ref(0, 0), 0];
    const again = readBoc(writeBoc({ cells: bag, roots }, { order, index: true }));
    expect(again.count).toBe(3);
    expect(again.roots.map((cell) => again.hash(cell))).toEqual(
      [right, root, left, root].map((cell) => cell.hash()),
    );
  });

  it('with equal cells only once', () => {
    const bag = readBoc(
      rawBoc({ cells: [{ refs: [1, 2] }, { data: 'aa', refs: [3] }, { data: 'aa', refs: [4] }, {}, {}] }),
    );
    for (const order of ['core', 'tonlib'] as const)
      expect(readBoc(writeBoc({ cells: bag, roots: [0, 1, 2] }, { order })).count).toBe(3);
  });

  it('but rejects a bag without roots', () => {
    const bag = readBoc(root.toBoc());
    expect(() => writeBoc({ cells: bag, roots: [] }, { order: 'core' })).toThrow(
      new CellError('bag of cells needs a root'),
    );
  });
});

it('crc32c is the Castagnoli checksum', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(Buffer.from('xx123456789x'), 2, 11)).toBe(0xe3069283);
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
  expect(crc32c(Buffer.alloc(0))).toBe(0);
});

const HASH = '11'.repeat(32);
const DEPTH = '0001';
const leaf: RawCell = { data: '00' };
/** A pruned branch of level 1. */
const pruned: RawCell = { head: 0x28, data: `0101${HASH}${DEPTH}` };

/** Bags put together wrongly in one way, and what is said of them. */
const wrong: readonly (readonly [name: string, text: string, boc: RawBoc])[] = [
  ['other first bytes', 'not a bag of cells: unknown magic number', { cells: [leaf], magic: 0xb5ee9c73 }],
  ['unknown flags', 'bag of cells has unknown flags', { cells: [leaf], flags: 0x08 }],
  [
    'flags in an old kind',
    'bag of cells in a legacy format has flags',
    { cells: [leaf], magic: MAGIC_INDEXED, flags: 0x40 },
  ],
  ['cache bits without index', 'bag of cells has cache bits but no index', { cells: [leaf], flags: 0x20 }],
  ['references of no bytes', 'bag of cells has an invalid reference size', { cells: [leaf], refSize: 0 }],
  ['references of five bytes', 'bag of cells has an invalid reference size', { cells: [leaf], refSize: 5 }],
  ['offsets of no bytes', 'bag of cells has an invalid offset size', { cells: [leaf], offsetSize: 0 }],
  ['no root', 'bag of cells has no root', { cells: [leaf], roots: [] }],
  ['no cell', 'root index out of range', { cells: [] }],
  [
    'several roots in an old kind',
    'bag of cells in a legacy format has several roots',
    { cells: [leaf, leaf], magic: MAGIC_INDEXED, rootCount: 2 },
  ],
  ['absent cells', 'bag of cells has absent cells', { cells: [leaf], absentCount: 1 }],
  [
    'more roots than bytes',
    'bag of cells is shorter than its header says',
    { cells: [leaf], rootCount: 255 },
  ],
  ['root index out of range', 'root index out of range', { cells: [leaf], roots: [1] }],
  [
    'more cells than bytes',
    'bag of cells has more cells than fit into its bytes',
    { cells: [leaf], cellCount: 2 },
  ],
  [
    'a huge number of cells',
    'bag of cells has more cells than fit into its bytes',
    { cells: [leaf], refSize: 4, cellCount: 0xffffffff },
  ],
  [
    'more bytes said than there',
    'bag of cells is shorter than its header says',
    { cells: [leaf], cellBytes: 4 },
  ],
  [
    'a huge number of bytes',
    'bag of cells is shorter than its header says',
    { cells: [leaf], offsetSize: 8, cellBytes: 2 ** 60 },
  ],
  ['bytes after the end', 'bag of cells is longer than its header says', { cells: [leaf], tail: '00' }],
  [
    'bytes after the last cell',
    'bag of cells has bytes after its last cell',
    { cells: [leaf, leaf], cellCount: 1 },
  ],
  ['a cell beyond the end', 'bag of cells ends inside a cell', { cells: [{ ...leaf, size: 4 }] }],
  [
    'a second cell beyond the end',
    'bag of cells ends inside a cell',
    { cells: [{ data: '0000' }], cellCount: 2 },
  ],
  ['references beyond the end', 'bag of cells ends inside a cell', { cells: [{ ...leaf, head: 1 }] }],
  ['stored hashes beyond the end', 'bag of cells ends inside a cell', { cells: [{ ...leaf, head: 0x10 }] }],
  ['five references', 'cell with 5 references, more than 4', { cells: [{ refs: [1, 1, 1, 1, 1] }, leaf] }],
  ['an absent cell', 'cell with 7 references, more than 4', { cells: [{ head: 0x17, size: 0 }] }],
  ['a cell that holds itself', 'cell reference does not point forward', { cells: [{ refs: [0] }] }],
  ['a cycle', 'cell reference does not point forward', { cells: [{ refs: [1] }, { refs: [0] }] }],
  [
    'a reference backwards',
    'cell reference does not point forward',
    { cells: [leaf, { refs: [0] }], roots: [1] },
  ],
  ['a reference to nothing', 'cell reference out of range', { cells: [{ refs: [1] }] }],
  [
    'a last byte without a bit',
    'last byte of a cell holds no data bit',
    { cells: [{ data: '80', size: 1 }] },
  ],
  ['a last byte of zero', 'last byte of a cell holds no data bit', { cells: [{ data: 'ff00', size: 3 }] }],
  ['an index with a wrong end', 'bag of cells has a wrong index', { cells: [leaf], flags: 0x80, index: [2] }],
  [
    'an index in disorder',
    'bag of cells has a wrong index',
    { cells: [{ refs: [1] }, leaf], flags: 0x80, index: [6, 3] },
  ],
  ['a level of nothing', 'cell has a wrong level mask', { cells: [{ ...leaf, head: 0x20 }] }],
  ['no level above a pruned branch', 'cell has a wrong level mask', { cells: [{ refs: [1] }, pruned] }],
  ['a wrong level of a pruned branch', 'cell has a wrong level mask', { cells: [{ ...pruned, head: 0x48 }] }],
  ['a level of a library', 'cell has a wrong level mask', { cells: [{ head: 0x28, data: `02${HASH}` }] }],
  [
    'a level of a Merkle proof',
    'cell has a wrong level mask',
    { cells: [{ head: 0x29, data: `03${HASH}${DEPTH}`, refs: [1] }, pruned] },
  ],
  ['an exotic cell of 7 bits', 'exotic cell without a type', { cells: [{ head: 8, data: '03', size: 1 }] }],
  ['an exotic cell of kind 0', 'exotic cell of an unknown type', { cells: [{ head: 8, data: '00' }] }],
  ['an exotic cell of kind 5', 'exotic cell of an unknown type', { cells: [{ head: 8, data: '05' }] }],
  ['a pruned branch without a mask', 'malformed pruned branch', { cells: [{ head: 8, data: '01' }] }],
  [
    'a pruned branch of mask 0',
    'malformed pruned branch',
    { cells: [{ head: 8, data: `0100${HASH}${DEPTH}` }] },
  ],
  [
    'a pruned branch of mask 8',
    'malformed pruned branch',
    { cells: [{ head: 0x28, data: `0108${HASH}${DEPTH}` }] },
  ],
  [
    'a pruned branch with a hash too few',
    'malformed pruned branch',
    { cells: [{ head: 0x68, data: `0103${HASH}${DEPTH}` }] },
  ],
  [
    'a pruned branch with a reference',
    'malformed pruned branch',
    { cells: [{ ...pruned, head: 0x29, refs: [1] }, leaf] },
  ],
  [
    'a library too short',
    'malformed library reference',
    { cells: [{ head: 8, data: `02${HASH.slice(2)}` }] },
  ],
  [
    'a library with a reference',
    'malformed library reference',
    { cells: [{ head: 9, data: `02${HASH}`, refs: [1] }, leaf] },
  ],
  [
    'a Merkle proof of nothing',
    'malformed Merkle proof',
    { cells: [{ head: 8, data: `03${HASH}${DEPTH}` }] },
  ],
  [
    'a Merkle proof too long',
    'malformed Merkle proof',
    { cells: [{ head: 9, data: `03${HASH}${DEPTH}00`, refs: [1] }, leaf] },
  ],
  [
    'a Merkle update of one',
    'malformed Merkle update',
    { cells: [{ head: 9, data: `04${HASH}${HASH}${DEPTH}${DEPTH}`, refs: [1] }, leaf] },
  ],
  [
    'a Merkle update too short',
    'malformed Merkle update',
    { cells: [{ head: 10, data: `04${HASH}`, refs: [1, 1] }, leaf] },
  ],
];

describe('readBoc rejects a bag', () => {
  it.each(wrong)('with %s: %s', (_name, text, boc) => {
    expect(() => readBoc(rawBoc(boc))).toThrow(new CellError(text));
  });

  it('that is truncated anywhere', () => {
    const whole = rawBoc({ cells: [{ refs: [1, 2] }, { data: 'abcd' }, leaf], flags: 0x40, roots: [0, 1] });
    for (let length = 0; length < whole.length; length++)
      expect(() => readBoc(whole.subarray(0, length)), `${length} bytes`).toThrow(CellError);
    expect(() => readBoc(whole.subarray(0, 5))).toThrow('too short for a bag of cells');
    expect(() => readBoc(whole.subarray(0, 9))).toThrow('bag of cells ends inside its header');
  });

  it('with a checksum when any bit is flipped', () => {
    const whole = rawBoc({ cells: [{ refs: [1, 2] }, { data: 'abcd' }, leaf], flags: 0x40 });
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const changed = Buffer.from(whole);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => readBoc(changed), `bit ${bit}`).toThrow(CellError);
    }
    whole[whole.length - 1]! ^= 1;
    expect(() => readBoc(whole)).toThrow('bag of cells has a wrong checksum');
  });
});

describe('hashing detects', () => {
  it('a Merkle proof of another cell', () => {
    const bag = readBoc(rawBoc({ cells: [{ head: 9, data: `03${HASH}0000`, refs: [1] }, leaf] }));
    expect(() => bag.hash(0)).toThrow(new CellError('Merkle cell does not match the cell it holds'));
    expect(() => bag.hashAll()).toThrow(CellError);
    expect(() => bag.hash(0)).toThrow(CellError);
    expect(bag.hash(1)).toHaveLength(32);
  });

  it('a pruned branch with a depth above the limit', () => {
    const deep = readBoc(
      rawBoc({
        cells: [
          { head: 0x21, refs: [1] },
          { ...pruned, data: `0101${HASH}0400` },
        ],
      }),
    );
    expect(() => deep.hash(0)).toThrow(new CellError('the cells are too deep'));
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

/** A chain of cells, each leading to the next by all its references: refs^depth ways from the first to the last. */
function ladder(depth: number, refs: number): Buffer {
  const cells = Array.from({ length: depth + 1 }, (_, i): RawCell => {
    return { refs: i < depth ? Array.from({ length: refs }, () => i + 1) : [] };
  });
  return rawBoc({ cells, refSize: 2, offsetSize: 4 });
}

describe('heavily shared cells', () => {
  it.each([2, 4])(
    'are hashed, written, converted and proven in linear time: %i references, 1000 deep',
    (refs) => {
      const bag = readBoc(ladder(1000, refs));
      bag.hashAll();
      expect(bag.depth(0)).toBe(1000);
      const hash = bag.hash(0);
      for (const order of ['core', 'tonlib'] as const) {
        const again = readBoc(writeBoc({ cells: bag, roots: bag.roots }, { order }));
        expect(again.count).toBe(1001);
        expect(again.hash(0)).toEqual(hash);
      }
      const core = toCoreCell(bag, 0);
      expect(core.hash()).toEqual(hash);
      expect(fromCoreCell(core).hash(0)).toEqual(hash);
      const proof = readBoc(makeMerkleProof(bag, 0, (cell) => cell < 990));
      expect(proof.count).toBe(1 + 990 + 1);
      expect(proof.hash(proof.ref(proof.root, 0), 0)).toEqual(hash);
    },
  );

  it('are hashed on demand from the root, 1024 deep', () => {
    expect(readBoc(ladder(1024, 4)).depth(0)).toBe(1024);
  });

  it('are rejected when they are 1025 deep', () => {
    expect(() => readBoc(ladder(1025, 1))).toThrow(new CellError('cells are deeper than 1024'));
    expect(() => readBoc(ladder(5000, 1))).toThrow(CellError);
  });
});

describe('walkDictionary of a dictionary with shared cells', () => {
  /** A dictionary whose left and right halves are always the same cell: 2^keyBits entries in few cells. */
  function sharedDictionary(keyBits: number): Buffer {
    const cells = Array.from({ length: keyBits + 1 }, (_, i): RawCell => {
      // hml_short$0 with a length of zero is 00; five bits of padding follow the one that completes it.
      return { size: 1, data: '20', refs: i < keyBits ? [i + 1, i + 1] : [] };
    });
    return rawBoc({ cells, refSize: 2, offsetSize: 4 });
  }

  it('visits all entries of a small one', () => {
    const bag = readBoc(sharedDictionary(10));
    const keys: number[] = [];
    walkDictionary(bag, 0, 10, (key) => keys.push(key.readUInt16BE() >> 6));
    expect(keys).toEqual(Array.from({ length: 1024 }, (_, i) => i));
  });

  it('throws when it expands to too many entries', () => {
    const bag = readBoc(sharedDictionary(256));
    let entries = 0;
    expect(() => walkDictionary(bag, 0, 256, () => entries++)).toThrow(
      new CellError('dictionary shares too many cells'),
    );
    expect(entries).toBeLessThan(10_000);
  });
});
