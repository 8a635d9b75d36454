import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEPT_PLAN, withoutTimeLimits } from '../../src/db/client.ts';
import { createDatabase, type Database } from '../../src/db/connection.ts';
import type { Tables } from '../../src/db/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';

let test: TestDatabase;
let database: Database;

async function open(options: { keepPlans?: boolean; statementTimeoutMs?: number } = {}): Promise<void> {
  database = createDatabase({
    url: test.url,
    replicaUrls: [],
    poolSize: 3,
    log: createQuietLog(),
    ...options,
  });
  await sql`create table shelf (book text)`.execute(database.primary);
  await sql`insert into shelf values ('one')`.execute(database.primary);
}

beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(async () => {
  await database.close();
  await test.drop();
});

const books = (db: Kysely<Tables>, book = 'one') =>
  sql<{ book: string }>`${KEPT_PLAN} select * from shelf where book = ${book}`
    .execute(db)
    .then(({ rows }) => rows);

/** Reads like a v3 response: one connection, one transaction. */
const inTransaction = (db: Kysely<Tables>) =>
  db.connection().execute(async (one) => {
    await sql.raw('begin').execute(one);
    try {
      return await books(one);
    } finally {
      await sql
        .raw('rollback')
        .execute(one)
        .catch(() => {});
    }
  });

const plans = (db: Kysely<Tables>) =>
  sql<{ statement: string }>`select statement from pg_prepared_statements`
    .execute(db)
    .then(({ rows }) => rows);

describe('kept plans', () => {
  it('are made once per connection, for all parameter values', async () => {
    await open();
    await database.primary.connection().execute(async (db) => {
      expect(await books(db)).toEqual([{ book: 'one' }]);
      expect(await books(db, 'two')).toEqual([]);
      expect(await plans(db)).toEqual([{ statement: '/* kept */ select * from shelf where book = $1' }]);
    });
  });

  it('can be switched off', async () => {
    await open({ keepPlans: false });
    await database.primary.connection().execute(async (db) => {
      expect(await books(db)).toEqual([{ book: 'one' }]);
      expect(await plans(db)).toEqual([]);
    });
  });

  it('are made again after a migration without readers noticing', async () => {
    await open();
    const all = () => Promise.all(Array.from({ length: 3 }, () => database.read(inTransaction)));
    await all();
    await sql`alter table shelf add column year int`.execute(database.primary);
    expect(await all()).toEqual(Array.from({ length: 3 }, () => [{ book: 'one', year: null }]));
    expect(await database.read(inTransaction)).toEqual([{ book: 'one', year: null }]);
  });
});

describe('a connection', () => {
  beforeEach(() => open({ statementTimeoutMs: 300 }));

  it('has no time limits for work that asks for it, and has them again afterwards', async () => {
    await withoutTimeLimits(database.primary, async (db) => {
      // Longer than the statement timeout and the time after which a silent server counts as down.
      await sql`select pg_sleep(2.6)`.execute(db);
    });
    await expect(sql`select pg_sleep(2.6)`.execute(database.primary)).rejects.toThrow('statement timeout');
  });
});
