import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/connection.ts';
import { MIGRATIONS, migrateToLatest } from '../../src/db/migrations.ts';
import { StartError } from '../../src/lib/start-error.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';

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

  it('lets several processes migrate at once', async () => {
    const program = new URL('../support/migrate-process.ts', import.meta.url);
    const processes = Array.from({ length: 4 }, () => fork(program, [test.url], { stdio: 'inherit' }));
    const codes = await Promise.all(processes.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await applied()).toEqual(Object.keys(MIGRATIONS));
  });

  it('waits for another migration longer than a statement may take', async () => {
    const impatient = createDatabase({
      url: test.url,
      replicaUrls: [],
      poolSize: 2,
      log: createQuietLog(),
      statementTimeoutMs: 100,
    });
    const slow = {
      ...MIGRATIONS,
      '0002-slow': { up: (db: Kysely<unknown>) => sql`select pg_sleep(0.5)`.execute(db).then(() => {}) },
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
      '0002-fine': {
        up: (db: Kysely<unknown>) => sql`create table made_and_undone (a int)`.execute(db).then(() => {}),
      },
      '0003-broken': {
        up: (db: Kysely<unknown>) => sql`create table broken (a nonsense)`.execute(db).then(() => {}),
      },
    };
    const attempt = migrateToLatest(test.database.primary, createQuietLog(), broken);
    await expect(attempt).rejects.toThrow(StartError);
    await expect(attempt).rejects.toThrow(
      'Migration 0003-broken failed and was rolled back: type "nonsense" does not exist',
    );
    expect(await applied()).toEqual(Object.keys(MIGRATIONS));
    const { rows } = await sql`select to_regclass('made_and_undone') as found`.execute(test.database.primary);
    expect(rows).toEqual([{ found: null }]);
  });

  it('refuses a database of a newer version', async () => {
    const newer = { ...MIGRATIONS, '9999-from-the-future': { up: async () => {} } };
    await migrateToLatest(test.database.primary, createQuietLog(), newer);
    const attempt = migrateToLatest(test.database.primary, createQuietLog());
    await expect(attempt).rejects.toThrow(StartError);
    await expect(attempt).rejects.toThrow(/newer version of tongate \(unknown here: 9999-from-the-future\)/);
  });
});
