import { Socket } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { shareConnection } from '../../../src/db/driver.ts';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { allowSorting } from '../../../src/index/read/lists.ts';
import { listTraces } from '../../../src/index/read/traces.ts';
import { TransactionReader } from '../../../src/index/read/transaction-reader.ts';
import { readSnapshot } from '../../../src/index/snapshot.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test?.drop());

const isSorting = async (db: Kysely<Tables>) => {
  const { rows } = await sql<{ readonly value: string }>`
    select current_setting('enable_sort') as value, ${1}::int as one`.execute(db);
  return rows[0]!.value;
};

const read = <T>(work: (db: Kysely<Tables>) => Promise<T>) =>
  readSnapshot(
    { database: test.database, timeoutMs: 3000, signal: new AbortController().signal, onCoverage: () => {} },
    work,
  );

it('settings of a sort are sent in one piece with the list, and hold until the snapshot ends', async () => {
  const sent = vi.spyOn(Socket.prototype, 'write');
  try {
    const found = await read(async (db) => {
      sent.mockClear();
      allowSorting(db, false);
      const first = await isSorting(db);
      const pieces = sent.mock.calls.length;
      allowSorting(db, true);
      return { first, pieces, second: await isSorting(db) };
    });
    expect(found).toEqual({ first: 'off', pieces: 1, second: 'on' });
    await read(async (db) => {
      allowSorting(db, false);
      await isSorting(db);
    });
    expect(await read(isSorting)).toBe('on');
  } finally {
    sent.mockRestore();
  }
});

it('settings of a sort come before the list also after a pause', async () => {
  let left = 5;
  await test.database.read((database) =>
    shareConnection(
      database,
      async ({ db }) => {
        await sql`begin`.execute(db);
        allowSorting(db, false);
        expect(await isSorting(db)).toBe('off');
        await sql`rollback`.execute(db);
      },
      // Each pause is shorter than the one before.
      () => new Promise((resolve) => setTimeout(resolve, 10 * left--)),
    ),
  );
});

it('the list of the traces of an account is sent with the question whether it is alone, unless there is an offset', async () => {
  const sent = vi.spyOn(Socket.prototype, 'write');
  const filters = { account: Buffer.alloc(33, 7), span: {} };
  const piecesOf = (offset: number) =>
    read(async (db) => {
      sent.mockClear();
      const page = { limit: 10, offset };
      const { items } = await listTraces(new TransactionReader(db), { filters, sort: 'desc', page });
      expect(items).toEqual([]);
      return sent.mock.calls.length;
    });
  try {
    expect([await piecesOf(0), await piecesOf(1)]).toEqual([1, 2]);
  } finally {
    sent.mockRestore();
  }
});
