import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRedis } from '../../src/db/redis.ts';
import { createMemoryStore } from '../../src/pending/memory-store.ts';
import { type TraceStore, traceKey } from '../../src/pending/pending-traces.ts';
import { createRedisStore, readTrace, writeTrace } from '../../src/pending/redis-store.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { noOwnRedis, type OwnRedis, startRedis } from '../support/redis.ts';
import { accountOf, hashOf, madeTrace } from './support/test-trace.ts';

const LIMITS = { maxEntries: 100, maxBytes: 1_000_000, maxTraceBytes: 8000, maxFound: 100 };
const keyOf = (name: string): string => traceKey(hashOf(name));

it('Redis store reads the traces that it writes, and ignores other bytes', () => {
  const trace = madeTrace('one', { accounts: ['a', 'b'], parties: ['c'] });
  const bytes = writeTrace(trace);
  expect(readTrace(bytes)).toEqual(trace);
  for (const broken of [Buffer.of(), Buffer.of(9), bytes.subarray(0, 20), Buffer.from('1 and some text')])
    expect(readTrace(broken)).toBeUndefined();
});

describe.skipIf(noOwnRedis)(`Redis store${noOwnRedis ? ` (skipped: ${noOwnRedis})` : ''}`, () => {
  let redis: OwnRedis;
  let probe: Redis;
  let stores: TraceStore[];
  let run = 0;
  const log = createQuietLog();
  beforeAll(async () => {
    redis = await startRedis();
    probe = new Redis(redis.url, { maxRetriesPerRequest: null });
  });
  afterAll(async () => {
    probe.disconnect();
    await redis.kill();
  });
  beforeEach(async () => {
    run += 1;
    stores = await Promise.all([open(`run${run}:`), open(`run${run}:`)]);
    return async () => {
      for (const store of stores) await store.close();
    };
  });

  async function open(prefix: string): Promise<TraceStore> {
    const service = await openRedis({
      url: redis.url,
      log,
      shares: 'pending traces',
      onError: () => {},
      probe: (client) => client.set(`${prefix}probe`, '1', 'PX', 1000),
      timeoutMs: 200,
    });
    return createRedisStore({ redis: service, prefix, memory: createMemoryStore(LIMITS), maxFound: 100 });
  }

  const find = (store: TraceStore, name: string) => store.find({ accounts: [accountOf(name)] });

  async function until(isReached: () => Promise<boolean>): Promise<void> {
    while (!(await isReached())) await sleep(10);
  }

  it('finds traces of other processes by account and by message, until they are removed', async () => {
    const [first, second] = stores as [TraceStore, TraceStore];
    const trace = madeTrace('one', { accounts: ['a', 'b'], parties: ['c'] });
    first.put(trace);
    await until(async () => (await find(second, 'a')).length > 0);
    for (const name of ['a', 'b', 'c']) expect(await find(second, name)).toEqual([trace]);
    for (const hash of ['one', 'message one'])
      expect(await second.find({ messages: [hashOf(hash)] })).toEqual([trace]);
    const newer = madeTrace('one', { accounts: ['a'], updatedAt: 2 });
    first.put(newer);
    await until(async () => (await find(second, 'a'))[0]!.updatedAt === 2);
    expect(await find(second, 'b')).toEqual([]);
    first.remove(keyOf('one'));
    await until(async () => (await find(second, 'a')).length === 0);
    expect((await probe.keys(`run${run}:[ta]:*`)).sort()).toEqual(
      [
        `run${run}:a:${accountOf('b').toString('hex')}`,
        `run${run}:a:${accountOf('c').toString('hex')}`,
      ].sort(),
    );
  });

  it('sets an expiry on all keys, and drops expired traces from the lists of accounts', async () => {
    const [first, second] = stores as [TraceStore, TraceStore];
    first.put(madeTrace('one'));
    await until(async () => (await find(second, 'one')).length > 0);
    const keys = await probe.keys(`run${run}:*`);
    expect(keys).toHaveLength(4);
    for (const key of keys) expect(await probe.pttl(key)).toBeGreaterThan(0);
    // As if the process had ended and the trace had expired.
    await probe.del(`run${run}:t:${keyOf('one')}`);
    expect(await find(second, 'one')).toEqual([]);
    await until(async () => (await probe.exists(`run${run}:a:${accountOf('one').toString('hex')}`)) === 0);
  });

  it('finds its own traces while Redis is down, and writes them again when it has recovered', async () => {
    const [first, second] = stores as [TraceStore, TraceStore];
    const mine = madeTrace('mine', { accounts: ['a'] });
    const yours = madeTrace('yours', { accounts: ['a'] });
    first.put(mine);
    second.put(yours);
    await until(async () => (await find(first, 'a')).length === 2);
    await redis.kill();
    expect(await find(first, 'a')).toEqual([mine]);
    const later = madeTrace('later', { accounts: ['a'] });
    first.put(later);
    first.renew([keyOf('mine'), keyOf('later')]);
    expect(await find(first, 'a')).toEqual([mine, later]);
    expect(log.texts()).toContain('Redis unavailable, pending traces are process-local');
    await redis.start();
    // After the restart Redis is empty.
    await until(async () => {
      first.renew([keyOf('mine'), keyOf('later')]);
      second.renew([keyOf('yours')]);
      await sleep(50);
      return (await find(first, 'a')).length === 3 && (await find(second, 'a')).length === 3;
    });
    expect(log.texts()).toContain('Redis recovered, pending traces are shared');
  });

  it('does not wait for a Redis that hangs', async () => {
    const [first] = stores as [TraceStore, TraceStore];
    first.put(madeTrace('one', { accounts: ['a'] }));
    await until(async () => (await probe.exists(`run${run}:t:${keyOf('one')}`)) === 1);
    redis.pause();
    try {
      expect(await find(first, 'a')).toHaveLength(1);
    } finally {
      redis.resume();
    }
  });
});

it('Redis store opens without Redis', async () => {
  const log = createQuietLog();
  let errors = 0;
  const redis = await openRedis({
    url: 'redis://127.0.0.1:1',
    log,
    shares: 'pending traces',
    onError: () => {
      errors += 1;
    },
    probe: (client) => client.ping(),
    timeoutMs: 200,
  });
  const store = createRedisStore({ redis, prefix: 'p:', memory: createMemoryStore(LIMITS), maxFound: 100 });
  store.put(madeTrace('one', { accounts: ['a'] }));
  expect(await store.find({ accounts: [accountOf('a')] })).toHaveLength(1);
  expect(errors).toBeGreaterThan(0);
  await store.close();
});
