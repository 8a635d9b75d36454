import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkIndexNetwork, dropHistory, hasOrigin, partitionSeqnosFor } from '../../src/index/coverage.ts';
import { ensurePartitions } from '../../src/index/partitions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const WIDTH = 10;
/** The time of a block is its seqno. */
const BEGIN = 1_000_000;

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

async function noteOrigin(firstSeqno: number): Promise<void> {
  await test.database.primary
    .insertInto('index_origin')
    .values({ zero_state: Buffer.alloc(32), first_seqno: firstSeqno, partition_seqnos: WIDTH })
    .execute();
}

/** Indexed seqnos, each with a masterchain block and, a second before it, a shard block. */
async function putChunk(first: number, done: number, last: number | null): Promise<void> {
  const db = test.database.primary;
  await ensurePartitions(db, { from: first, to: done, width: WIDTH });
  const block = (workchain: number, age: number) => sql`
    insert into blocks
    select seqno, ${sql.lit(workchain)}, 0, seqno, '', '', ${sql.lit(BEGIN)} + seqno - ${sql.lit(age)}, 0, 0, 0, 0, 0,
      false, false, false, false, false, false, false, 0, 0, 0, 0, 0, 0, '', '', 0, '{}', '{}'
    from generate_series(${sql.lit(first)}, ${sql.lit(done)}) seqno`;
  await block(-1, 0).execute(db);
  await block(0, 1).execute(db);
  await db
    .insertInto('index_chunks')
    .values({ first_seqno: first, last_seqno: last, done_seqno: done, owner: 'somebody' })
    .execute();
}

const dropBefore = (seqno: number) =>
  dropHistory(test.database.primary, { keepSeconds: 100, nowSeconds: BEGIN + seqno + 100.9 });

async function readState() {
  const db = test.database.primary;
  const seqnos = await sql<{ mc_seqno: number }>`select distinct mc_seqno from blocks order by 1`.execute(db);
  const origin = await db.selectFrom('index_origin').select('first_seqno').executeTakeFirst();
  const chunks = await db
    .selectFrom('index_chunks')
    .select(['first_seqno', 'done_seqno', 'last_seqno', 'owner'])
    .orderBy('first_seqno')
    .execute();
  return {
    first: seqnos.rows[0]?.mc_seqno,
    count: seqnos.rows.length,
    origin: origin?.first_seqno,
    chunks: chunks.map((chunk) => [chunk.first_seqno, chunk.done_seqno, chunk.last_seqno, chunk.owner]),
  };
}

describe('partitionSeqnosFor', () => {
  const DAY = 86_400;

  it('has few partitions however long history gets', () => {
    expect(1_000_000_000 / partitionSeqnosFor('all')).toBeLessThan(4);
  });

  it('keeps at most an eighth more than wanted', () => {
    for (const days of [3, 7, 30, 90, 365]) {
      const kept = days * DAY * 2.5;
      expect(partitionSeqnosFor(days * DAY)).toBeLessThanOrEqual(kept / 8);
      expect(kept / partitionSeqnosFor(days * DAY)).toBeLessThanOrEqual(16);
    }
  });

  it('is bounded', () => {
    expect(partitionSeqnosFor(60)).toBe(2 ** 16);
    expect(partitionSeqnosFor(100_000 * DAY)).toBe(partitionSeqnosFor('all'));
  });
});

describe('dropHistory', () => {
  it('does nothing without an index', async () => {
    expect(await hasOrigin(test.database.primary)).toBe(false);
    expect(await dropBefore(50)).toBeUndefined();
    expect(await hasOrigin(test.database.primary)).toBe(false);
  });

  it('drops whole partitions, updates origin and chunks, and releases cut chunks', async () => {
    await noteOrigin(1);
    await putChunk(1, 24, 24);
    await putChunk(25, 27, 45);
    await putChunk(46, 58, null);
    expect(await dropBefore(48)).toBe(40);
    const dropped = {
      first: 46,
      count: 13,
      origin: 40,
      chunks: [
        [40, 39, 45, null],
        [46, 58, null, 'somebody'],
      ],
    };
    expect(await readState()).toEqual(dropped);
    expect(await hasOrigin(test.database.primary)).toBe(true);
    expect(await dropBefore(48)).toBe(40);
    expect(await readState()).toEqual(dropped);
  });

  it('keeps the partition of the oldest block within the retention', async () => {
    await noteOrigin(1);
    await putChunk(1, 38, null);
    expect(await dropBefore(29)).toBe(20);
    expect(await readState()).toMatchObject({ first: 20, origin: 20 });
    expect(await dropBefore(30)).toBe(30);
    expect(await readState()).toEqual({ first: 30, count: 9, origin: 30, chunks: [[30, 38, null, null]] });
  });

  it('keeps history that is not indexed yet to be indexed', async () => {
    await noteOrigin(1);
    await putChunk(95, 99, null);
    expect(await dropBefore(50)).toBeUndefined();
    expect(await readState()).toMatchObject({ first: 95, origin: 1 });
    await putChunk(44, 94, 94);
    expect(await dropBefore(50)).toBe(50);
    expect(await readState()).toEqual({
      first: 50,
      count: 50,
      origin: 50,
      chunks: [
        [50, 94, 94, null],
        [95, 99, null, 'somebody'],
      ],
    });
  });

  it('continues if everything indexed is too old', async () => {
    await noteOrigin(1);
    await putChunk(1, 29, null);
    expect(await dropBefore(500)).toBe(30);
    expect(await readState()).toEqual({
      first: undefined,
      count: 0,
      origin: 30,
      chunks: [[30, 29, null, null]],
    });
  });
});

describe('checkIndexNetwork', () => {
  it('refuses the index of another network, but lets a local chain replace that of an earlier one', async () => {
    const db = test.database.primary;
    const zeroState = Buffer.alloc(32, 1);
    const check = (network: string, hash = zeroState) => checkIndexNetwork(db, { network, zeroState: hash });
    await check('mainnet');
    await noteOrigin(1);
    await check('mainnet', Buffer.alloc(32));
    await expect(check('mainnet')).rejects.toThrow(/index of another network .* separate DATABASE_URL/);
    await check('localnet');
    const mainnet = Buffer.from('F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=', 'base64');
    await db.updateTable('index_origin').set({ zero_state: mainnet }).execute();
    await expect(check('localnet')).rejects.toThrow(
      'The database holds the index of mainnet, but NETWORK is localnet; use a separate DATABASE_URL or DATA_DIR for each network',
    );
  });
});
