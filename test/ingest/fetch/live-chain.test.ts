import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sameBlock } from '../../../src/chain/block-id.ts';
import { fetchSeqnos } from '../../../src/ingest/fetch/fetch-seqnos.ts';
import { readPrevious } from '../../../src/ingest/fetch/masterchain-blocks.ts';
import { openLocalnetApp } from '../../v2/support/v2-app.ts';
import { fetchAll, fetchContext, placeOf } from './fetch-all.ts';

describe('fetching a live chain of four shards', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;

  beforeAll(async () => {
    context = await openLocalnetApp({ shards: 4, blockMs: 100 });
  });
  afterAll(() => context.close());

  test('returns every shard block once, back to the zero state', async () => {
    const { seqno: to } = await context.running.localnet.mine(20);
    await context.pool.waitForSeqno(to, { timeoutMs: 120_000 });
    const fetched = await fetchAll(fetchContext(context), { from: 1, to });
    const seen = new Set<string>();
    for (const { shardBlocks, tops } of fetched) {
      for (const { id, bytes } of shardBlocks) {
        expect(seen.has(placeOf(id))).toBe(false);
        // The predecessors of a block come before it, possibly in the same seqno.
        for (const previous of readPrevious(bytes))
          expect(previous.seqno === 0 || seen.has(placeOf(previous))).toBe(true);
        seen.add(placeOf(id));
      }
      for (const top of tops) expect(seen.has(placeOf(top))).toBe(true);
    }
    expect(fetched.at(-1)!.tops).toHaveLength(4);
    const shards = new Set(fetched.flatMap(({ shardBlocks }) => shardBlocks.map(({ id }) => id.shard)));
    expect(shards.size).toBe(7);
  });

  test('follows the head', async () => {
    const { localnet } = context.running;
    const from = localnet.store.head.seqno + 1;
    let next = from;
    for await (const { mcSeqno, masterchain } of fetchSeqnos(fetchContext(context), { from })) {
      expect(mcSeqno).toBe(next++);
      const { head } = localnet.store;
      if (head.seqno === mcSeqno) expect(sameBlock(masterchain.id, head)).toBe(true);
      if (mcSeqno === from + 5) break;
    }
  });
});
