import { Cell } from '@ton/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useNativeSha256 } from '../../../src/chain/boc/core-sha256.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { writeBoc } from '../../../src/chain/boc/write-boc.ts';
import { filesOf, recordedFile, recordedMissing } from './recorded-bocs.ts';
import { compareWithCore } from './same-cells.ts';

describe.skipIf(recordedMissing !== '')(`recorded cells, beside @ton/core${recordedMissing}`, () => {
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

  it.each([1, 2, 3, 4, 5])('block %i of mainnet', (number) => {
    const cells = check(recordedFile(`mainnet/block-${number}/block.bin`));
    expect(cells).toBeGreaterThan(20);
  });

  it.each([
    ['blocks', 347],
    ['states', 5],
  ])('all %s of the recorded network', (folder, count) => {
    const files = filesOf(`realnet/${folder}`);
    expect(files.size).toBe(count);
    for (const bytes of files.values()) check(bytes);
  });
});
