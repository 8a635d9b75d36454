import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../src/index/partitions.ts';
import { readBoundsOfLt, readBoundsOfTime } from '../../../src/index/read/time-bounds.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** A block of shard -1 (the masterchain), 1 or 2; shard blocks are committed later. */
interface Block {
  readonly shard: -1 | 1 | 2;
  readonly seqno: number;
  readonly mcSeqno: number;
  readonly time: number;
  readonly lt: number;
}

const LAST = 40;
const blocks: Block[] = [];

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  await ensurePartitions(db, { from: 0, to: LAST, width: 10 });
  // Shard 2 lags some masterchain blocks behind, and stops for a while in the middle.
  const tops = { 1: 0, 2: 0 };
  for (let seqno = 1; seqno <= LAST; seqno++) {
    blocks.push({ shard: -1, seqno, mcSeqno: seqno, time: 100 + seqno * 10, lt: seqno * 1000 });
    blocks.push({
      shard: 1,
      seqno: ++tops[1],
      mcSeqno: seqno,
      time: 100 + seqno * 10 - 3,
      lt: seqno * 1000 - 600,
    });
    if (seqno > 5 && (seqno < 15 || seqno > 22))
      blocks.push({
        shard: 2,
        seqno: ++tops[2],
        mcSeqno: seqno,
        time: 100 + seqno * 10 - 37,
        lt: seqno * 1000 - 3600,
      });
    await sql`
      insert into shard_states values (${seqno}, '{-1,0,0}', '{-9223372036854775808,1,2}',
        ${[seqno, tops[1], tops[2]]}::int[])`.execute(db);
  }
  for (const { shard, seqno, mcSeqno, time, lt } of blocks)
    await sql`
      insert into blocks
      values (${mcSeqno}, ${shard < 0 ? -1 : 0}, ${shard < 0 ? '-9223372036854775808' : shard}, ${seqno},
        ${hashOf(`r${shard}${seqno}`)}, ${hashOf(`f${shard}${seqno}`)}, ${time}, ${lt}, ${lt + 500}, -239, 0, 1, false,
        false, false, false, false, false, false, 1, 1, 1, 1, 0, 1, '', '', 2, '{}', '{}')`.execute(db);
});
afterAll(() => test.drop());

describe('bounds derived from the newest blocks of shards', () => {
  it('hold for every time and every block', async () => {
    let bounds = 0;
    for (let time = 90; time < 120 + LAST * 10; time += 7) {
      const { startLt, endLt } = await readBoundsOfLt(test.database.primary, {
        startUtime: BigInt(time),
        endUtime: BigInt(time),
      });
      for (const block of blocks) {
        if (block.time >= time && startLt !== undefined)
          expect(block.lt).toBeGreaterThanOrEqual(Number(startLt));
        if (block.time <= time && endLt !== undefined)
          expect(block.lt + 500).toBeLessThanOrEqual(Number(endLt));
      }
      bounds += [startLt, endLt].filter((bound) => bound !== undefined).length;
    }
    expect(bounds).toBeGreaterThan(80);
  });

  it('hold for every logical time and every block', async () => {
    let bounds = 0;
    for (let lt = 1; lt < 1000 * LAST + 2000; lt += 700) {
      const { startUtime, endUtime } = await readBoundsOfTime(test.database.primary, {
        startLt: BigInt(lt),
        endLt: BigInt(lt),
      });
      for (const block of blocks) {
        if (block.lt + 500 > lt && startUtime !== undefined)
          expect(block.time).toBeGreaterThanOrEqual(Number(startUtime));
        if (block.lt <= lt && endUtime !== undefined)
          expect(block.time).toBeLessThanOrEqual(Number(endUtime));
      }
      bounds += [startUtime, endUtime].filter((bound) => bound !== undefined).length;
    }
    expect(bounds).toBeGreaterThan(80);
  });

  it('are tight if shards keep up', async () => {
    const { startLt, endLt } = await readBoundsOfLt(test.database.primary, {
      startUtime: 400n,
      endUtime: 400n,
    });
    expect([Number(startLt), Number(endLt)]).toEqual([25_900, 35_500]);
  });

  it('are undefined if no block fits', async () => {
    const db = test.database.primary;
    expect(await readBoundsOfLt(db, {})).toEqual({ startLt: undefined, endLt: undefined });
    expect(await readBoundsOfLt(db, { startUtime: 0n, endUtime: 2n ** 32n })).toEqual({});
    expect(await readBoundsOfTime(db, { startLt: 0n, endLt: 2n ** 64n })).toEqual({});
  });
});
