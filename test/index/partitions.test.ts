import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pageNumber } from '../../src/index/format/position.ts';
import {
  dropPartitionsBefore,
  ensurePartitions,
  PARTITIONED_TABLES,
  partitionName,
} from '../../src/index/partitions.ts';
import { readIndexSizes, readPartitionSizes } from '../../src/index/sizes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const width = 100;
const bytes = (of: number, size = 32) => Buffer.alloc(size, of);

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relname ~ '_p[0-9]{12}$' order by 1`.execute(
    test.database.primary,
  );
  return rows.map((row) => row.name);
}

const allOf = (...starts: number[]) =>
  PARTITIONED_TABLES.flatMap((table) => starts.map((start) => partitionName(table, start))).sort();

/** Inserts blocks of one masterchain seqno. */
async function insertBlocks(mcSeqno: number, count = 1): Promise<void> {
  await sql`
    insert into blocks
    select ${mcSeqno}, 0, i, ${mcSeqno}, sha256(('root' || i)::bytea), sha256(('file' || i)::bytea), 0, 0, 0, 0, 0, 0, false,
           false, false, false, false, false, false, 0, 0, 0, 0, 0, 0, '', '', 0, '{}', '{}'
    from generate_series(1, ${count}::int) i`.execute(test.database.primary);
}

describe('ensurePartitions', () => {
  it('creates the partitions of a range once', async () => {
    const db = test.database.primary;
    await ensurePartitions(db, { from: 150, to: 299, width });
    expect(await partitions()).toEqual(allOf(100, 200));
    expect(await partitions()).toContain('transactions_p000000000100');
    await ensurePartitions(db, { from: 100, to: 300, width });
    expect(await partitions()).toEqual(allOf(100, 200, 300));
    await insertBlocks(300);
    await expect(insertBlocks(400)).rejects.toThrow('no partition of relation');
  });

  it('gives the partitions of pages the borders of the others', async () => {
    await ensurePartitions(test.database.primary, { from: 100, to: 100, width });
    const insert = (seqno: number, ordinal: number) =>
      test.database.primary
        .insertInto('tx_pages')
        .values({
          page: `${pageNumber(seqno, ordinal)}`,
          last_seqno: seqno,
          count: 1,
          traces: bytes(0, 1),
          body: bytes(1),
        })
        .execute();
    for (const [seqno, ordinal] of [
      [100, 0],
      [199, 65_535],
    ] as const)
      await insert(seqno, ordinal);
    for (const [seqno, ordinal] of [
      [99, 65_535],
      [200, 0],
    ] as const)
      await expect(insert(seqno, ordinal)).rejects.toMatchObject({ code: '23514' });
    const { rows } = await sql`
      select attstorage from pg_attribute where attrelid = 'tx_pages_p000000000100'::regclass and attname = 'body'`.execute(
      test.database.primary,
    );
    expect(rows).toEqual([{ attstorage: 'e' }]);
  });

  it('gives each partition the keys and indexes of its table', async () => {
    await ensurePartitions(test.database.primary, { from: 0, to: 0, width });
    const { rows } = await sql`
      select parent.relname from pg_index i join pg_class parent on parent.oid = i.indexrelid
      where parent.relkind = 'I' and not exists (select from pg_inherits where inhparent = parent.oid)`.execute(
      test.database.primary,
    );
    expect(rows).toEqual([]);
    await insertBlocks(0);
    await expect(insertBlocks(0)).rejects.toThrow('duplicate key value');
  });

  it('works with a pg client and in parallel', async () => {
    const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: test.url }));
    await Promise.all(clients.map((client) => client.connect()));
    try {
      await Promise.all(clients.map((client) => ensurePartitions(client, { from: 0, to: 999, width })));
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    expect(await partitions()).toHaveLength(10 * PARTITIONED_TABLES.length);
  });

  it('sends no query for known partitions', async () => {
    const known = new Set<number>();
    await ensurePartitions(test.database.primary, { from: 0, to: 199, width, known });
    expect([...known]).toEqual([0, 100]);
    const never = { query: () => Promise.reject(new Error('not expected')) };
    await ensurePartitions(never, { from: 50, to: 150, width, known });
  });

  it('neither waits for readers and writers nor blocks them', async () => {
    await ensurePartitions(test.database.primary, { from: 0, to: 0, width });
    const client = new pg.Client({ connectionString: test.url });
    await client.connect();
    try {
      await client.query('begin');
      await client.query("insert into shard_states values (0, '{}', '{}', '{}')");
      for (const table of PARTITIONED_TABLES) await client.query(`select count(*) from ${table}`);
      await ensurePartitions(test.database.primary, { from: 100, to: 100, width });
      await client.query('commit');
    } finally {
      await client.end();
    }
    expect(await partitions()).toEqual(allOf(0, 100));
  });
});

describe('dropPartitionsBefore', () => {
  beforeEach(async () => {
    const db = test.database.primary;
    await ensurePartitions(db, { from: 0, to: 399, width });
    await db
      .insertInto('index_origin')
      .values({ zero_state: bytes(1), first_seqno: 1, partition_seqnos: width })
      .execute();
    await db
      .insertInto('index_chunks')
      .values([
        { first_seqno: 1, last_seqno: 120, done_seqno: 120 },
        { first_seqno: 121, last_seqno: 190, done_seqno: 130 },
        { first_seqno: 191, last_seqno: 250, done_seqno: 192 },
        { first_seqno: 251, last_seqno: null, done_seqno: 360 },
      ])
      .execute();
    const trace = {
      start_lt: 1,
      start_utime: 1,
      end_lt: 1,
      end_utime: 1,
      nodes: 1,
      edges: 1,
      pending_edges: 1,
    };
    await db
      .insertInto('open_traces')
      .values([
        { ...trace, trace_id: bytes(1), mc_seqno_start: 100, mc_seqno_end: 199, broken: true },
        { ...trace, trace_id: bytes(2), mc_seqno_start: 100, mc_seqno_end: 200, broken: false },
      ])
      .execute();
    await db
      .insertInto('open_members')
      .values([
        { trace_id: bytes(1), at: 150 * 2 ** 22, acc8: 1 },
        { trace_id: bytes(2), at: 150 * 2 ** 22 + 1, acc8: 1 },
      ])
      .execute();
    for (const table of ['pending_messages', 'orphan_messages'] as const) {
      await db
        .insertInto(table)
        .values([
          { hash: bytes(1), trace_id: bytes(1), mc_seqno: 150 },
          { hash: bytes(2), trace_id: bytes(2), mc_seqno: 150 },
        ])
        .execute();
    }
  });

  it('drops partitions entirely below the seqno and updates the coverage', async () => {
    const db = test.database.primary;
    expect(await dropPartitionsBefore(db, { seqno: 250, width })).toBe(200);
    expect(await partitions()).toEqual(allOf(200, 300));
    expect(await db.selectFrom('index_origin').select('first_seqno').execute()).toEqual([
      { first_seqno: 200 },
    ]);
    const chunks = await db
      .selectFrom('index_chunks')
      .select(['first_seqno', 'last_seqno', 'done_seqno'])
      .orderBy('first_seqno')
      .execute();
    expect(chunks).toEqual([
      { first_seqno: 200, last_seqno: 250, done_seqno: 199 },
      { first_seqno: 251, last_seqno: null, done_seqno: 360 },
    ]);
    for (const table of ['open_traces', 'open_members', 'pending_messages', 'orphan_messages'] as const) {
      expect(await db.selectFrom(table).select('trace_id').execute(), table).toEqual([
        { trace_id: bytes(2) },
      ]);
    }
  });

  it('does nothing if there is nothing below the seqno', async () => {
    const db = test.database.primary;
    await dropPartitionsBefore(db, { seqno: 99, width });
    expect(await partitions()).toEqual(allOf(0, 100, 200, 300));
    expect(await db.selectFrom('index_chunks').select('first_seqno').execute()).toHaveLength(4);
    expect(await db.selectFrom('index_origin').select('first_seqno').execute()).toEqual([{ first_seqno: 1 }]);
  });

  it('finishes what another process left half done', async () => {
    const db = test.database.primary;
    await sql`alter table blocks detach partition blocks_p000000000000`.execute(db);
    await dropPartitionsBefore(db, { seqno: 100, width });
    expect(await partitions()).toEqual(allOf(100, 200, 300));
  });

  it('lets a detached partition be created again', async () => {
    const db = test.database.primary;
    await insertBlocks(0);
    await sql`alter table blocks detach partition blocks_p000000000000`.execute(db);
    await ensurePartitions(db, { from: 0, to: 0, width });
    expect(await partitions()).toEqual(allOf(0, 100, 200, 300));
    await insertBlocks(0);
  });

  it('waits for a reader without blocking others', async () => {
    const db = test.database.primary;
    const client = new pg.Client({ connectionString: test.url });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select count(*) from blocks');
      const dropping = dropPartitionsBefore(db, { seqno: 100, width });
      await sql`select count(*) from blocks`.execute(db);
      await insertBlocks(300);
      expect(await partitions()).toContain('blocks_p000000000000');
      await client.query('commit');
      await dropping;
    } finally {
      await client.end();
    }
    expect(await partitions()).toEqual(allOf(100, 200, 300));
  });
});

describe('indexSizes and partitionSizes', () => {
  it('count rows and bytes by table and by partition', async () => {
    const db = test.database.primary;
    expect((await readIndexSizes(db)).every((size) => size.rows === 0)).toBe(true);
    await ensurePartitions(db, { from: 0, to: 199, width });
    await insertBlocks(0, 2000);
    await insertBlocks(100);
    await sql`analyze blocks_p000000000000`.execute(db);
    const [largest] = await readIndexSizes(db);
    expect(largest).toMatchObject({ table: 'blocks', rows: 2001 });
    expect(largest!.bytes).toBe(largest!.heapBytes + largest!.indexBytes);
    expect(largest!.bytesPerMillionTransactions).toBeUndefined();
    const [first, second] = await readPartitionSizes(db);
    expect([first!.start, second!.start]).toEqual([0, 100]);
    expect(first!.bytes).toBeGreaterThan(second!.bytes);
  });
});
