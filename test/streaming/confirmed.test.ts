import { type Cell, internal } from '@ton/core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { createConfirmedEvents } from '../../src/webhooks/confirmed-events.ts';
import { createWebhookFeeder } from '../../src/webhooks/feeder.ts';
import { createWebhookSender } from '../../src/webhooks/sender.ts';
import { createWebhookSlots } from '../../src/webhooks/slots.ts';
import { createWebhooks } from '../../src/webhooks/webhooks.ts';
import { indexChain } from '../pending/support/demo-index.ts';
import { openPendingContext, type PendingContext } from '../pending/support/pending-context.ts';
import { order } from '../pending/support/test-contracts.ts';
import type { TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { until } from '../support/until.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';
import { openStreamApp, type StreamApp } from './support/stream-app.ts';
import { type Json, openSse, openWs, waitFor } from './support/stream-clients.ts';
import { openWebhookReceiver } from './support/webhook-receiver.ts';

/** Streams and webhooks while shard blocks are signed and the masterchain has not taken them. */

const { alice, bob } = openDemoWallets();
const TYPES = ['transactions', 'actions', 'account_state_change'];
const TRANSPORT = {
  names: { resolve: async () => ['127.0.0.1'], close() {} },
  isPublic: () => true,
  allowsPrivate: true,
  timeoutMs: 5000,
};
let index: TestDatabase;
let context: PendingContext;
let app: StreamApp;
let key: string;
const opened: { close(): unknown }[] = [];
beforeAll(async () => {
  index = await openIndexedDemo();
  context = await openPendingContext(index);
  app = await openStreamApp(index.database, { pending: context.pending });
  key = await app.key();
});
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
});
afterAll(async () => {
  await app?.close();
  await context?.close();
  await index?.drop();
});

type Wallet = typeof alice;

/** A payment of a wallet to itself, which a single block has as a whole. */
function toItself(wallet: Wallet, value: bigint): Cell {
  return order(context, wallet, [internal({ to: wallet.address, value, bounce: false })]);
}

const rawOf = ({ address }: Wallet) => address.toRawString().toUpperCase();

async function openSocket(wallet: Wallet, wanted: object) {
  const client = await openWs(app.url, `?api_key=${key}`);
  opened.push(client);
  await client.ask({ operation: 'subscribe', types: TYPES, addresses: [rawOf(wallet)], ...wanted });
  return client;
}

async function openStream(wallet: Wallet, wanted: object) {
  const subscription = { types: TYPES, addresses: [rawOf(wallet)], ...wanted };
  const client = await openSse(app.url, subscription, { headers: { 'x-api-key': key } });
  opened.push(client);
  return client;
}

const namesOf = (events: readonly Json[]) => events.map(({ type, finality }) => `${type} ${finality}`).sort();
const ALL_CONFIRMED = TYPES.map((type) => `${type} confirmed`).sort();
const ALL_FINAL = TYPES.map((type) => `${type} finalized`).sort();

/** Puts the signed blocks into the index. */
async function takeSigned(): Promise<void> {
  await context.mine();
  await indexChain(context, index);
}

it('streams tell of a signed block once, and once more when the masterchain has it', async () => {
  const confirmed = await openStream(alice, { min_finality: 'confirmed' });
  const pending = await openSocket(alice, { min_finality: 'pending', extended: true });
  const finalized = await openStream(alice, {});
  // Nobody sent it through this server.
  await context.localnet.send(toItself(alice, 11n).toBoc());
  await context.localnet.sign();
  await waitFor(() => confirmed.events().length >= TYPES.length && pending.events().length >= TYPES.length);
  expect(namesOf(confirmed.events())).toEqual(ALL_CONFIRMED);
  expect(namesOf(pending.events())).toEqual(ALL_CONFIRMED);
  expect(finalized.events()).toEqual([]);
  const early = confirmed.events().find(({ type }) => type === 'transactions');
  expect(early.transactions.map(({ emulated, finality }: Json) => [emulated, finality])).toEqual([
    [false, 'confirmed'],
    [false, 'confirmed'],
  ]);
  const state = pending.events().find(({ type }) => type === 'account_state_change');
  expect(state).toMatchObject({ mc_seqno: null, last_transaction_hash: early.transactions[0].hash });
  await takeSigned();
  await waitFor(
    () => confirmed.events().length >= 2 * TYPES.length && finalized.events().length >= TYPES.length,
  );
  expect(namesOf(confirmed.events().slice(TYPES.length))).toEqual(ALL_FINAL);
  const late = confirmed.events().findLast(({ type }) => type === 'transactions');
  expect(late.trace_external_hash_norm).toBe(early.trace_external_hash_norm);
  expect(late.transactions.map(({ hash }: Json) => hash)).toEqual(
    early.transactions.map(({ hash }: Json) => hash),
  );
  expect(confirmed.events().findLast(({ type }) => type === 'account_state_change').state).toEqual(
    state.state,
  );
  expect(namesOf(finalized.events())).toEqual(ALL_FINAL);
});

it('streams take back what was in a signed block that did not become a part of the chain', async () => {
  const client = await openSocket(bob, { min_finality: 'confirmed', extended: true });
  await context.localnet.send(toItself(bob, 12n).toBoc());
  await context.localnet.sign();
  await waitFor(() => client.events().length >= TYPES.length);
  expect(namesOf(client.events())).toEqual(ALL_CONFIRMED);
  const trace = client.events().find(({ type }) => type === 'actions').trace_external_hash_norm;
  await context.localnet.loseSigned();
  await context.mine(3);
  await waitFor(() => client.events().length >= TYPES.length + 2);
  const later = client.events().slice(TYPES.length);
  expect(namesOf(later)).toEqual(['account_state_change finalized', 'trace_invalidated undefined']);
  expect(later.find(({ type }) => type === 'trace_invalidated')).toMatchObject({
    trace_external_hash_norm: trace,
    reason: 'rolled_back',
  });
  const { state } = later.find(({ type }) => type === 'account_state_change');
  const { accounts } = await app.get(`accountStates?address=${rawOf(bob)}&include_boc=false`);
  expect(state.hash).toBe(accounts[0].account_state_hash);
});

it('webhooks tell of a signed block if they want it, take it back, and tell what is final', async () => {
  const receiver = await openWebhookReceiver();
  opened.push(receiver);
  const webhooks = createWebhooks({
    database: index.database,
    transport: TRANSPORT,
    slots: createWebhookSlots(4),
    limits: { perKey: 3, addresses: 1000 },
    startCursor: async () => {
      const { blocks, traces } = app.streaming.follower.position()!;
      const network = app.streaming.follower.network();
      return `${blocks.seqno}-${blocks.index}.${traces.seqno}-${traces.index}.${network}`;
    },
  });
  const fields = { url: receiver.url, types: TYPES, addresses: [rawOf(alice)] };
  await expect(webhooks.create('operator', { ...fields, min_finality: 'pending' })).rejects.toThrow(
    'min_finality',
  );
  const { state: early } = await webhooks.create('operator', { ...fields, min_finality: 'confirmed' });
  const { state: plain } = await webhooks.create('operator', fields);
  expect([early, plain].map(({ webhook }) => webhook.minFinality)).toEqual(['confirmed', 'finalized']);
  const log = createQuietLog();
  const { database } = index;
  const sender = createWebhookSender({
    database,
    transport: TRANSPORT,
    slots: createWebhookSlots(64),
    log,
    onAttempt: () => {},
    pollMs: 20,
  });
  const { follower, reader, watchEarly } = app.streaming;
  const onQueued = () => sender.wake();
  const feeder = createWebhookFeeder({ database, follower, reader, log, onQueued, claimMs: 50 });
  const confirmed = createConfirmedEvents({ database, watchEarly, feeder, log, onQueued, lookMs: 20 });
  try {
    const bodiesOf = ({ webhook }: typeof early) =>
      receiver
        .accepted()
        .map(({ body }) => JSON.parse(body) as Json)
        .filter((body) => body.webhook_id === webhook.id);
    await until(async () => confirmed.isOpen());
    await context.localnet.send(toItself(alice, 13n).toBoc());
    await context.localnet.sign();
    await until(async () => bodiesOf(early).length >= TYPES.length);
    expect(namesOf(bodiesOf(early))).toEqual(ALL_CONFIRMED);
    expect(bodiesOf(plain)).toEqual([]);
    await context.localnet.loseSigned();
    await context.mine(3);
    await until(async () => bodiesOf(early).some(({ type }) => type === 'trace_invalidated'));
    await context.localnet.send(toItself(alice, 14n).toBoc());
    await context.localnet.sign();
    const isConfirmed = ({ type, finality }: Json) => type === 'actions' && finality === 'confirmed';
    await until(async () => bodiesOf(early).filter(isConfirmed).length === 2);
    await takeSigned();
    const isFinal = ({ finality, type }: Json) => finality === 'finalized' && type === 'actions';
    await until(async () => [early, plain].every((one) => bodiesOf(one).some(isFinal)));
    expect(bodiesOf(plain).every(({ finality }) => finality === 'finalized')).toBe(true);
    const [, second, last] = bodiesOf(early).filter(({ type }) => type === 'actions');
    expect(last.trace_external_hash_norm).toBe(second.trace_external_hash_norm);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length);
  } finally {
    await confirmed.close();
    await feeder.close();
    await sender.close();
    for (const { webhook } of [early, plain]) await webhooks.delete('operator', webhook.id);
  }
});
