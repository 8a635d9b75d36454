import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { readClusterNodes } from '../../src/db/check-database.ts';
import { createDatabase, type Database } from '../../src/db/connection.ts';
import { MIGRATIONS, migrateToLatest } from '../../src/db/migrations.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { distributeTables, findCluster } from '../../src/index/cluster.ts';
import { openPage } from '../../src/index/format/page.ts';
import { slotOf } from '../../src/index/format/position.ts';
import { fillHashPlaces } from '../../src/index/hash-places.ts';
import { dropPartitionsBefore, ensurePartitions, partitionName } from '../../src/index/partitions.ts';
import { type BlockFilters, blockOrder, readBlocks } from '../../src/index/read/blocks.ts';
import { findPages } from '../../src/index/read/transaction-pages.ts';
import { CLUSTER_COVERAGE, type ClusterCoverage, shownRanges } from '../../src/index/snapshot.ts';
import { createAnnouncedWrites } from '../../src/index/write/announced-writes.ts';
import { type Failure, StartError } from '../../src/lib/errors.ts';
import { type CitusCluster, joinCluster, noCitus, onNode } from '../support/citus.ts';
import { type ClusterDatabase, createClusterDatabase } from '../support/cluster-database.ts';
import { withDatabase } from '../support/database.ts';
import { MadeChain } from '../support/made-chain.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { blockHash, type MadeSeqno, putOrigin, storeSeqnos, utimeOf } from '../support/store-transactions.ts';
import { readStoredTransactions } from '../support/stored-transactions.ts';

const SHARDS = 4;
const WIDTH = 100;

describe.skipIf(noCitus)(`a Citus cluster${noCitus === undefined ? '' : ` (skipped: ${noCitus})`}`, () => {
  let test: ClusterDatabase;
  let cluster: CitusCluster;
  let urls: readonly string[];
  let database: Database;
  let db: Kysely<Tables>;

  beforeAll(async () => {
    test = await createClusterDatabase({ shards: SHARDS, spare: 1 });
    ({ cluster, urls, database } = test);
    db = database.primary;
    await ensurePartitions(db, { from: 0, to: 2 * WIDTH - 1, width: WIDTH });
  }, 300_000);
  afterAll(() => test?.drop());

  async function tasksOf(query: string): Promise<number> {
    const { rows } = await sql.raw<{ 'QUERY PLAN': string }>(`explain (costs off) ${query}`).execute(db);
    const text = rows.map((row) => row['QUERY PLAN']).join('\n');
    return Number(/Task Count: (\d+)/.exec(text)?.[1]);
  }

  it('is found by its extension', async () => {
    expect(await findCluster(urls[0]!, 'auto')).toBe(true);
    expect(await findCluster(urls[0]!, 'citus')).toBe(true);
    expect(await findCluster(urls[0]!, 'none')).toBe(false);
    expect(await findCluster(cluster.coordinator.url, 'auto')).toBe(false);
    await expect(findCluster(cluster.coordinator.url, 'citus')).rejects.toThrow(StartError);
  });

  it('has its tables distributed once', async () => {
    const log = createQuietLog();
    await distributeTables(db, { shards: SHARDS, log });
    expect(log.lines).toEqual([]);
    const { rows } = await sql<{ column: string; tables: string }>`
      select column_to_column_name(logicalrelid, partkey) as column, string_agg(distinct colocationid::text, ',') as groups
      from pg_dist_partition where partmethod = 'h' group by 1 order by 1`.execute(db);
    expect(rows.map(({ column }) => column)).toEqual([
      'acc8',
      'account',
      'hash',
      'hash8',
      'key',
      'mc_seqno',
      'page',
      'pool',
      'trace8',
    ]);
  });

  it.each([
    ['a page', 'select body from tx_pages where page = any(array[7]::bigint[]) and page between 7 and 7'],
    ['transactions of an account', 'select at from transactions where acc8 = 5 order by lt desc limit 10'],
    ['a message', 'select at from messages where hash8 = any(array[5]::bigint[])'],
    [
      'a transaction by its hash',
      'select at from hash_places where hash8 = any(array[5]::bigint[]) and kind in (0)',
    ],
    [
      'messages by a hash',
      `select at from messages where hash8 = any(array[5]::bigint[]) union
       select at from hash_places where hash8 = any(array[5]::bigint[]) and kind in (1, 2) order by at desc limit 10`,
    ],
    ['a trace', 'select info from traces where trace8 = any(array[5]::bigint[])'],
    ['actions of a trace', 'select body from trace_actions where trace8 = any(array[5]::bigint[])'],
    ['an action', 'select trace8 from action_keys where key = any(array[5]::bigint[])'],
    ['traces of an account', 'select trace8 from trace_accounts where acc8 = 5 order by end_lt limit 10'],
    ['transfers of a wallet', 'select at from jetton_transfers where acc8 = 5 order by lt limit 10'],
    ['blocks of a masterchain block', 'select seqno from blocks where mc_seqno = 5'],
    ['a state', "select hash from latest_account_states where account = any(array['\\x05']::bytea[])"],
    ['a code', "select boc from contract_codes where hash = any(array['\\x05']::bytea[])"],
  ])('asks one shard for %s', async (_, query) => {
    expect(await tasksOf(query)).toBe(1);
  });

  it('asks all shards for a list of everything', async () => {
    expect(await tasksOf('select at from transactions order by lt desc limit 10')).toBe(SHARDS);
  });

  const readPlaces = async (one: Kysely<Tables>) => {
    const { rows } = await sql<{ row: string }>`select p::text as row from hash_places p`.execute(one);
    return rows.map(({ row }) => row).sort();
  };

  it('has a place for each hash of what is written, as it makes of what was written before', async () => {
    await putOrigin(db, 0, WIDTH);
    await storeSeqnos(test, makeSeqnos());
    const places = await readPlaces(db);
    // A transaction with a normalized hash, one that it caused, and two blocks.
    expect(places).toHaveLength(3 + 2 + 2 + 3);
    await sql`truncate hash_places`.execute(db);
    await fillHashPlaces(db);
    expect(await readPlaces(db)).toEqual(places);
    await readStoredTransactions(db);
  });

  it('finds a shard block and a transaction in two steps', async () => {
    const [{ transactions, blocks }] = makeSeqnos();
    const { hash } = transactions[1]!;
    const { positions, pages } = await findPages(db, { of: 'transactions', hashes: [hash] });
    const [page] = pages;
    expect(positions).toHaveLength(1);
    expect(openPage(page!.page, page!.body).transaction(slotOf(positions[0]!)).hash).toEqual(hash);
    const { workchain, shard, seqno } = blocks![1]!;
    const keys = blockOrder('asc');
    const readOne = (filters: BlockFilters) =>
      readBlocks(db, { filters, keys, page: { limit: 10, offset: 0 } });
    for (const filters of [
      { workchain, shard, seqno },
      { rootHash: blockHash('root', blocks![1]!) },
      { fileHash: blockHash('file', blocks![1]!) },
    ]) {
      expect(await readOne(filters)).toMatchObject([{ mc_seqno: 5, workchain, seqno }]);
      expect(await readOne({ ...filters, seqno: seqno + 1 })).toEqual([]);
    }
    expect(await readOne({ workchain: -1, seqno: 5 })).toMatchObject([{ mc_seqno: 5, workchain: -1 }]);
  });

  it('has the places of an index that was filled before it was distributed', async () => {
    const name = 'tongate_moved';
    const nodes = [cluster.coordinator, ...cluster.workers.slice(0, 2)];
    for (const { url } of nodes) await onNode(url, `create database ${name}`);
    const moved = nodes.map(({ url }) => withDatabase(url, name));
    const log = createQuietLog();
    const alone = createDatabase({ url: moved[0]!, replicaUrls: [], poolSize: 2, log });
    await migrateToLatest(alone.primary, log);
    await putOrigin(alone.primary, 0, WIDTH);
    await storeSeqnos({ url: moved[0]!, database: alone }, makeSeqnos());
    expect(await readPlaces(alone.primary)).toEqual([]);
    await alone.close();
    await joinCluster(moved);
    const spread = createDatabase({ url: moved[0]!, replicaUrls: [], poolSize: 2, isCluster: true, log });
    await distributeTables(spread.primary, { shards: SHARDS, log });
    expect(await readPlaces(spread.primary)).toEqual(await readPlaces(db));
    await spread.close();
  });

  it('spreads new partitions and drops old ones', async () => {
    const shardsOf = async (pattern: string) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_dist_shard where logicalrelid::text ~ ${pattern}`.execute(db);
      return rows[0]!.count;
    };
    expect(await shardsOf('^blocks_p000000000100$')).toBe(SHARDS);
    await ensurePartitions(db, { from: 200, to: 299, width: WIDTH });
    expect(await shardsOf('^blocks_p000000000200$')).toBe(SHARDS);
    await dropPartitionsBefore(db, { seqno: 100, width: WIDTH });
    expect(await shardsOf('_p000000000000$')).toBe(0);
    expect(await shardsOf('_p000000000100$')).toBeGreaterThan(0);
    expect(await readPlaces(db)).toEqual([]);
  });

  it('shows its nodes', async () => {
    const nodes = await readClusterNodes(db);
    expect(nodes.map(({ isCoordinator }) => isCoordinator)).toEqual([true, false, false]);
    expect(nodes.every(({ isReachable }) => isReachable)).toBe(true);
    expect(nodes[1]!.shards).toBeGreaterThan(0);
    expect(nodes[1]!.bytes).toBeGreaterThan(0);
  });

  it('fails only what needs a worker that is stopped, until it is back', async () => {
    const states = Array.from({ length: 40 }, (_, i) => Buffer.alloc(33, i));
    const read = (account: Buffer) =>
      database.read((one) =>
        sql`select hash from latest_account_states where account = ${account}`
          .execute(one)
          .then(() => 'found'),
      );
    const readAll = () =>
      Promise.all(
        states.map((account) => read(account).catch((error: Failure) => `${error.kind}: ${error.message}`)),
      );
    expect(new Set(await readAll())).toEqual(new Set(['found']));
    await cluster.workers[0]!.kill();
    try {
      expect(new Set(await readAll())).toEqual(
        new Set(['found', 'unavailable: Part of the database is not available']),
      );
      expect(database.stats()[0]!.up).toBe(true);
      const nodes = await readClusterNodes(db);
      expect(nodes.map(({ isReachable }) => isReachable)).toEqual([true, false, true]);
    } finally {
      await cluster.workers[0]!.start();
    }
    await expect.poll(async () => [...new Set(await readAll())], { timeout: 120_000 }).toEqual(['found']);
  });

  it('moves shards to a worker that is added', async () => {
    const added = cluster.workers[2]!;
    await onNode(urls[3]!, 'create extension citus');
    await sql.raw(`select citus_add_node('127.0.0.1', ${added.port})`).execute(db);
    expect((await readClusterNodes(db)).at(-1)).toMatchObject({ shards: 0 });
    await sql`select rebalance_table_shards(shard_transfer_mode => 'block_writes')`.execute(db);
    const nodes = await readClusterNodes(db);
    expect(nodes.at(-1)!.shards).toBeGreaterThan(0);
    expect(await tasksOf('select at from transactions order by lt desc limit 10')).toBe(SHARDS);
  });

  /** Runs work on another database of the cluster. */
  async function withNewDatabase(
    name: string,
    work: (primary: Kysely<Tables>, join: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const nodes = [cluster.coordinator, ...cluster.workers].slice(0, 3);
    for (const { url } of nodes) await onNode(url, `create database ${name}`);
    const all = nodes.map(({ url }) => withDatabase(url, name));
    const options = { url: all[0]!, replicaUrls: [], poolSize: 2, isCluster: true, log: createQuietLog() };
    const { primary, close } = createDatabase(options);
    try {
      await work(primary, () => joinCluster(all));
    } finally {
      await close();
    }
  }

  it('takes the rows of an index that was filled before', () =>
    withNewDatabase('filled', async (primary, join) => {
      const log = createQuietLog();
      await migrateToLatest(primary, log);
      await ensurePartitions(primary, { from: 0, to: 2 * WIDTH - 1, width: WIDTH });
      const codes = Array.from({ length: 50 }, (_, i) => ({
        hash: Buffer.alloc(32, i),
        boc: Buffer.alloc(9),
      }));
      await primary.insertInto('contract_codes').values(codes).execute();
      await sql`insert into shard_states select n, '{}', '{}', '{}' from generate_series(1, 150) n`.execute(
        primary,
      );
      await join();
      await distributeTables(primary, { shards: SHARDS, log });
      const { rows } = await sql<{ codes: number; states: number; left: number }>`
        select (select count(*)::integer from contract_codes) as codes,
          (select count(*)::integer from shard_states) as states,
          (select sum(pg_relation_size(logicalrelid))::integer from pg_dist_partition) as left`.execute(
        primary,
      );
      expect(rows).toEqual([{ codes: 50, states: 150, left: 0 }]);
    }));

  it('migrates tables that are distributed already', () =>
    withNewDatabase('older', async (primary, join) => {
      const log = createQuietLog();
      await join();
      const isOld = ([name]: [string, unknown]) => name < '0011';
      await migrateToLatest(primary, log, Object.fromEntries(Object.entries(MIGRATIONS).filter(isOld)));
      const { rows } = await sql<{ name: string; column: string }>`
        select logicalrelid::text as name, column_to_column_name(logicalrelid, partkey) as column
        from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
        where partmethod = 'h' and not relispartition`.execute(db);
      const distribute = rows.map(
        ({
          name,
          column,
        }) => sql`select create_distributed_table(to_regclass(${name}), ${column}, shard_count => 2)
          where to_regclass(${name}) is not null`,
      );
      for (const statement of distribute) await statement.execute(primary);
      const name = partitionName('transactions', 0);
      await sql
        .raw(`create table ${name} partition of transactions for values from (0) to (${WIDTH})`)
        .execute(primary);
      await migrateToLatest(primary, log);
      await distributeTables(primary, { shards: 2, log });
      await ensurePartitions(primary, { from: 0, to: 2 * WIDTH - 1, width: WIDTH });
      expect(await sql`select from nominator_pool_events`.execute(primary)).toMatchObject({ rows: [] });
    }));

  it('shows a written range when no worker has it prepared any more', async () => {
    const log = createQuietLog();
    const announced = createAnnouncedWrites({ url: urls[0]!, log });
    const shown = async () => {
      const { rows } = await sql.raw<ClusterCoverage>(CLUSTER_COVERAGE).execute(db);
      return shownRanges(rows[0]!);
    };
    const worker = new pg.Client({ connectionString: urls[2]! });
    const coordinator = new pg.Client({ connectionString: urls[0]! });
    await worker.connect();
    await coordinator.connect();
    const { rows } = await coordinator.query('select pg_backend_pid() as backend');
    const [{ backend }] = rows;
    try {
      await db
        .insertInto('index_chunks')
        .values({ first_seqno: 100, last_seqno: null, done_seqno: 120 })
        .execute();
      await announced.announce(backend, { first: 111, last: 115 });
      const around = [
        { first: 100, last: 110 },
        { first: 116, last: 120 },
      ];
      expect(await shown()).toEqual(around);
      await worker.query(
        `begin; create table left_prepared (); prepare transaction 'citus_0_${backend}_1_1'`,
      );
      await announced.settle(backend);
      expect(await shown()).toEqual(around);
      // The same connection tries again, with more.
      await announced.announce(backend, { first: 111, last: 120 });
      expect(await shown()).toEqual([{ first: 100, last: 110 }]);
      await worker.query(`rollback prepared 'citus_0_${backend}_1_1'`);
      await announced.settle(backend);
      expect(await shown()).toEqual([{ first: 100, last: 120 }]);
    } finally {
      await announced.close();
      await worker.end();
      await coordinator.end();
    }
  });

  it('shows what a process announced that has ended', async () => {
    const log = createQuietLog();
    const announced = createAnnouncedWrites({ url: urls[0]!, log });
    try {
      // No process has this number.
      await announced.announce(2 ** 30, { first: 115, last: 120 });
      await expect
        .poll(
          async () => {
            const { rows } = await sql`select 1 from announced_writes`.execute(db);
            return rows.length;
          },
          { timeout: 120_000 },
        )
        .toBe(0);
    } finally {
      await announced.close();
    }
  });
});

const accountOf = (byte: number) => Buffer.concat([Buffer.of(0), Buffer.alloc(32, byte)]);

/** A masterchain seqno with a shard block, and two transactions of which the first caused the other. */
function makeSeqnos(): [MadeSeqno] {
  const chain = new MadeChain();
  const [mcSeqno, now, block] = [5, utimeOf(5), { shard: WHOLE_SHARD, seqno: 77 }];
  const [from, to] = [accountOf(1), accountOf(2)];
  const sent = chain.internal({ from, to, lt: 1001n, at: now });
  const external = chain.external({ to: from, importFee: 1n });
  const parts = { mcSeqno, now, block };
  const first = chain.transaction({ ...parts, account: from, lt: 1000n, in: external, out: [sent] });
  const second = chain.transaction({ ...parts, account: to, lt: 1002n, in: sent });
  const header = { shard: WHOLE_SHARD, genUtime: now, startLt: 1000n, endLt: 1003n };
  const blocks = [
    { ...header, workchain: -1, seqno: mcSeqno },
    { ...header, workchain: 0, seqno: block.seqno },
  ];
  return [{ mcSeqno, transactions: [first, second], blocks }];
}
