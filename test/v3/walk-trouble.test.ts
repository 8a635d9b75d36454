import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/connection.ts';
import { createV3Operations } from '../../src/v3/operations.ts';
import { createTestApp } from '../support/app.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { until } from '../support/until.ts';
import { EMPTY_CHAIN } from './support/build-app.ts';
import { createMadePending } from './support/made-pending.ts';
import { askApp, openWalkContext, queryOf, type WalkContext } from './support/walk-app.ts';
import { demoCases, type WalkCase } from './support/walk-cases.ts';

/** Operations that read the index. */
const reads = createV3Operations({ defaultLimit: 10, maxLimit: 1000 }).filter(
  ({ cache }) => cache !== 'none',
);

describe('v3 while the database has problems', () => {
  let walk: WalkContext;
  let cases: Readonly<Record<string, WalkCase>>;
  beforeAll(async () => {
    walk = await openWalkContext();
    cases = await demoCases(walk.index.database.primary);
  });
  afterAll(() => walk?.close());

  const firstOf = (name: string) => cases[name]!.bases[0]!;

  /** Locks the tables while the work runs. */
  async function whileLocked(work: () => Promise<void>): Promise<void> {
    await walk.index.database.primary.transaction().execute(async (db) => {
      const { rows } = await sql<{ name: string }>`
        select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
      await sql`lock table ${sql.join(rows.map(({ name }) => sql.table(name)))} in access exclusive mode`.execute(
        db,
      );
      await work();
    });
  }

  it('answers 504 if the database is too slow', async () => {
    await whileLocked(async () => {
      for (const { name } of reads) {
        const answer = await walk.ask({ name, params: firstOf(name), headers: { 'x-timeout': '40' } });
        const late = { code: 504, error: 'timeout: context deadline exceeded' };
        expect([name, answer.statusCode, answer.json()]).toEqual([name, 504, late]);
      }
    });
    for (const { name } of reads)
      expect((await walk.ask({ name, params: firstOf(name) })).statusCode, name).toBe(200);
  });

  it('answers 503 while the database is unavailable', async () => {
    const [url, log] = ['postgres://nobody@127.0.0.1:1/nothing', createQuietLog()];
    const database = createDatabase({ url, replicaUrls: [], poolSize: 2, log });
    const app = await createTestApp({ v3: { database, live: EMPTY_CHAIN, pending: createMadePending() } });
    for (const { name } of reads) {
      const answer = await askApp(app, { name, params: firstOf(name) });
      const away = { code: 503, error: 'Database is not available' };
      expect([name, answer.statusCode, answer.json()]).toEqual([name, 503, away]);
      expect(answer.headers['retry-after']).toBe('1');
    }
    await app.close();
    await database.close();
  });

  it('answers 503 when the database goes down during a request, and recovers', async () => {
    // Its connections are none of those that are ended.
    const url = walk.index.url;
    const other = createDatabase({ url, replicaUrls: [], poolSize: 1, log: createQuietLog() });
    await whileLocked(async () => {
      let answered = 0;
      const asked = reads.slice(0, 3).map(async ({ name }) => {
        const answer = await walk.ask({ name, params: firstOf(name) });
        answered += 1;
        return answer;
      });
      // Also those that a busy machine lets wait for the lock later.
      await until(async () => {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(other.primary);
        return answered === asked.length;
      });
      for (const answer of await Promise.all(asked)) expect(answer.statusCode).toBe(503);
    });
    await other.close();
    for (const { name } of reads.slice(0, 3))
      expect((await walk.ask({ name, params: firstOf(name) })).statusCode, name).toBe(200);
  });

  it('frees database connections when clients disconnect', async () => {
    const url = new URL(await walk.app.listen({ host: '127.0.0.1', port: 0 }));
    await whileLocked(async () => {
      const gone = reads.map(({ name }) => {
        const address = new URL(`/api/v3/${name}?${queryOf(firstOf(name))}`, url);
        const client = request(address, { headers: { 'x-timeout': '1000' } });
        client.on('error', () => {});
        client.end();
        return client;
      });
      await sleep(200);
      for (const client of gone) client.destroy();
    });
    for (const { name } of reads)
      expect((await walk.ask({ name, params: firstOf(name) })).statusCode, name).toBe(200);
  });
});
