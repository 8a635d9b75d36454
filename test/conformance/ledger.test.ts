import { Address, beginCell, Cell } from '@ton/core';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { Nullable } from '../../src/v3/values.ts';
import { messageOfCarol, transferOfCarol } from '../v2/support/transfer-of-carol.ts';
import { type ClientJson, expectMatchesSchema, openV3ClientContext } from './v3-client-context.ts';

const [text, number, flag] = [Type.String(), Type.Number(), Type.Boolean()];
const status = Type.Enum(['uninit', 'frozen', 'active', 'nonexist']);
const blockRef = Type.Object({ workchain: number, shard: text, seqno: number });
const state = Type.Object({
  hash: text,
  balance: Nullable(text),
  account_status: Type.Union([status, Type.Null()]),
  frozen_hash: Nullable(text),
  code_hash: Nullable(text),
  data_hash: Nullable(text),
});
// The client recognises comments by `type`.
const content = Type.Object({
  hash: text,
  body: text,
  decoded: Nullable(Type.Object({ type: Type.Optional(text), comment: Type.Optional(text) })),
});
const message = Type.Object({
  hash: text,
  source: Nullable(text),
  destination: Nullable(text),
  value: Nullable(text),
  fwd_fee: Nullable(text),
  ihr_fee: Nullable(text),
  created_lt: Nullable(text),
  created_at: Nullable(text),
  opcode: Nullable(text),
  ihr_disabled: Nullable(flag),
  bounce: Nullable(flag),
  bounced: Nullable(flag),
  import_fee: Nullable(text),
  message_content: Nullable(content),
  init_state: Nullable(Type.Object({ hash: text, body: text })),
});
const transaction = Type.Object({
  account: text,
  hash: text,
  lt: text,
  now: number,
  orig_status: status,
  end_status: status,
  total_fees: text,
  prev_trans_hash: text,
  prev_trans_lt: text,
  mc_block_seqno: Nullable(number),
  description: Type.Object({
    aborted: flag,
    destroyed: flag,
    credit_first: flag,
    // Both are missing if the phase was skipped; the client reads them anyway.
    compute_ph: Type.Object({ success: Type.Optional(flag), exit_code: Type.Optional(number) }),
  }),
  block_ref: Nullable(blockRef),
  in_msg: Nullable(message),
  out_msgs: Type.Array(message),
  account_state_before: Nullable(state),
  account_state_after: Nullable(state),
});
const transactions = Type.Object({
  transactions: Type.Array(transaction),
  address_book: Type.Record(text, Type.Object({ user_friendly: text })),
});
const transfer = Type.Object({
  query_id: text,
  source: text,
  destination: text,
  amount: text,
  source_wallet: text,
  jetton_master: text,
  transaction_hash: text,
  transaction_lt: text,
  transaction_now: number,
  response_destination: Nullable(text),
  custom_payload: Nullable(text),
  forward_ton_amount: Nullable(text),
  forward_payload: Nullable(text),
});
const wallet = Type.Object({
  address: text,
  balance: text,
  owner: text,
  jetton: text,
  last_transaction_lt: text,
  code_hash: text,
  data_hash: text,
});
const fees = Type.Object({ in_fwd_fee: number, storage_fee: number, gas_fee: number, fwd_fee: number });

/** The client sends addresses as wallets display them: non-bounceable, URL-safe. */
const shown = (address: Address) => address.toString({ bounceable: false, urlSafe: true });
const base64 = (cell: Cell) => cell.toBoc().toString('base64');

/** The nine requests of Ledger's client, and its follow-up requests. */
describe('Ledger client', () => {
  const { alice, bob, carol } = openDemoWallets();
  const address = shown(alice.address);
  let context: Awaited<ReturnType<typeof openV3ClientContext>>;
  beforeAll(async () => {
    context = await openV3ClientContext();
  });
  afterAll(() => context?.close());

  async function get(path: string): Promise<ClientJson> {
    const response = await fetch(`${context.url}${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    return response.json();
  }
  async function post(path: string, data: object): Promise<ClientJson> {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${context.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(data),
    });
    expect([path, response.status]).toEqual([path, 200]);
    return response.json();
  }

  it('reads the first and last masterchain block', async () => {
    const { last, first } = await get('/masterchainInfo');
    for (const block of [last, first])
      expectMatchesSchema(Type.Object({ seqno: number, gen_utime: text }), block);
    expect(last.seqno).toBeGreaterThan(first.seqno);
  });

  it('reads an account, and the seqno of a wallet', async () => {
    const account = await get(`/account?address=${address}`);
    expectMatchesSchema(
      Type.Object({
        balance: text,
        code: Nullable(text),
        data: Nullable(text),
        frozen_hash: Nullable(text),
        status,
        last_transaction_lt: Nullable(text),
        last_transaction_hash: Nullable(text),
      }),
      account,
    );
    expect(account.status).toBe('active');
    const { seqno, ...rest } = await get(`/wallet?address=${address}`);
    expect(seqno).toBeGreaterThan(0);
    expect(rest).toMatchObject({ balance: account.balance, wallet_type: 'wallet v5 r1', status: 'active' });
    const missing = await get(`/account?address=${shown(Address.parseRaw(`0:${'ab'.repeat(32)}`))}`);
    expect(missing).toMatchObject({ balance: '0', status: 'uninit' });
  });

  /** Reads older pages up to the oldest row; every page repeats the last row of the page before. */
  async function history(path: string, key: string, lt: string, hash: string): Promise<ClientJson[]> {
    const { [key]: rows } = await get(path);
    for (let page = 0; page < 50; page++) {
      const { [key]: further } = await get(`${path}&end_lt=${rows.at(-1)[lt]}`);
      expect(further[0][hash]).toBe(rows.at(-1)[hash]);
      if (further.length === 1) return rows;
      rows.push(...further.slice(1));
    }
    throw new Error('History does not end');
  }

  it('reads all transactions of an account in pages, newest first', async () => {
    const all = await get(`/transactions?account=${address}&limit=256`);
    expectMatchesSchema(transactions, all);
    expect(all.transactions.length).toBeGreaterThan(5);
    const path = `/transactions?account=${address}&limit=3`;
    expect(await history(path, 'transactions', 'lt', 'hash')).toEqual(all.transactions);
    const { lt } = all.transactions[2];
    const newer = await get(`/transactions?account=${address}&limit=256&start_lt=${lt}`);
    expect(newer.transactions).toEqual(all.transactions.slice(0, 3));
    for (const { account, in_msg, out_msgs } of all.transactions) {
      expect(shown(Address.parse(account))).toBe(address);
      for (const each of [in_msg?.source, ...out_msgs.map(({ destination }: ClientJson) => destination)])
        if (each)
          expect(Address.parse(all.address_book[each].user_friendly).toRawString()).toBe(each.toLowerCase());
    }
  });

  it('reads jetton transfers, all or of one jetton, and the transaction before each', async () => {
    const path = `/jetton/transfers?address=${address}&limit=256`;
    const { jetton_transfers: transfers } = await get(path);
    expectMatchesSchema(Type.Array(transfer, { minItems: 2 }), transfers);
    expect(
      await history(path.replace('256', '2'), 'jetton_transfers', 'transaction_lt', 'transaction_hash'),
    ).toEqual(transfers);
    const [{ jetton_master: jetton, transaction_lt: lt }] = transfers;
    const ofOne = await get(`${path}&jetton_master=${jetton}&start_lt=${lt}`);
    expect(ofOne.jetton_transfers).toEqual([transfers[0]]);
    for (const { source, destination, transaction_hash: hash, forward_payload: payload } of transfers) {
      expect([source, destination].map((each) => shown(Address.parse(each)))).toContain(address);
      if (payload !== null) expect(Cell.fromBase64(payload).bits.length).toBeGreaterThanOrEqual(0);
      const before = await get(`/adjacentTransactions?hash=${encodeURIComponent(hash)}&direction=in`);
      expectMatchesSchema(transactions, before);
      expect(before.transactions[0].in_msg.hash).toEqual(expect.any(String));
    }
  });

  it('reads jetton wallets, all or of one jetton', async () => {
    const { jetton_wallets: all } = await get(`/jetton/wallets?limit=256&owner_address=${address}`);
    expectMatchesSchema(Type.Array(wallet, { minItems: 1 }), all);
    const { jetton } = all[0];
    const jettonAddress = Address.parse(jetton).toString({ bounceable: true, urlSafe: true });
    const ofOne = await get(
      `/jetton/wallets?limit=256&jetton_address=${jettonAddress}&owner_address=${address}`,
    );
    expect(ofOne.jetton_wallets).toEqual([all[0]]);
    const everybody = await get(`/jetton/wallets?limit=256&jetton_address=${jetton}`);
    expect(everybody.jetton_wallets).toContainEqual(all[0]);
  });

  it('estimates fees, also for a wallet that is not deployed yet', async () => {
    const request = { address: shown(carol.address), body: base64(transferOfCarol(1)), ignore_chksig: true };
    const { source_fees: known } = await post('/estimateFee', request);
    expectMatchesSchema(fees, known);
    expect(known.gas_fee).toBeGreaterThan(0);
    const code = base64(beginCell().storeUint(1, 8).endCell());
    const fresh = { ...request, address: shown(bob.address), init_code: code, init_data: code };
    expectMatchesSchema(fees, (await post('/estimateFee', fresh)).source_fees);
  });

  it('sends a message and receives its hash', async () => {
    const { message_hash: hash } = await post('/message', { boc: base64(messageOfCarol(9)) });
    expect(hash).toBe(messageOfCarol(9).hash().toString('base64'));
  });
});
