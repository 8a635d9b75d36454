import { createHash } from 'node:crypto';
import { beginCell, Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { sampleOf } from '../../support/long-run.ts';
import { bocsInJson, filesOf, recordedMissing } from './recorded-bocs.ts';
import { TONLIB_CODES } from './tonlib-codes.ts';

describe('the order of tonlib', () => {
  it.each(Object.entries(TONLIB_CODES))(
    'matches the known code of a %s for any input order',
    (_name, code) => {
      const bag = fromCoreCell(Cell.fromBase64(code));
      const { cells, roots } = { cells: bag, roots: bag.roots };
      expect(writeBoc({ cells, roots }, { order: 'core' }).toString('base64')).not.toBe(code);
      expect(writeBoc({ cells, roots }, { order: 'tonlib' }).toString('base64')).toBe(code);
    },
  );

  // The digest is of bytes written by a version that gave all recorded bags below byte for byte.
  it('marks heavy cells in a tree of many', () => {
    const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
    for (let i = 0; i < 700; i++)
      dictionary.set(
        (i * 0x9e3779b1) >>> 0,
        beginCell()
          .storeUint(i % 300, 32)
          .endCell(),
      );
    const cells = fromCoreCell(beginCell().storeDictDirect(dictionary).endCell());
    const written = writeBoc({ cells, roots: [0] }, { order: 'tonlib' });
    expect(readBoc(written).count).toBe(1699);
    expect(createHash('sha256').update(written).digest('hex')).toBe(
      '5a4c0463076537ace98fa689d7c75fe16841be555f63749e1180ff40d8def1fb',
    );
  });
});

/** Asked of a lite server or tonlib by another program, which wrote these arguments in its own order. */
const WRITTEN_BY_OTHERS = ['runSmcMethod_nft_content.json', 'runSmcMethod_probe_echo_tuple.json'];

describe.skipIf(recordedMissing !== '')(`the order of tonlib in recorded data${recordedMissing}`, () => {
  it.each([
    ['realnet/tonlib', 700],
    ['realnet/http', 400],
    ['realnet/accounts', 100],
    ['realnet/lite', 110],
  ])('%s: every bag is rewritten to the same bytes', (folder, atLeast) => {
    const wrong: string[] = [];
    let written = 0;
    for (const [boc, name] of bocsInJson(folder)) {
      if (WRITTEN_BY_OTHERS.includes(name)) continue;
      const bytes = Buffer.from(boc, 'base64');
      const flags = bytes[4]!;
      // Whole blocks and states are the node's files, with cache bits and stored hashes, which we do not write.
      if (flags & 0x20) continue;
      const bag = readBoc(bytes);
      const options = { order: 'tonlib', crc: (flags & 0x40) !== 0, index: (flags & 0x80) !== 0 } as const;
      if (!writeBoc({ cells: bag, roots: bag.roots }, options).equals(bytes)) wrong.push(`${name}: ${boc}`);
      written++;
    }
    expect(wrong).toEqual([]);
    expect(written).toBeGreaterThan(atLeast);
  });

  it.each([
    ['realnet/blocks', 347],
    ['realnet/states', 5],
  ])('%s: the cells of every file are in the order we would write', (folder, count) => {
    const wrong: string[] = [];
    const files = filesOf(folder);
    for (const [name, bytes] of sampleOf([...files], 60)) {
      const bag = readBoc(bytes);
      const again = readBoc(writeBoc({ cells: bag, roots: bag.roots }, { order: 'tonlib' }));
      const isSame = (cell: number): boolean => again.hash(cell).equals(bag.hash(cell));
      if (again.count !== bag.count || !again.bits.every((_bits, cell) => isSame(cell))) wrong.push(name);
    }
    expect(wrong).toEqual([]);
    expect(files.size).toBe(count);
  });
});
