import { Address, beginCell, internal, toNano } from '@ton/core';
import { TonClient, WalletContractV4 } from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { TVM_VERSION } from '../../src/vm/vm.ts';
import { until } from '../support/until.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';
import { expectSameEffect } from './support/shown-effect.ts';
import { startTongateServer, type TongateServer } from './support/tongate-server.ts';

const { bob, judy } = openDemoWallets();
const [BOB, JUDY] = [bob, judy].map(({ address }) => address.toRawString().toUpperCase());
const checks = [documentCheck(), ...(missingContract === '' ? [contractCheck()] : [])];

let server: TongateServer;
beforeAll(async () => {
  server = await startTongateServer();
});
afterAll(() => server?.close());

/** Calls an operation and checks its response against the contract. */
async function ask(name: string, query: Readonly<Record<string, string | string[]>>, headers = {}) {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    [value].flat().map((one): [string, string] => [key, one]),
  );
  const { status, body } = await server.get(`/api/v3/${name}?${new URLSearchParams(pairs)}`, headers);
  if (status === 200) {
    const [ofDocument, ofContract] = checks;
    expect(ofDocument!(name, body), name).toBe('');
    if (ofContract !== undefined) expect(ofContract(name, withoutVersion(body)), name).toBe('');
  }
  return { status, body };
}

/** A response without the member that the contract does not have. */
// biome-ignore lint/suspicious/noExplicitAny: a parsed response
function withoutVersion({ emulator_version: _, ...body }: any) {
  if (!Array.isArray(body.traces)) return body;
  const without = ({ emulator_version: _, ...trace }: Record<string, unknown>) => trace;
  return { ...body, traces: body.traces.map(without) };
}

/** The jetton wallet of bob; contracts are recognised after their block was indexed. */
async function walletOfBob(): Promise<Address> {
  let wallets: { address: string }[] = [];
  await until(async () => {
    wallets = (await ask('jetton/wallets', { owner_address: BOB! })).body.jetton_wallets;
    return wallets.length > 0;
  });
  return Address.parse(wallets[0]!.address);
}

/** Bob sends jettons to judy, who has none, with an ordinary client library. */
async function sendJettons(amount: bigint): Promise<void> {
  const client = new TonClient({ endpoint: `${server.url}/api/v2/jsonRPC`, apiKey: server.key });
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey: bob.keys.publicKey }));
  expect(wallet.address.equals(bob.address)).toBe(true);
  const body = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(amount, 64)
    .storeCoins(amount)
    .storeAddress(judy.address)
    .storeAddress(bob.address)
    .storeBit(0)
    .storeCoins(1n)
    .storeBit(0)
    .endCell();
  await wallet.sendTransfer({
    seqno: await wallet.getSeqno(),
    secretKey: bob.keys.secretKey,
    messages: [internal({ to: await walletOfBob(), value: toNano('0.2'), body })],
  });
}

async function actionsOf(account: string) {
  return (await ask('pendingActions', { account })).body.actions;
}

describe('a sent jetton transfer', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a parsed response
  let [action, trace]: any[] = [];
  /** The trace as it is predicted now: on a busy machine it may be predicted again between two requests. */
  const predicted = async () =>
    (await ask('pendingTraces', { ext_msg_hash: action.trace_external_hash })).body.traces[0];

  it('is pending before its first block', async () => {
    expect(await ask('pendingTransactions', { account: BOB! })).toEqual({
      status: 404,
      body: { code: 404, error: 'emulated traces not found' },
    });
    const before = (await ask('masterchainInfo', {})).body.last.seqno;
    await sendJettons(77n);
    await until(async () => (await actionsOf(BOB!)).length > 0);
    const actions = await actionsOf(BOB!);
    expect(actions).toHaveLength(1);
    action = actions[0];
    expect(action).toMatchObject({
      type: 'jetton_transfer',
      success: true,
      finality: 'pending',
      trace_id: null,
      details: { amount: '77', sender: BOB, receiver: JUDY, query_id: '77' },
      accounts: expect.arrayContaining([BOB, JUDY]),
    });
    expect((await ask('masterchainInfo', {})).body.last.seqno).toBe(before);
    const found = await ask('transactionsByMessage', { msg_hash: action.trace_external_hash });
    expect(found.body.transactions).toEqual([]);
    expect((await ask('actions', { msg_hash: action.trace_external_hash })).body.actions).toEqual([]);
  });

  it('is found by what an account does in it', async () => {
    const found = async (account: string, role: string) =>
      (await ask('pendingActions', { account, role })).body.actions.length;
    const roles = ['sender', 'initiated', 'receiver', 'observer'];
    expect(await Promise.all(roles.map((role) => found(BOB!, role)))).toEqual([1, 1, 0, 0]);
    expect(await Promise.all(roles.map((role) => found(JUDY!, role)))).toEqual([0, 0, 1, 0]);
    expect(await ask('pendingActions', { ext_msg_hash: action.trace_external_hash, role: 'sender' })).toEqual(
      {
        status: 422,
        body: { code: 422, error: 'role can be specified only with account' },
      },
    );
  });

  it('has a trace, found by account and by both hashes of its message', async () => {
    const { trace_external_hash: hash, trace_external_hash_norm: norm } = action;
    expect(norm).not.toBe(hash);
    const answers = await Promise.all([
      ask('pendingTraces', { ext_msg_hash: hash }),
      ask('pendingTraces', { ext_msg_hash: norm }),
      ask('pendingTraces', { account: JUDY! }),
      ask('pendingTraces', { account: BOB!, ext_msg_hash: 'ab'.repeat(32) }),
    ]);
    for (const { body } of answers) expect(body).toEqual(answers[0]!.body);
    const { traces, address_book, metadata } = answers[0]!.body;
    expect(traces).toHaveLength(1);
    trace = traces[0];
    const all = Object.values<Record<string, unknown>>(trace.transactions);
    const first = all[0]!;
    expect(trace).toMatchObject({
      trace_id: null,
      external_hash: hash,
      is_incomplete: false,
      emulator_version: TVM_VERSION,
      start_lt: first.lt,
      trace_info: {
        trace_state: 'pending',
        transactions: 5,
        messages: 5,
        pending_messages: 5,
        classification_state: 'ok',
      },
    });
    expect(trace.warning).toBeUndefined();
    // From bob through both jetton wallets to judy; the excess returns.
    expect(shape(trace.trace)).toEqual([[[[], []]]]);
    expect(trace.transactions_order).toEqual(all.map(({ hash }) => hash));
    expect(trace.transactions_order).toHaveLength(5);
    for (const one of all)
      expect(one).toMatchObject({ emulated: true, finality: 'pending', trace_external_hash: hash });
    expect(all.some((one) => 'trace_id' in one)).toBe(false);
    expect(trace.actions.map(({ type }: { type: string }) => type)).toEqual([
      'jetton_transfer',
      'contract_deploy',
    ]);
    expect(trace.actions[0]).toEqual(action);
    expect(Object.keys(address_book)).toEqual(expect.arrayContaining([BOB, JUDY, action.details.asset]));
    expect(metadata[action.details.asset].token_info[0].symbol).toBe('DEMO');
  });

  it('has the transactions of its trace', async () => {
    await vi.waitFor(async () => {
      const all = Object.values<{ account: string }>((await predicted()).transactions);
      for (const accounts of [[BOB!], [JUDY!], [BOB!, JUDY!]]) {
        const { body } = await ask('pendingTransactions', { account: accounts });
        expect(body.transactions).toEqual(all.filter(({ account }) => accounts.includes(account)));
        expect(body.address_book[accounts[0]!]).toBeDefined();
        expect(body.emulator_version).toBe(TVM_VERSION);
      }
    }, 120_000);
    const named = { account: BOB!, trace_id: 'ab'.repeat(32) };
    expect((await ask('pendingTransactions', named)).status).toBe(404);
  });

  it('has actions of the types that the client supports', async () => {
    const message = { ext_msg_hash: action.trace_external_hash };
    const typesOf = async (query = {}, headers = {}) => {
      const { body } = await ask('pendingActions', { ...message, ...query }, headers);
      expect(body.emulator_version).toBe(TVM_VERSION);
      return body.actions.map(({ type }: { type: string }) => type);
    };
    expect(await typesOf()).toEqual(['jetton_transfer', 'contract_deploy']);
    expect(await typesOf({ supported_action_types: 'v1' })).toEqual(await typesOf());
    expect(await typesOf({}, { 'x-actions-version': 'v1' })).toEqual(await typesOf());
    await vi.waitFor(async () => {
      const { transactions: all } = await predicted();
      const { body } = await ask('pendingActions', { ...message, include_transactions: 'true' });
      for (const { transactions, transactions_full } of body.actions) {
        const inTrace = transactions.map((hash: string) => all[hash]);
        expect(transactions_full).toEqual(expect.arrayContaining(inTrace));
        expect(transactions_full).toHaveLength(inTrace.length);
      }
    }, 120_000);
    const plain = await ask('pendingActions', message, { 'x-no-address-book': '1', 'x-no-metadata': '1' });
    expect([plain.body.address_book, plain.body.metadata]).toEqual([{}, {}]);
  });

  it('stays pending while it happens, with real and predicted transactions', async () => {
    await server.mine(1);
    const { trace_external_hash: hash } = action;
    // biome-ignore lint/suspicious/noExplicitAny: a parsed response
    let shown: any;
    await until(async () => {
      shown = (await ask('pendingTraces', { ext_msg_hash: hash })).body.traces?.[0];
      return shown?.trace_id !== null;
    });
    const all = Object.values<Record<string, unknown>>(shown.transactions);
    const done = all.filter(({ emulated }) => emulated === false);
    expect(done.length).toBeGreaterThan(0);
    expect(done.length).toBeLessThan(5);
    expect(shown.trace_id).toBe(done[0]!.hash);
    expect(all).toHaveLength(5);
    for (const one of all) expect(one).toMatchObject({ trace_id: shown.trace_id, trace_external_hash: hash });
    for (const { finality } of done) expect(['confirmed', 'finalized']).toContain(finality);
    expect(shape(shown.trace)).toEqual(shape(trace.trace));
    expect(shown.trace_info.messages).toBe(5);
    expect(shown.trace_info.pending_messages).toBeLessThan(5);
    expect(shown.actions[0]).toMatchObject({ finality: 'pending', trace_id: shown.trace_id });
    const { body } = await ask('pendingTransactions', { account: [BOB!, JUDY!] });
    for (const { emulated } of body.transactions) expect(emulated).toBe(true);
    expect((await ask('pendingTransactions', { account: JUDY!, trace_id: shown.trace_id })).status).toBe(200);
  });

  it('is no longer pending once indexed, and matches the prediction', async () => {
    await server.mine(8);
    await server.untilIndexed();
    const message = { ext_msg_hash: action.trace_external_hash };
    await until(async () => (await ask('pendingTraces', message)).body.traces === null);
    expect((await ask('pendingActions', message)).body.actions).toEqual([]);
    expect((await ask('pendingTransactions', { account: BOB! })).status).toBe(404);
    const { body } = await ask('traces', { msg_hash: action.trace_external_hash, include_actions: '1' });
    const [real] = body.traces;
    expect(real.actions[0]).toMatchObject({ type: 'jetton_transfer', finality: 'finalized' });
    expect(real.actions[0].details).toEqual(action.details);
    expect(shape(real.trace)).toEqual(shape(trace.trace));
    for (const one of Object.values<object>(real.transactions))
      expect(one).toMatchObject({ emulated: false, finality: 'finalized' });
    expectSameEffect(trace, real);
  });
});

/** A tree without its hashes. */
function shape({ children }: { children: never[] | null }): unknown {
  return (children ?? []).map(shape);
}
