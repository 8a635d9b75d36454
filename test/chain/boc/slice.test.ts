import { BitString, beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import { hashOfParts } from '../../../src/chain/boc/hashes.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { sampled } from '../../support/long-run.ts';
import { rawBoc } from '../support/raw-boc.ts';

const sliceOf = (cell: Cell): Slice => new Slice(fromCoreCell(cell), 0);

/** One thing to read, by both. */
const reads = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('uint' as const), bits: fc.integer({ min: 0, max: 32 }) }),
    fc.record({ kind: fc.constant('int' as const), bits: fc.integer({ min: 1, max: 32 }) }),
    fc.record({ kind: fc.constant('bigUint' as const), bits: fc.integer({ min: 0, max: 300 }) }),
    fc.record({ kind: fc.constant('bigInt' as const), bits: fc.integer({ min: 1, max: 257 }) }),
    fc.record({ kind: fc.constant('bytes' as const), bits: fc.integer({ min: 0, max: 40 }) }),
    fc.record({ kind: fc.constant('skip' as const), bits: fc.integer({ min: 0, max: 40 }) }),
    fc.record({
      kind: fc.constantFrom('uint64' as const, 'int64' as const, 'coins' as const),
      bits: fc.constant(0),
    }),
  ),
  { maxLength: 30 },
);

describe('Slice', () => {
  it('reads the same as @ton/core from any bit on', () => {
    const data = fc.uint8Array({ minLength: 127, maxLength: 127 });
    fc.assert(
      fc.property(data, fc.integer({ min: 0, max: 1016 }), reads, (bytes, length, list) => {
        const cell = new Cell({ bits: new BitString(Buffer.from(bytes), 0, length) });
        const ours = sliceOf(cell);
        const theirs = cell.beginParse();
        for (const { kind, bits } of list) {
          const wanted = attempt(() => {
            if (kind === 'uint') return theirs.loadUint(bits);
            if (kind === 'int') return theirs.loadInt(bits);
            if (kind === 'bigUint') return theirs.loadUintBig(bits);
            if (kind === 'bigInt') return theirs.loadIntBig(bits);
            if (kind === 'bytes') return theirs.loadBuffer(bits).toString('hex');
            if (kind === 'uint64') return theirs.loadUintBig(64);
            if (kind === 'int64') return theirs.loadIntBig(64);
            if (kind === 'coins') return theirs.loadCoins();
            theirs.skip(bits);
            return undefined;
          });
          const found = attempt(() => {
            if (kind === 'bytes') return ours.bytes(bits).toString('hex');
            return ours[kind](bits);
          });
          expect(found).toEqual(wanted);
          if (wanted === 'fault') return;
          expect(ours.bitsLeft).toBe(theirs.remainingBits);
        }
      }),
      { numRuns: sampled(250, 1000) },
    );
  });

  const attempt = <T>(read: () => T): T | 'fault' => {
    try {
      return read();
    } catch {
      return 'fault';
    }
  };

  it('peeks without moving, and clones its position', () => {
    const slice = sliceOf(beginCell().storeUint(0xabcd, 16).storeRef(Cell.EMPTY).endCell());
    slice.skip(4);
    expect(slice.peek(8)).toBe(0xbc);
    const copy = slice.clone();
    expect(copy.uint(8)).toBe(0xbc);
    expect(copy.refSlice().bitsLeft).toBe(0);
    expect([slice.bitsLeft, slice.refsLeft]).toEqual([12, 1]);
    expect([copy.bitsLeft, copy.refsLeft]).toEqual([4, 0]);
  });

  it('reads references, and optional ones', () => {
    const inner = beginCell().storeBit(true).endCell();
    const slice = sliceOf(beginCell().storeUint(0b10, 2).storeRef(inner).endCell());
    expect(slice.boolean()).toBe(true);
    expect(slice.maybeRef()).toBe(-1);
    expect(slice.refSlice().boolean()).toBe(true);
    slice.end();
  });

  it.each([
    ['bits', (slice: Slice) => slice.uint(9), 'not enough bits in the cell'],
    ['bits to peek', (slice: Slice) => slice.peek(32), 'not enough bits in the cell'],
    ['bits to skip', (slice: Slice) => slice.skip(9), 'not enough bits in the cell'],
    ['bytes', (slice: Slice) => slice.bytes(2), 'not enough bits in the cell'],
    ['a hash', (slice: Slice) => slice.hash(), 'not enough bits in the cell'],
    ['a big number', (slice: Slice) => slice.bigUint(65), 'not enough bits in the cell'],
    ['an absurd number', (slice: Slice) => slice.bigUint(2 ** 32), 'not enough bits in the cell'],
    ['an absurd number of bytes', (slice: Slice) => slice.bytes(2 ** 40), 'not enough bits in the cell'],
    ['a reference', (slice: Slice) => slice.ref(), 'not enough references in the cell'],
    ['an optional reference', (slice: Slice) => slice.maybeRef(), 'not enough references in the cell'],
    ['an end', (slice: Slice) => slice.end(), 'data after the end'],
  ])('throws when there are not enough %s', (_name, read, text) => {
    expect(() => read(sliceOf(beginCell().storeUint(0xff, 8).endCell()))).toThrow(new CellError(text));
  });

  it('throws when it opens exotic or missing cells', () => {
    const pruned = { head: 0x28, data: `0101${'11'.repeat(32)}0001` };
    const bag = readBoc(rawBoc({ cells: [{ head: 0x21, refs: [1] }, pruned] }));
    const slice = new Slice(bag, 0);
    expect(() => slice.refSlice()).toThrow(new PrunedCellError());
    const library = readBoc(rawBoc({ cells: [{ head: 8, data: `02${'11'.repeat(32)}` }] }));
    expect(() => new Slice(library, 0)).toThrow(new CellError('the cell is exotic'));
    expect(() => slice.open(-1)).toThrow(new CellError('the cell is missing'));
  });
});

describe('hashOfParts', () => {
  it('equals the hash of the cell built from them', () => {
    const data = fc.uint8Array({ minLength: 128, maxLength: 128 });
    fc.assert(
      fc.property(data, fc.integer({ min: 0, max: 1023 }), fc.nat({ max: 4 }), (bytes, bits, refs) => {
        const child = beginCell().storeRef(Cell.EMPTY).endCell();
        const cell = new Cell({
          bits: new BitString(Buffer.from(bytes), 0, bits),
          refs: Array.from({ length: refs }, () => child),
        });
        const digests = cell.refs.map((ref) => ({ hash: ref.hash(), depth: ref.depth() }));
        expect(hashOfParts(bytes, bits, digests)).toEqual(cell.hash());
      }),
    );
  });

  it('rejects too many bits, references or depth', () => {
    const digest = { hash: Buffer.alloc(32), depth: 0 };
    expect(() => hashOfParts(Buffer.alloc(200), 1024, [])).toThrow(new CellError('too many bits for a cell'));
    expect(() => hashOfParts(Buffer.alloc(1), 9, [])).toThrow(new CellError('too many bits for a cell'));
    expect(() => hashOfParts(Buffer.alloc(0), 0, Array(5).fill(digest))).toThrow(
      new CellError('too many references for a cell'),
    );
    expect(() => hashOfParts(Buffer.alloc(0), 0, [{ ...digest, depth: 1024 }])).toThrow(
      new CellError('the cells are too deep'),
    );
  });
});
