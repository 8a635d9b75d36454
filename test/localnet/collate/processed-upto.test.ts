import { describe, expect, it } from 'vitest';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { childShards } from '../../../src/chain/shards.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import {
  buildProcessed,
  isProcessed,
  oldestSeqno,
  type ProcessedList,
  readProcessed,
  splitProcessed,
  withProcessed,
} from '../../../src/localnet/collate/processed-upto.ts';

const OWNER = { workchain: 0, shard: WHOLE_SHARD };
const EMPTY: ProcessedList = { ...OWNER, entries: [] };
const [LEFT, RIGHT] = childShards(WHOLE_SHARD);
const hash = (fill: number): Buffer => Buffer.alloc(32, fill);

function message(lt: bigint, fill: number, from: { workchain: number; prefix: bigint }) {
  return { current: from, next: { workchain: 0, prefix: 1n }, lt, hash: hash(fill), enqueuedLt: lt };
}

describe('the processed-upto list of a shard', () => {
  it('has one entry while blocks follow each other', () => {
    let list = EMPTY;
    for (let seqno = 1; seqno <= 5; seqno++) list = withProcessed(list, seqno, BigInt(seqno) * 1000n);
    expect(list.entries).toEqual([{ shard: WHOLE_SHARD, mcSeqno: 5, lt: 5000n, hash: hash(0xff) }]);
    expect(withProcessed(list, 4, 3000n)).toBe(list);
    expect(oldestSeqno(withProcessed(list, 6, 4000n))).toBe(5);
  });

  it('distinguishes processed messages from others', () => {
    const list = withProcessed(EMPTY, 7, 500n, hash(5));
    const masterchain = { workchain: -1, prefix: 0n };
    const knownUpTo = (end: bigint) => () => end;
    expect(isProcessed(list, message(499n, 9, masterchain), knownUpTo(1000n))).toBe(true);
    expect(isProcessed(list, message(500n, 5, masterchain), knownUpTo(1000n))).toBe(true);
    expect(isProcessed(list, message(500n, 6, masterchain), knownUpTo(1000n))).toBe(false);
    expect(isProcessed(list, message(501n, 0, masterchain), knownUpTo(1000n))).toBe(false);
    // Not yet in the queue when the masterchain was at the block that the entry names.
    expect(isProcessed(list, message(499n, 9, masterchain), knownUpTo(499n))).toBe(false);
    // Its own messages a shard knows without the masterchain.
    expect(isProcessed(list, message(499n, 9, { workchain: 0, prefix: 3n }), knownUpTo(0n))).toBe(true);
    const elsewhere = { ...message(1n, 0, masterchain), next: { workchain: 5, prefix: 1n } };
    expect(isProcessed(list, elsewhere, knownUpTo(1000n))).toBe(false);
  });

  it('is split over both halves of a shard', () => {
    const whole = withProcessed(EMPTY, 7, 500n, hash(5));
    for (const half of [LEFT, RIGHT])
      expect(splitProcessed(whole, half)).toEqual({
        workchain: 0,
        shard: half,
        entries: [{ shard: half, mcSeqno: 7, lt: 500n, hash: hash(5) }],
      });
  });

  it('survives writing and reading', () => {
    const arena = new BuildingArena();
    const list: ProcessedList = {
      ...OWNER,
      entries: [
        { shard: LEFT, mcSeqno: 3, lt: 9n, hash: hash(1) },
        { shard: RIGHT, mcSeqno: 4, lt: 8n, hash: hash(2) },
      ],
    };
    const read = readProcessed(arena, buildProcessed(arena, list), OWNER);
    expect(read.entries).toEqual(expect.arrayContaining([...list.entries]));
    expect(readProcessed(arena, buildProcessed(arena, EMPTY), OWNER)).toEqual(EMPTY);
  });
});
