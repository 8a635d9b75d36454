import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { createDatabase, type Database, type DatabaseOptions } from '../../src/db/connection.ts';
import { createTestDatabase, withDatabase } from '../support/database.ts';
import { query } from '../support/embedded.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { startReplicatedPair } from '../support/replicated-pair.ts';

const MAX_LAG_MS = 2000;

let log: ReturnType<typeof createQuietLog>;
let cleanups: (() => unknown)[];

beforeEach(() => {
  log = createQuietLog();
  cleanups = [];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const cleanup of cleanups.reverse()) await cleanup();
});

function open(options: Pick<DatabaseOptions, 'url' | 'replicaUrls'> & Partial<DatabaseOptions>): Database {
  const database = createDatabase({ poolSize: 4, log, replicaMaxLagMs: MAX_LAG_MS, ...options });
  cleanups.push(() => database.close());
  return database;
}

const urlOf = (name: string) => withDatabase(inject('testServerUrl'), name);

const nameOf = async (db: Database['primary']) => {
  const { rows } = await sql<{ value: string }>`select current_database() as value`.execute(db);
  return rows[0]!.value;
};

describe('replicas with a maximum lag', () => {
  let names: string[];
  let lags: Map<string, number>;
  let looks: number;
  let database: Database;

  // Every server is a separate database, so that its name tells which one responded.
  beforeEach(async () => {
    const urls: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { url, drop } = await createTestDatabase();
      cleanups.push(drop);
      urls.push(url);
    }
    names = urls.map((url) => new URL(url).pathname.slice(1));
    lags = new Map();
    looks = 0;
    const [url = '', ...replicaUrls] = urls;
    database = open({
      url,
      replicaUrls,
      readLag: async (db) => {
        looks++;
        return lags.get(await nameOf(db)) ?? 0;
      },
    });
    vi.useFakeTimers({ toFake: ['performance'] });
  });

  /** Reads after the last measurement has expired. */
  async function reads(count: number, afterMs = 10_000): Promise<string[]> {
    vi.advanceTimersByTime(afterMs);
    const answered: string[] = [];
    for (let at = 0; at < count; at++) answered.push(await database.read(nameOf));
    return answered;
  }

  it('are excluded while they lag, and the primary replaces all of them', async () => {
    const [primary, first, second] = names as [string, string, string];
    expect(await reads(4)).toEqual([first, second, first, second]);
    lags.set(first, MAX_LAG_MS + 1);
    expect(await reads(3)).toEqual([second, second, second]);
    lags.set(second, MAX_LAG_MS * 10);
    expect(await reads(2)).toEqual([primary, primary]);
    expect(database.stats().map(({ lagMs }) => lagMs)).toEqual([undefined, 2001, 20_000]);
    lags.set(first, MAX_LAG_MS);
    expect(await reads(2)).toEqual([first, first]);
    lags.clear();
    expect(new Set(await reads(2))).toEqual(new Set([first, second]));
    expect(log.lines.map(({ level, details, text }) => `${level} ${details.pool} ${text}`)).toEqual([
      'warn replica-1 Replica excluded due to lag',
      'warn replica-2 Replica excluded due to lag',
      'info replica-1 Replica caught up',
      'info replica-2 Replica caught up',
    ]);
  });

  it('are measured at most once per second, and reads do not wait while there is a recent measurement', async () => {
    const [, first, second] = names as [string, string, string];
    await reads(6);
    expect(looks).toBe(2);
    await reads(6, 900);
    expect(looks).toBe(2);
    lags.set(first, MAX_LAG_MS + 1);
    // A read that starts a new measurement does not wait for it.
    expect(await reads(2, 1100)).toContain(first);
    await vi.waitFor(
      async () => expect(await reads(4, 0)).toEqual([second, second, second, second]),
      120_000,
    );
    expect(looks).toBe(4);
  });

  it('are excluded if their lag cannot be measured', async () => {
    const [primary, first] = names as [string, string, string];
    const [url = '', replicaUrl = ''] = [primary, first].map((name) => urlOf(name));
    database = open({
      url,
      replicaUrls: [replicaUrl],
      readLag: (db) => sql`select nonsense`.execute(db).then(() => 0),
    });
    expect(await reads(2)).toEqual([primary, primary]);
    expect(log.texts()).toEqual(['Replica excluded due to lag']);
  });

  it('have no lag if they are not replicas', async () => {
    const [primary, first] = names as [string, string, string];
    database = open({ url: urlOf(primary), replicaUrls: [urlOf(first)] });
    expect(await reads(1)).toEqual([first]);
    expect(database.stats()[1]).toMatchObject({ lagMs: 0 });
  });
});

describe('a streaming replica', () => {
  it('is excluded while it does not replay changes', { timeout: 300_000 }, async () => {
    const { primary, standby, clean } = await startReplicatedPair();
    cleanups.push(clean);
    const database = open({ url: primary.url, replicaUrls: [standby.url], replicaMaxLagMs: 300 });
    const isStandby = () =>
      database.read(async (db) => {
        const { rows } = await sql<{ value: boolean }>`select pg_is_in_recovery() as value`.execute(db);
        return rows[0]!.value;
      });
    const write = () => query(primary.url, 'create table if not exists t (); drop table t');
    await write();
    await vi.waitFor(async () => expect(await isStandby()).toBe(true), 120_000);
    // Longer than the maximum lag: an idle primary causes no lag.
    await vi.waitFor(async () => expect(await age(standby.url)).toBeGreaterThan(300), 120_000);
    await new Promise((done) => setTimeout(done, 1000));
    expect(await isStandby()).toBe(true);
    expect(database.stats()[1]).toMatchObject({ lagMs: 0 });

    await query(standby.url, 'select pg_wal_replay_pause()');
    await write();
    await vi.waitFor(async () => expect(await isStandby()).toBe(false), 120_000);
    await query(standby.url, 'select pg_wal_replay_resume()');
    await vi.waitFor(async () => expect(await isStandby()).toBe(true), 120_000);
    expect(log.texts()).toEqual(['Replica excluded due to lag', 'Replica caught up']);

    // Nothing has changed in the meantime, but the replica cannot know.
    await primary.stop();
    await vi.waitFor(async () => expect(await receivers(standby.url)).toBe('0'), 120_000);
    await vi.waitFor(() => expect(isStandby()).rejects.toMatchObject({ kind: 'unavailable' }), 120_000);
  });
});

const age = async (url: string) =>
  Number(
    (
      await query(
        url,
        'select extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000 as ms',
      )
    )[0]!.ms,
  );
const receivers = async (url: string) =>
  (await query(url, 'select count(*) as count from pg_stat_wal_receiver'))[0]!.count;
