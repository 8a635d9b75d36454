import { Address, Cell } from '@ton/core';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { formatAccount, Nullable } from '../../src/v3/values.ts';
import { readStoredTraces } from '../support/stored-traces.ts';
import { readStoredTransactions } from '../support/stored-transactions.ts';
import { type ClientJson, expectMatchesSchema, openV3ClientContext } from './v3-client-context.ts';

const [text, number, flag] = [Type.String(), Type.Number(), Type.Boolean()];
const book = Type.Record(
  text,
  Type.Object({ user_friendly: text, domain: Nullable(text), interfaces: Nullable(Type.Array(text)) }),
);
const walletState = Type.Object({
  address: text,
  is_wallet: flag,
  balance: text,
  status: text,
  last_transaction_hash: text,
  wallet_type: text,
  seqno: number,
});
const message = Type.Object({
  hash: text,
  source: Nullable(text),
  destination: Nullable(text),
  value: Nullable(text),
  fwd_fee: Nullable(text),
  opcode: Nullable(text),
  bounced: Nullable(flag),
  created_lt: Nullable(text),
  message_content: Nullable(Type.Object({ body: text })),
});
const action = Type.Object({
  trace_id: text,
  action_id: text,
  start_utime: number,
  trace_end_utime: number,
  success: flag,
  type: text,
  details: Type.Object({}),
  transactions: Type.Array(text),
  trace_external_hash: text,
});
const metadata = Type.Record(
  text,
  Type.Object({ is_indexed: flag, token_info: Type.Array(Type.Object({ type: text })) }),
);

/** The requests of MyTonWallet's web client. */
describe('MyTonWallet client', () => {
  const { kate: _, ...wallets } = openDemoWallets();
  const addresses = Object.values(wallets).map(({ address }) => address.toString({ bounceable: false }));
  const { alice } = wallets;
  const raw = alice.address.toRawString();
  let context: Awaited<ReturnType<typeof openV3ClientContext>>;
  beforeAll(async () => {
    context = await openV3ClientContext();
  });
  afterAll(() => context?.close());

  /** Like the client: repeats list parameters, leaves out undefined ones, and adds the time to bypass caches. */
  async function call(path: string, data: Readonly<Record<string, unknown>>): Promise<ClientJson> {
    const url = new URL(`${context.url}${path}`);
    for (const [name, value] of Object.entries({ ...data, _: Date.now() }))
      if (value !== undefined) for (const each of [value].flat()) url.searchParams.append(name, String(each));
    const response = await fetch(url, { headers: { 'X-Actions-Version': 'v1' } });
    expect([`${url}`, response.status]).toEqual([`${url}`, 200]);
    return response.json();
  }

  it('reads wallet states by a comma-separated list of addresses', async () => {
    const { wallets: states, address_book } = await call('/walletStates', { address: addresses.join(',') });
    expectMatchesSchema(Type.Array(walletState, { minItems: addresses.length }), states);
    expectMatchesSchema(book, address_book);
    for (const { address, balance, status, wallet_type } of states) {
      expect(Address.parse(address_book[address].user_friendly).toRawString()).toBe(address.toLowerCase());
      expect([BigInt(balance) > 0n, status, wallet_type]).toEqual([
        true,
        'active',
        expect.stringMatching(/^wallet v/),
      ]);
    }
  });

  it('reads account states by a comma-separated list of addresses and receives raw addresses', async () => {
    const { accounts } = await call('/accountStates', { address: addresses.join(',') });
    const expected = addresses.map((address) => Address.parse(address).toRawString()).sort();
    expect(accounts.map(({ address }: ClientJson) => address.toLowerCase()).sort()).toEqual(expected);
  });

  it('reads the address book of many addresses, with keys as requested', async () => {
    const entries = await call('/addressBook', { address: addresses });
    expect(Object.keys(entries).sort()).toEqual([...addresses].sort());
    expectMatchesSchema(book, entries);
  });

  it('reads metadata by a comma-separated list of addresses', async () => {
    const { jetton_wallets: held } = await call('/jetton/wallets', {
      owner_address: raw,
      limit: 1000,
      offset: 0,
    });
    const tokens: string[] = held.flatMap(({ address, jetton }: ClientJson) => [address, jetton]);
    const entries = await call('/metadata', { address: tokens.join(',') });
    expect(Object.keys(entries).sort()).toEqual([...new Set(tokens)].sort());
    expectMatchesSchema(metadata, entries);
  });

  it('reads jetton wallets in pages of a thousand', async () => {
    const page = { owner_address: raw, limit: 1000 };
    const { jetton_wallets: held, metadata: shown } = await call('/jetton/wallets', { ...page, offset: 0 });
    expectMatchesSchema(Type.Array(Type.Object({ address: text, balance: text, jetton: text })), held);
    for (const { jetton } of held) expect(shown[jetton].token_info[0].type).toBe('jetton_masters');
    expect((await call('/jetton/wallets', { ...page, offset: 1000 })).jetton_wallets).toEqual([]);
  });

  it('reads the transactions of an account in a time range', async () => {
    const query = { account: addresses[1], limit: 20, sort: 'desc' };
    const { transactions, address_book } = await call('/transactions', query);
    expect(transactions.length).toBeGreaterThan(3);
    const [newest, oldest] = [transactions[0].now, transactions.at(-1).now];
    const span = { start_utime: oldest + 1, end_utime: newest - 1 };
    const between = await call('/transactions', { ...query, ...span });
    expect(between.transactions).toEqual(
      transactions.filter(({ now }: ClientJson) => now > oldest && now < newest),
    );
    for (const { in_msg, out_msgs, total_fees } of transactions) {
      expectMatchesSchema(Type.Array(message), [in_msg, ...out_msgs]);
      expect(BigInt(total_fees) >= 0n).toBe(true);
      for (const { source, destination } of [in_msg, ...out_msgs])
        for (const end of [source, destination]) if (end !== null) expect(address_book[end]).toBeDefined();
    }
    const { transactions: last } = await call('/transactions', {
      account: addresses[1],
      limit: 1,
      sort: 'desc',
    });
    expect(last).toEqual([transactions[0]]);
  });

  it('reads an external message with its body by its normalized hash', async () => {
    const transactions = await readStoredTransactions(context.index.database.primary);
    const received = transactions.filter(({ inMessage }) => inMessage && inMessage.createdAt === undefined);
    expect(received.length).toBeGreaterThan(2);
    for (const { inMessage, account } of received.slice(0, 3)) {
      const { hash, normalizedHash = hash } = inMessage!;
      const { messages } = await call('/messages', { msg_hash: [normalizedHash.toString('base64')] });
      expect(messages[0].destination).toBe(formatAccount(account));
      expect(Cell.fromBase64(messages[0].message_content.body).hash()).toHaveLength(32);
    }
  });

  it('reads a trace by its id, or by the normalized hash of its external message', async () => {
    const traces = await readStoredTraces(context.index.database.primary);
    const started = traces.filter(({ externalHashNorm }) => externalHashNorm !== undefined);
    expect(started.length).toBeGreaterThan(2);
    for (const { traceId, externalHashNorm } of started.slice(0, 3)) {
      const [id, hash] = [traceId, externalHashNorm!].map((each) => each.toString('base64'));
      const byId = await call('/traces', { trace_id: id, include_actions: true });
      const byHash = await call('/traces', { msg_hash: hash, include_actions: true });
      expect(byHash).toEqual(byId);
      expect([byId.traces.length, byId.traces[0].trace_id]).toEqual([1, id]);
      expectMatchesSchema(
        Type.Object({ actions: Type.Array(Type.Unknown()), trace: Type.Object({}) }),
        byId.traces[0],
      );
      expectMatchesSchema(book, byId.address_book);
      expect((await call('/traces', { trace_id: hash, include_actions: true })).traces).toEqual([]);
    }
  });

  it('reads the actions of an account in a time range, filtered by comma-separated types', async () => {
    const query = { account: alice.address.toString(), sort: 'desc', limit: 1000 };
    const { actions, address_book, metadata: shown } = await call('/actions', query);
    expectMatchesSchema(Type.Array(action, { minItems: 4 }), actions);
    expectMatchesSchema(book, address_book);
    expectMatchesSchema(metadata, shown);
    const [newest, oldest] = [actions[0].trace_end_utime, actions.at(-1).trace_end_utime];
    const span = { start_utime: oldest + 1, end_utime: newest - 1 };
    const between = await call('/actions', { ...query, ...span });
    const inside = ({ trace_end_utime: time }: ClientJson) => time > oldest && time < newest;
    const ids = (list: ClientJson[]) => list.map(({ action_id }) => action_id).sort();
    expect(ids(between.actions)).toEqual(ids(actions.filter(inside)));
    const types = 'call_contract,contract_deploy,jetton_transfer';
    const [only, others] = [
      await call('/actions', { ...query, action_type: types }),
      await call('/actions', { ...query, exclude_action_type: types }),
    ];
    expect(ids([...only.actions, ...others.actions])).toEqual(ids(actions));
    expect(only.actions.every(({ type }: ClientJson) => types.includes(type))).toBe(true);
  });

  it('reads the NFTs of an owner, including those on sale, and their transfers', async () => {
    const owner = { owner_address: wallets.bob.address.toRawString(), limit: 500, offset: 0 };
    const { nft_items: items, metadata: shown } = await call('/nft/items', {
      ...owner,
      include_on_sale: true,
    });
    expectMatchesSchema(
      Type.Array(Type.Object({ address: text, index: text, on_sale: flag, owner_address: text }), {
        minItems: 1,
      }),
      items,
    );
    for (const { address } of items) expect(shown[address].token_info[0].type).toBe('nft_items');
    const byAddress = items.map(({ address }: ClientJson) => address.toLowerCase());
    const again = await call('/nft/items', {
      address: byAddress,
      limit: items.length,
      include_on_sale: true,
    });
    expect(again.nft_items).toHaveLength(items.length);
    const { nft_transfers: all } = await call('/nft/transfers', { ...owner, sort: 'desc' });
    const incoming = await call('/nft/transfers', {
      ...owner,
      start_utime: 1,
      direction: 'in',
      sort: 'desc',
    });
    expect(all).toEqual(expect.arrayContaining(incoming.nft_transfers));
    expectMatchesSchema(
      Type.Array(Type.Object({ nft_address: text, transaction_now: number, new_owner: text })),
      all,
    );
  });
});
