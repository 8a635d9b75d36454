import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDatabase, type Database, type DatabaseOptions, openPgPool } from '../../src/db/connection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { createTcpGate, type TcpGate } from '../support/tcp-gate.ts';

const UNAVAILABLE = { kind: 'unavailable', message: 'Database is not available', retryAfterSeconds: 1 };

let test: TestDatabase;
let log: ReturnType<typeof createQuietLog>;
let cleanups: (() => Promise<void>)[];

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test?.drop());
beforeEach(() => {
  log = createQuietLog();
  cleanups = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** Has something done at the end of the test; concurrent tests have a list of their own. */
type AtEnd = (cleanup: () => Promise<void>) => void;
const atEnd: AtEnd = (cleanup) => void cleanups.push(cleanup);

function open(options: Partial<DatabaseOptions> = {}, onEnd = atEnd): Database {
  const database = createDatabase({ url: test.url, replicaUrls: [], poolSize: 4, log, ...options });
  onEnd(() => database.close());
  return database;
}

async function gateTo(url: string, onEnd = atEnd): Promise<TcpGate> {
  const gate = await createTcpGate(url);
  onEnd(() => gate.close());
  return gate;
}

const databaseName = async (db: Database['primary']) => {
  const { rows } = await sql<{ value: string }>`select current_database() as value`.execute(db);
  return rows[0]?.value;
};

it('an idle connection that is lost is reported until its pool is closed', async () => {
  const onIdleError = vi.fn();
  const pool = openPgPool({ url: test.url, size: 2, applicationName: 'lost', onIdleError });
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  for (const client of clients) client.release();
  const lose = (client: (typeof clients)[number]) =>
    client.emit('error', new Error('terminating connection'));
  lose(clients[0]!);
  expect(onIdleError).toHaveBeenCalledTimes(1);
  const closed = pool.end();
  // PostgreSQL was stopped before it read that the connection ends.
  lose(clients[1]!);
  await closed;
  expect(onIdleError).toHaveBeenCalledTimes(1);
});

describe('a database without replicas', () => {
  it('reads and writes', async () => {
    const database = open();
    const name = await database.write(databaseName);
    expect(await database.read(databaseName)).toBe(name);
    await database.ping();
    expect(database.stats()).toEqual([{ name: 'primary', total: 1, idle: 1, waiting: 0, up: true }]);
  });

  it('returns bigint and numeric as strings', async () => {
    const { rows } = await sql`select 9007199254740993::int8 as a, 1.10::numeric as b`.execute(
      open().primary,
    );
    expect(rows).toEqual([{ a: '9007199254740993', b: '1.10' }]);
  });

  it('passes through errors of statements', async () => {
    const attempt = open().write((db) => sql`select nonsense`.execute(db));
    await expect(attempt).rejects.toMatchObject({ code: '42703' });
  });

  it('throws a timeout for a slow statement', async () => {
    const database = open({ statementTimeoutMs: 50 });
    const attempt = database.read((db) => sql`select pg_sleep(60)`.execute(db));
    await expect(attempt).rejects.toMatchObject({
      kind: 'timeout',
      message: 'timeout: context deadline exceeded',
    });
    expect(await database.read(databaseName)).toEqual(expect.any(String));
  });

  it('is unavailable while the server is down, and recovers', async () => {
    const gate = await gateTo(test.url);
    const database = open({ url: gate.url });
    await database.ping();
    await gate.shut();
    await expect(database.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(database.read(databaseName)).rejects.toMatchObject(UNAVAILABLE);
    expect(database.stats()).toMatchObject([{ up: false }]);
    await gate.open();
    await vi.waitFor(() => expect(database.stats()).toMatchObject([{ up: true }]), 120_000);
    await database.ping();
    expect(log.texts()).toEqual(['Database unreachable', 'Database recovered']);
  });

  it('survives a lost idle connection', async () => {
    const database = open();
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.primary);
    await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(test.database.primary);
    await vi.waitFor(() => expect(database.stats()).toMatchObject([{ total: 0 }]), 120_000);
    await database.ping();
  });

  it('survives a connection lost during a transaction', async () => {
    const database = open();
    const attempt = database.write((db) =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
        await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(test.database.primary);
        // The last message of the server arrives while no statement is waiting for it.
        await sql`select pg_sleep(0.05)`.execute(test.database.primary);
        await sql`select 1`.execute(transaction);
      }),
    );
    await expect(attempt).rejects.toMatchObject(UNAVAILABLE);
    await database.ping();
  });

  it('is unavailable if the server accepts no more connections', async () => {
    const name = new URL(test.url).pathname.slice(1);
    const limit = (count: number) =>
      sql.raw(`alter database "${name}" connection limit ${count}`).execute(test.database.primary);
    await limit(0);
    cleanups.push(async () => void (await limit(-1)));
    const role = `limited_${process.pid}`;
    await sql.raw(`create role ${role} login`).execute(test.database.primary);
    cleanups.push(async () => {
      await sql.raw(`drop role ${role}`).execute(test.database.primary);
    });
    const url = new URL(test.url);
    url.username = role;
    await expect(open({ url: url.href }).ping()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is unavailable after close', async () => {
    const database = open();
    await database.ping();
    await database.close();
    await database.close();
    await expect(database.ping()).rejects.toMatchObject(UNAVAILABLE);
  });
});

// Each waits as long as connecting may take.
describe.concurrent('a database that has no connection in time', () => {
  it('gives up waiting for a free connection', async ({ onTestFinished }) => {
    const database = open({ poolSize: 1 }, onTestFinished);
    const gone = Promise.withResolvers<void>();
    const holder = database.primary.connection().execute(() => gone.promise);
    await expect(database.ping()).rejects.toMatchObject(UNAVAILABLE);
    expect(database.stats()).toMatchObject([{ up: true }]);
    gone.resolve();
    await holder;
    await database.ping();
  });

  it('gives up on a server that never responds', async ({ onTestFinished }) => {
    const gate = await gateTo(test.url, onTestFinished);
    gate.freeze();
    await expect(open({ url: gate.url }, onTestFinished).ping()).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe('replicas', () => {
  let gates: TcpGate[];
  let replicas: TestDatabase[];
  let names: string[];
  let primaryName: string;
  let database: Database;

  // Every "replica" is a separate database, so that its name tells which one responded.
  beforeAll(async () => {
    replicas = [await createTestDatabase(), await createTestDatabase()];
    names = replicas.map(({ url }) => new URL(url).pathname.slice(1));
    primaryName = new URL(test.url).pathname.slice(1);
  });
  afterAll(async () => {
    for (const replica of replicas ?? []) await replica.drop();
  });
  beforeEach(async () => {
    gates = [];
    for (const { url } of replicas) gates.push(await gateTo(url));
    database = open({ replicaUrls: gates.map((gate) => gate.url), statementTimeoutMs: 300 });
  });

  const reads = async (count: number) => {
    const answered = [];
    for (let at = 0; at < count; at++) answered.push(await database.read(databaseName));
    return answered;
  };

  it('share reads round-robin, and writes go to the primary', async () => {
    expect(await reads(4)).toEqual([names[0], names[1], names[0], names[1]]);
    expect(await database.write(databaseName)).toBe(primaryName);
  });

  it('replace each other, then the primary replaces all, until they recover', async () => {
    await reads(2);
    await gates[0]?.shut();
    expect(await reads(4)).toEqual([names[1], names[1], names[1], names[1]]);
    expect(database.stats().map((pool) => pool.up)).toEqual([true, false, true]);
    await gates[1]?.shut();
    expect(await reads(2)).toEqual([primaryName, primaryName]);
    expect(database.stats().map((pool) => [pool.name, pool.up])).toEqual([
      ['primary', true],
      ['replica-1', false],
      ['replica-2', false],
    ]);
    await gates[0]?.open();
    await gates[1]?.open();
    await vi.waitFor(() => expect(database.stats().every((pool) => pool.up)).toBe(true), 120_000);
    expect(new Set(await reads(4))).toEqual(new Set(names));
    const changes = log.lines.map(({ details, text }) => `${details.pool} ${text}`);
    expect(changes.sort()).toEqual([
      'replica-1 Database recovered',
      'replica-1 Database unreachable',
      'replica-2 Database recovered',
      'replica-2 Database unreachable',
    ]);
  });

  it('that stop responding are skipped and their connections dropped', async () => {
    await reads(2);
    gates[0]?.freeze();
    expect(await reads(3)).toEqual([names[1], names[1], names[1]]);
    expect(database.stats()[1]).toMatchObject({ up: false });
    await vi.waitFor(() => expect(database.stats()[1]).toMatchObject({ total: 0 }), 120_000);
  });

  it('do not repeat a read that timed out or failed', async () => {
    let runs = 0;
    const slow = database.read((db) => {
      runs++;
      return sql`select pg_sleep(60)`.execute(db);
    });
    await expect(slow).rejects.toMatchObject({ kind: 'timeout' });
    const wrong = database.read((db) => {
      runs++;
      return sql`select nonsense`.execute(db);
    });
    await expect(wrong).rejects.toMatchObject({ code: '42703' });
    expect(runs).toBe(2);
  });

  it('pass a read on to the next server if replay cancels it', async () => {
    const answer = await database.read(async (db) => {
      const name = await databaseName(db);
      if (name === names[0]) await sql`do $$ begin raise sqlstate '40001'; end $$`.execute(db);
      return name;
    });
    expect(answer).toBe(names[1]);
    expect(database.stats().every((pool) => pool.up)).toBe(true);
  });
});
