import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChainDiverged } from '../../../src/ingest/fetch/masterchain-blocks.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';
import { openReplayApp, type V2TestApp } from '../../v2/support/v2-app.ts';
import { fetchAll, fetchContext, placeOf } from './fetch-all.ts';

interface RecordedId {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
}

interface RecordedSeqno {
  readonly seqno: number;
  readonly block: RecordedId;
  readonly shards: RecordedId[];
  readonly new_shard_blocks: RecordedId[];
}

const textOf = (id: RecordedId) => `${id.workchain}:${id.shard}:${id.seqno} ${id.root_hash}`;
const sorted = (texts: string[]) => texts.sort();

describe.skipIf(missingNetwork !== '')(`fetching the recorded network${missingNetwork}`, () => {
  let v2App: V2TestApp;
  let recorded: RecordedSeqno[];

  beforeAll(async () => {
    v2App = await openReplayApp();
    recorded = JSON.parse(readFileSync(new URL('index.json', RECORDED_NETWORK), 'utf8')).masterchain;
  });
  afterAll(() => v2App.close());

  test('returns for every seqno exactly the blocks that it commits, also around a split', async () => {
    const fetched = await fetchAll(fetchContext(v2App), { from: 1, to: 125 });
    expect(fetched.map(({ mcSeqno }) => mcSeqno)).toEqual(recorded.map(({ seqno }) => seqno));
    for (const [i, one] of fetched.entries()) {
      const expected = recorded[i]!;
      const text = ({ id }: (typeof one.shardBlocks)[number]) =>
        `${placeOf(id)} ${id.rootHash.toString('base64')}`;
      expect(text(one.masterchain)).toBe(textOf(expected.block));
      expect(sorted(one.shardBlocks.map(text))).toEqual(sorted(expected.new_shard_blocks.map(textOf)));
      expect(sorted(one.tops.map((id) => text({ id, bytes: one.masterchain.bytes })))).toEqual(
        sorted(expected.shards.filter(({ seqno }) => seqno > 0).map(textOf)),
      );
      expect(one.globalVersion).toBe(14);
    }
    expect(fetched.reduce((sum, one) => sum + 1 + one.shardBlocks.length, 0)).toBe(347);
  });

  test.each([2, 24, 27, 28, 66, 125])('a range from %i continues the previous seqno', async (from) => {
    const to = Math.min(from + 2, 125);
    const fetched = await fetchAll(fetchContext(v2App), { from, to });
    for (const { mcSeqno, shardBlocks, globalVersion } of fetched) {
      const expected = recorded[mcSeqno - 1]!.new_shard_blocks;
      expect(sorted(shardBlocks.map(({ id }) => placeOf(id)))).toEqual(
        sorted(expected.map((id) => textOf(id).split(' ')[0]!)),
      );
      expect(globalVersion).toBe(14);
    }
    expect(fetched).toHaveLength(to - from + 1);
  });

  test('throws ChainDiverged for another block before the range', async () => {
    const context = fetchContext(v2App);
    const hash = Buffer.from(recorded[29]!.block.root_hash, 'base64');
    expect(await fetchAll(context, { from: 31, to: 31, previousHash: hash })).toHaveLength(1);
    const range = { from: 32, to: 33, previousHash: hash };
    await expect(fetchAll(context, range)).rejects.toThrow(ChainDiverged);
    const beyond = { from: 131, previousHash: hash, mayGoBack: true };
    await expect(fetchAll(context, beyond)).rejects.toThrow(/the head is 125/);
  });
});
