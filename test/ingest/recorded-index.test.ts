import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import { missingNetwork } from '../support/recorded-network.ts';
import { openReplayApp, type V2TestApp } from '../v2/support/v2-app.ts';
import type { LogicalIndex } from './support/logical-index.ts';
import {
  dumpIndex,
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from './support/test-indexer.ts';

const HEAD = 125;
const CUTS = 12;

describe.skipIf(missingNetwork !== '')(`indexing the recorded network${missingNetwork}`, () => {
  let replay: V2TestApp;
  let expected: LogicalIndex;
  let context: TestIndexer;

  beforeAll(async () => {
    replay = await openReplayApp();
    const sequential = await openTestIndexer();
    const indexer = sequential.indexer(replay.pool, { lanes: 0 });
    indexer.start();
    await until(indexer, isComplete(HEAD));
    expected = await dumpIndex(sequential);
    await sequential.close();
  });
  afterAll(() => replay.close());
  beforeEach(async () => {
    context = await openTestIndexer();
  });
  afterEach(() => context.close());

  test('in order stores all blocks and transactions', () => {
    expect(expected.blocks).toHaveLength(347);
    expect(expected.transactions).toHaveLength(898);
    expect(expected.shard_states).toHaveLength(HEAD);
    for (const table of ['messages', 'traces', 'latest_account_states'])
      expect(expected[table]!.length).toBeGreaterThan(0);
    expect(expected.orphan_messages).toEqual([]);
  });

  test.runIf(isLongRun)('from newest to oldest in small chunks gives the same index', async () => {
    const indexer = context.indexer(replay.pool, { lanes: 3, chunkSeqnos: 9 });
    indexer.start();
    await until(indexer, isComplete(HEAD));
    await untilNothingIsMissing(context);
    expect(await dumpIndex(context)).toEqual(expected);
  });

  // In a short run `crash.test.ts` restarts indexers.
  test.runIf(isLongRun)('with restarts gives the same index', async () => {
    for (const to of [10, 40, 80]) {
      const indexer = context.indexer(replay.pool, { lanes: 2, chunkSeqnos: 20 });
      indexer.start();
      await until(indexer, ({ indexedSeqnos }) => indexedSeqnos >= to);
      await indexer.close();
      const { rows } = await ownersOf(context);
      expect(rows.filter(({ owner }) => owner !== null)).toEqual([]);
    }
    const last = context.indexer(replay.pool, { lanes: 1 });
    last.start();
    // Everything may be indexed before this process has begun to follow.
    const progress = await until(last, (one) => one.state === 'following' && isComplete(HEAD)(one));
    expect(progress).toMatchObject({ head: HEAD, followed: HEAD, percent: 100, lag: 0 });
    await untilNothingIsMissing(context);
    expect(await dumpIndex(context)).toEqual(expected);
  });

  test.runIf(isLongRun)('by two processes on one database shares the work', async () => {
    const options = { lanes: 2, chunkSeqnos: 5 };
    const pair = [context.indexer(replay.pool, options), context.indexer(replay.pool, options)] as const;
    for (const indexer of pair) indexer.start();
    for (const indexer of pair) await until(indexer, isComplete(HEAD));
    expect(pair.map((indexer) => indexer.progress().state).sort()).toEqual(['following', 'standby']);
    await untilNothingIsMissing(context);
    expect(await dumpIndex(context)).toEqual(expected);
    // When the following process is closed, the other one takes over.
    const [leader, other] = pair[0].progress().state === 'following' ? pair : ([pair[1], pair[0]] as const);
    await leader.close();
    await until(other, ({ state }) => state === 'following');
  });

  test.runIf(isLongRun)(
    'while PostgreSQL drops all connections repeatedly gives the same index',
    async () => {
      const indexer = context.indexer(replay.pool, { lanes: 2, chunkSeqnos: 11 });
      indexer.start();
      for (let i = 0; i < CUTS; i++) {
        await sleep(100 + 40 * i);
        await endConnections(context);
      }
      await until(indexer, isComplete(HEAD));
      await untilNothingIsMissing(context);
      expect(await dumpIndex(context)).toEqual(expected);
    },
    600_000,
  );

  test('from the middle stores earlier states and fetches missing cells', async () => {
    const indexer = context.indexer(replay.pool, { from: 60, lanes: 1, chunkSeqnos: 7 });
    indexer.start();
    await until(indexer, isComplete(HEAD));
    await untilNothingIsMissing(context);
    expect(indexer.progress().statesRequested).toBeGreaterThan(0);
    const dump = await dumpIndex(context);
    for (const table of ['latest_account_states', 'account_data'])
      expect(expected[table]).toEqual(expect.arrayContaining([...dump[table]!]));
    // The states before the first transactions of this index were made by transactions that it does not have.
    const known = new Map(expected.transactions!.map((one) => [one.hash, one]));
    const made = new Set(dump.transactions!.map(({ stateHashAfter }) => stateHashAfter));
    const earlier = new Set<unknown>();
    for (const { hash, before, after, stateHashBefore } of dump.transactions!) {
      const whole = known.get(hash)!;
      expect(after).toEqual(whole.after);
      // A block does not show every state that it begins with.
      if (before === undefined) continue;
      expect(before).toEqual(whole.before);
      if (!made.has(stateHashBefore)) earlier.add(stateHashBefore);
    }
    const stored = await context.database.primary.selectFrom('account_states').select('hash').execute();
    expect(stored.length).toBeGreaterThan(0);
    for (const { hash } of stored) expect(earlier).toContain(hash.toString('hex'));
  });
});

async function ownersOf({ database }: TestIndexer) {
  const rows = await database.primary.selectFrom('index_chunks').select('owner').execute();
  return { rows };
}

async function endConnections({ database }: TestIndexer): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `
    .execute(database.primary)
    .catch(() => {});
}
