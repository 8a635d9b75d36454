import { expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { readBlockInfo, readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { firstSeqnoSince } from '../../../src/ingest/fetch/packs/find-by-time.ts';
import { findPacks } from '../../../src/ingest/fetch/packs/pack-folder.ts';
import { createPackIndex } from '../../../src/ingest/fetch/packs/pack-index.ts';
import { createEntryReader } from '../../../src/ingest/fetch/packs/package-file.ts';
import { missingPacks, REAL_PACKS } from '../../support/pack-files.ts';

it.skipIf(missingPacks !== '')(
  `firstSeqnoSince finds the first block of a second, also the first of a slice${missingPacks}`,
  async () => {
    const folder = await findPacks([REAL_PACKS]);
    expect(folder.slices.map(({ firstSeqno }) => firstSeqno)).toEqual([0, 100, 200, 300, 400, 437]);
    const index = createPackIndex(folder, ({ reason }) => expect.fail(reason));
    const reader = createEntryReader();
    const timeOf = async (seqno: number): Promise<number> => {
      const [entry] = await index.masterchainBlocks(seqno);
      const bag = readBoc(await reader.read(entry!));
      return readBlockInfo(bag, readBlockRoot(bag, bag.root).info).genUtime;
    };
    const find = (utime: number) => firstSeqnoSince({ folder, index, reader }, utime);
    expect(await find(0)).toBe(1);
    for (const seqno of [2, 99, 100, 101, 400, 436, 437, 438, 536]) {
      const utime = await timeOf(seqno);
      const found = (await find(utime))!;
      expect(found).toBeLessThanOrEqual(seqno);
      expect(await timeOf(found)).toBe(utime);
      expect(await timeOf(found - 1)).toBeLessThan(utime);
    }
    expect(await find((await timeOf(536)) + 1)).toBeUndefined();
    await reader.close();
  },
);
