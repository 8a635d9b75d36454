import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/connection.ts';
import { MIGRATIONS, migrateToLatest } from '../../src/db/migrations.ts';
import { VALIDATOR_TABLES } from '../../src/db/tables/validator-tables.ts';
import { ensurePartitions } from '../../src/index/partitions.ts';
import { StartError } from '../../src/lib/errors.ts';
import { openChainPool } from '../ingest/support/index-tables.ts';
import {
  dumpIndex,
  openTestIndexer,
  untilElectorIsKnown,
  untilNothingIsMissing,
} from '../ingest/support/test-indexer.ts';
import { createEmptyTestDatabase, isTestCluster, type TestDatabase } from '../support/database.ts';
import { isLongRun, sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { openIndexedDemo, startDemoChain } from '../v3/support/indexed-demo.ts';

const INDEXING_PAGE = readFileSync(new URL('../../docs/operate/indexing.md', import.meta.url), 'utf8');

let test: TestDatabase;

beforeEach(async () => {
  test = await createEmptyTestDatabase();
});
afterEach(() => test.drop());

async function applied(): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by name`.execute(test.database.primary);
  return rows.map((row) => row.name);
}

describe('migrateToLatest', () => {
  it('applies every migration once', async () => {
    const [first, second] = [createQuietLog(), createQuietLog()];
    await migrateToLatest(test.database.primary, first);
    await migrateToLatest(test.database.primary, second);
    expect(first.lines.map((line) => line.details.migration)).toEqual(Object.keys(MIGRATIONS));
    expect(second.lines).toEqual([]);
    expect(await applied()).toEqual(Object.keys(MIGRATIONS));
  });

  it.runIf(isLongRun)('lets several processes migrate at once', async () => {
    const program = new URL('../support/migrate-process.ts', import.meta.url);
    const count = sampled(2, 4);
    const processes = Array.from({ length: count }, () => fork(program, [test.url], { stdio: 'inherit' }));
    const codes = await Promise.all(processes.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual(Array(count).fill(0));
    expect(await applied()).toEqual(Object.keys(MIGRATIONS));
  });

  it('waits for another migration longer than the statement timeout', async () => {
    const impatient = createDatabase({
      url: test.url,
      replicaUrls: [],
      poolSize: 2,
      log: createQuietLog(),
      statementTimeoutMs: 100,
    });
    const slow = {
      ...MIGRATIONS,
      '9000-slow': { up: (db: Kysely<unknown>) => sql`select pg_sleep(0.5)`.execute(db).then(() => {}) },
    };
    const log = createQuietLog();
    try {
      await Promise.all([1, 2].map(() => migrateToLatest(impatient.primary, log, slow)));
      expect(await applied()).toEqual(Object.keys(slow));
      const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(
        impatient.primary,
      );
      expect(rows).toEqual([{ statement_timeout: '100ms' }]);
    } finally {
      await impatient.close();
    }
  });

  it('names the migration that failed and leaves the schema as it was', async () => {
    await migrateToLatest(test.database.primary, createQuietLog());
    const broken = {
      ...MIGRATIONS,
      '9000-fine': {
        up: (db: Kysely<unknown>) => sql`create table made_and_undone (a int)`.execute(db).then(() => {}),
      },
      '9001-broken': {
        up: (db: Kysely<unknown>) => sql`create table broken (a nonsense)`.execute(db).then(() => {}),
      },
    };
    const attempt = migrateToLatest(test.database.primary, createQuietLog(), broken);
    await expect(attempt).rejects.toThrow(StartError);
    await expect(attempt).rejects.toThrow(
      'Migration 9001-broken failed and was rolled back: type "nonsense" does not exist',
    );
    expect(await applied()).toEqual(Object.keys(MIGRATIONS));
    const { rows } = await sql`select to_regclass('made_and_undone') as found`.execute(test.database.primary);
    expect(rows).toEqual([{ found: null }]);
  });

  it('adds the index to a database with API keys', async () => {
    const db = test.database.primary;
    const { '0001-api-keys': first } = MIGRATIONS;
    await migrateToLatest(db, createQuietLog(), { '0001-api-keys': first! });
    const key = { hash: Buffer.alloc(32, 1), name: 'one', plan: 'free', rps: 10 };
    await db.insertInto('api_keys').values(key).execute();
    await migrateToLatest(db, createQuietLog());
    expect(await db.selectFrom('api_keys').select(['hash', 'name']).execute()).toEqual([
      { hash: key.hash, name: 'one' },
    ]);
    expect(await db.selectFrom('transactions').selectAll().execute()).toEqual([]);
  });

  it('runs a later migration on an index with partitions and rows', async () => {
    const db = test.database.primary;
    await migrateToLatest(db, createQuietLog());
    await ensurePartitions(db, { from: 0, to: 25, width: 10 });
    const rows = [5, 15, 25].map((seqno) => ({
      mc_seqno: seqno,
      workchains: [-1, 0],
      shards: ['-9223372036854775808', '-9223372036854775808'],
      seqnos: [seqno, 2 * seqno],
    }));
    await db.insertInto('shard_states').values(rows).execute();
    const later = {
      ...MIGRATIONS,
      '9000-nothing': { up: async () => {} },
      '9001-column': {
        up: (on: Kysely<unknown>) =>
          sql`alter table shard_states add column note integer not null default 7`.execute(on).then(() => {}),
      },
    };
    await migrateToLatest(db, createQuietLog(), later);
    expect(await applied()).toEqual(Object.keys(later));
    const kept = await db.selectFrom('shard_states').selectAll().orderBy('mc_seqno').execute();
    expect(kept).toEqual(rows.map((row) => ({ ...row, note: 7 })));
  });

  it('queues the traces of an index without actions for classification', async () => {
    const db = test.database.primary;
    const before = Object.entries(MIGRATIONS).filter(([name]) => name < '0007');
    await migrateToLatest(db, createQuietLog(), Object.fromEntries(before));
    await db
      .insertInto('index_origin')
      .values({ zero_state: Buffer.alloc(32), first_seqno: 100, partition_seqnos: 1000 })
      .execute();
    const chunks = [
      { first_seqno: 100, last_seqno: 199, done_seqno: 120 },
      { first_seqno: 300, last_seqno: null, done_seqno: 450 },
    ];
    await db.insertInto('index_chunks').values(chunks).execute();
    await migrateToLatest(db, createQuietLog());
    expect(await db.selectFrom('classification_ranges').selectAll().execute()).toEqual([
      { id: '1', first_seqno: 100, last_seqno: 450, types: null, again: false },
    ]);
  });

  it('says which right the user of the database lacks', async () => {
    const denied = async () => {
      throw Object.assign(new Error('permission denied for schema public'), { code: '42501' });
    };
    const attempt = migrateToLatest(test.database.primary, createQuietLog(), {
      '0001-denied': { up: denied },
    });
    await expect(attempt).rejects.toThrow(
      /0001-denied failed .* permission denied for schema public\. The user of DATABASE_URL must be allowed/,
    );
  });

  it('refuses a database of a newer version', async () => {
    const newer = { ...MIGRATIONS, '9999-from-the-future': { up: async () => {} } };
    await migrateToLatest(test.database.primary, createQuietLog(), newer);
    const attempt = migrateToLatest(test.database.primary, createQuietLog());
    await expect(attempt).rejects.toThrow(StartError);
    await expect(attempt).rejects.toThrow(/newer version of tongate \(unknown here: 9999-from-the-future\)/);
  });
});

describe('an index that was filled before there were validators and events of pools', () => {
  /** Takes the schema back to that of 0010. */
  const UNDO = `
    drop table webhook_feeds, webhook_feeders, deleted_webhooks, state_imports;
    alter table webhooks rename start_cursor to cursor;
    alter table webhooks drop addresses, drop waiting, drop next_try, drop own_cursor, drop min_finality,
      add feeder text, add feeder_until timestamptz, add revision bigint;
    drop index webhook_addresses_by_account;
    drop table ${VALIDATOR_TABLES.join(', ')}, nominator_pool_events, pool_validator_events, waiting_pools,
      mintless_dumps, hash_places;
    alter table jetton_masters drop mintless_root;
    alter table jetton_wallets drop mintless_root, drop mintless_amount, drop mintless_start_from, drop mintless_expire_at;
    alter table dns_entries drop max_bid_address, drop max_bid_amount, drop auction_end_time, drop last_fill_up_time;
    alter table nominator_pools drop nominators, drop nominator_balances, drop nominator_pending_balances;
    delete from kysely_migration where name > '0011'`;
  /** What key blocks alone do not show. */
  const FROM_OTHER_BLOCKS = ['validator_events', 'validator_elections', 'validator_election_participants'];

  // On a cluster the tables would have to be distributed again.
  it.skipIf(isTestCluster())('gets pools and auctions by itself, and validator sets on request', async () => {
    const index = await openIndexedDemo();
    const chain = await startDemoChain();
    const pool = await openChainPool(chain.globalConfigPath, createQuietLog());
    const context = await openTestIndexer(index);
    try {
      const db = index.database.primary;
      const before = await dumpIndex(index);
      await sql.raw(UNDO).execute(db);
      await migrateToLatest(db, createQuietLog());
      const indexer = context.indexer(pool, { detection: context.detection(pool) });
      indexer.start();
      await untilNothingIsMissing(index);
      const after = await dumpIndex(index);
      const isOfValidators = (table: string) => table.startsWith('validator_');
      for (const [table, rows] of Object.entries(before))
        expect(after[table], table).toEqual(isOfValidators(table) ? [] : rows);
      expect(after.nominator_pool_events!.length).toBeGreaterThan(0);

      const [statement] = /insert into missing_elector_states[^;]+/.exec(INDEXING_PAGE)!;
      await sql.raw(statement).execute(db);
      await untilElectorIsKnown(index);
      const completed = await dumpIndex(index);
      for (const [table, rows] of Object.entries(before))
        if (!FROM_OTHER_BLOCKS.includes(table)) expect(completed[table], table).toEqual(rows);
    } finally {
      await context.close();
      await pool.close();
      await chain.stop();
    }
  });
});
