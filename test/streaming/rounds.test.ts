import { afterAll, beforeAll, expect, it } from 'vitest';
import { cursorAfter } from '../../src/streaming/cursor.ts';
import { followIndex, type Round } from '../../src/streaming/follow-index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { putOrigin } from '../support/store-transactions.ts';
import { until } from '../support/until.ts';
import { readIndexedDemo } from '../v3/support/indexed-demo.ts';

let empty: TestDatabase;
let index: TestDatabase;
beforeAll(async () => {
  [empty, index] = await Promise.all([createTestDatabase(), readIndexedDemo()]);
  await putOrigin(empty.database.primary, 1, 1000);
});
afterAll(async () => {
  await empty?.drop();
  await index?.drop();
});

it('of events are handed out one after the other, and who reads events by itself does not wait for that', async () => {
  let present = empty;
  const loaded: number[] = [];
  const handedOut: number[] = [];
  const slow = Promise.withResolvers<void>();
  let underWay = 0;
  const follower = followIndex({
    database: { read: (work) => present.database.read(work) },
    loader: async () => [],
    interest: () => undefined,
    async onRound({ number }) {
      handedOut.push(number);
      underWay += 1;
      expect(underWay).toBe(1);
      await slow.promise;
      underWay -= 1;
    },
    log: createQuietLog(),
    pollMs: 1,
  });
  follower.watch(({ number }) => loaded.push(number));
  await follower.firstLook;
  // An index whose first blocks have just been written: all of its rounds are told.
  present = index;
  try {
    await until(() => loaded.length > 2);
    expect(handedOut).toEqual(loaded.slice(0, 1));
  } finally {
    slow.resolve();
  }
  await until(() => follower.lag() === 0 && handedOut.length === loaded.length);
  await follower.close();
  expect(handedOut).toEqual(loaded);
});

it('tell once that an index was emptied, however long it stays so', async () => {
  let present = index;
  let reads = 0;
  const rounds: Round[] = [];
  const follower = followIndex({
    database: {
      read: (work) => {
        reads += 1;
        return present.database.read(work);
      },
    },
    loader: async () => [],
    interest: () => undefined,
    onRound: async (round) => void rounds.push(round),
    log: createQuietLog(),
    pollMs: 1,
  });
  follower.watch(() => {});
  await until(() => follower.position() !== undefined && follower.lag() === 0);
  const known = rounds.length;
  // A local chain was reset, and the index of the new one has no block yet.
  present = empty;
  await until(() => rounds.length > known);
  const before = reads;
  await until(() => reads > before + 10);
  await follower.close();
  expect(rounds.slice(known).map(({ jump }) => jump?.to)).toEqual([cursorAfter(0)]);
});
