import { randomBytes } from 'node:crypto';
import {
  Address,
  beginCell,
  external,
  internal,
  type MessageRelaxed,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { TonClient, WalletContractV4 } from '@ton/ton';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { externalMessage } from '../../src/localnet/contracts/contract.ts';
import { nominatorDeposit, nominatorWithdrawal } from '../../src/localnet/contracts/nominator-pool.ts';
import { walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { openDemoWallets, openStakerWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { planDemo } from '../../src/localnet/demo/run-demo.ts';
import { openFaucets } from '../../src/localnet/genesis/keys.ts';
import { isLongRun, sampled } from '../support/long-run.ts';
import { relayContract, throughRelay } from '../support/relay-contract.ts';
import { until } from '../support/until.ts';
import { BEGINNING, startTongateServer, type TongateServer } from '../v3/support/tongate-server.ts';
import { type Json, openSse, openWs, type WsClient, waitFor } from './support/stream-clients.ts';
import { openWebhookReceiver } from './support/webhook-receiver.ts';

const { bob, judy } = openDemoWallets();
const [BOB, JUDY] = [bob, judy].map(({ address }) => address.toRawString().toUpperCase());
const ALL = ['transactions', 'actions', 'account_state_change', 'jettons_change'];
/** Subscriptions of a client, one after another. */
const ROUNDS = sampled(3, 20);

let server: TongateServer;
const opened: { close(): void }[] = [];

beforeAll(async () => {
  server = await startTongateServer();
  await server.untilClassified();
});
afterEach(() => {
  for (const client of opened.splice(0)) client.close();
});
afterAll(async () => {
  vi.useRealTimers();
  await server?.close();
});

/** Waits until the newest block is indexed and classified, and pending messages were checked against it. */
async function untilSettled(): Promise<void> {
  await server.untilClassified();
  await until(async () => {
    const { pending, index } = await server.status();
    return pending.checked_seqno >= index.head_seqno;
  });
}

/** Waits until a client has everything that blocks told so far and what it missed: answers keep their place among events. */
async function untilReceived(client: WsClient): Promise<void> {
  await untilSettled();
  await until(async () => (await server.status()).streaming.joining === 0);
  await client.ask({ operation: 'ping' });
}

async function watch(subscription: object): Promise<WsClient> {
  const client = await openWs(server.url, `?api_key=${server.key}&app=test`);
  opened.push(client);
  expect(await client.ask({ operation: 'subscribe', types: ALL, ...subscription })).toMatchObject({
    status: 'subscribed',
  });
  return client;
}

const ton = () => new TonClient({ endpoint: `${server.url}/api/v2/jsonRPC`, apiKey: server.key });

function walletOf({ keys }: typeof bob) {
  return ton().open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }));
}

interface Sent {
  readonly to: Address;
  readonly value?: string;
  readonly body?: string | ReturnType<typeof jettonBody>;
  readonly seqno?: number;
  readonly timeout?: number;
}

async function send(from: typeof bob, { to, value = '0.2', body = 'hi', seqno, timeout }: Sent) {
  const wallet = walletOf(from);
  await wallet.sendTransfer({
    seqno: seqno ?? (await wallet.getSeqno()),
    secretKey: from.keys.secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to, value: toNano(value), body })],
    ...(timeout !== undefined && { timeout }),
  });
}

function jettonBody(amount: bigint) {
  return beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(amount, 64)
    .storeCoins(amount)
    .storeAddress(judy.address)
    .storeAddress(bob.address)
    .storeBit(0)
    .storeCoins(1n)
    .storeBit(0)
    .endCell();
}

/** Mines one block at a time, so that a trace can be seen on its way, until something holds. */
async function mineUntil(isSo: () => boolean): Promise<void> {
  await until(async () => {
    if (isSo()) return true;
    await server.mine();
    await untilSettled();
    return isSo();
  });
}

const isFinal = (type: string) => (event: Json) => event.type === type && event.finality === 'finalized';
const LEVELS = ['pending', 'confirmed', 'finalized'];

/** That no event of a trace is less certain than one of the same type before it. */
function expectNeverLower(events: readonly Json[]): void {
  const highest = new Map<string, number>();
  for (const { type, trace_external_hash_norm: trace, finality } of events) {
    if (trace === undefined || finality === undefined) continue;
    const level = LEVELS.indexOf(finality);
    expect(level).toBeGreaterThanOrEqual(highest.get(`${type} ${trace}`) ?? 0);
    highest.set(`${type} ${trace}`, level);
  }
}

describe('a transfer that happens', () => {
  it('is pending first, then finalized under the same key, for each level what it wants', async () => {
    const pending = await watch({
      addresses: [BOB, JUDY],
      min_finality: 'pending',
      include_address_book: true,
      include_metadata: true,
      cursors: true,
    });
    const confirmed = await watch({ addresses: [BOB, JUDY], min_finality: 'confirmed' });
    const finalized = await watch({ addresses: [BOB, JUDY] });
    await send(bob, { to: judy.address });
    await waitFor(() => pending.events().some(({ type }) => type === 'actions'));
    const [first] = pending.events();
    expect(first).toMatchObject({ type: 'transactions', finality: 'pending' });
    expect(first.transactions.every((one: Json) => one.emulated && one.finality === 'pending')).toBe(true);
    expect(first.transactions[0].trace_id).toBeUndefined();
    const bodies = first.transactions.map((one: Json) => one.in_msg.message_content.decoded);
    expect(bodies).toContainEqual(expect.objectContaining({ comment: 'hi' }));
    expect(confirmed.events()).toEqual([]);
    for (const event of pending.events()) {
      expect(event.event_id).toMatch(/~\d+$|^\d/);
      expect(event.address_book).toBeTypeOf('object');
      expect(event.metadata).toBeTypeOf('object');
    }
    await mineUntil(() => pending.events().some(isFinal('actions')));
    for (const client of [pending, confirmed, finalized]) await untilReceived(client);
    const trace = first.trace_external_hash_norm;
    for (const type of ['transactions', 'actions']) {
      const last = pending.events().findLast(isFinal(type));
      expect(last.trace_external_hash_norm).toBe(trace);
    }
    expectNeverLower(pending.events());
    expect(pending.events().filter(({ type }) => type === 'trace_invalidated')).toEqual([]);
    // A finalized event comes once, with everything that v3 shows.
    const own = finalized.events().filter((event) => event.trace_external_hash_norm === trace);
    expect(own.map(({ type }) => type).sort()).toEqual(['actions', 'transactions']);
    expect(finalized.events().every(({ finality }) => finality === 'finalized')).toBe(true);
    expect(confirmed.events()).toEqual(finalized.events());
    const { transactions } = own.find(({ type }) => type === 'transactions');
    const hash = encodeURIComponent(transactions[0].hash);
    expect((await server.get(`/api/v3/transactions?hash=${hash}`)).body.transactions).toEqual([
      transactions[0],
    ]);
    const states = finalized.events().filter(({ type }) => type === 'account_state_change');
    expect(new Set(states.map(({ account }) => account))).toEqual(new Set([BOB, JUDY]));
    // States are never predicted.
    for (const { type, finality } of pending.events())
      if (type === 'account_state_change') expect(finality).toBe('finalized');
  });
});

describe('a jetton transfer', () => {
  it('is final for actions while its last notification is predicted', async () => {
    const client = await watch({ addresses: [BOB, JUDY], min_finality: 'pending', include_metadata: true });
    let wallet = '';
    await until(async () => {
      const { body } = await server.get(`/api/v3/jetton/wallets?owner_address=${BOB}`);
      wallet = body.jetton_wallets[0]?.address ?? '';
      return wallet !== '';
    });
    await send(bob, { to: Address.parse(wallet), body: jettonBody(77n) });
    await waitFor(() => client.events().some(({ type }) => type === 'actions'));
    await mineUntil(() => client.events().some(isFinal('transactions')));
    await waitFor(() => client.events().some(isFinal('actions')));
    await untilReceived(client);
    expectNeverLower(client.events());
    const [action] = client.events().find(isFinal('actions')).actions;
    expect(action).toMatchObject({ type: 'jetton_transfer', details: { amount: '77' } });
    const changes = client.events().filter(({ type }) => type === 'jettons_change');
    expect(new Set(changes.map(({ jetton }) => jetton.owner))).toEqual(new Set([BOB, JUDY]));
    for (const { jetton } of changes) expect(jetton.balance).toEqual(expect.any(String));
    // Its effect is certain before its last notification and the excesses have arrived.
    const events = client.events();
    const first = (type: string) => events.findIndex(isFinal(type));
    expect(first('actions')).toBeLessThan(first('transactions'));
    const before = events.slice(0, first('actions')).findLast(({ type }) => type === 'transactions');
    expect(before.finality).toBe('pending');
    expect(before.transactions.some((one: Json) => one.finality === 'finalized')).toBe(true);
  });
});

describe('a claim of fees of a DeDust v2 position', () => {
  /** Relays in place of pool and position, which send what real ones do. */
  function claim() {
    const [pool, position] = [relayContract(1), relayContract(2)];
    const bodyOf = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(7, 64);
    const paid = bodyOf(0x3216ca09).storeCoins(5n).storeInt(0, 32).storeBit(0).endCell();
    const payout = bodyOf(0x29ff1bcf).storeCoins(0n).storeCoins(5n);
    const payoutOf = throughRelay(
      pool,
      payout.storeAddress(bob.address).storeAddress(bob.address),
      0n,
      internal({ to: bob.address, value: 0n, bounce: false, body: paid }),
    );
    const available = bodyOf(0x25f19752).storeAddress(bob.address).storeUint(0, 5).storeUint(0, 5);
    const claimed = bodyOf(0x5652f1df).storeAddress(bob.address);
    return throughRelay(pool, claimed, toNano('0.5'), throughRelay(position, available, 0n, payoutOf));
  }

  it.runIf(isLongRun)('is shown when emulated, pending and final, in one piece or in parts', async () => {
    const wallet = walletOf(bob);
    const body = wallet.createTransfer({
      seqno: await wallet.getSeqno(),
      secretKey: bob.keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [claim()],
    });
    const boc = beginCell()
      .store(storeMessage(external({ to: bob.address, body })))
      .endCell()
      .toBoc()
      .toString('base64');
    const emulated = await server.post('/api/emulate/v1/emulateTrace', { boc, with_actions: true });
    const client = await watch({ addresses: [BOB], min_finality: 'pending' });
    const older = await watch({ addresses: [BOB], min_finality: 'pending', supported_action_types: ['v4'] });
    const { message_hash_norm } = (await server.post('/api/v3/message', { boc })).body;
    const isAction = ({ type }: Json) => type === 'actions';
    await waitFor(() => [client, older].every((one) => one.events().some(isAction)));
    const query = `ext_msg_hash=${encodeURIComponent(message_hash_norm)}`;
    const pending = (await server.get(`/api/v3/pendingActions?${query}`)).body.actions;
    const predicted = client.events().find(isAction).actions;
    await mineUntil(() => [client, older].every((one) => one.events().some(isFinal('actions'))));
    const final = client.events().findLast(isFinal('actions'));
    const shown = { type: 'dedust_v2_claim_fees', details: { amount_1: '0', amount_2: '5', source: BOB } };
    // The relays are deployed in the same trace.
    const withoutDeployments = (actions: Json[]) => actions.filter(({ type }) => type !== 'contract_deploy');
    for (const actions of [emulated.body.actions, pending, predicted, final.actions])
      expect(withoutDeployments(actions)).toMatchObject([shown]);
    const typesOf = (actions: Json[]) => withoutDeployments(actions).map(({ type }) => type);
    // Calls become final one after the other.
    const parts = older.events().findLast(isFinal('actions')).actions;
    expect(new Set(typesOf(parts))).toEqual(new Set(['call_contract']));
    const of = `trace_id=${encodeURIComponent(final.actions[0].trace_id)}`;
    const ask = async (types: string) =>
      (await server.get(`/api/v3/actions?${of}&supported_action_types=${types}`)).body.actions;
    expect(typesOf(await ask('v5'))).toEqual(['dedust_v2_claim_fees']);
    expect(await ask('latest')).toEqual(await ask('v5'));
    expect(typesOf(await ask('v4'))).toEqual(Array(4).fill('call_contract'));
  });
});

describe('a deposit into a nominator pool and its withdrawal', () => {
  const stakers = openStakerWallets();
  const { nick } = stakers;

  async function sendAll(messages: readonly MessageRelaxed[]): Promise<void> {
    const { body } = await server.get(`/api/v2/getWalletInformation?address=${nick.address.toRawString()}`);
    const { version, keys } = nick;
    const validUntil = Math.floor(Date.now() / 1000) + 300;
    const transfer = walletTransfer({
      version,
      secretKey: keys.secretKey,
      seqno: body.result.seqno,
      validUntil,
      messages,
    });
    const boc = externalMessage({ address: nick.address }, transfer).toBoc().toString('base64');
    expect((await server.post('/api/v3/message', { boc })).status).toBe(200);
  }

  it.runIf(isLongRun)('are shown when they are pending and when they are final', async () => {
    const { contracts } = planDemo({
      wallets: openDemoWallets(),
      stakers,
      faucets: await openFaucets(),
      genesisTime: BEGINNING,
    });
    const client = await watch({
      addresses: [nick.address.toRawString()],
      types: ['actions'],
      min_finality: 'pending',
    });
    const toPool = (value: string, body: MessageRelaxed['body']) =>
      internal({ to: contracts['nominator pool']!, value: toNano(value), bounce: true, body });
    const shown = async (messages: readonly MessageRelaxed[]) => {
      const before = client.events().length;
      await sendAll(messages);
      await waitFor(() => client.events().length > before);
      const [predicted] = client.events().slice(before);
      expect(predicted.finality).toBe('pending');
      await mineUntil(() => client.events().slice(before).some(isFinal('actions')));
      const final = client.events().slice(before).find(isFinal('actions'));
      const detailsOf = ({ actions }: Json) =>
        actions.map(({ type, success, details }: Json) => ({ type, success, details }));
      expect(detailsOf(predicted)).toEqual(detailsOf(final));
      return detailsOf(final);
    };
    expect(await shown([toPool('11', nominatorDeposit())])).toEqual([
      expect.objectContaining({
        type: 'stake_deposit',
        success: true,
        details: expect.objectContaining({ amount: `${toNano('11')}` }),
      }),
    ]);
    expect(await shown([toPool('1', nominatorWithdrawal())])).toEqual([
      expect.objectContaining({ type: 'stake_withdrawal', success: true }),
    ]);
  });
});

describe('a transfer that does not happen', () => {
  it('is invalidated once, only for those who saw it, when another takes its place', async () => {
    const seqno = await walletOf(bob).getSeqno();
    const client = await watch({ addresses: [BOB], min_finality: 'pending', extended: true });
    const final = await watch({ addresses: [BOB] });
    await send(bob, { to: judy.address, value: '0.3', body: 'first', seqno });
    await send(bob, { to: judy.address, value: '0.4', body: 'second', seqno });
    await waitFor(
      () => new Set(client.events().flatMap(({ trace_external_hash_norm: trace }) => trace ?? [])).size === 2,
    );
    await until(async () => {
      await server.mine();
      return (await walletOf(bob).getSeqno()) > seqno;
    });
    // No further block is needed to know that the other one is impossible.
    await waitFor(() => client.events().some(({ type }) => type === 'trace_invalidated'));
    await mineUntil(() => client.events().some(isFinal('actions')));
    await server.mine(3);
    await untilReceived(client);
    await untilReceived(final);
    const invalidated = client.events().filter(({ type }) => type === 'trace_invalidated');
    expect(invalidated).toHaveLength(1);
    const winner = client.events().find(isFinal('actions')).trace_external_hash_norm;
    expect(invalidated[0].trace_external_hash_norm).not.toBe(winner);
    expect(invalidated[0].reason).toBe('superseded');
    // Who joins later has not seen it.
    expect(final.events().filter(({ type }) => type === 'trace_invalidated')).toEqual([]);
    expectNeverLower(client.events());
  });
});

describe('an account that is destroyed', () => {
  it('does not exist any more', async () => {
    const keys = keyPairFromSeed(randomBytes(32));
    const wallet = ton().open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }));
    const client = await watch({ addresses: [wallet.address.toString()], types: ['account_state_change'] });
    await server.post('/localnet/fund', { address: wallet.address.toString(), amount: '1' });
    await mineUntil(() => client.events().length > 0);
    expect(client.events()[0].state).toMatchObject({ balance: '1000000000', account_status: 'uninit' });
    await wallet.sendTransfer({
      seqno: 0,
      secretKey: keys.secretKey,
      sendMode: SendMode.CARRY_ALL_REMAINING_BALANCE + SendMode.DESTROY_ACCOUNT_IF_ZERO,
      messages: [internal({ to: bob.address, value: 0n, bounce: false })],
    });
    await mineUntil(() => client.events().length > 1);
    expect(client.events().at(-1)).toMatchObject({
      account: wallet.address.toRawString().toUpperCase(),
      finality: 'finalized',
      state: { balance: '0', account_status: 'nonexist', code_hash: null, data_hash: null },
    });
  });
});

describe('subscriptions under load', () => {
  it('answers before the first event of a new subscription', async () => {
    const client = await openWs(server.url, `?api_key=${server.key}`);
    opened.push(client);
    for (let round = 0; round < ROUNDS; round++) {
      client.send({
        operation: 'subscribe',
        id: `r${round}`,
        types: ['transactions', 'account_state_change', 'actions'],
        addresses: round % 2 === 0 ? [BOB] : [JUDY],
        last_event_id: `0-0.0-0.${await network()}`,
      });
    }
    const last = `r${ROUNDS - 1}`;
    await waitFor(() => client.messages.some(({ id }) => id === last));
    const fromLast = () => client.messages.slice(client.messages.findIndex(({ id }) => id === last));
    await waitFor(() => fromLast().some(({ type }) => type === 'actions'));
    let current = '';
    for (const { id, status, type, account } of client.messages) {
      if (status === 'subscribed') current = id;
      if (type !== 'account_state_change') continue;
      expect(current).not.toBe('');
      expect(account).toBe(Number(current.slice(1)) % 2 === 0 ? BOB : JUDY);
    }
    expect(fromLast().length).toBeGreaterThan(3);
  });
});

async function network(): Promise<string> {
  const probe = await openSse(
    server.url,
    { addresses: [BOB], types: ['actions'], last_event_id: '0-0.0-0.00000000' },
    { headers: { 'x-api-key': server.key } },
  );
  await waitFor(() => probe.events().length > 0);
  probe.close();
  return probe.events()[0].to.slice(-8);
}

describe('replay_existing', () => {
  it('begins with pending traces and recent states, none twice', async () => {
    await send(bob, { to: judy.address, body: 'again' });
    const first = await watch({ addresses: [BOB], min_finality: 'pending', replay_existing: true });
    await waitFor(() => first.events().some(({ type }) => type === 'actions'));
    const second = await watch({ addresses: [BOB], min_finality: 'pending', replay_existing: true });
    await waitFor(() => second.events().some(({ type }) => type === 'actions'));
    expect(
      second.events().some(({ type, finality }) => type === 'transactions' && finality === 'pending'),
    ).toBe(true);
    await mineUntil(() => second.events().some(isFinal('actions')));
    await untilReceived(second);
    const texts = second.events().map((event) => JSON.stringify(event));
    expect(new Set(texts).size).toBe(texts.length);
    const third = await watch({ addresses: [BOB], types: ['account_state_change'], replay_existing: true });
    await waitFor(() => third.events().length > 0);
    expect(third.events()[0]).toMatchObject({ type: 'account_state_change', account: BOB });
    const before = third.events().length;
    await third.ask({
      operation: 'subscribe',
      types: ['account_state_change'],
      addresses: [BOB],
      replay_existing: true,
    });
    await waitFor(() => third.events().length > before);
  });
});

describe('wallets', () => {
  it('walletkit: whole subscriptions with user-friendly addresses', async () => {
    const client = await openWs(server.url, `?api_key=${server.key}`);
    opened.push(client);
    const friendly = [bob, judy].map(({ address }) => address.toString());
    client.send({
      operation: 'subscribe',
      id: `sync-${Date.now()}-1`,
      types: ['account_state_change', 'transactions', 'jettons_change'],
      addresses: friendly,
      min_finality: 'pending',
      include_metadata: true,
    });
    client.send({ operation: 'ping', id: `ping-${Date.now()}` });
    await waitFor(() => client.messages.length === 2);
    expect(client.messages.map(({ status }) => status)).toEqual(['subscribed', 'pong']);
    await send(bob, { to: judy.address, body: 'kit' });
    await waitFor(() => client.events().length > 0);
    await mineUntil(() => client.events().some(isFinal('transactions')));
    for (const event of client.events()) {
      if (event.type === 'account_state_change') expect(event.state.balance).toEqual(expect.any(String));
      if (event.type !== 'transactions') continue;
      expect(event.trace_external_hash_norm).toEqual(expect.any(String));
      for (const one of event.transactions) {
        expect(one.description.compute_ph).toBeTypeOf('object');
        expect(one.account_state_before).toBeTypeOf('object');
        expect(one.account_state_after).toBeTypeOf('object');
      }
    }
    client.send({ operation: 'unsubscribe', id: 'clear-1', addresses: friendly });
    await waitFor(() => client.messages.at(-1).status === 'unsubscribed');
  });

  it.runIf(isLongRun)(
    'MyTonWallet: growing ids, address book of all accounts, ping without an id',
    async () => {
      const client = await openWs(server.url, `?api_key=${server.key}&appVersion=1&env=test&_=7`);
      opened.push(client);
      for (const [at, types] of [
        ['actions'],
        ['actions', 'account_state_change', 'jettons_change'],
      ].entries())
        client.send({
          operation: 'subscribe',
          id: String(at + 1),
          addresses: [BOB],
          types,
          min_finality: 'pending',
          include_address_book: true,
          include_metadata: true,
          supported_action_types: ['v1'],
        });
      client.send({ operation: 'ping' });
      await waitFor(() => client.messages.length === 3);
      expect(client.messages).toStrictEqual([
        { id: '1', status: 'subscribed' },
        { id: '2', status: 'subscribed' },
        { status: 'pong' },
      ]);
      await send(bob, { to: judy.address, body: 'mtw' });
      await waitFor(() => client.events().length > 0);
      await mineUntil(() => client.events().some(isFinal('actions')));
      for (const { type, actions, address_book } of client.events()) {
        if (type !== 'actions') continue;
        for (const account of actions.flatMap((one: Json) => one.accounts))
          expect(address_book[account].user_friendly).toEqual(expect.any(String));
        expect(address_book[BOB!].user_friendly).toBe(
          bob.address.toString({ bounceable: false, testOnly: true }),
        );
      }
    },
  );
});

describe('the indexer', () => {
  it('streams many new blocks in order, each once', async () => {
    const client = await watch({ addresses: [BOB, JUDY], cursors: true });
    await send(bob, { to: judy.address, body: 'burst' });
    await server.mine(sampled(4, 100));
    await send(bob, { to: judy.address, body: 'burst 2' });
    await server.mine(sampled(2, 20));
    await waitFor(() => client.events().filter(isFinal('actions')).length >= 2);
    await untilReceived(client);
    const ids = client.events().map(({ event_id }) => event_id);
    expect(new Set(ids).size).toBe(ids.length);
    const places = client.events().map(({ event_id }) => event_id.split(/[-.]/).map(Number));
    for (let at = 1; at < places.length; at++) {
      expect(places[at][0]).toBeGreaterThanOrEqual(places[at - 1][0]);
      expect(places[at][2]).toBeGreaterThanOrEqual(places[at - 1][2]);
    }
    expect((await server.status()).streaming).toMatchObject({ websocket: 1, watched: 2, lag_seqnos: 0 });
  });
});

describe('a cursor of the first seconds of a chain', () => {
  it('resumes, although the demo took a week and no action was known yet', async () => {
    const { init } = (await server.get('/api/v2/getMasterchainInfo')).body.result;
    const network = Buffer.from(init.root_hash, 'base64').toString('hex', 0, 4);
    const subscription = { types: ['actions', 'transactions'], addresses: [BOB] };
    for (const blocks of [0, 3]) {
      const last_event_id = `${blocks}-0.0-0.${network}`;
      const options = { headers: { 'x-api-key': server.key } };
      const client = await openSse(server.url, { ...subscription, last_event_id }, options);
      opened.push(client);
      await waitFor(() => client.events().some(({ type }) => type === 'actions' || type === 'gap'));
      expect(client.events().filter(({ type }) => type === 'gap')).toEqual([]);
    }
  });
});

describe('a local chain that goes back', () => {
  it('is streamed on from where it went back to, after a gap', async () => {
    const client = await watch({ addresses: [BOB, JUDY], cursors: true });
    await server.post('/localnet/snapshot', { name: 'before' });
    await send(bob, { to: judy.address, body: 'undone' });
    await mineUntil(() => client.events().some(isFinal('actions')));
    const undone = client.events().length;
    await server.post('/localnet/restore', { name: 'before' });
    await waitFor(() => client.events().some(({ type }) => type === 'gap'));
    const gap = client.events().find(({ type }) => type === 'gap');
    expect(gap.reason).toBe('restart');
    expect(Number(gap.to.split('-')[0])).toBeLessThan(Number(gap.from.split('-')[0]));
    await send(bob, { to: judy.address, body: 'done' });
    await mineUntil(() => client.events().slice(undone).some(isFinal('actions')));
    const [action] = client.events().findLast(isFinal('actions')).actions;
    expect(action.details.comment).toBe('done');
  });

  it.runIf(isLongRun)(
    'gives new ids to what happens there, also to webhooks, and tells who comes back with an old one',
    async () => {
      const receiver = await openWebhookReceiver();
      const hook = { url: receiver.url, types: ['actions'], addresses: [BOB] };
      await server.post('/localnet/snapshot', { name: 'twice' });
      // Its first block is one that will be gone.
      await server.mine(5);
      await untilSettled();
      const created = await server.post('/api/webhooks', hook, { 'x-api-key': server.key });
      expect(created.status).toBe(201);
      const client = await watch({ addresses: [BOB], types: ['actions'], cursors: true });
      const received = () => receiver.received.map(({ body }) => JSON.parse(body)).filter(isFinal('actions'));
      const comments = (events: Json[]) =>
        events.flatMap((one) => one.actions.map((a: Json) => a.details.comment));
      for (const body of ['first', 'second', 'third']) {
        if (body !== 'first') await server.post('/localnet/restore', { name: 'twice' });
        await send(bob, { to: judy.address, body });
        await mineUntil(() => comments(client.events().filter(isFinal('actions'))).includes(body));
        await waitFor(() => comments(received()).includes(body));
      }
      expect(comments(received())).toEqual(['first', 'second', 'third']);
      for (const ids of [
        client.events().map(({ event_id }) => event_id),
        receiver.received.map(({ id }) => id),
      ])
        expect(new Set(ids).size).toBe(ids.length);
      const [old, , last] = client.events().filter(isFinal('actions'));
      const resume = async (last_event_id: string) => {
        const again = await watch({ addresses: [BOB], types: ['actions'], cursors: true, last_event_id });
        await untilReceived(again);
        return again.events();
      };
      expect(await resume(old.event_id)).toMatchObject([
        { type: 'gap', from: old.event_id, reason: 'restart' },
      ]);
      expect(await resume(last.event_id)).toEqual([]);
      await receiver.close();
    },
  );
});

// Last, because the clock of the chain is ahead from then on.
describe('a transfer whose time is over', () => {
  it('is invalidated when it expires', async () => {
    const client = await watch({ addresses: [BOB], min_finality: 'pending', extended: true });
    const final = await watch({ addresses: [BOB] });
    await send(bob, { to: judy.address, body: 'late', timeout: Math.floor(Date.now() / 1000) + 3600 });
    await waitFor(() => client.events().length > 0);
    expect(client.events()[0].finality).toBe('pending');
    await server.post('/localnet/advance', { seconds: 7200 });
    // Time alone made it impossible, which is looked at again some seconds later.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    await mineUntil(() => client.events().some(({ type }) => type === 'trace_invalidated'));
    await server.mine(2);
    await untilReceived(client);
    await untilReceived(final);
    expect(final.events()).toEqual([]);
    const invalidated = client.events().filter(({ type }) => type === 'trace_invalidated');
    expect(invalidated).toEqual([
      {
        type: 'trace_invalidated',
        trace_external_hash_norm: client.events()[0].trace_external_hash_norm,
        reason: 'expired',
      },
    ]);
  });
});
