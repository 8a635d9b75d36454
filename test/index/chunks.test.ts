import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Claim,
  ClaimLost,
  claimChunk,
  claimHead,
  createOwnerNames,
  releaseClaim,
  sendHeartbeat,
} from '../../src/index/chunks.ts';
import { gapsBetween, indexedRanges, openOrigin } from '../../src/index/coverage.ts';
import { StartError } from '../../src/lib/errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const LEASE_MS = 30_000;
const zeroState = Buffer.alloc(32, 7);

describe('chunks', () => {
  let context: TestDatabase;
  beforeEach(async () => {
    context = await createTestDatabase();
  });
  afterEach(() => context.drop());

  const db = () => context.database.primary;
  const begin = (firstSeqno = 1) => openOrigin(db(), { zeroState, firstSeqno, partitionSeqnos: 1000 });
  const head = (owner: string, seqno: number) =>
    claimHead(db(), { owner, head: seqno, leaseMs: LEASE_MS, chunkSeqnos: 10 });
  const chunk = (owner: string) => claimChunk(db(), { owner, chunkSeqnos: 10, leaseMs: LEASE_MS });
  const rows = () => db().selectFrom('index_chunks').selectAll().orderBy('first_seqno').execute();
  const done = (claim: Claim, seqno: number) =>
    db()
      .updateTable('index_chunks')
      .set({ done_seqno: seqno, owner: seqno === claim.lastSeqno ? null : claim.owner })
      .where('first_seqno', '=', claim.firstSeqno)
      .execute();
  const silence = (claim: Claim) =>
    db()
      .updateTable('index_chunks')
      .set({ beat: sql<Date>`now() - interval '31 seconds'` })
      .where('first_seqno', '=', claim.firstSeqno)
      .execute();

  it('keep the origin of the first start, unless a later start begins earlier', async () => {
    expect(await begin(100)).toEqual({ zeroState, firstSeqno: 100, partitionSeqnos: 1000 });
    expect(await begin(200)).toEqual({ zeroState, firstSeqno: 100, partitionSeqnos: 1000 });
    const later = await openOrigin(db(), { zeroState, firstSeqno: 50, partitionSeqnos: 5 });
    expect(later).toEqual({ zeroState, firstSeqno: 50, partitionSeqnos: 1000 });
    const other = openOrigin(db(), { zeroState: Buffer.alloc(32, 8), firstSeqno: 1, partitionSeqnos: 5 });
    await expect(other).rejects.toThrow(StartError);
    await expect(other).rejects.toThrow(/another network/);
  });

  it('give one origin to processes that start concurrently', async () => {
    const firsts = [5, 3, 8, 4];
    const origins = await Promise.all(firsts.map((firstSeqno) => begin(firstSeqno)));
    expect(Math.min(...origins.map(({ firstSeqno }) => firstSeqno))).toBe(3);
    expect((await begin(9)).firstSeqno).toBe(3);
  });

  it('follow from the start of the index if it is near, from the head if it is far', async () => {
    await begin(1);
    expect(await head('a', 20)).toEqual({ firstSeqno: 1, lastSeqno: undefined, doneSeqno: 0, owner: 'a' });
    await db().deleteFrom('index_chunks').execute();
    expect(await head('a', 21)).toEqual({ firstSeqno: 21, lastSeqno: undefined, doneSeqno: 20, owner: 'a' });
  });

  it('let one process follow, and another after a release or an expired lease', async () => {
    await begin();
    const claim = (await head('a', 5))!;
    await done(claim, 5);
    expect(await head('b', 6)).toBeUndefined();
    await silence(claim);
    expect(await head('b', 6)).toEqual({ firstSeqno: 1, lastSeqno: undefined, doneSeqno: 5, owner: 'b' });
    await expect(sendHeartbeat(db(), claim)).rejects.toThrow(ClaimLost);
    await releaseClaim(db(), claim);
    expect(await head('c', 6)).toBeUndefined();
    await releaseClaim(db(), { ...claim, owner: 'b' });
    expect((await head('c', 6))?.owner).toBe('c');
    expect((await head('c', 6))?.owner).toBe('c');
  });

  it('are not taken from a process that is writing', async () => {
    await begin();
    const claim = (await head('a', 5))!;
    await silence(claim);
    await db()
      .transaction()
      .execute(async (trx) => {
        await trx.selectFrom('index_chunks').selectAll().forUpdate().execute();
        expect(await head('b', 6)).toBeUndefined();
        await sendHeartbeat(db(), claim);
      });
    expect((await head('b', 6))?.owner).toBe('b');
  });

  it('close the head chunk at its checkpoint if the head is far ahead', async () => {
    await begin();
    const claim = (await head('a', 5))!;
    await done(claim, 5);
    await releaseClaim(db(), claim);
    expect(await head('a', 25)).toMatchObject({ firstSeqno: 1, doneSeqno: 5 });
    await releaseClaim(db(), claim);
    expect(await head('b', 26)).toMatchObject({ firstSeqno: 26, doneSeqno: 25 });
    expect(await rows()).toMatchObject([
      { first_seqno: 1, last_seqno: 5, done_seqno: 5, owner: null },
      { first_seqno: 26, last_seqno: null, done_seqno: 25, owner: 'b' },
    ]);
    // Nothing of this chunk was written.
    expect(await head('b', 60)).toMatchObject({ firstSeqno: 60 });
    expect(await rows()).toHaveLength(2);
  });

  it('stay claimed when an earlier claim of the same process is released late', async () => {
    await begin();
    await head('a', 30);
    const newOwner = createOwnerNames();
    const earlier = (await chunk(newOwner()))!;
    await releaseClaim(db(), earlier);
    const claim = (await chunk(newOwner()))!;
    expect(claim.firstSeqno).toBe(earlier.firstSeqno);
    await releaseClaim(db(), earlier);
    await sendHeartbeat(db(), claim);
    expect(await rows()).toMatchObject([{ owner: claim.owner }, { owner: 'a' }]);
  });

  it('are cut from the newest gap after abandoned ones are taken over', async () => {
    await begin(3);
    expect(await chunk('a')).toBeUndefined();
    await head('a', 30);
    expect(await chunk('a')).toEqual({ firstSeqno: 20, lastSeqno: 29, doneSeqno: 19, owner: 'a' });
    const second = (await chunk('b'))!;
    expect(second).toMatchObject({ firstSeqno: 10, lastSeqno: 19 });
    await done(second, 14);
    await silence(second);
    expect(await chunk('c')).toEqual({ firstSeqno: 10, lastSeqno: 19, doneSeqno: 14, owner: 'c' });
    expect(await chunk('c')).toMatchObject({ firstSeqno: 3, lastSeqno: 9 });
    expect(await chunk('c')).toBeUndefined();
    expect(await indexedRanges(db())).toEqual([{ first: 10, last: 14 }]);
    await begin(1);
    expect(await chunk('c')).toMatchObject({ firstSeqno: 1, lastSeqno: 2 });
  });

  it('are merged when they are finished and adjacent', async () => {
    await begin();
    await head('head', 51);
    const claims = [await chunk('a'), await chunk('a'), await chunk('a'), await chunk('a'), await chunk('a')];
    for (const at of [0, 1, 3, 4]) await done(claims[at]!, claims[at]!.lastSeqno!);
    expect(await chunk('a')).toBeUndefined();
    expect(await rows()).toMatchObject([
      { first_seqno: 1, last_seqno: 20, done_seqno: 20, owner: null },
      { first_seqno: 21, last_seqno: 30, done_seqno: 20, owner: 'a' },
      { first_seqno: 31, last_seqno: 50, done_seqno: 50, owner: null },
      { first_seqno: 51, last_seqno: null },
    ]);
    const ranges = await indexedRanges(db());
    expect(gapsBetween(ranges, { first: 1, last: 55 })).toEqual([
      { first: 21, last: 30 },
      { first: 51, last: 55 },
    ]);
    await sendHeartbeat(db(), claims[0]!);
    await done(claims[2]!, 30);
    await chunk('a');
    expect(await indexedRanges(db())).toEqual([{ first: 1, last: 50 }]);
    expect(await rows()).toHaveLength(2);
  });

  it('never overlap with concurrent claims', async () => {
    await begin();
    const heads = await Promise.all(Array.from({ length: 5 }, (_, at) => head(`p${at}`, 501)));
    expect(heads.filter((claim) => claim !== undefined)).toHaveLength(1);
    const claims: Claim[] = [];
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        for (let claim = await chunk(`p${at}`); claim !== undefined; claim = await chunk(`p${at}`)) {
          claims.push(claim);
          if (at % 2 === 0) await done(claim, claim.lastSeqno!);
          else if (at === 1 && claims.length < 20) await releaseClaim(db(), claim);
        }
      }),
    );
    const taken = new Map<number, Claim>(claims.map((claim) => [claim.firstSeqno, claim]));
    const seqnos = [...taken.values()].flatMap(({ firstSeqno, lastSeqno }) =>
      Array.from({ length: lastSeqno! - firstSeqno + 1 }, (_, at) => firstSeqno + at),
    );
    expect(seqnos.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
  });
});
