import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toAccountBytes } from '../../src/chain/address.ts';
import { openDemoWallets, openStakerWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { endOf, formatCursor } from '../../src/streaming/cursor.ts';
import { addressKind } from '../../src/v3/parameter-kinds.ts';
import type { TestDatabase } from '../support/database.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';
import { openStreamApp, type StreamApp } from './support/stream-app.ts';
import {
  type Json,
  openSse,
  openWs,
  type SseClient,
  type WsClient,
  waitFor,
} from './support/stream-clients.ts';

const { alice, bob, judy } = openDemoWallets();
const [ALICE, BOB, JUDY] = [alice, bob, judy].map(({ address }) => address.toRawString().toUpperCase());

/** A stream in which nothing happens says so soon, which shows that it has arrived as far as that. */
const timing = { keepAliveMs: 20 };

let index: TestDatabase;
let app: StreamApp;
let key: string;
const opened: { close(): void }[] = [];

beforeAll(async () => {
  index = await openIndexedDemo();
  app = await openStreamApp(index.database, { timing });
  key = await app.key();
});
afterEach(() => {
  for (const client of opened.splice(0)) client.close();
});
afterAll(async () => {
  await app?.close();
  await index?.drop();
});

/** All events of the chain that a subscription selects. */
async function eventsOf(subscription: object, from = app.beginning()): Promise<Json[]> {
  const client = await openSse(
    app.url,
    { last_event_id: from, ...subscription },
    { headers: { 'x-api-key': key } },
  );
  opened.push(client);
  expect(client.status).toBe(200);
  await waitFor(() => client.frames.length > 0);
  await settled(client);
  const events = client.frames.filter(({ event }) => event === 'event');
  return events.map(({ id, data }) => ({ id, ...data }));
}

/** Waits until everything that was missed was sent, and has arrived: what is sent last arrives last. */
async function settled(client: SseClient | WsClient, { streaming } = app): Promise<void> {
  await waitFor(() => streaming.hub.stats().joining === 0 && streaming.hub.stats().queued === 0);
  if ('ask' in client) {
    await client.ask({ operation: 'ping' });
    return;
  }
  const comments = () => client.frames.filter(({ comment }) => comment !== undefined).length;
  const before = comments();
  await waitFor(() => comments() > before);
}

const newest = () => app.streaming.follower.position()!.blocks.seqno;

describe('transactions', () => {
  it('equal those of v3, once per trace and newest first', async () => {
    const events = await eventsOf({ addresses: [BOB, ALICE], types: ['transactions'] });
    expect(events.length).toBeGreaterThan(3);
    const shown = events.flatMap(({ transactions }) => transactions);
    for (const { transactions, finality } of events) {
      expect(finality).toBe('finalized');
      const lts = transactions.map(({ lt }: Json) => BigInt(lt));
      expect(lts).toEqual(lts.toSorted((a: bigint, b: bigint) => (a < b ? 1 : -1)));
    }
    const listed = await app.get(`transactions?account=${BOB}&account=${ALICE}&limit=1000&sort=asc`);
    const byHash = new Map((listed.transactions as Json[]).map((one) => [one.hash, one]));
    for (const one of shown) expect(one).toEqual(byHash.get(one.hash));
    expect(new Set(shown.map(({ hash }) => hash)).size).toBe(shown.length);
    // Traces that no external message started are left out.
    const isExternal = await externalTraces(listed.transactions as Json[]);
    expect(shown.length).toBe(
      (listed.transactions as Json[]).filter(({ trace_id }) => isExternal.has(trace_id)).length,
    );
  });

  it('of system traces come on request', async () => {
    const plain = await eventsOf({ addresses: [`-1:${'3'.repeat(64)}`], types: ['transactions'] });
    const all = await eventsOf({
      addresses: [`-1:${'3'.repeat(64)}`],
      types: ['transactions'],
      include_system_traces: true,
    });
    expect(all.length).toBeGreaterThan(plain.length);
    const [first] = all;
    expect(first.trace_external_hash_norm).toBe(first.transactions[0].trace_id);
  });

  it('can be selected by the body of the message', async () => {
    const all = (await eventsOf({ addresses: [BOB], types: ['transactions'] })).flatMap(
      (e) => e.transactions,
    );
    const wanted = all.find(({ in_msg }) => in_msg !== null).in_msg.message_content.hash;
    const some = await eventsOf({ addresses: [BOB], types: ['transactions'], msg_body_hash: wanted });
    const expected = all.filter(({ in_msg }) => in_msg?.message_content.hash === wanted);
    expect(some.flatMap((e) => e.transactions).map(({ hash }) => hash)).toEqual(
      expected.map(({ hash }) => hash),
    );
  });
});

async function externalTraces(transactions: readonly Json[]): Promise<Set<string>> {
  const ids = [...new Set(transactions.map(({ trace_id }) => trace_id))];
  const found = new Set<string>();
  for (const id of ids) {
    const { traces } = await app.get(`traces?trace_id=${encodeURIComponent(id)}`);
    for (const trace of traces as Json[]) {
      const root = trace.transactions[trace.transactions_order[0]];
      if (root.in_msg !== null && root.in_msg.source === null) found.add(trace.trace_id);
    }
  }
  return found;
}

describe('actions', () => {
  it('equal those of v3, with their accounts', async () => {
    const events = await eventsOf({ addresses: [BOB], types: ['actions'], include_address_book: true });
    const shown = events.flatMap(({ actions }) => actions);
    const listed = await app.get(`actions?account=${BOB}&include_accounts=true&limit=1000`);
    const byId = new Map((listed.actions as Json[]).map((one) => [one.action_id, one]));
    expect(shown.length).toBeGreaterThan(3);
    for (const one of shown) {
      expect(one).toEqual(byId.get(one.action_id));
      expect(one.accounts).toContain(BOB);
    }
    for (const { actions, address_book } of events) {
      const ends = actions.map(({ end_lt }: Json) => BigInt(end_lt));
      expect(ends).toEqual(ends.toSorted((a: bigint, b: bigint) => (a < b ? 1 : -1)));
      for (const account of actions.flatMap((one: Json) => one.accounts))
        expect(address_book[account].user_friendly).toEqual(expect.any(String));
    }
  });

  it('of those who stake and bid equal those of v3', async () => {
    const stakers = Object.values(openStakerWallets()).map(({ address }) =>
      address.toRawString().toUpperCase(),
    );
    const types = new Set<string>();
    for (const account of stakers) {
      const shown = (await eventsOf({ addresses: [account], types: ['actions'] })).flatMap((e) => e.actions);
      const listed = await app.get(`actions?account=${account}&include_accounts=true&limit=1000`);
      const byId = new Map((listed.actions as Json[]).map((one) => [one.action_id, one]));
      for (const one of shown) {
        expect(one).toEqual(byId.get(one.action_id));
        types.add(one.type);
      }
    }
    expect([...types]).toEqual(
      expect.arrayContaining(['election_deposit', 'election_recover', 'stake_deposit', 'stake_withdrawal']),
    );
  });

  it('depend on what the client understands and wants', async () => {
    const { actions } = await app.get('actions?limit=1000&include_accounts=true');
    const multisig = (actions as Json[]).find(({ type }) => type === 'multisig_execute');
    const addresses = [multisig.accounts[0]];
    const typesOf = async (more: object) =>
      (await eventsOf({ addresses, types: ['actions'], ...more }))
        .flatMap((event) => event.actions)
        .map(({ type }) => type);
    const latest = await typesOf({});
    expect(latest).toContain('multisig_execute');
    const pieces = await typesOf({ supported_action_types: ['v1'] });
    expect(pieces).not.toContain('multisig_execute');
    expect(pieces.length).toBeGreaterThan(0);
    expect(new Set(await typesOf({ action_types: ['multisig_execute'] }))).toEqual(
      new Set(['multisig_execute']),
    );
    expect(await typesOf({ action_types: ['no_such_type'] })).toEqual([]);
  });
});

describe('trace', () => {
  it('shows the whole trace, whatever the form of its key', async () => {
    const { transactions } = await app.get(`transactions?account=${BOB}&limit=50`);
    const root = (transactions as Json[]).find(({ in_msg }) => in_msg !== null && in_msg.source === null);
    const hash = Buffer.from(root.in_msg.hash_norm ?? root.in_msg.hash, 'base64');
    const forms = [
      hash.toString('hex'),
      `0x${hash.toString('hex')}`,
      hash.toString('base64'),
      hash.toString('base64url'),
      hash.toString('base64').slice(0, 43),
      // The hash of the message as it was sent.
      root.in_msg.hash,
    ];
    const { traces } = await app.get(
      `traces?trace_id=${encodeURIComponent(root.trace_id)}&include_actions=true`,
    );
    const [expected] = traces as Json[];
    for (const form of forms) {
      const events = await eventsOf({
        types: ['trace'],
        trace_external_hash_norms: [form],
        addresses: [JUDY],
      });
      expect(events).toHaveLength(1);
      const [{ trace, trace_external_hash_norm, actions, ...event }] = events as [Json];
      expect(trace).toEqual(expected.trace);
      expect(trace_external_hash_norm).toBe(hash.toString('base64'));
      expect(Object.keys(event.transactions).sort()).toEqual(Object.keys(expected.transactions).sort());
      for (const [name, one] of Object.entries<Json>(event.transactions)) {
        const { trace_external_hash, ...rest } = one;
        expect(trace_external_hash).toBe(root.in_msg.hash);
        expect(rest).toEqual(expected.transactions[name]);
      }
      expect(actions.map(({ action_id }: Json) => action_id)).toEqual(
        expected.actions.map(({ action_id }: Json) => action_id),
      );
    }
  });
});

describe('states', () => {
  it('come once per account and block, the last one as v3 shows it', async () => {
    const events = await eventsOf({ addresses: [BOB], types: ['account_state_change'], extended: true });
    const seqnos = events.map(({ mc_seqno }) => mc_seqno);
    expect(new Set(seqnos).size).toBe(seqnos.length);
    expect(seqnos).toEqual(seqnos.toSorted((a: number, b: number) => a - b));
    const { transactions } = await app.get(`transactions?account=${BOB}&limit=1000`);
    expect(new Set(seqnos)).toEqual(new Set((transactions as Json[]).map((one) => one.mc_block_seqno)));
    const { accounts } = await app.get(`accountStates?address=${BOB}`);
    const [state] = accounts as Json[];
    const last = events.at(-1);
    expect(last.state).toMatchObject({
      hash: state.account_state_hash,
      balance: state.balance,
      account_status: state.status,
      code_hash: state.code_hash,
      data_hash: state.data_hash,
    });
    expect(last.last_transaction_lt).toBe(state.last_transaction_lt);
    expect(Object.keys(last.state)).toEqual([
      'hash',
      'balance',
      'extra_currencies',
      'account_status',
      'frozen_hash',
      'data_hash',
      'code_hash',
    ]);
  });

  it('come for an account however it is written', async () => {
    const subscription = { types: ['account_state_change'] };
    const expected = await eventsOf({ ...subscription, addresses: [BOB] });
    for (const form of [
      BOB!.toLowerCase(),
      bob.address.toString(),
      bob.address.toString({ bounceable: false }),
      bob.address.toString({ urlSafe: false }),
    ])
      expect(await eventsOf({ ...subscription, addresses: [form] })).toEqual(expected);
  });

  it('of jetton wallets come for the wallet and for its owner, not for the master', async () => {
    const { jetton_wallets } = await app.get(`jetton/wallets?owner_address=${BOB}`);
    const [wallet] = jetton_wallets as Json[];
    const ask = (address: string) =>
      eventsOf({
        addresses: [address],
        types: ['jettons_change'],
        include_metadata: true,
        include_address_book: true,
      });
    for (const address of [BOB!, wallet.address]) {
      const found = (await ask(address)).filter(({ jetton }) => jetton.address === wallet.address);
      expect(found.at(-1).jetton).toEqual(wallet);
      expect(Object.keys(found.at(-1).address_book).sort()).toEqual(
        [wallet.address, wallet.owner, wallet.jetton].sort(),
      );
      const [info] = found.at(-1).metadata[wallet.jetton].token_info;
      expect(info.type).toBe('jetton_masters');
      if (info.extra?.decimals !== undefined) expect(info.extra.decimals).toEqual(expect.any(String));
    }
    const ofMaster = await ask(wallet.jetton);
    expect(ofMaster.filter(({ jetton }) => jetton.address === wallet.address)).toEqual([]);
  });
});

describe('decimals of an off-chain document', () => {
  it('are texts if the operator wants that', async () => {
    const { jetton_wallets } = await app.get(`jetton/wallets?owner_address=${BOB}`);
    const [{ address, jetton }] = jetton_wallets as [Json];
    await index.database.primary
      .updateTable('token_metadata')
      .set({ valid: true, extra: JSON.stringify({ decimals: 6, note: 1 }) })
      .where('account', '=', toAccountBytes(addressKind.convert(jetton)!))
      .execute();
    const asTexts = await openStreamApp(index.database, { textDecimals: true });
    try {
      for (const [server, decimals] of [
        [app, 6],
        [asTexts, '6'],
      ] as const) {
        const client = await openSse(
          server.url,
          {
            last_event_id: app.beginning(),
            types: ['jettons_change'],
            addresses: [address],
            include_metadata: true,
          },
          { headers: { 'x-api-key': key } },
        );
        opened.push(client);
        await waitFor(() => client.events().length > 0);
        const [info] = client.events()[0].metadata[jetton].token_info;
        expect(info).toMatchObject({ type: 'jetton_masters', extra: { decimals, note: 1 } });
      }
    } finally {
      await asTexts.close();
    }
  });
});

describe('resume', () => {
  const all = () => ({
    addresses: [ALICE, BOB, JUDY],
    types: ['transactions', 'actions', 'account_state_change'],
  });

  it('goes on behind every event without a gap or a repeat', async () => {
    const events = await eventsOf(all());
    expect(events.length).toBeGreaterThan(20);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    for (const at of [0, 1, 7, Math.floor(events.length / 2), events.length - 2, events.length - 1]) {
      const rest = await eventsOf(all(), events[at].id);
      expect(rest.map(({ id }) => id)).toEqual(events.slice(at + 1).map(({ id }) => id));
      expect(rest).toEqual(events.slice(at + 1));
    }
  });

  it('goes on in the middle of the newest block', async () => {
    // Both have transactions in every masterchain block.
    const addresses = ['3', '5'].map((digit) => `-1:${digit.repeat(64)}`);
    const subscription = { addresses, types: ['account_state_change'] };
    const events = await eventsOf(subscription);
    const [first, second] = events.slice(-2);
    const [seqno, index] = first.id.split(/[-.]/).map(Number);
    expect(seqno).toBe(newest());
    const { traces } = app.streaming.follower.position()!;
    const cursor = formatCursor({ blocks: { seqno, index }, traces }, app.streaming.follower.network());
    const [rest, ...others] = await eventsOf(subscription, cursor);
    expect(others).toEqual([]);
    expect(rest.account).toBe(second.account);
  });

  it('works over WebSocket as resume_from and last_event_id', async () => {
    const events = await eventsOf(all());
    for (const name of ['resume_from', 'last_event_id']) {
      const client = await openWs(app.url, `?api_key=${key}`);
      opened.push(client);
      await client.ask({ operation: 'subscribe', ...all(), [name]: events[3].id });
      await waitFor(() => client.events().length >= events.length - 4);
      await settled(client);
      expect(client.messages[0]).toMatchObject({ status: 'subscribed' });
      expect(client.events().map(({ event_id }) => event_id)).toEqual(events.slice(4).map(({ id }) => id));
      expect(Object.keys(client.events()[0]).slice(0, 2)).toEqual(['type', 'event_id']);
    }
  });

  it('takes the header that browsers repeat', async () => {
    const events = await eventsOf(all());
    const query = `?types=transactions,actions,account_state_change&addresses=${[ALICE, BOB, JUDY].join()}&api_key=${key}`;
    const client = await openSse(app.url, undefined, {
      method: 'GET',
      query,
      headers: { 'last-event-id': events[5].id },
    });
    opened.push(client);
    await waitFor(() => client.events().length >= events.length - 6);
    expect(client.frames.filter(({ event }) => event === 'event').map(({ id }) => id)).toEqual(
      events.slice(6).map(({ id }) => id),
    );
  });

  it('tells a gap for a cursor that is too old or of another network', async () => {
    const old = await openStreamApp(index.database, { resumeSeconds: -1, timing });
    try {
      for (const [server, cursor] of [
        [old, old.beginning()],
        [app, app.beginning().replace(/\w{8}$/, '01234567')],
        [app, `${newest() + 5000}-0.${newest() + 5000}-0.${app.streaming.follower.network()}`],
      ] as const) {
        const client = await openSse(
          server.url,
          { ...all(), last_event_id: cursor },
          { headers: { 'x-api-key': key } },
        );
        opened.push(client);
        await waitFor(() => client.events().length > 0);
        await settled(client, server);
        expect(client.events()).toEqual([
          {
            type: 'gap',
            from: cursor,
            to: expect.stringContaining(`${newest()}-`),
            reason: 'cursor expired',
          },
        ]);
      }
    } finally {
      await old.close();
    }
  });

  it('is as old as the newer of its places: actions may be far behind blocks', async () => {
    const recent = await openStreamApp(index.database, { resumeSeconds: 0, timing });
    try {
      const cursor = formatCursor(
        { blocks: endOf(newest()), traces: endOf(0) },
        recent.streaming.follower.network(),
      );
      const client = await openSse(
        recent.url,
        { ...all(), last_event_id: cursor },
        { headers: { 'x-api-key': key } },
      );
      opened.push(client);
      const actions = (await eventsOf(all())).filter(({ type }) => type === 'actions');
      await waitFor(() => client.events().length >= actions.length);
      await settled(client, recent);
      expect(actions.length).toBeGreaterThan(0);
      const shown = client.frames.filter(({ event }) => event === 'event');
      const placeOf = ({ id }: Json) => id.split('.')[1];
      expect(shown.map(placeOf)).toEqual(actions.map(placeOf));
    } finally {
      await recent.close();
    }
  });

  it('ends a replay that is too long with a gap', async () => {
    const short = await openStreamApp(index.database, { maxReplayed: 5 });
    try {
      const client = await openSse(
        short.url,
        { ...all(), last_event_id: short.beginning() },
        { headers: { 'x-api-key': key } },
      );
      opened.push(client);
      await waitFor(() => client.events().some(({ type }) => type === 'gap'));
      expect(client.events().at(-1)).toMatchObject({ type: 'gap', reason: 'cursor expired' });
    } finally {
      await short.close();
    }
  });

  it('adds nothing for clients that did not ask for cursors', async () => {
    const client = await openWs(app.url, `?api_key=${key}`);
    opened.push(client);
    await client.ask({ operation: 'subscribe', ...all(), replay_existing: true });
    await settled(client);
    for (const event of client.events()) {
      expect(event.event_id).toBeUndefined();
      expect(event.type).not.toBe('gap');
    }
  });
});
