import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createApiKey, createKeyDirectory, type KeyDirectory, keyDigest } from '../../src/access/keys.ts';
import { createMemoryRateStore } from '../../src/access/rate-limit.ts';
import { findApiKeyByHash, revokeApiKey } from '../../src/access/stored-keys.ts';
import { createDatabase, type Database } from '../../src/db/connection.ts';
import { createTestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { createAccessApp } from './access-app.ts';
import { type DatabaseRelay, relayDatabase } from './database-relay.ts';

const SOON = { timeout: 120_000 };

let base: Awaited<ReturnType<typeof createTestDatabase>>;
let relay: DatabaseRelay;
let database: Database;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  base = await createTestDatabase();
  relay = await relayDatabase(base.url);
  database = createDatabase({ url: relay.url, replicaUrls: [], poolSize: 2, log: createQuietLog() });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await database?.close();
  await relay?.cut();
  await base?.drop();
});

const makeKey = () => createApiKey(base.database, { name: 'test', plan: 'free', rps: 1000, networks: [] });

async function lastUse(hash: Buffer): Promise<number | null | undefined> {
  return (await base.database.write((db) => findApiKeyByHash(db, { hash })))?.lastUsedAt;
}

test('while the database is unavailable, cached keys work and others get 503; afterwards all work', async () => {
  let time = 0;
  const now = () => time;
  const keys = createKeyDirectory({ database, log: createQuietLog(), now });
  const app = await createAccessApp({ keys, store: createMemoryRateStore({ now }), now, anonymousRps: 1000 });
  closing.push(app.close, keys.close);
  const [known, other] = [await makeKey(), await makeKey()];
  const ask = (key: string) => app.inject(`/one?api_key=${key}`);
  expect((await ask(known.key)).statusCode).toBe(200);

  await relay.cut();
  // More than the limit of wrong keys: a failure of ours does not count as a guess.
  for (let call = 0; call < 12; call++) {
    const refused = await ask(other.key);
    expect(refused.statusCode).toBe(503);
    expect(refused.headers).toHaveProperty('retry-after');
  }
  time = 3999;
  expect((await ask(known.key)).statusCode).toBe(200);
  // A key in use outlasts the outage, though not forever.
  time = 4000;
  expect((await ask(known.key)).statusCode).toBe(200);
  time = 3_599_999;
  expect((await ask(known.key)).statusCode).toBe(200);
  time = 3_600_000;
  expect((await ask(known.key)).statusCode).toBe(503);
  expect((await app.inject('/one')).statusCode).toBe(200);

  await relay.open();
  time += 1000;
  await expect.poll(async () => (await ask(known.key)).statusCode, SOON).toBe(200);
  expect((await ask(other.key)).statusCode).toBe(200);
});

test('while the database hangs, known keys work and others get 503; a revoked key stops soon after', async () => {
  const hanging = createDatabase({
    url: relay.url,
    replicaUrls: [],
    poolSize: 2,
    statementTimeoutMs: 100,
    log: createQuietLog(),
  });
  let time = 0;
  const now = () => time;
  const keys = createKeyDirectory({ database: hanging, log: createQuietLog(), now, lookUpMs: 300 });
  const app = await createAccessApp({ keys, store: createMemoryRateStore({ now }), now, anonymousRps: 1000 });
  closing.push(app.close, keys.close, hanging.close);
  const [known, other] = [await makeKey(), await makeKey()];
  const ask = (key: string) => app.inject(`/one?api_key=${key}`);
  expect((await ask(known.key)).statusCode).toBe(200);

  relay.freeze();
  time = 10_000;
  // More of them than there are connections and permits to guess.
  const answers = await Promise.all(Array.from({ length: 15 }, () => ask(other.key)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from(answers, () => 503));
  expect((await ask(known.key)).statusCode).toBe(200);

  await base.database.write((db) => revokeApiKey(db, { id: known.row.id }));
  relay.thaw();
  time = 20_000;
  await expect
    .poll(async () => {
      time += 1000;
      return (await ask(known.key)).statusCode;
    }, SOON)
    .toBe(401);
  expect((await ask(other.key)).statusCode).toBe(200);
});

test('keys are read from a replica only while the primary is unavailable', async () => {
  const both = createDatabase({
    url: relay.url,
    replicaUrls: [base.url],
    poolSize: 2,
    log: createQuietLog(),
  });
  const asked: string[] = [];
  const spied: Database = {
    ...both,
    write: (work) => {
      asked.push('primary');
      return both.write(work);
    },
    read: (work) => {
      asked.push('replica');
      return both.read(work);
    },
  };
  const keys = createKeyDirectory({ database: spied, log: createQuietLog() });
  closing.push(keys.close, both.close);
  const [one, two] = [await makeKey(), await makeKey()];
  expect(await keys.find(keyDigest(one.key))).toMatchObject({ id: one.row.id });
  expect(asked).toEqual(['primary']);
  await relay.cut();
  expect(await keys.find(keyDigest(two.key))).toMatchObject({ id: two.row.id });
  expect(asked).toEqual(['primary', 'primary', 'replica']);
  await relay.open();
});

test('the key directory writes the last use of a key in the background', async () => {
  const keys = createKeyDirectory({
    database,
    log: createQuietLog(),
    unixSeconds: () => 1_800_000_000,
    writeEveryMs: 10,
  });
  closing.push(keys.close);
  const { row } = await makeKey();
  keys.touch(row);
  await expect.poll(() => lastUse(row.hash), SOON).toBe(1_800_000_000);
});

test('the key directory writes the last use of a key when it is closed', async () => {
  let time = 1_800_000_000;
  const keys: KeyDirectory = createKeyDirectory({ database, log: createQuietLog(), unixSeconds: () => time });
  const { row } = await makeKey();
  keys.touch(row);
  time += 5;
  keys.touch(row);
  expect(await lastUse(row.hash)).toBeNull();
  await keys.close();
  expect(await lastUse(row.hash)).toBe(1_800_000_005);
});

test('a last use that cannot be written is logged once and written when the database has recovered', async () => {
  const log = createQuietLog();
  const keys = createKeyDirectory({ database, log, unixSeconds: () => 1_800_000_000, writeEveryMs: 10 });
  closing.push(keys.close);
  const { row } = await makeKey();
  await relay.cut();
  keys.touch(row);
  await expect.poll(() => log.lines.length, SOON).toBe(1);
  // Long enough for several more attempts.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await relay.open();
  await expect.poll(() => lastUse(row.hash), SOON).toBe(1_800_000_000);
  await expect
    .poll(() => log.texts(), SOON)
    .toEqual(['Failed to write last use of keys', 'Writing last use of keys recovered']);
});

test('the key directory closes while the database is unavailable', async () => {
  const keys = createKeyDirectory({ database, log: createQuietLog() });
  keys.touch((await makeKey()).row);
  await relay.cut();
  await keys.close();
  await relay.open();
});
