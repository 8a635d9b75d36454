import { beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { depthOfRest, hashOfRest } from '../../../src/chain/boc/hashes.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell, toCoreCell, useNativeSha256 } from '../../../src/chain/boc/ton-core.ts';
import { writeBagCell, writeBoc } from '../../../src/chain/boc/writer.ts';
import { sampled, sampleOf } from '../../support/long-run.ts';
import { arbitraryCell, arbitraryOrdinaryCell } from '../support/arbitrary-cells.ts';
import { compareWithCore } from '../support/cell-comparison.ts';
import { filesOf, recordedFile, recordedMissing } from './recorded-bocs.ts';

const RUNS = { numRuns: sampled(60, 500) };
/** An ordinary cell with all kinds below it. */
const wrapped = arbitraryCell.map((cell) =>
  beginCell().storeUint(5, 3).storeRef(cell).storeRef(cell).endCell(),
);

describe('cells of any kind, compared with @ton/core', () => {
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

  it('are written as the same bytes, with and without checksum and index', () => {
    fc.assert(
      fc.property(arbitraryCell, fc.boolean(), fc.boolean(), (cell, crc, index) => {
        const bag = readBoc(cell.toBoc({ idx: !index, crc32: !crc }));
        const written = writeBoc({ cells: bag, roots: bag.roots }, { order: 'core', crc, index });
        expect(written).toEqual(cell.toBoc({ idx: index, crc32: crc }));
        expect(writeBagCell(bag, bag.root)).toEqual(cell.toBoc({ idx: false, crc32: false }));
      }),
      RUNS,
    );
  });

  it('are the same after a write in tonlib order, which does not depend on the input order', () => {
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

  it('convert to cells of @ton/core and back', () => {
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

  it('have the same hash and bytes as the rest of a slice', () => {
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

describe.skipIf(recordedMissing !== '')(`recorded cells, compared with @ton/core${recordedMissing}`, () => {
  beforeAll(useNativeSha256);

  /** Compares all cells at all levels; gives their number. */
  const check = (bytes: Buffer): number => {
    const bag = readBoc(bytes);
    const core = Cell.fromBoc(bytes)[0]!;
    const { difference, cells } = compareWithCore(bag, bag.root, core);
    expect(difference).toBe('');
    // Compared as a whole: an assertion looks at half a million bytes one by one.
    expect(writeBoc({ cells: bag, roots: bag.roots }, { order: 'core' }).equals(core.toBoc())).toBe(true);
    return cells;
  };

  it.each(sampled([4, 5], [1, 2, 3, 4, 5]))('block %i of mainnet', (number) => {
    const cells = check(recordedFile(`mainnet/block-${number}/block.bin`));
    expect(cells).toBeGreaterThan(20);
  });

  it.each([
    ['blocks', 347],
    ['states', 5],
  ])('%s of the recorded network', (folder, count) => {
    const files = filesOf(`realnet/${folder}`);
    expect(files.size).toBe(count);
    for (const bytes of sampleOf([...files.values()], 20)) check(bytes);
  });
});
