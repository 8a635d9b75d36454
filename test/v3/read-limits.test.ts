import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createV3Interface } from '../../src/v3/interface.ts';
import type { ReadOptions, WaitingReads } from '../../src/v3/read-index.ts';
import { createTestApp, testAccess } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { NO_INDEX } from './support/build-app.ts';

const POOL_SIZE = 6;
/** Waits for whoever holds the lock. */
const SLOW = '/api/v3/transactions';
/** Another one each: equal requests of a caller would share a read. */
const slow = (number: number) => `${SLOW}?limit=${number + 1}`;
const QUICK = '/api/v3/blocks';
/** More than a busy machine takes while reads are held. */
const PATIENCE_MS = 300_000;

let test: TestDatabase;
let app: FastifyInstance;
let nowMs = 0;
let refusals = 0;
let slowReads = 0;
let waiting: () => WaitingReads;
beforeAll(async () => {
  test = await createTestDatabase({ poolSize: POOL_SIZE });
});
afterEach(async () => {
  await app?.close();
});
afterAll(() => test.drop());

/** Serves v3 for callers that say who they are; each has one request per second. */
async function open(reads: ReadOptions): Promise<void> {
  nowMs = 0;
  refusals = 0;
  slowReads = 0;
  const v3 = createV3Interface({
    ports: { ...NO_INDEX, database: test.database },
    limits: { defaultLimit: 10, maxLimit: 1000 },
    reads: {
      now: () => nowMs,
      onRefused: () => void refusals++,
      onSlow: () => void slowReads++,
      observeWaiting: (count) => {
        waiting = count;
      },
      maxWaitMs: PATIENCE_MS,
      ...reads,
    },
  });
  const patientV3: FastifyPluginAsync = async (routes, options) => {
    routes.addHook('preHandler', async (request) => {
      request.v3Options = { ...request.v3Options, timeoutMs: PATIENCE_MS };
    });
    await v3(routes, options);
  };
  app = await createTestApp({
    access: testAccess(async (request) => {
      Object.assign(request, { payer: { id: String(request.headers['x-caller']), rps: 1 } });
    }),
    overrides: { interfaces: [{ prefix: '/api/v3', plugin: patientV3 }] },
  });
}

const get = (caller: string, url: string) => app.inject({ url, headers: { 'x-caller': caller } });
const statusOf = async (caller: string, url: string) => (await get(caller, url)).statusCode;

/** Holds whatever reads transactions until it is released. */
async function holdTransactions() {
  const client = new pg.Client({ connectionString: test.url });
  await client.connect();
  await client.query('begin; lock table transactions in access exclusive mode');
  return {
    /** Statements that wait for the lock. */
    async waiting(): Promise<number> {
      const { rowCount } = await client.query(
        `select from pg_locks where not granted and relation = 'transactions'::regclass`,
      );
      return rowCount ?? 0;
    },
    release: () => client.end(),
  };
}

describe('slow reads', () => {
  it('of one caller leave connections to the reads of others', async () => {
    await open({ connections: POOL_SIZE - 2, slowReads: 1 });
    const lock = await holdTransactions();
    const all = Array.from({ length: POOL_SIZE + 2 }, (_, i) => get('a', slow(i)));
    let answered = 0;
    for (const one of all) void one.then(() => answered++);
    try {
      await until(async () => (await lock.waiting()) > 0);
      expect(await statusOf('b', QUICK)).toBe(200);
      expect(answered).toBe(0);
    } finally {
      await lock.release();
    }
    expect((await Promise.all(all)).map(({ statusCode }) => statusCode)).toEqual(all.map(() => 200));
  });

  it('run only so many at a time, of all callers and of each', async () => {
    await open({ connections: POOL_SIZE, slowReads: 2 });
    const lock = await holdTransactions();
    const all = ['a', 'a', 'a', 'b'].map((caller, i) => statusOf(caller, slow(i)));
    try {
      await until(() => slowReads === all.length);
      // Those that found no turn gave their connections back.
      await until(async () => (await lock.waiting()) === 2);
      const third = statusOf('c', SLOW);
      await until(() => slowReads === all.length + 1);
      await until(async () => (await lock.waiting()) === 2);
      expect(waiting()).toEqual({ quick: 0, slow: 3, large: 0 });
      all.push(third);
    } finally {
      await lock.release();
    }
    expect(await Promise.all(all)).toEqual(all.map(() => 200));
  });
});

it('a caller that is alone may have more slow reads, until another one comes', async () => {
  await open({ connections: POOL_SIZE, slowReads: 1 });
  const lock = await holdTransactions();
  const all = Array.from({ length: 3 }, (_, i) => statusOf('a', slow(i)));
  try {
    await until(() => slowReads === all.length);
    expect(await lock.waiting()).toBe(all.length);
    expect(await statusOf('b', QUICK)).toBe(200);
    await until(async () => (await lock.waiting()) === 1);
  } finally {
    await lock.release();
  }
  expect(await Promise.all(all)).toEqual(all.map(() => 200));
});

describe('the budget of database time', () => {
  const MS_PER_RPS = 100;
  const REFUSED = { code: 429, error: 'Ratelimit exceeded: the database time of this caller is used up' };

  it('counts the time that reads held a connection, and refuses who has used it up until it is refilled', async () => {
    await open({ msPerRps: MS_PER_RPS });
    const lock = await holdTransactions();
    const held = statusOf('a', SLOW);
    try {
      await until(() => slowReads === 1);
      nowMs += 5000;
    } finally {
      await lock.release();
    }
    expect(await held).toBe(200);
    const refused = await get('a', QUICK);
    // Four seconds were saved, and half a second was refilled since then.
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([429, '6', REFUSED]);
    expect(refusals).toBe(1);
    expect(await statusOf('b', QUICK)).toBe(200);
    nowMs += 6000;
    expect(await statusOf('a', QUICK)).toBe(200);
  });

  it('counts what reads will probably take while they are under way, and gives back the rest when they end', async () => {
    await open({ msPerRps: MS_PER_RPS });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const client = new AbortController();
    const lock = await holdTransactions();
    const deep = `${SLOW}?offset=100000`;
    const gone = fetch(url + deep, { headers: { 'x-caller': 'a' }, signal: client.signal });
    try {
      await until(async () => (await lock.waiting()) > 0);
      const second = statusOf('a', `${deep}&limit=1`);
      await until(() => slowReads === 2);
      expect((await get('a', QUICK)).json()).toEqual(REFUSED);
      client.abort();
      await expect(gone).rejects.toThrow();
      await until(async () => (await statusOf('a', QUICK)) === 200);
      await lock.release();
      expect(await second).toBe(200);
    } finally {
      await lock.release().catch(() => {});
    }
  });

  it('refuses a read that turns out to be slow if others under way will take what is left', async () => {
    await open({ msPerRps: MS_PER_RPS, slowReads: 1 });
    const lock = await holdTransactions();
    const all = Array.from({ length: 3 }, (_, i) => get('a', slow(i)));
    try {
      // Two slow ones may take six seconds, and four are saved.
      const refused = await Promise.race(all);
      expect([refused.statusCode, refused.json()]).toEqual([429, REFUSED]);
      expect(slowReads).toBe(3);
    } finally {
      await lock.release();
    }
    expect((await Promise.all(all)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 429]);
  });
});
