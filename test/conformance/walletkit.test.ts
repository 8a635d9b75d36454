import { Address } from '@ton/core';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toAccountBytes } from '../../src/chain/address.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { addressKind } from '../../src/v3/parameter-kinds.ts';
import { messageOfCarol } from '../v2/support/transfer-of-carol.ts';
import { type ClientJson, expectMatchesSchema, openV3ClientContext } from './v3-client-context.ts';

const [text, number, flag] = [Type.String(), Type.Number(), Type.Boolean()];
const block = Type.Object({
  workchain: number,
  seqno: number,
  shard: text,
  file_hash: text,
  root_hash: text,
});

/** The requests of the client in WalletKit, the official kit for wallets. */
describe('WalletKit client', () => {
  const { alice, bob } = openDemoWallets();
  const address = alice.address.toString();
  let context: Awaited<ReturnType<typeof openV3ClientContext>>;
  beforeAll(async () => {
    context = await openV3ClientContext();
  });
  afterAll(() => context?.close());

  async function read(response: Response): Promise<{ status: number; body: ClientJson }> {
    expect(response.headers.get('content-type')).toContain('application/json');
    return { status: response.status, body: await response.json() };
  }
  const headers = { accept: 'application/json' };
  /** Like the client: of a list parameter, only the last value is sent. */
  async function tryGet(path: string, query: Readonly<Record<string, unknown>> = {}) {
    const url = new URL(`${context.url}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) for (const each of [value].flat()) url.searchParams.set(name, String(each));
    return read(await fetch(url, { headers }));
  }
  async function get(path: string, query: Readonly<Record<string, unknown>> = {}): Promise<ClientJson> {
    const { status, body } = await tryGet(path, query);
    expect([path, status, body.error]).toEqual([path, 200, undefined]);
    return body;
  }
  async function post(path: string, props: object): Promise<ClientJson> {
    const withType = { ...headers, 'content-type': 'application/json' };
    const sent = { method: 'POST', headers: withType, body: JSON.stringify(props) };
    const { status, body } = await read(await fetch(`${context.url}${path}`, sent));
    expect([path, status, body.error]).toEqual([path, 200, undefined]);
    return body;
  }

  it('reads the first and last masterchain block', async () => {
    const { last, first } = await get('/masterchainInfo');
    expectMatchesSchema(Type.Array(block), [last, first]);
  });

  it('reads an account, with a parameter that only another operation defines', async () => {
    const account = await get('/addressInformation', { include_boc: true, address: [address] });
    expect(account).toMatchObject({ status: 'active', frozen_hash: null, code: expect.any(String) });
    expectMatchesSchema(
      Type.Object({ balance: text, last_transaction_lt: text, last_transaction_hash: text }),
      account,
    );
    const missing = await get('/addressInformation', {
      include_boc: true,
      address: [`0:${'ab'.repeat(32)}`],
    });
    expect(missing.last_transaction_hash).toBe(`${'A'.repeat(43)}=`);
  });

  it('reads transactions by account and by message', async () => {
    const { transactions } = await get('/transactions', { account: [address], limit: 10, offset: 0 });
    expect(transactions.length).toBeGreaterThan(3);
    for (const each of transactions) {
      expectMatchesSchema(
        Type.Object({ account: text, lt: text, now: number, emulated: flag, trace_id: text }),
        each,
      );
      const hash = { msg_hash: [each.in_msg.hash] };
      const found = await get('/transactionsByMessage', { ...hash, body_hash: undefined });
      expect(found.transactions).toContainEqual(each);
    }
    const { message_content } = transactions[0].in_msg;
    const byBody = await get('/transactionsByMessage', { body_hash: [message_content.hash] });
    expect(byBody.transactions).toContainEqual(transactions[0]);
  });

  it('looks up a trace by three kinds of hash at once, and may miss with one', async () => {
    const { traces } = await get('/traces', { account: address, limit: 20, offset: 0 });
    const { trace_id: id, transactions_order: order } = traces[0];
    const attempts = ['tx_hash', 'trace_id', 'msg_hash'].map((field) => tryGet('/traces', { [field]: id }));
    const responses = await Promise.all(attempts);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(responses.map(({ body }) => body.traces.length)).toEqual([1, 1, 0]);
    const hex = `0x${Buffer.from(order.at(-1), 'base64').toString('hex')}`;
    expect((await get('/traces', { tx_hash: hex })).traces[0].trace_id).toBe(id);
    expect((await tryGet('/traces', { tx_hash: 'no hash' })).status).toBe(422);
    const form = { trace: Type.Object({ tx_hash: text, children: Type.Array(Type.Unknown()) }) };
    expectMatchesSchema(
      Type.Object({ ...form, start_utime: number, end_lt: text, trace_info: Type.Object({}) }),
      traces[0],
    );
  });

  it('reads jettons with their metadata', async () => {
    const page = { offset: 0, limit: 50 };
    const { jetton_wallets: held } = await get('/jetton/wallets', { owner_address: address, ...page });
    const { jetton } = held[0];
    const account = toAccountBytes(addressKind.convert(jetton)!);
    const fields = {
      name: 'Gold',
      symbol: 'GLD',
      description: 'Shiny',
      image: 'https://example.com/gold.png',
    };
    const shown = { ...fields, valid: true, extra: JSON.stringify({ decimals: '6' }) };
    await context.index.database.primary
      .insertInto('token_metadata')
      .values({ account, kind: 'jetton_masters', source_hash: Buffer.alloc(32), ...shown })
      .onConflict((known) => known.columns(['account', 'kind']).doUpdateSet(shown))
      .execute();
    const { metadata } = await get('/jetton/wallets', { owner_address: address, ...page });
    const info = metadata[jetton].token_info.find(({ type }: ClientJson) => type === 'jetton_masters');
    expect(info).toMatchObject({ ...fields, extra: { decimals: '6' } });
    const { jetton_masters: masters } = await get('/jetton/masters', { address: jetton, ...page });
    expectMatchesSchema(
      Type.Array(Type.Object({ address: text, total_supply: text, mintable: flag }), { minItems: 1 }),
      masters,
    );
  });

  it('reads NFTs by owner and by address', async () => {
    const owner = { owner_address: bob.address.toString(), limit: 10, offset: 0 };
    const { nft_items: items, address_book } = await get('/nft/items', owner);
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) {
      expect((await get('/nft/items', { address: item.address })).nft_items).toEqual([item]);
      expect(address_book[item.address].user_friendly).toEqual(expect.any(String));
    }
  });

  it('resolves domains to wallets and wallets to domains', async () => {
    const known = await context.index.database.primary
      .selectFrom('dns_entries')
      .select('domain')
      .where('wallet', 'is not', null)
      .executeTakeFirstOrThrow();
    const { records } = await get('/dns/records', { domain: known.domain, limit: 1, offset: 0 });
    const wallet = Address.parse(records[0].dns_wallet).toString();
    const back = await get('/dns/records', { wallet, limit: 1, offset: 0 });
    expect(back.records[0].dns_wallet).toBe(records[0].dns_wallet);
    expect((await get('/dns/records', { domain: 'nobody.ton', limit: 1, offset: 0 })).records).toEqual([]);
  });

  it('runs a get-method with an ignored seqno, and sends a message', async () => {
    const run = { address: bob.address.toString(), method: 'seqno', stack: [], seqno: 5 };
    const { gas_used, exit_code, stack } = await post('/runGetMethod', run);
    expect([gas_used > 0, exit_code, stack]).toEqual([
      true,
      0,
      [{ type: 'num', value: expect.stringMatching(/^0x/) }],
    ]);
    const { message_hash_norm: hash } = await post('/message', {
      boc: messageOfCarol(11).toBoc().toString('base64'),
    });
    expect(Buffer.from(hash, 'base64')).toHaveLength(32);
  });
});
