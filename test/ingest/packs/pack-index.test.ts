import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type BlockId, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { PACKAGE_MAGIC, writeEntry } from '../../../src/chain/package-entries.ts';
import { createPackIndex } from '../../../src/ingest/fetch/packs/pack-index.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

const folder = makeTemporaryDirectory('pack-index');
afterAll(() => removeTemporaryDirectory(folder));

const BLOCKS = 3000;

function blockId(seqno: number): BlockId {
  const fileHash = hash('sha256', `file ${seqno}`, 'buffer');
  // The beginning is the same for some.
  if (seqno % 300 === 0) fileHash.fill(7, 0, 8);
  const rootHash = hash('sha256', `root ${seqno}`, 'buffer');
  return { workchain: 0, shard: seqno % 2 === 0 ? WHOLE_SHARD : 2n ** 62n, seqno, rootHash, fileHash };
}

it('finds every copy of a shard block, also among thousands', async () => {
  const ids = Array.from({ length: BLOCKS }, (_, i) => blockId(i + 1));
  const [first, second] = ['archive.00000.pack', 'archive.00000.0_8000000000000000.pack'].map((name) =>
    join(folder, name),
  );
  const write = (path: string, some: readonly BlockId[]) =>
    writeFileSync(
      path,
      Buffer.concat([
        PACKAGE_MAGIC,
        ...some.map((id) => writeEntry('block', id, Buffer.alloc(id.seqno % 5))),
      ]),
    );
  write(first!, ids);
  write(second!, [ids[7]!, ids[8]!]);
  const slice = { firstSeqno: 0, paths: [first!, second!] };
  const index = createPackIndex({ slices: [slice], others: [], keyPacks: [], bags: [] }, ({ reason }) =>
    expect.fail(reason),
  );
  for (const id of ids) {
    const found = await index.shardBlock(5, id);
    expect(found[0]).toMatchObject({ kind: 'block', id, path: first, dataBytes: id.seqno % 5 });
    expect(found.map(({ path }) => path)).toEqual(
      id.seqno === 8 || id.seqno === 9 ? [first, second] : [first],
    );
  }
  expect(await index.shardBlock(5, blockId(BLOCKS + 3))).toEqual([]);
});
