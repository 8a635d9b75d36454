import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
import { findWebhook } from '../../src/webhooks/stored-webhooks.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks/webhooks.ts';
import { openStreamApp, type StreamApp } from '../streaming/support/stream-app.ts';
import type { Json } from '../streaming/support/stream-clients.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../streaming/support/webhook-receiver.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { NO_INDEX } from '../v3/support/build-app.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';

const ADDRESSES = Object.values(openDemoWallets()).map(({ address }) => address.toRawString().toUpperCase());
const TYPES = ['transactions', 'actions', 'account_state_change', 'jettons_change'];
/** Ends of processes while events are sent. */
const ENDS = sampled(6, 40);
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

/** What a `serve` process runs for webhooks. */
function startWorker(): Worker {
  const { database } = index;
  const ports = portsOf();
  const metrics = createStreamMetrics(createMetrics({ runtime: false }).registry);
  const streaming = createStreaming({
    database,
    ports,
    pending: undefined,
    metrics,
    log,
    resumeSeconds: 1,
    maxReplayed: 10_000,
    textDecimals: false,
  });
  const sender = createWebhookSender({
    database,
    transport: TRANSPORT,
    log,
    onAttempt: () => {},
    pollMs: 20,
  });
  const { hub, follower } = streaming;
  const feeder = createWebhookFeeder({
    database,
    hub,
    follower,
    log,
    onQueued: () => sender.wake(),
    claimMs: 50,
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
  const replays = createReplays({ database: index.database, loader, keepSeconds: 0 });
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
    await sql`update webhook_queues set next_try = least(next_try, now()) where webhook_id = ${id}
      and next_try < now() + interval '29 seconds'`.execute(index.database.primary);
    if (receiver.accepted().length >= count) return;
    if (performance.now() > endMs) throw new Error(`${receiver.accepted().length} of ${count} arrived`);
    await sleep(20);
  }
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
    const streamed = await streamedOf(ADDRESSES);
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
      addresses: ADDRESSES,
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
    expect(inLanes(deliveredOf(ADDRESSES))).toEqual(inLanes(streamed));
    expect(receiver.accepted()).toHaveLength(count);
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
    // What it has not been told yet is told for the new address.
    await sql`update webhooks set cursor = ${app.beginning()} where id = ${id}`.execute(
      index.database.primary,
    );
    expect(await webhooks.changeAddresses('operator', id, { add: [second], remove: [first] })).toBe(1);
    const streamed = await streamedOf([second!], ['account_state_change']);
    await untilDelivered(id, streamed.get(second!)!.length);
    await worker.close();
    expect(deliveredOf([first!, second!]).get(first!)).toEqual([]);
    expect(deliveredOf([second!])).toEqual(streamed);
    const { cursor } = (await index.database.write((db) => findWebhook(db, { id })))!;
    expect(cursor).not.toBe(app.beginning());
  });
});
