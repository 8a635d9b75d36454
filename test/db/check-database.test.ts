import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitForDatabase } from '../../src/db/check-database.ts';
import { createDatabase } from '../../src/db/connection.ts';
import { StartError } from '../../src/lib/errors.ts';
import { createTestDatabase, isTestCluster, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { createTcpGate, type TcpGate } from '../support/tcp-gate.ts';

let test: TestDatabase;
let gate: TcpGate;

beforeEach(async () => {
  test = await createTestDatabase();
  gate = await createTcpGate(test.url);
});
afterEach(async () => {
  await gate.close();
  await test.drop();
});

async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    const { message } = error as StartError;
    expect(message).not.toContain('\n');
    expect(message).not.toContain('s3cret');
    return message;
  }
  throw new Error('it was expected to fail');
}

describe('waitForDatabase', () => {
  it('waits for a server that is still starting', async () => {
    await gate.shut();
    const log = createQuietLog();
    const waiting = waitForDatabase({ url: gate.url, log });
    setTimeout(() => gate.open(), 300);
    await waiting;
    expect(log.texts()).toEqual(['Waiting for the database']);
  });

  it('names host, port and database but not the password if there is no server', async () => {
    await gate.shut();
    const url = new URL(gate.url);
    url.password = 's3cret';
    const message = await refusalOf(() =>
      waitForDatabase({ url: url.href, log: createQuietLog(), timeoutMs: 0 }),
    );
    expect(message).toContain(
      `Cannot reach PostgreSQL at 127.0.0.1:${url.port}, database "${url.pathname.slice(1)}"`,
    );
    expect(message).toContain('ECONNREFUSED');
  });

  it.skipIf(isTestCluster())(
    'says what creates a missing database, and creates it when told to',
    async () => {
      const url = new URL(test.url);
      url.pathname += '_missing';
      const name = url.pathname.slice(1);
      const log = createQuietLog();
      const message = await refusalOf(() => waitForDatabase({ url: url.href, log }));
      expect(log.lines).toEqual([]);
      expect(message).toMatch(
        /^There is no database at .*\. The command migrate creates it; .*DATABASE_URL$/,
      );
      try {
        // Services that start together migrate at the same time.
        await Promise.all([1, 2].map(() => waitForDatabase({ url: url.href, log, create: true })));
        expect(log.texts()).toEqual(['Database created']);
      } finally {
        await sql`drop database ${sql.id(name)}`.execute(test.database.primary);
      }
    },
  );

  it('says why a missing database cannot be created', async () => {
    const url = new URL(test.url);
    const user = `${url.pathname.slice(1)}_user`;
    const db = test.database.primary;
    await sql`create role ${sql.id(user)} login password 's3cret'`.execute(db);
    try {
      url.username = user;
      url.password = 's3cret';
      url.pathname += '_missing';
      const log = createQuietLog();
      const reason = isTestCluster()
        ? 'a cluster needs it with its extension on every node'
        : 'permission denied to create database';
      expect(await refusalOf(() => waitForDatabase({ url: url.href, log, create: true }))).toContain(
        `cannot be created: ${reason}. Create it, or correct DATABASE_URL`,
      );
    } finally {
      await sql`drop role ${sql.id(user)}`.execute(db);
    }
  });

  it('names the socket if it does not exist', async () => {
    const url = 'postgresql://me:s3cret@localhost/nothing?host=/nowhere/at/all';
    const message = await refusalOf(() => waitForDatabase({ url, log: createQuietLog(), timeoutMs: 0 }));
    expect(message).toContain('socket /nowhere/at/all, database "nothing"');
  });

  it('refuses a malformed URL without quoting it', async () => {
    const url = 'postgresql://me:s3cret@:bad:port/x';
    const log = createQuietLog();
    expect(await refusalOf(() => waitForDatabase({ url, log }))).toContain('DATABASE_URL is not');
    const options = { url: test.url, replicaUrls: [url], poolSize: 1, log };
    expect(await refusalOf(() => createDatabase(options))).toContain('DATABASE_REPLICA_URLS is not');
  });
});
