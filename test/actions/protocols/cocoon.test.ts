import { Address, type Builder, beginCell, Cell, ExternalAddress } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions } from '../support/action-summaries.ts';
import { account, op, type Step, sent } from '../support/trace-builder.ts';

const [OWNER, CLIENT, PROXY, WORKER] = [
  account('owner'),
  account('client'),
  account('proxy'),
  account('worker'),
];
const raw = (address: string) => Address.parseRaw(address);
const excess: Step = { to: OWNER, body: op(0x2565934c, 5) };
const payout: Step = { to: OWNER, value: 33n, body: op(0xc59a7cd3, 5) };
/** A message from the client's contract to the proxy. */
const toProxy = (payload: Cell | null, ...sends: readonly Step[]): Step => ({
  to: PROXY,
  body: op(0x65448ff4, 5).storeAddress(raw(OWNER)).storeRef(Cell.EMPTY).storeMaybeRef(payload),
  sends,
});
const first = (step: Step) => summarizeActions(sent(OWNER, step))[0];

describe('requests to a Cocoon client', () => {
  const order = (body: Builder, ...sends: readonly Step[]) =>
    first({ to: CLIENT, body: body.storeAddress(raw(OWNER)), sends });
  const columns = { success: true, source: OWNER, destination: CLIENT };

  it('become actions with their parameters', () => {
    const both = { ...columns, txs: 'tx0 tx1 tx2 tx3' };
    expect(order(op(0xf172e6c2, 5).storeCoins(10n), toProxy(null, excess))).toEqual({
      ...both,
      type: 'cocoon_client_top_up',
      destination_secondary: PROXY,
      amount: 10n,
      cocoon_client_top_up_data: { query_id: 5n },
    });
    expect(order(op(0xc45f9f3b, 5).storeUint(8n, 64), excess, toProxy(null))).toEqual({
      ...both,
      type: 'cocoon_client_register',
      cocoon_client_register_data: { query_id: 5n, nonce: 8n },
    });
    expect(order(op(0xa9357034, 5).storeUint(0xabn, 256), excess, toProxy(null))).toEqual({
      ...both,
      type: 'cocoon_client_change_secret_hash',
      cocoon_client_change_secret_hash_data: { query_id: 5n, new_secret_hash: 'ab' },
    });
    expect(order(op(0x6a1f6a60, 5).storeCoins(20n), excess, toProxy(null))).toEqual({
      ...both,
      type: 'cocoon_client_increase_stake',
      amount: 20n,
      cocoon_client_increase_stake_data: { query_id: 5n, new_stake: 20n },
    });
    expect(order(op(0xfafa6cc1, 5), excess, toProxy(null))).toEqual({
      ...both,
      type: 'cocoon_client_request_refund',
      cocoon_client_request_refund_data: { query_id: 5n, via_wallet: false },
    });
  });

  it('are recognised through a wallet', () => {
    const request = {
      to: CLIENT,
      body: op(0xfafa6cc1, 5).storeAddress(raw(OWNER)),
      sends: [excess, toProxy(null)],
    };
    expect(first({ to: WORKER, body: op(0x9c69f376, 5), sends: [request] })).toEqual({
      ...columns,
      type: 'cocoon_client_request_refund',
      txs: 'tx0 tx1 tx2 tx3 tx4',
      cocoon_client_request_refund_data: { query_id: 5n, via_wallet: true },
    });
  });

  it('withdraw the amount sent to the proxy', () => {
    const granted = beginCell().storeUint(0xc68ebc7b, 32).storeCoins(15n).storeAddress(raw(OWNER)).endCell();
    for (const [payload, amount] of [
      [granted, 15n],
      [beginCell().storeUint(1, 32).endCell(), 0n],
      [null, 0n],
    ] as const) {
      expect(order(op(0xda068e78, 5), toProxy(payload, payout, excess))).toEqual({
        ...columns,
        type: 'cocoon_client_withdraw',
        amount,
        txs: 'tx0 tx1 tx2 tx3 tx4',
        cocoon_client_withdraw_data: { query_id: 5n, withdraw_amount: amount },
      });
    }
  });

  it('are contract calls if a response or the owner is missing', () => {
    expect(order(op(0xfafa6cc1, 5), excess)).toMatchObject({ type: 'call_contract', opcode: 0xfafa6cc1 });
    const short = first({ to: CLIENT, body: op(0xfafa6cc1, 5), sends: [excess, toProxy(null)] });
    expect(short).toMatchObject({ type: 'call_contract', opcode: 0xfafa6cc1 });
    const outside = op(0xfafa6cc1, 5).storeAddress(new ExternalAddress(3n, 8));
    expect(first({ to: CLIENT, body: outside, sends: [excess, toProxy(null)] })).toMatchObject({
      type: 'call_contract',
    });
  });
});

describe('Cocoon proxies', () => {
  it('pay workers', () => {
    const order = (opcode: number) =>
      op(opcode, 5).storeUint(6n, 64).storeAddress(new ExternalAddress(0x1bn, 6));
    const request = op(0x4d725d2c, 5).storeAddress(raw(OWNER)).storeUint(2, 2).storeUint(9n, 64).storeBit(0);
    for (const [opcode, payout_type] of [
      [0xa040ad28, 'regular'],
      [0xf5f26a36, 'last'],
    ] as const) {
      const step = {
        to: WORKER,
        body: order(opcode),
        sends: [{ to: PROXY, body: request, sends: [{ ...payout, aborted: true }, excess] }],
      };
      expect(summarizeActions(sent(PROXY, step))[0]).toEqual({
        type: 'cocoon_worker_payout',
        success: false,
        source: PROXY,
        source_secondary: WORKER,
        destination: OWNER,
        amount: 33n,
        txs: 'tx0 tx1 tx2 tx3 tx4',
        cocoon_worker_payout_data: {
          payout_type,
          query_id: 5n,
          new_tokens: 6n,
          worker_state: 2,
          worker_tokens: 9n,
        },
      });
    }
  });

  it('pay their owners', () => {
    const body = op(0x7610e6eb, 5).storeAddress(raw(OWNER));
    expect(first({ to: PROXY, body, sends: [payout, excess] })).toEqual({
      type: 'cocoon_proxy_payout',
      success: true,
      source: PROXY,
      destination: OWNER,
      destination_secondary: OWNER,
      cocoon_proxy_payout_data: { query_id: 5n },
      txs: 'tx0 tx1 tx2 tx3',
    });
  });

  it('charge and refund clients', () => {
    const order = (opcode: number, expected: Address | ExternalAddress | null) =>
      op(opcode, 5).storeUint(6n, 64).storeAddress(expected);
    const used = { query_id: 5n, new_tokens_used: 6n };
    const charge = (expected: ExternalAddress | null) =>
      first({ to: CLIENT, body: order(0xbb63ff93, expected), sends: [excess, toProxy(null)] });
    expect(charge(new ExternalAddress(0x1bn, 6))).toEqual({
      type: 'cocoon_proxy_charge',
      success: true,
      source: CLIENT,
      destination: PROXY,
      amount: 0n,
      cocoon_proxy_charge_data: { ...used, expected_address: '6;1b' },
      txs: 'tx0 tx1 tx2 tx3',
    });
    expect(charge(null)).toMatchObject({ cocoon_proxy_charge_data: used });
    const refund = {
      to: CLIENT,
      body: order(0xefd711e1, raw(CLIENT)),
      sends: [toProxy(null, payout, excess)],
    };
    expect(first(refund)).toEqual({
      type: 'cocoon_grant_refund',
      success: true,
      source: CLIENT,
      source_secondary: PROXY,
      destination: OWNER,
      amount: 33n,
      cocoon_grant_refund_data: { ...used, expected_address: CLIENT },
      txs: 'tx0 tx1 tx2 tx3 tx4',
    });
  });

  it('register and unregister with the root', () => {
    const root = account('root');
    const columns = { success: true, destination: root, txs: 'tx0 tx1 tx2' };
    expect(first({ to: root, body: op(0x927c7cb5, 5), sends: [excess] })).toEqual({
      ...columns,
      type: 'cocoon_register_proxy',
      cocoon_register_proxy_data: { query_id: 5n },
    });
    expect(first({ to: root, body: op(0x6d49eaf2, 5).storeUint(4, 32), sends: [excess] })).toEqual({
      ...columns,
      type: 'cocoon_unregister_proxy',
      cocoon_unregister_proxy_data: { query_id: 5n, seqno: 4 },
    });
  });
});
