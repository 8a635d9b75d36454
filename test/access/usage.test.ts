import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiKey } from '../../src/access/keys.ts';
import { readUsage, type UsageGroup } from '../../src/access/stored-usage.ts';
import { createUsageCounter, type UsageCounter } from '../../src/access/usage.ts';
import { createDatabase, type Database } from '../../src/db/connection.ts';
import { createTestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { relayDatabase } from './database-relay.ts';

const NEVER_MS = 3_600_000;
const DAY = '2026-03-01';
const NOON = Date.parse(`${DAY}T12:00:00Z`);

let base: Awaited<ReturnType<typeof createTestDatabase>>;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  base = await createTestDatabase();
});
beforeEach(async () => {
  await base.database.primary.deleteFrom('key_usage').execute();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => base?.drop());

function openCounter(options: Partial<Parameters<typeof createUsageCounter>[0]> = {}): UsageCounter {
  const counter = createUsageCounter({
    database: base.database,
    log: createQuietLog(),
    flushMs: NEVER_MS,
    retentionSeconds: 400 * 86_400,
    clock: () => NOON,
    ...options,
  });
  closing.push(counter.close);
  return counter;
}

const sums = (by: readonly UsageGroup[] = ['key', 'operation', 'day'], more = {}) =>
  base.database.write((db) =>
    readUsage(db, { from: '2000-01-01', to: '2100-01-01', by, limit: 100, ...more }),
  );
const total = async () => (await sums([]))[0]!.requests;

test('counts are stored by key, operation and day, with what was refused', async () => {
  const { row } = await createApiKey(base.database, {
    name: 'bot',
    plan: 'free',
    rps: 1,
    networks: [],
    owner: 'shop',
  });
  const counter = openCounter();
  for (const status of [200, 200, 304, 404, 422, 429, 500, 503])
    counter.count(row.id, 'v2', 'getShards', status);
  counter.count(null, 'v3', 'blocks', 200);
  await counter.flush();
  expect(await sums()).toMatchObject([
    {
      keyId: row.id,
      key: 'bot',
      interface: 'v2',
      operation: 'getShards',
      day: DAY,
      requests: 8,
      limited: 1,
      rejected: 2,
      failed: 2,
      owner: null,
    },
    { keyId: null, key: null, interface: 'v3', operation: 'blocks', requests: 1, limited: 0 },
  ]);
  expect(await sums(['owner'])).toMatchObject([
    { owner: 'shop', requests: 8, operation: null },
    { owner: null, requests: 1 },
  ]);
  expect(await sums([], { ownerId: row.owner!.id })).toMatchObject([{ requests: 8 }]);
  expect(await sums([], { keyId: '0' })).toMatchObject([{ requests: 1 }]);
  expect(await sums([], { interface: 'v3', operation: 'nothing' })).toMatchObject([{ requests: 0 }]);
});

test('several processes add to the same counts at the same time', async () => {
  const counters = Array.from({ length: 8 }, () => openCounter());
  for (let round = 0; round < 5; round++) {
    for (const counter of counters)
      for (const operation of ['a', 'b', 'c']) counter.count(null, 'v2', operation, 200);
    await Promise.all(counters.map((counter) => counter.flush()));
  }
  expect(await sums(['operation'])).toMatchObject([{ requests: 40 }, { requests: 40 }, { requests: 40 }]);
});

test('a batch whose commit was not confirmed is not added twice', async () => {
  let isLost = true;
  const write: Database['write'] = async (query) => {
    const result = await base.database.write(query);
    if (isLost) throw new Error('connection lost after the commit');
    return result;
  };
  const counter = openCounter({ database: { write } });
  counter.count(null, 'v2', 'a', 200);
  await expect(counter.flush()).rejects.toThrow('connection lost');
  expect(await total()).toBe(1);
  counter.count(null, 'v2', 'a', 200);
  isLost = false;
  await counter.flush();
  expect(await total()).toBe(2);
});

test('counts of an outage of the database are written when it is back', async () => {
  const relay = await relayDatabase(base.url);
  const database = createDatabase({
    url: relay.url,
    replicaUrls: [],
    poolSize: 2,
    log: createQuietLog(),
  });
  const log = createQuietLog();
  const counter = createUsageCounter({ database, log, flushMs: 20, retentionSeconds: 86_400_000 });
  counter.count('7', 'v2', 'a', 200);
  await expect.poll(total, { timeout: 120_000 }).toBe(1);
  await relay.cut();
  counter.count('7', 'v2', 'a', 200);
  await expect.poll(() => log.texts(), { timeout: 120_000 }).toContain('Failed to write usage of keys');
  for (let call = 0; call < 100; call++) counter.count('7', 'v2', 'b', 500);
  await relay.open();
  await expect.poll(total, { timeout: 120_000 }).toBe(102);
  await expect.poll(() => log.texts(), { timeout: 120_000 }).toContain('Writing usage of keys recovered');
  await counter.close();
  await database.close();
  await relay.cut();
});

test('a call belongs to the day on which it was made', async () => {
  let now = Date.parse('2026-03-01T23:59:59.970Z');
  const counter = openCounter({ clock: () => now });
  counter.count(null, 'v2', 'a', 200);
  now = Date.parse('2026-03-02T00:00:00Z');
  // The timer of midnight starts the new day.
  await expect.poll(total, { timeout: 120_000 }).toBe(1);
  counter.count(null, 'v2', 'a', 200);
  counter.count(null, 'v2', 'a', 200);
  await counter.flush();
  expect(await sums(['day'])).toMatchObject([
    { day: '2026-03-01', requests: 1 },
    { day: '2026-03-02', requests: 2 },
  ]);
});

test('close writes what is left, and days beyond the retention are dropped', async () => {
  const old = openCounter();
  old.count(null, 'v2', 'a', 200);
  await old.close();
  expect(await sums(['day'])).toMatchObject([{ day: DAY, requests: 1 }]);
  const later = openCounter({ clock: () => NOON + 3 * 86_400_000, retentionSeconds: 2 * 86_400 });
  later.count(null, 'v2', 'a', 200);
  await later.close();
  expect(await sums(['day'])).toMatchObject([{ day: '2026-03-04', requests: 1 }]);
});
