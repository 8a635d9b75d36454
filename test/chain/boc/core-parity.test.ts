import { beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromCoreCell, toCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { useNativeSha256 } from '../../../src/chain/boc/core-sha256.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { depthOfRest, hashOfRest } from '../../../src/chain/boc/slice-hash.ts';
import { writeBoc } from '../../../src/chain/boc/write-boc.ts';
import { arbitraryCell, arbitraryOrdinaryCell } from './arbitrary-cell.ts';
import { compareWithCore } from './same-cells.ts';

const RUNS = { numRuns: 500 };
/** An ordinary cell with all kinds below it. */
const wrapped = arbitraryCell.map((cell) =>
  beginCell().storeUint(5, 3).storeRef(cell).storeRef(cell).endCell(),
);

describe('cells of any kind, beside @ton/core', () => {
  beforeAll(useNativeSha256);

  it('have the same data, masks, hashes and depths at all levels', () => {
    fc.assert(
      fc.property(arbitraryCell, fc.boolean(), (cell, hashAll) => {
        const bag = readBoc(cell.toBoc());
        if (hashAll) bag.hashAll();
        expect(compareWithCore(bag, bag.root, cell).difference).toBe('');
      }),
      RUNS,
    );
  });

  it('are written to the same bytes, with and without checksum and index', () => {
    fc.assert(
      fc.property(arbitraryCell, fc.boolean(), fc.boolean(), (cell, crc, index) => {
        const bag = readBoc(cell.toBoc({ idx: !index, crc32: !crc }));
        const written = writeBoc({ cells: bag, roots: bag.roots }, { order: 'core', crc, index });
        expect(written).toEqual(cell.toBoc({ idx: index, crc32: crc }));
      }),
      RUNS,
    );
  });

  it('survive the order of tonlib, which is the same however the cells came', () => {
    fc.assert(
      fc.property(arbitraryCell, fc.boolean(), fc.boolean(), (cell, crc, index) => {
        const bag = readBoc(cell.toBoc());
        const written = writeBoc({ cells: bag, roots: bag.roots }, { order: 'tonlib', crc, index });
        const again = readBoc(written);
        expect(again.count).toBe(bag.count);
        expect(compareWithCore(again, again.root, cell).difference).toBe('');
        const twice = writeBoc({ cells: again, roots: again.roots }, { order: 'tonlib', crc, index });
        expect(twice).toEqual(written);
      }),
      RUNS,
    );
  });

  it('turn into cells of @ton/core and back', () => {
    fc.assert(
      fc.property(arbitraryCell, (cell) => {
        const bag = fromCoreCell(cell);
        expect(bag.root).toBe(0);
        expect(bag.hash(0)).toEqual(cell.hash());
        const back = toCoreCell(bag, bag.root);
        expect(back.hash()).toEqual(cell.hash());
        expect(back.toBoc()).toEqual(cell.toBoc());
      }),
      RUNS,
    );
  });

  it('are hashed and written as the rest of a slice as @ton/core does it', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryOrdinaryCell, wrapped), fc.nat(), fc.nat(), (cell, bits, refs) => {
        const bag = fromCoreCell(cell);
        const slice = new Slice(bag, bag.root);
        const wanted = cell.beginParse();
        const skipped = bits % (slice.bitsLeft + 1);
        slice.skip(skipped);
        wanted.skip(skipped);
        for (let i = refs % (slice.refsLeft + 1); i > 0; i--) {
          slice.ref();
          wanted.loadRef();
        }
        const rest = beginCell().storeSlice(wanted).endCell();
        const { bit, refAt } = slice;
        expect(hashOfRest(slice)).toEqual(rest.hash(0));
        expect(depthOfRest(slice)).toBe(rest.depth(0));
        expect(writeBoc(slice, { order: 'core' })).toEqual(rest.toBoc());
        expect(Cell.fromBoc(writeBoc(slice, { order: 'tonlib' }))[0]!.hash()).toEqual(rest.hash());
        expect([slice.bit, slice.refAt]).toEqual([bit, refAt]);
      }),
      RUNS,
    );
  });
});
