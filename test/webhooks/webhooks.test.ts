import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/access/keys.ts';
import { revokeApiKey } from '../../src/access/stored-keys.ts';
import type { Database } from '../../src/db/connection.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { createStreamMetrics } from '../../src/observe/stream-metrics.ts';
import { createStreaming } from '../../src/streaming/create-streaming.ts';
import { parseCursor } from '../../src/streaming/cursor.ts';
import { readPresentCursor } from '../../src/streaming/follow-index.ts';
import { createEventLoader } from '../../src/streaming/load-events.ts';
import { createReplays } from '../../src/streaming/replay.ts';
import { emptySubscription, readSubscription } from '../../src/streaming/subscription.ts';
import { createWebhookFeeder } from '../../src/webhooks/feeder.ts';
import { createWebhookSender } from '../../src/webhooks/sender.ts';
import { createWebhookSlots } from '../../src/webhooks/slots.ts';
import { FEEDS, feedOf } from '../../src/webhooks/stored-feeds.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks/webhooks.ts';
import { openStreamApp, type StreamApp } from '../streaming/support/stream-app.ts';
import type { Json } from '../streaming/support/stream-clients.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../streaming/support/webhook-receiver.ts';
import { countStatements } from '../support/counted-statements.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { until } from '../support/until.ts';
import { NO_INDEX } from '../v3/support/build-app.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';

const ADDRESSES = Object.values(openDemoWallets()).map(({ address }) => address.toRawString().toUpperCase());
const TYPES = ['transactions', 'actions', 'account_state_change', 'jettons_change'];
/** Ends of processes while events are sent. */
const ENDS = sampled(2, 40);
/** Those of the tests that send everything again. */
const SOME_ADDRESSES = sampleOf(ADDRESSES, 3);
const TRANSPORT = {
  names: { resolve: async () => ['127.0.0.1'], close() {} },
  isPublic: () => true,
  allowsPrivate: true,
  timeoutMs: 500,
};

let index: TestDatabase;
let app: StreamApp;
let receiver: WebhookReceiver;
let webhooks: Webhooks;
let startCursor: string;
const TIMEOUT_MS = sampled(600_000, 1_200_000);
const RULES = {
  malformed: '',
  noTypes: '',
  noAddresses: '',
  tooManyAddresses: () => '',
  maxAddresses: 10,
  maxTraceKeys: 10,
};
const log = createQuietLog();

beforeAll(async () => {
  index = await openIndexedDemo();
  app = await openStreamApp(index.database);
}, TIMEOUT_MS);
afterAll(async () => {
  await app?.close();
  await index?.drop();
});
beforeEach(async () => {
  receiver = await openWebhookReceiver();
  startCursor = app.beginning();
  webhooks = createWebhooks({
    database: index.database,
    transport: TRANSPORT,
    slots: createWebhookSlots(4),
    limits: { perKey: 3, addresses: 1000 },
    startCursor: async () => startCursor,
  });
});
afterEach(async () => {
  for (const { webhook } of await webhooks.list('operator')) await webhooks.delete('operator', webhook.id);
  await receiver.close();
});

const portsOf = () => ({
  ...NO_INDEX,
  database: index.database,
  testOnly: true,
  metadataQueue: { add: () => {} },
});

interface Worker {
  close(): Promise<void>;
}

/** Finds nothing to send. */
const NO_DATABASE = { write: () => Promise.reject(new Error('This sender sends nothing')) };

/** What a `serve` process runs for webhooks. */
function startWorker({
  database = index.database,
  maxWaiting = 1000,
  isSending = true,
  everyMs,
  eventsPerRps,
}: {
  /** Of the feeder and the sender. */
  readonly database?: Database;
  readonly maxWaiting?: number;
  readonly isSending?: boolean;
  /** How often they ask without a reason. */
  readonly everyMs?: number;
  readonly eventsPerRps?: number;
} = {}): Worker {
  const ports = portsOf();
  const metrics = createStreamMetrics(createMetrics({ runtime: false }).registry);
  const streaming = createStreaming({
    database: index.database,
    ports,
    pending: undefined,
    metrics,
    log,
    resumeSeconds: 1,
    maxReplayed: 10_000,
    textDecimals: false,
  });
  const sender = createWebhookSender({
    database: isSending ? database : NO_DATABASE,
    transport: TRANSPORT,
    slots: createWebhookSlots(64),
    log,
    onAttempt: () => {},
    pollMs: everyMs ?? 20,
  });
  const { follower, reader } = streaming;
  const feeder = createWebhookFeeder({
    database,
    follower,
    reader,
    log,
    onQueued: () => sender.wake(),
    claimMs: everyMs ?? 50,
    maxWaiting,
    eventsPerRps,
  });
  return {
    async close() {
      await feeder.close();
      await sender.close();
      await streaming.close();
    },
  };
}

/** What a stream shows to a client that watches one address, for each address. */
async function streamedOf(addresses: readonly string[], types = TYPES): Promise<Map<string, Json[]>> {
  const loader = createEventLoader({ ports: portsOf(), log, textDecimals: false });
  const replays = createReplays({ database: index.database, loader, keepSeconds: 0 }).of(undefined);
  const from = parseCursor(app.beginning())!.cursor;
  const found = new Map<string, Json[]>();
  for (const address of addresses) {
    const wanted = { addresses: [address], types, include_system_traces: true, extended: true };
    const { subscription } = readSubscription(wanted, emptySubscription(undefined), RULES);
    const list: Json[] = [];
    for await (const events of replays.events(subscription, from, app.streaming.follower.position()!))
      for (const event of events) {
        const text = event.textFor(subscription);
        if (text !== undefined) list.push(JSON.parse(`{"type":"${event.type}"${text}`));
      }
    found.set(address, list);
  }
  return found;
}

function withoutId({ event_id, id, webhook_id, address, ...event }: Json): Json {
  return event;
}

/** What was accepted for each address, without repeats. */
function deliveredOf(addresses: readonly string[]): Map<string, Json[]> {
  const bodies = receiver.accepted().map(({ body }) => JSON.parse(body) as Json);
  return new Map(
    addresses.map((address) => [address, bodies.filter((body) => body.address === address).map(withoutId)]),
  );
}

/** Blocks and traces are two lanes: within each the order is that of the chain. */
function inLanes(events: ReadonlyMap<string, Json[]>): Json {
  const isOfTraces = ({ type }: Json) => type === 'actions';
  return Object.fromEntries(
    [...events].map(([address, list]) => [
      address,
      { blocks: list.filter((one) => !isOfTraces(one)), traces: list.filter(isOfTraces) },
    ]),
  );
}

async function untilDelivered(id: string, count: number): Promise<void> {
  const endMs = performance.now() + TIMEOUT_MS / 2;
  for (;;) {
    await sql`
      with due as (
        select account from webhook_queues where webhook_id = ${id} and next_try < now() + interval '29 seconds'
        order by account for update
      )
      update webhook_queues set next_try = least(next_try, now()) from due
      where webhook_id = ${id} and webhook_queues.account = due.account`.execute(index.database.primary);
    await sql`update webhooks set next_try = now() where id = ${id}`.execute(index.database.primary);
    if (receiver.accepted().length >= count) return;
    if (performance.now() > endMs) throw new Error(`${receiver.accepted().length} of ${count} arrived`);
    await sleep(20);
  }
}

/** Where the feeds are that have webhooks. */
async function feedPlaces(): Promise<{ blocks: number; traces: number }[]> {
  const { rows } = await sql<{ cursor: string }>`
    select cursor from webhook_feeds where types <> '{}' and cursor is not null`.execute(
    index.database.primary,
  );
  return rows.map(({ cursor }) => {
    const { blocks, traces } = parseCursor(cursor)!.cursor;
    return { blocks: blocks.seqno, traces: traces.seqno };
  });
}

async function untilFed(): Promise<void> {
  const { blocks, traces } = app.streaming.follower.position()!;
  await until(async () =>
    (await feedPlaces()).every((place) => place.blocks >= blocks.seqno && place.traces >= traces.seqno),
  );
}

async function createIdle(count: number): Promise<void> {
  for (let i = 0; i < count; i++)
    await webhooks.create('operator', {
      url: receiver.url,
      types: TYPES,
      addresses: Array.from({ length: 5 }, () => `0:${randomBytes(32).toString('hex')}`),
    });
}

describe('webhooks', { timeout: TIMEOUT_MS }, () => {
  it('get what streams show, one event per address, in order', async () => {
    const streamed = await streamedOf(ADDRESSES);
    const count = [...streamed.values()].reduce((sum, list) => sum + list.length, 0);
    expect(count).toBeGreaterThan(100);
    const { state } = await webhooks.create('operator', {
      url: receiver.url,
      types: TYPES,
      addresses: ADDRESSES,
    });
    const worker = startWorker();
    await untilDelivered(state.webhook.id, count);
    await worker.close();
    expect(inLanes(deliveredOf(ADDRESSES))).toEqual(inLanes(streamed));
    expect(receiver.received).toHaveLength(count);
  });

  it('lose and double nothing while processes end and the receiver fails, hangs and refuses', async () => {
    const streamed = await streamedOf(SOME_ADDRESSES);
    const count = [...streamed.values()].reduce((sum, list) => sum + list.length, 0);
    let turn = 0;
    receiver.behave(() => {
      turn += 1;
      if (turn % 20 === 0) return 'hang';
      return turn % 2 === 0 ? 'refuse' : 'accept';
    });
    const { state } = await webhooks.create('operator', {
      url: receiver.url,
      types: TYPES,
      addresses: SOME_ADDRESSES,
    });
    const workers = [startWorker(), startWorker()];
    for (let end = 0; end < ENDS; end++) {
      await sleep(Math.random() * 150);
      await workers.shift()!.close();
      workers.push(startWorker());
    }
    receiver.behave(() => 'accept');
    await untilDelivered(state.webhook.id, count);
    for (const worker of workers) await worker.close();
    expect(inLanes(deliveredOf(SOME_ADDRESSES))).toEqual(inLanes(streamed));
    expect(receiver.accepted()).toHaveLength(count);
  });

  it('where nothing happens cost no statement', async () => {
    const costs: number[] = [];
    // Each feed has one; more of them are fed with it.
    for (const more of [FEEDS, 4 * FEEDS]) {
      await createIdle(more);
      await sql`update webhook_feeds set cursor = ${app.beginning()}`.execute(index.database.primary);
      const { database, statements } = countStatements(index.database);
      const worker = startWorker({ database, everyMs: 600_000 });
      await untilFed();
      await worker.close();
      costs.push(statements());
    }
    expect(receiver.received).toEqual([]);
    // It is asked now and then who is behind, however many webhooks there are.
    expect(costs[1]! - costs[0]!).toBeLessThan(FEEDS / 2);
  });

  it('have their events in the index while too many wait, and get all of them in order', async () => {
    const streamed = await streamedOf(SOME_ADDRESSES);
    const count = [...streamed.values()].reduce((sum, list) => sum + list.length, 0);
    const { state } = await webhooks.create('operator', {
      url: receiver.url,
      types: TYPES,
      addresses: SOME_ADDRESSES,
    });
    const { id } = state.webhook;
    const feeding = startWorker({ maxWaiting: 20, isSending: false });
    await untilFed();
    const { webhook } = await webhooks.show('operator', id);
    expect(webhook.waiting).toBeGreaterThan(0);
    expect(webhook.waiting).toBeLessThan(count);
    await feeding.close();
    const worker = startWorker({ maxWaiting: 20 });
    await untilDelivered(id, count);
    await worker.close();
    expect(inLanes(deliveredOf(SOME_ADDRESSES))).toEqual(inLanes(streamed));
    expect(receiver.received).toHaveLength(count);
    expect((await webhooks.show('operator', id)).webhook.waiting).toBe(0);
  });

  it('of a key are told as much as its plan allows, and the rest later; others do not wait for them', async () => {
    const busy = { name: 'busy', plan: 'free', rps: 1, networks: [] };
    const { id: keyId } = (await createApiKey(index.database, busy)).row;
    const watched = { url: receiver.url, types: TYPES, addresses: SOME_ADDRESSES };
    const [limited, other] = [
      await webhooks.create(keyId, watched),
      await webhooks.create('operator', watched),
    ];
    const waitingOf = async ({ state }: typeof other) =>
      (await webhooks.show('operator', state.webhook.id)).webhook.waiting;
    const streamed = await streamedOf(SOME_ADDRESSES);
    const count = [...streamed.values()].reduce((sum, list) => sum + list.length, 0);
    const worker = startWorker({ isSending: false, eventsPerRps: 1 });
    await untilFed();
    expect(await waitingOf(other)).toBe(count);
    expect(await waitingOf(limited)).toBeLessThan(count);
    // As if time had passed.
    await worker.close();
    const later = startWorker({ isSending: false });
    await until(async () => {
      const own = sql<{ id: string }>`select id from webhooks where own_cursor is not null`;
      const { rows } = await own.execute(index.database.primary);
      return rows.length === 0;
    });
    await later.close();
    expect(await waitingOf(limited)).toBe(count);
  });

  it('are shared by the processes that feed them', async () => {
    const shares = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from webhook_feeds where feeder is not null group by feeder order by 1`.execute(
        index.database.primary,
      );
      return rows.map((row) => row.count);
    };
    const isShared = (...wanted: number[]) =>
      until(async () => JSON.stringify(await shares()) === JSON.stringify(wanted));
    const workers = [startWorker()];
    await isShared(FEEDS);
    workers.push(startWorker());
    await isShared(FEEDS / 2, FEEDS / 2);
    await workers.shift()!.close();
    await isShared(FEEDS);
    await workers.shift()!.close();
    await isShared();
  });

  it('of a revoked key are not fed', async () => {
    const { row } = await createApiKey(index.database, { name: 'gone', plan: 'pro', rps: 500, networks: [] });
    const watched = { url: receiver.url, types: TYPES, addresses: SOME_ADDRESSES };
    const { state } = await webhooks.create(row.id, watched);
    await index.database.write((db) => revokeApiKey(db, row));
    const worker = startWorker({ isSending: false });
    await untilFed();
    await worker.close();
    expect(await webhooks.show('operator', state.webhook.id)).toMatchObject({ webhook: { waiting: 0 } });
  });

  it('are told of a gap where the index has no blocks, and go on behind it', async () => {
    const { state } = await webhooks.create('operator', {
      url: receiver.url,
      types: ['account_state_change'],
      addresses: ADDRESSES,
    });
    const { id } = state.webhook;
    const elsewhere = '5-0.5-0.00000001';
    await sql`update webhook_feeds set cursor = ${elsewhere} where number = ${feedOf(id)}`.execute(
      index.database.primary,
    );
    const worker = startWorker();
    await untilDelivered(id, 1);
    await worker.close();
    const bodies = receiver.accepted().map(({ body }) => JSON.parse(body) as Json);
    expect(bodies).toMatchObject([
      { webhook_id: id, address: null, type: 'gap', from: elsewhere, reason: 'cursor expired' },
    ]);
    expect(parseCursor(bodies[0]!.to)!.cursor).toEqual(app.streaming.follower.position());
  });

  it('are told of a gap where the index was taken back while nobody fed them', async () => {
    const { state } = await webhooks.create('operator', {
      url: receiver.url,
      types: ['account_state_change'],
      addresses: ADDRESSES,
    });
    const { id } = state.webhook;
    const present = app.streaming.follower.position()!.blocks.seqno;
    const ahead = `${present + 7}-0.${present + 7}-0.${app.streaming.follower.network()}`;
    await sql`update webhook_feeds set cursor = ${ahead} where number = ${feedOf(id)}`.execute(
      index.database.primary,
    );
    const worker = startWorker();
    await untilDelivered(id, 1);
    await worker.close();
    const bodies = receiver.accepted().map(({ body }) => JSON.parse(body) as Json);
    expect(bodies).toMatchObject([{ webhook_id: id, type: 'gap', from: ahead, reason: 'restart' }]);
    expect(parseCursor(bodies[0]!.to)!.cursor.blocks.seqno).toBe(present);
  });

  it('start where they are created, and follow changes of their addresses', async () => {
    const [first, second] = ADDRESSES;
    startCursor = (await index.database.write((db) => readPresentCursor(db)))!;
    const { state } = await webhooks.create('operator', {
      url: receiver.url,
      types: ['account_state_change'],
      addresses: [first],
    });
    const { id } = state.webhook;
    const worker = startWorker();
    expect(receiver.received).toEqual([]);
    expect(await webhooks.changeAddresses('operator', id, { add: [second], remove: [first] })).toBe(1);
    // What it has not been told yet is told for the new address.
    const begin = app.beginning();
    await sql`update webhooks set start_cursor = ${begin} where id = ${id}`.execute(index.database.primary);
    await sql`update webhook_feeds set cursor = ${begin} where number = ${feedOf(id)}`.execute(
      index.database.primary,
    );
    const streamed = await streamedOf([second!], ['account_state_change']);
    await untilDelivered(id, streamed.get(second!)!.length);
    await worker.close();
    expect(deliveredOf([first!, second!]).get(first!)).toEqual([]);
    expect(deliveredOf([second!])).toEqual(streamed);
  });
});
