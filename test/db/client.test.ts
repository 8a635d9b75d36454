import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEPT_PLAN } from '../../src/db/client.ts';
import { createDatabase, type Database } from '../../src/db/connection.ts';
import { shareConnection, withClient, withoutTimeLimits } from '../../src/db/driver.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
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

describe('kept statements', () => {
  it('return the same values when they are read in binary form', async () => {
    await open();
    await sql`create table kinds (a bytea, b bigint, c int, d smallint, e boolean, f text, g bigint)`.execute(
      database.primary,
    );
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    await sql`insert into kinds values
      (${bytes}, -9223372036854775808, -2147483648, -5, true, 'Größe', -1),
      (${Buffer.alloc(0)}, 9007199254740993, 7, 32767, false, '', 4294967296), (null, null, null, null, null, null, null)`.execute(
      database.primary,
    );
    await database.primary.connection().execute(async (db) => {
      const read = () => sql`${KEPT_PLAN} select * from kinds order by b`.execute(db);
      const plain = await sql`select * from kinds order by b`.execute(db);
      expect(plain.rows).toHaveLength(3);
      for (let run = 0; run < 3; run++) expect((await read()).rows).toEqual(plain.rows);
    });
  });

  it('return the same numbers, lists and documents when they are read in binary form', async () => {
    await open();
    await sql`create table lists (n numeric, t text[], b bigint[], i int[], s smallint[], y bytea[], j jsonb, k json)`.execute(
      database.primary,
    );
    const numbers = [
      '0',
      '1',
      '-1',
      '9999',
      '10000',
      '100000000',
      '-123456789012345678901234567890',
      '0.5',
      '-0.00012',
    ];
    numbers.push('1.50', '10000.00001', '0.000000010', 'NaN', 'Infinity', '-Infinity', `1${'0'.repeat(60)}`);
    for (const number of numbers)
      await sql`insert into lists values (${number}, array['a', null, 'Größe "x" \\ {}', ''],
        array[-9223372036854775808, null, 4294967296], array[-1, 2147483647], array[-32768], array['\\x00ff'::bytea, ''],
        '{"a": [1, "ü", null]}', '[1]')`.execute(database.primary);
    await sql`insert into lists values (null, '{}', '{}', null, '{}', '{}', 'null', null)`.execute(
      database.primary,
    );
    await database.primary.connection().execute(async (db) => {
      const plain = await sql<{ readonly n: string | null }>`select * from lists order by n`.execute(db);
      expect(plain.rows.map(({ n }) => n)).toEqual(expect.arrayContaining(numbers));
      const read = () => sql`${KEPT_PLAN} select * from lists order by n`.execute(db);
      for (let run = 0; run < 3; run++) expect((await read()).rows).toEqual(plain.rows);
    });
  });

  it('return columns of any name, and of columns with the same name the last', async () => {
    await open();
    await database.primary.connection().execute(async (db) => {
      const names = ['constructor', 'a"b', "a'b", 'a\\b', 'a`b', 'two\nlines', '*/', 'ü'];
      const columns = sql.join(names.map((name, at) => sql`${sql.lit(at)}::int as ${sql.id(name)}`));
      const expected = Object.fromEntries(names.map((name, at) => [name, at]));
      for (let run = 0; run < 3; run++) {
        const { rows } = await sql`${KEPT_PLAN} select ${columns}, 1 as same, 2 as same`.execute(db);
        expect(rows).toEqual([Object.assign({ same: 2 }, expected)]);
      }
    });
  });

  it('return their own columns when others have the same names and other types', async () => {
    await open();
    await database.primary.connection().execute(async (db) => {
      for (let run = 0; run < 3; run++) {
        expect((await sql`${KEPT_PLAN} select ${7}::int as value`.execute(db)).rows).toEqual([{ value: 7 }]);
        expect((await sql`${KEPT_PLAN} select ${7}::text as value`.execute(db)).rows).toEqual([
          { value: '7' },
        ]);
      }
    });
  });

  it('return values larger than what is received at once', async () => {
    await open();
    await database.primary.connection().execute(async (db) => {
      for (let run = 0; run < 3; run++) {
        const { rows } = await sql<{ large: Buffer }>`${KEPT_PLAN}
          select decode(repeat('ab', ${300_000}::int), 'hex') as large from generate_series(1, 3)`.execute(
          db,
        );
        expect(rows.map(({ large }) => large.equals(Buffer.alloc(300_000, 0xab)))).toEqual([
          true,
          true,
          true,
        ]);
      }
    });
  });

  it('fail alone: the connection goes on', async () => {
    await open();
    await database.primary.connection().execute(async (db) => {
      const divide = (by: number) => sql`${KEPT_PLAN} select 6 / ${by}::int as found`.execute(db);
      await expect(divide(0)).rejects.toThrow('division by zero');
      expect((await divide(2)).rows).toEqual([{ found: 3 }]);
      await expect(divide(0)).rejects.toThrow('division by zero');
      expect((await divide(3)).rows).toEqual([{ found: 2 }]);
    });
  });
});

describe.each([true, false])('a snapshot, with kept plans: %s', (keepPlans) => {
  const begin = async (db: Kysely<Tables>, signal = new AbortController().signal) => {
    const found: unknown[] = [];
    const first = `select current_setting('statement_timeout') as timeout, count(*)::int as books from shelf`;
    const onRows = (rows: readonly unknown[]) => void found.push(...rows);
    const snapshot = await withClient(db, (client) =>
      client.beginSnapshot({ first, onRows, timeoutMs: 500, signal }),
    );
    return { found, snapshot };
  };

  it('has one state of the database, and any kinds of statements', async () => {
    await open({ keepPlans });
    for (let run = 0; run < 2; run++)
      await database.primary.connection().execute(async (db) => {
        const { found, snapshot } = await begin(db);
        expect(await books(db)).toHaveLength(1 + run);
        expect(found).toEqual([{ timeout: '500ms', books: 1 + run }]);
        await sql`insert into shelf values ('one')`.execute(database.primary);
        const { rows } = await sql`select count(*)::int as count from shelf where book <> ${'two'}`.execute(
          db,
        );
        expect(rows).toEqual([{ count: 1 + run }]);
        expect((await sql.raw('select 1 as one; select 2 as two').execute(db)).rows).toEqual([{ two: 2 }]);
        expect(await books(db)).toHaveLength(1 + run);
        await snapshot.end();
        expect(await books(db)).toHaveLength(2 + run);
      });
  });

  it('reads its first statement also without another', async () => {
    await open({ keepPlans });
    await database.primary.connection().execute(async (db) => {
      const { found, snapshot } = await begin(db);
      await snapshot.ready();
      expect(found).toEqual([{ timeout: '500ms', books: 1 }]);
      await snapshot.end();
    });
  });

  it('fails with its first statement', async () => {
    await open({ keepPlans });
    await sql`drop table shelf`.execute(database.primary);
    await database.primary.connection().execute(async (db) => {
      const work = async () => {
        const { snapshot } = await begin(db);
        try {
          await expect(sql`${KEPT_PLAN} select 1`.execute(db)).rejects.toThrow(
            'relation "shelf" does not exist',
          );
          await snapshot.ready();
        } finally {
          await snapshot.end();
        }
      };
      await expect(work()).rejects.toThrow('relation "shelf" does not exist');
      expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    });
  });
});

describe.each([true, false])(
  'statements of a snapshot that are started together, with kept plans: %s',
  (keepPlans) => {
    const inSnapshot = <T>(work: (db: Kysely<Tables>) => Promise<T>) =>
      shareConnection(database.primary, async ({ db, client, close }) => {
        const { signal } = new AbortController();
        const options = { first: 'select 1', onRows: () => {}, timeoutMs: 500, signal };
        const snapshot = await client.beginSnapshot(options);
        try {
          return await work(db);
        } finally {
          close();
          await snapshot.end();
        }
      });

    it('have their own results', async () => {
      await open({ keepPlans });
      for (let run = 0; run < 3; run++) {
        const found = await inSnapshot((db) =>
          Promise.all([
            books(db),
            sql`select count(*)::int as count from shelf where book <> ${'two'}`.execute(db),
            books(db, 'two'),
            sql`select 5 as five`.execute(db),
          ]),
        );
        expect(found).toMatchObject([
          [{ book: 'one' }],
          { rows: [{ count: 1 }] },
          [],
          { rows: [{ five: 5 }] },
        ]);
      }
    });

    it('fail with the first that fails, and the next snapshot does not notice', async () => {
      await open({ keepPlans });
      const divide = (db: Kysely<Tables>) => sql`${KEPT_PLAN} select 6 / ${0}::int`.execute(db);
      for (let run = 0; run < 3; run++) {
        await expect(inSnapshot((db) => Promise.all([divide(db), books(db)]))).rejects.toThrow(
          'division by zero',
        );
        expect(await inSnapshot((db) => books(db))).toEqual([{ book: 'one' }]);
      }
    });

    it('are refused after its end, which the server learns of without another statement', async () => {
      await open({ keepPlans });
      const db = await inSnapshot(async (one) => {
        await books(one);
        return one;
      });
      await expect(books(db)).rejects.toThrow('The work of this connection is over');
      const countOpen = async () => {
        const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`.execute(
          test.database.primary,
        );
        return rows.length;
      };
      await expect.poll(countOpen).toBe(0);
    });
  },
);

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
