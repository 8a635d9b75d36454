import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/pending/memory-store.ts';
import { type TraceStore, traceKey } from '../../src/pending/pending-traces.ts';
import { openRedisLink } from '../../src/pending/redis-link.ts';
import { createRedisStore, readTrace, writeTrace } from '../../src/pending/redis-store.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { noOwnRedis, type OwnRedis, startRedis } from '../support/redis.ts';
import { accountOf, hashOf, madeTrace } from './support/test-trace.ts';

const LIMITS = { maxTraces: 100, maxBytes: 1_000_000, maxTraceBytes: 8000, maxFound: 100 };
const keyOf = (name: string): string => traceKey(hashOf(name));

it('writes a trace as bytes and reads it again; other bytes are none', () => {
  const trace = madeTrace('one', { accounts: ['a', 'b'], parties: ['c'] });
  const bytes = writeTrace(trace);
  expect(readTrace(bytes)).toEqual(trace);
  for (const broken of [Buffer.of(), Buffer.of(9), bytes.subarray(0, 20), Buffer.from('1 and some text')])
    expect(readTrace(broken)).toBeUndefined();
});

describe.skipIf(noOwnRedis)(
  `processes that share Redis${noOwnRedis ? ` (skipped: ${noOwnRedis})` : ''}`,
  () => {
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
      const link = await openRedisLink({
        url: redis.url,
        log,
        onTrouble: () => {},
        probeKey: `${prefix}probe`,
        answerLimitMs: 200,
      });
      return createRedisStore({ link, prefix, memory: createMemoryStore(LIMITS), maxFound: 100 });
    }

    const find = (store: TraceStore, name: string) => store.find({ accounts: [accountOf(name)] });

    async function until(isReached: () => Promise<boolean>): Promise<void> {
      while (!(await isReached())) await sleep(10);
    }

    it('find the same by account and by message, and what one removes is gone for all', async () => {
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

    it('keep nothing that its process has forgotten, and nothing for ever', async () => {
      const [first, second] = stores as [TraceStore, TraceStore];
      first.put(madeTrace('one'));
      await until(async () => (await find(second, 'one')).length > 0);
      const keys = await probe.keys(`run${run}:*`);
      expect(keys).toHaveLength(4);
      for (const key of keys) expect(await probe.pttl(key)).toBeGreaterThan(0);
      // As if the process had ended and the time of the trace was over.
      await probe.del(`run${run}:t:${keyOf('one')}`);
      expect(await find(second, 'one')).toEqual([]);
      await until(async () => (await probe.exists(`run${run}:a:${accountOf('one').toString('hex')}`)) === 0);
    });

    it('go on with what is their own while Redis is gone, and put it back when it returns', async () => {
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
      first.confirm([keyOf('mine'), keyOf('later')]);
      expect(await find(first, 'a')).toEqual([mine, later]);
      expect(log.texts()).toContain('Redis is away: pending messages are those of this process');
      await redis.start();
      // What came back is empty.
      await until(async () => {
        first.confirm([keyOf('mine'), keyOf('later')]);
        second.confirm([keyOf('yours')]);
        await sleep(50);
        return (await find(first, 'a')).length === 3 && (await find(second, 'a')).length === 3;
      });
      expect(log.texts()).toContain('Redis is back: pending messages are shared again');
    }, 30_000);

    it('do not wait for one that hangs', async () => {
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
  },
);

it('opens without Redis', async () => {
  const log = createQuietLog();
  let troubles = 0;
  const link = await openRedisLink({
    url: 'redis://127.0.0.1:1',
    log,
    probeKey: 'p',
    onTrouble: () => {
      troubles += 1;
    },
  });
  const store = createRedisStore({ link, prefix: 'p:', memory: createMemoryStore(LIMITS), maxFound: 100 });
  store.put(madeTrace('one', { accounts: ['a'] }));
  expect(await store.find({ accounts: [accountOf('a')] })).toHaveLength(1);
  expect(troubles).toBeGreaterThan(0);
  await store.close();
});
