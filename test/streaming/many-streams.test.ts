import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/connection.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { Connection } from '../../src/streaming/connection.ts';
import { cursorAfter } from '../../src/streaming/cursor.ts';
import { stateEvent } from '../../src/streaming/events.ts';
import { createHub } from '../../src/streaming/hub.ts';
import type { Receiver } from '../../src/streaming/receiver.ts';
import { createReplays, readAt } from '../../src/streaming/replay.ts';
import { Subscribers } from '../../src/streaming/subscribers.ts';
import { emptySubscription } from '../../src/streaming/subscription.ts';
import type { TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { until } from '../support/until.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';
import { openStreamApp, type StreamApp } from './support/stream-app.ts';
import { openSse } from './support/stream-clients.ts';

const ALICE = openDemoWallets().alice.address.toRawString();
const STREAMS = 30;
/** Those of replays, of the follower, and of the look-up of a key. */
const MAX_READS = 4;

let index: TestDatabase;
const apps: StreamApp[] = [];
const opened: { close(): void }[] = [];

beforeAll(async () => {
  index = await openIndexedDemo();
});
afterEach(async () => {
  for (const client of opened.splice(0)) client.close();
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => index?.drop());

async function open(database: Database): Promise<StreamApp> {
  const app = await openStreamApp(database);
  apps.push(app);
  return app;
}

it('that come back together read what they missed a few at a time', async () => {
  let reads = 0;
  let most = 0;
  const { url, key, beginning, streaming } = await open({
    ...index.database,
    async read(...args) {
      reads += 1;
      most = Math.max(most, reads);
      try {
        return await index.database.read(...args);
      } finally {
        reads -= 1;
      }
    },
  });
  const headers = { 'x-api-key': await key('pro') };
  const subscription = { types: ['transactions'], addresses: [ALICE], last_event_id: beginning() };
  const clients = await Promise.all(
    Array.from({ length: STREAMS }, () => openSse(url, subscription, { headers })),
  );
  opened.push(...clients);
  const [first] = clients;
  await until(() => streaming.hub.stats().joining === 0 && first!.events().length > 0);
  await until(() => clients.every((client) => client.events().length === first!.events().length));
  expect(most).toBeLessThanOrEqual(MAX_READS);
});

it('do not wait for actions that come before what they missed', async () => {
  const db = index.database.primary;
  const { newest } = await db
    .selectFrom('index_chunks')
    .select((eb) => eb.fn.max('done_seqno').as('newest'))
    .executeTakeFirstOrThrow();
  const told = 5;
  const unclassified = { first_seqno: 0, last_seqno: told, again: false };
  await db.insertInto('classification_ranges').values(unclassified).execute();
  try {
    const stretch = { from: cursorAfter(told), to: cursorAfter(newest) };
    expect(await readAt(index.database, stretch, 'traces', async () => 'read')).toBe('read');
  } finally {
    await db.deleteFrom('classification_ranges').execute();
  }
});

it('are told of an event in turns with other work', async () => {
  const subscribers = new Subscribers<Receiver>();
  const hub = createHub({
    follower: () =>
      ({
        position: () => undefined,
        network: () => '00000000',
        nextRound: async () => ({ number: 1, start: undefined }),
      }) as never,
    replays: createReplays({ database: index.database, loader: async () => [], keepSeconds: 'all' }),
    pending: undefined,
    subscribers,
    metrics: { lag() {} } as never,
    log: createQuietLog(),
    maxReplayed: 1,
  });
  const account = 'a'.repeat(33);
  let sent = 0;
  const send = () => {
    sent += 1;
    const untilMs = performance.now() + 0.2;
    while (performance.now() < untilMs);
    return true;
  };
  const count = 500;
  for (let i = 0; i < count; i++) {
    const connection = new Connection({
      transport: 'sse',
      outlet: { send, whenReady() {} },
      limits: { maxMessages: 10, maxBytes: 1e6, eventsPerSecond: -1 },
      subscription: {
        ...emptySubscription(undefined),
        addresses: new Set([account]),
        types: new Set(['account_state_change'] as const),
      },
      network: () => '00000000',
      close() {},
      onTraceSeen() {},
      onTraceDone() {},
      onEvent() {},
      onGap() {},
    });
    hub.subscribe(connection, {
      subscription: connection.subscription,
      answer: '',
      lastEventId: undefined,
      replayExisting: false,
    });
  }
  await until(() => hub.stats().joining === 0);
  sent = 0;
  const event = stateEvent(
    {
      finality: 'finalized',
      at: { lane: 'blocks', place: { seqno: 1, index: 0 }, mark: '00000000' },
    },
    { key: account, members: '"seqno":1', extended: '' },
  );
  const round = { number: 1, blocks: [event], traces: [], after: cursorAfter(1), writtenAt: 0 };
  let isDone = false;
  const told = hub.onRound(round).then(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await nextTurn();
  await told;
  hub.close();
  expect(sent).toBe(count);
  expect(turns).toBeGreaterThan(20);
});
