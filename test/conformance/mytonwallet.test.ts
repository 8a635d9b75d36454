import { Address, Cell } from '@ton/core';
import { sql } from 'kysely';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { formatAccount, Nullable } from '../../src/v3/values.ts';
import { type ClientJson, expectFits, openV3ClientGround } from './v3-client-ground.ts';

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

/** The requests of MyTonWallet, as its web client sends them. */
describe('the client of MyTonWallet', () => {
  const { kate: _, ...wallets } = openDemoWallets();
  const addresses = Object.values(wallets).map(({ address }) => address.toString({ bounceable: false }));
  const { alice } = wallets;
  const raw = alice.address.toRawString();
  let ground: Awaited<ReturnType<typeof openV3ClientGround>>;
  beforeAll(async () => {
    ground = await openV3ClientGround();
  });
  afterAll(() => ground?.close());

  /** Lists are repeated, what is undefined is left out, and every request is another one to caches on the way. */
  async function call(path: string, data: Readonly<Record<string, unknown>>): Promise<ClientJson> {
    const url = new URL(`${ground.url}${path}`);
    for (const [name, value] of Object.entries({ ...data, _: Date.now() }))
      if (value !== undefined) for (const each of [value].flat()) url.searchParams.append(name, String(each));
    const answer = await fetch(url, { headers: { 'X-Actions-Version': 'v1' } });
    expect([`${url}`, answer.status]).toEqual([`${url}`, 200]);
    return answer.json();
  }

  it('reads the states of wallets, all in one text', async () => {
    const { wallets: states, address_book } = await call('/walletStates', { address: addresses.join(',') });
    expectFits(Type.Array(walletState, { minItems: addresses.length }), states);
    expectFits(book, address_book);
    for (const { address, balance, status, wallet_type } of states) {
      expect(Address.parse(address_book[address].user_friendly).toRawString()).toBe(address.toLowerCase());
      expect([BigInt(balance) > 0n, status, wallet_type]).toEqual([
        true,
        'active',
        expect.stringMatching(/^wallet v/),
      ]);
    }
  });

  it('reads the states of accounts, all in one text, by raw form', async () => {
    const { accounts } = await call('/accountStates', { address: addresses.join(',') });
    const asked = addresses.map((address) => Address.parse(address).toRawString()).sort();
    expect(accounts.map(({ address }: ClientJson) => address.toLowerCase()).sort()).toEqual(asked);
  });

  it('reads the address book by many addresses, keyed as they were asked', async () => {
    const entries = await call('/addressBook', { address: addresses });
    expect(Object.keys(entries).sort()).toEqual([...addresses].sort());
    expectFits(book, entries);
  });

  it('reads metadata of many addresses in one text', async () => {
    const { jetton_wallets: held } = await call('/jetton/wallets', {
      owner_address: raw,
      limit: 1000,
      offset: 0,
    });
    const tokens: string[] = held.flatMap(({ address, jetton }: ClientJson) => [address, jetton]);
    const entries = await call('/metadata', { address: tokens.join(',') });
    expect(Object.keys(entries).sort()).toEqual([...new Set(tokens)].sort());
    expectFits(metadata, entries);
  });

  it('reads jetton wallets by pages of a thousand', async () => {
    const page = { owner_address: raw, limit: 1000 };
    const { jetton_wallets: held, metadata: shown } = await call('/jetton/wallets', { ...page, offset: 0 });
    expectFits(Type.Array(Type.Object({ address: text, balance: text, jetton: text })), held);
    for (const { jetton } of held) expect(shown[jetton].token_info[0].type).toBe('jetton_masters');
    expect((await call('/jetton/wallets', { ...page, offset: 1000 })).jetton_wallets).toEqual([]);
  });

  it('reads the transactions of an account in a span of time', async () => {
    const asked = { account: addresses[1], limit: 20, sort: 'desc' };
    const { transactions, address_book } = await call('/transactions', asked);
    expect(transactions.length).toBeGreaterThan(3);
    const [newest, oldest] = [transactions[0].now, transactions.at(-1).now];
    const span = { start_utime: oldest + 1, end_utime: newest - 1 };
    const between = await call('/transactions', { ...asked, ...span });
    expect(between.transactions).toEqual(
      transactions.filter(({ now }: ClientJson) => now > oldest && now < newest),
    );
    for (const { in_msg, out_msgs, total_fees } of transactions) {
      expectFits(Type.Array(message), [in_msg, ...out_msgs]);
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

  it('reads a message by its normalized hash, and can send its body again', async () => {
    const { rows } = await sql<{ hash: Buffer; account: Buffer }>`
      select coalesce(hash_norm, hash) as hash, account from messages where peer is null and import_fee is not null
      limit 3`.execute(ground.index.database.primary);
    expect(rows).toHaveLength(3);
    for (const { hash, account } of rows) {
      const { messages } = await call('/messages', { msg_hash: [hash.toString('base64')] });
      expect(messages[0].destination).toBe(formatAccount(account));
      expect(Cell.fromBase64(messages[0].message_content.body).hash()).toHaveLength(32);
    }
  });

  it('reads a trace by its id, or by the hash of its message', async () => {
    const { rows } = await sql<{ trace_id: Buffer; external: Buffer }>`
      select trace_id, external_hash_norm as external from traces where external_hash_norm is not null limit 3
      `.execute(ground.index.database.primary);
    expect(rows).toHaveLength(3);
    for (const { trace_id, external } of rows) {
      const [id, hash] = [trace_id, external].map((each) => each.toString('base64'));
      const byId = await call('/traces', { trace_id: id, include_actions: true });
      const byHash = await call('/traces', { msg_hash: hash, include_actions: true });
      expect(byHash).toEqual(byId);
      expect([byId.traces.length, byId.traces[0].trace_id]).toEqual([1, id]);
      expectFits(
        Type.Object({ actions: Type.Array(Type.Unknown()), trace: Type.Object({}) }),
        byId.traces[0],
      );
      expectFits(book, byId.address_book);
      expect((await call('/traces', { trace_id: hash, include_actions: true })).traces).toEqual([]);
    }
  });

  it('reads what an account did in a span of time, types joined by commas', async () => {
    const asked = { account: alice.address.toString(), sort: 'desc', limit: 1000 };
    const { actions, address_book, metadata: shown } = await call('/actions', asked);
    expectFits(Type.Array(action, { minItems: 4 }), actions);
    expectFits(book, address_book);
    expectFits(metadata, shown);
    const [newest, oldest] = [actions[0].trace_end_utime, actions.at(-1).trace_end_utime];
    const span = { start_utime: oldest + 1, end_utime: newest - 1 };
    const between = await call('/actions', { ...asked, ...span });
    const inside = ({ trace_end_utime: time }: ClientJson) => time > oldest && time < newest;
    const ids = (list: ClientJson[]) => list.map(({ action_id }) => action_id).sort();
    expect(ids(between.actions)).toEqual(ids(actions.filter(inside)));
    const types = 'call_contract,contract_deploy,jetton_transfer';
    const [only, others] = [
      await call('/actions', { ...asked, action_type: types }),
      await call('/actions', { ...asked, exclude_action_type: types }),
    ];
    expect(ids([...only.actions, ...others.actions])).toEqual(ids(actions));
    expect(only.actions.every(({ type }: ClientJson) => types.includes(type))).toBe(true);
  });

  it('reads NFTs of an owner, also those on sale, and their transfers', async () => {
    const owner = { owner_address: wallets.bob.address.toRawString(), limit: 500, offset: 0 };
    const { nft_items: items, metadata: shown } = await call('/nft/items', {
      ...owner,
      include_on_sale: true,
    });
    expectFits(
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
    expectFits(Type.Array(Type.Object({ nft_address: text, transaction_now: number, new_owner: text })), all);
  });
});
