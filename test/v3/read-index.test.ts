import { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tables } from '../../src/db/tables/tables.ts';
import { createLogger } from '../../src/observe/logger.ts';
import type { V3ResponseNotes } from '../../src/v3/operation.ts';
import { readRequestOptions } from '../../src/v3/parameters.ts';
import { createReads, readIndex } from '../../src/v3/read-index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { NO_INDEX } from './support/build-app.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const silent = createLogger({ level: 'silent' }) as FastifyBaseLogger;
const callWith = (timeout: string, minSeqno?: string, signal = new AbortController().signal) => ({
  signal,
  log: silent,
  ports: { ...NO_INDEX, database: test.database },
  options: readRequestOptions(
    { 'x-timeout': timeout },
    { origin: 'query', values: new Map(minSeqno === undefined ? [] : [['min_seqno', [minSeqno]]]) },
  ),
  notes: {} as V3ResponseNotes,
  caller: { group: undefined, client: new Socket(), startedAtMs: performance.now(), payer: undefined },
});

describe('readIndex', () => {
  it('writes the statements of a request to the log if the caller wants that', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
    const call = callWith('3000');
    const read = (debug: boolean) =>
      readIndex(
        { ...call, log: log as FastifyBaseLogger, options: { ...call.options, debug } },
        async (db) => {
          const { rows } = await sql`select ${'secret'}::text as value`.execute(db);
          return rows;
        },
      );
    expect(await read(false)).toEqual([{ value: 'secret' }]);
    expect(lines).toEqual([]);
    expect(await read(true)).toEqual([{ value: 'secret' }]);
    const statements = ['select $1::text as value'];
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { statements, msg: 'Database statements of a request' },
    ]);
  });

  it('returns the result of the work or throws its error', async () => {
    expect(await readIndex(callWith('3000'), async () => 5)).toBe(5);
    const bad = readIndex(callWith('3000'), (db) => sql`select nothing`.execute(db));
    await expect(bad).rejects.toThrow('nothing');
  });

  it('times out after the timeout of the caller', async () => {
    const slow = readIndex(callWith('50'), (db) => sql`select pg_sleep(0.5)`.execute(db));
    await expect(slow).rejects.toMatchObject({
      kind: 'timeout',
      message: 'timeout: context deadline exceeded',
    });
  });

  it('cancels the statement in PostgreSQL, and those after it, when the client disconnects', async () => {
    const client = new AbortController();
    const call = callWith('3000', undefined, client.signal);
    const started: string[] = [];
    const run = (db: Kysely<Tables>, mark: string) => {
      started.push(mark);
      return sql.raw(`select pg_sleep(2.5) /* ${mark} */`).execute(db);
    };
    const inWork = Promise.withResolvers<void>();
    const gone = readIndex(call, async (db) => {
      await run(db, 'first read').catch(() => {});
      await run(db, 'second read').finally(inWork.resolve);
    });
    const running = async () => {
      const { rows } = await sql<{ query: string }>`
        select query from pg_stat_activity where state = 'active' and query like '%read */'`.execute(
        test.database.primary,
      );
      return rows.map(({ query }) => query);
    };
    await expect.poll(running).toEqual(['select pg_sleep(2.5) /* first read */']);
    client.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    await inWork.promise;
    expect(started).toEqual(['first read', 'second read']);
    expect(await running()).toEqual([]);
    // The connection is as good as before.
    expect(await readIndex(callWith('3000'), (db) => sql`select 1 as one`.execute(db))).toMatchObject({
      rows: [{ one: 1 }],
    });
  });

  it('repeats a read that turned out to be large in its turn, if that is not free', async () => {
    const reads = createReads({ largeResponses: 1 });
    const { signal } = new AbortController();
    const end = Promise.withResolvers<void>();
    const other = reads.run({ payer: undefined, signal, params: { limit: 1000 } }, () => end.promise);
    let runs = 0;
    const read = reads.run({ payer: undefined, signal, params: {} }, (own) =>
      readIndex({ ...callWith('3000'), reads: own }, async () => {
        runs++;
        own.requireTurn(1000);
        return 5;
      }),
    );
    await until(() => runs === 1);
    end.resolve();
    await other;
    expect([await read, runs]).toEqual([5, 2]);
  });

  it('goes on with a read that turned out to be large if its turn is free, and gives the turn back', async () => {
    const reads = createReads({ largeResponses: 1 });
    const { signal } = new AbortController();
    const run = () =>
      reads.run({ payer: undefined, signal, params: {} }, async (own) => {
        let runs = 0;
        await readIndex({ ...callWith('3000'), reads: own }, async (db) => {
          runs++;
          own.requireTurn(1000);
          // Longer than a read that is not large may take without being a slow one.
          await sql`select pg_sleep(${0.3}::float8)`.execute(db);
          own.requireTurn(1000);
        });
        return runs;
      });
    expect([await run(), await run()]).toEqual([1, 1]);
  });

  it('pauses between the statements of a slow read for as long as they took, if other callers come', async () => {
    let nowMs = 0;
    const pauses: number[] = [];
    const reads = createReads({
      now: () => nowMs,
      async sleepFor(ms) {
        pauses.push(ms);
        nowMs += ms;
      },
    });
    const { signal } = new AbortController();
    const readAs = (id: string, between: () => Promise<void>) =>
      reads.run({ payer: { id, rps: 1 }, signal, params: { offset: 1_000_000 } }, (own) =>
        readIndex({ ...callWith('3000'), reads: own }, async (db) => {
          for (const ms of [50, 70]) {
            await sql`select 1`.execute(db);
            nowMs += ms;
            await between();
          }
        }),
      );
    await readAs('one', async () => {});
    expect(pauses).toEqual([]);
    const asOther = () => reads.run({ payer: { id: 'other', rps: 1 }, signal, params: {} }, async () => {});
    await readAs('one', asOther);
    expect(pauses).toEqual([50]);
  });

  it('notes the newest indexed seqno and how many before it are missing, and waits for the wanted one', async () => {
    const empty = callWith('3000');
    await readIndex(empty, async () => 0);
    expect(empty.notes).toEqual({ indexedSeqno: 0, missingSeqnos: 0 });
    const db = test.database.primary;
    await sql`insert into index_origin (zero_state, first_seqno, partition_seqnos)
      values (${Buffer.alloc(32)}, 1, 1000)`.execute(db);
    // Claimed, not indexed: 100 to the head.
    await sql`insert into index_chunks (first_seqno, last_seqno, done_seqno, beat) values
      (1, 10, 10, now()), (11, 20, 15, now()), (100, null, 99, now())`.execute(db);
    const call = callWith('3000');
    await readIndex(call, async () => 0);
    expect(call.notes).toEqual({ indexedSeqno: 15, missingSeqnos: 0 });
    const waiting = callWith('3000', '101');
    let runs = 0;
    const found = readIndex(waiting, async () => ++runs);
    await expect.poll(() => waiting.notes.indexedSeqno).toBe(15);
    await sql`update index_chunks set done_seqno = 101 where first_seqno = 100`.execute(db);
    expect(await found).toBe(1);
    // 16 to 99.
    expect(waiting.notes).toEqual({ indexedSeqno: 101, missingSeqnos: 84 });
  });

  it('gives up on a seqno that the index does not reach', async () => {
    const call = callWith('3000', '2000000');
    const late = { ...call, caller: { ...call.caller, startedAtMs: performance.now() - 10_000 } };
    await expect(readIndex(late, async () => 0)).rejects.toMatchObject({
      kind: 'timeout',
      message: 'min_seqno: the index is at masterchain seqno 101, 2000000 was not reached within 10 s',
    });
  });
});
