import { Address, type Builder, beginCell, Cell, ExternalAddress } from '@ton/core';
import { describe } from 'vitest';
import { testActions } from '../support/action-cases.ts';
import { account, op, type Step, sent } from '../support/trace-builder.ts';

const [OWNER, CLIENT, PROXY, WORKER] = [
  account('owner'),
  account('client'),
  account('proxy'),
  account('worker'),
];
const ROOT = account('root');
const raw = (address: string) => Address.parseRaw(address);
const excess: Step = { to: OWNER, body: op(0x2565934c, 5) };
const payout: Step = { to: OWNER, value: 33n, body: op(0xc59a7cd3, 5) };
/** A message from the client's contract to the proxy. */
const toProxy = (payload: Cell | null, ...sends: readonly Step[]): Step => ({
  to: PROXY,
  body: op(0x65448ff4, 5).storeAddress(raw(OWNER)).storeRef(Cell.EMPTY).storeMaybeRef(payload),
  sends,
});
const call = (to: string, body: Builder, ...sends: readonly Step[]) => sent(OWNER, { to, body, sends });

describe('requests to a Cocoon client', () => {
  const order = (body: Builder, ...sends: readonly Step[]) =>
    call(CLIENT, body.storeAddress(raw(OWNER)), ...sends);
  const columns = { success: true, source: OWNER, destination: CLIENT };
  const both = { ...columns, txs: 'tx0 tx1 tx2 tx3' };
  const withdrawal = (payload: Cell | null, amount: bigint) => ({
    trace: order(op(0xda068e78, 5), toProxy(payload, payout, excess)),
    first: {
      ...columns,
      type: 'cocoon_client_withdraw',
      amount,
      txs: 'tx0 tx1 tx2 tx3 tx4',
      cocoon_client_withdraw_data: { query_id: 5n, withdraw_amount: amount },
    },
  });
  const refund = op(0xfafa6cc1, 5);
  const refundOfOwner = {
    to: CLIENT,
    body: op(0xfafa6cc1, 5).storeAddress(raw(OWNER)),
    sends: [excess, toProxy(null)],
  };
  const refundOfNobody = op(0xfafa6cc1, 5).storeAddress(new ExternalAddress(3n, 8));

  testActions({
    'top it up': {
      trace: order(op(0xf172e6c2, 5).storeCoins(10n), toProxy(null, excess)),
      first: {
        ...both,
        type: 'cocoon_client_top_up',
        destination_secondary: PROXY,
        amount: 10n,
        cocoon_client_top_up_data: { query_id: 5n },
      },
    },
    'register it': {
      trace: order(op(0xc45f9f3b, 5).storeUint(8n, 64), excess, toProxy(null)),
      first: {
        ...both,
        type: 'cocoon_client_register',
        cocoon_client_register_data: { query_id: 5n, nonce: 8n },
      },
    },
    'change its secret': {
      trace: order(op(0xa9357034, 5).storeUint(0xabn, 256), excess, toProxy(null)),
      first: {
        ...both,
        type: 'cocoon_client_change_secret_hash',
        cocoon_client_change_secret_hash_data: { query_id: 5n, new_secret_hash: 'ab' },
      },
    },
    'increase its stake': {
      trace: order(op(0x6a1f6a60, 5).storeCoins(20n), excess, toProxy(null)),
      first: {
        ...both,
        type: 'cocoon_client_increase_stake',
        amount: 20n,
        cocoon_client_increase_stake_data: { query_id: 5n, new_stake: 20n },
      },
    },
    'ask for a refund': {
      trace: order(refund, excess, toProxy(null)),
      first: {
        ...both,
        type: 'cocoon_client_request_refund',
        cocoon_client_request_refund_data: { query_id: 5n, via_wallet: false },
      },
    },
    'are recognised through a wallet': {
      trace: call(WORKER, op(0x9c69f376, 5), refundOfOwner),
      first: {
        ...columns,
        type: 'cocoon_client_request_refund',
        txs: 'tx0 tx1 tx2 tx3 tx4',
        cocoon_client_request_refund_data: { query_id: 5n, via_wallet: true },
      },
    },
    'withdraw the amount sent to the proxy': withdrawal(
      beginCell().storeUint(0xc68ebc7b, 32).storeCoins(15n).storeAddress(raw(OWNER)).endCell(),
      15n,
    ),
    'withdraw nothing with another payload': withdrawal(beginCell().storeUint(1, 32).endCell(), 0n),
    'withdraw nothing without a payload': withdrawal(null, 0n),
    'are contract calls if the response of the proxy is missing': {
      trace: order(op(0xfafa6cc1, 5), excess),
      firstHas: { type: 'call_contract', opcode: 0xfafa6cc1 },
    },
    'are contract calls if the owner is missing': {
      trace: call(CLIENT, op(0xfafa6cc1, 5), excess, toProxy(null)),
      firstHas: { type: 'call_contract', opcode: 0xfafa6cc1 },
    },
    'are contract calls if the owner is not an account': {
      trace: call(CLIENT, refundOfNobody, excess, toProxy(null)),
      firstHas: { type: 'call_contract' },
    },
  });
});

describe('Cocoon proxies', () => {
  const used = { query_id: 5n, new_tokens_used: 6n };
  const usage = (opcode: number, expected: Address | ExternalAddress | null) =>
    op(opcode, 5).storeUint(6n, 64).storeAddress(expected);
  const charge = (expected: ExternalAddress | null) =>
    call(CLIENT, usage(0xbb63ff93, expected), excess, toProxy(null));
  const workerPayout = (opcode: number, payout_type: string) => {
    const body = op(0x4d725d2c, 5).storeAddress(raw(OWNER)).storeUint(2, 2).storeUint(9n, 64).storeBit(0);
    const request = { to: PROXY, body, sends: [{ ...payout, aborted: true }, excess] };
    const order = usage(opcode, new ExternalAddress(0x1bn, 6));
    return {
      trace: sent(PROXY, { to: WORKER, body: order, sends: [request] }),
      first: {
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
      },
    };
  };

  testActions({
    'pay workers': workerPayout(0xa040ad28, 'regular'),
    'pay workers for the last time': workerPayout(0xf5f26a36, 'last'),
    'pay their owners': {
      trace: call(PROXY, op(0x7610e6eb, 5).storeAddress(raw(OWNER)), payout, excess),
      first: {
        type: 'cocoon_proxy_payout',
        success: true,
        source: PROXY,
        destination: OWNER,
        destination_secondary: OWNER,
        cocoon_proxy_payout_data: { query_id: 5n },
        txs: 'tx0 tx1 tx2 tx3',
      },
    },
    'charge clients': {
      trace: charge(new ExternalAddress(0x1bn, 6)),
      first: {
        type: 'cocoon_proxy_charge',
        success: true,
        source: CLIENT,
        destination: PROXY,
        amount: 0n,
        cocoon_proxy_charge_data: { ...used, expected_address: '6;1b' },
        txs: 'tx0 tx1 tx2 tx3',
      },
    },
    'charge clients without an address': {
      trace: charge(null),
      firstHas: { cocoon_proxy_charge_data: used },
    },
    'refund clients': {
      trace: call(CLIENT, usage(0xefd711e1, raw(CLIENT)), toProxy(null, payout, excess)),
      first: {
        type: 'cocoon_grant_refund',
        success: true,
        source: CLIENT,
        source_secondary: PROXY,
        destination: OWNER,
        amount: 33n,
        cocoon_grant_refund_data: { ...used, expected_address: CLIENT },
        txs: 'tx0 tx1 tx2 tx3 tx4',
      },
    },
    'register with the root': {
      trace: call(ROOT, op(0x927c7cb5, 5), excess),
      first: {
        type: 'cocoon_register_proxy',
        success: true,
        destination: ROOT,
        cocoon_register_proxy_data: { query_id: 5n },
        txs: 'tx0 tx1 tx2',
      },
    },
    'unregister with the root': {
      trace: call(ROOT, op(0x6d49eaf2, 5).storeUint(4, 32), excess),
      first: {
        type: 'cocoon_unregister_proxy',
        success: true,
        destination: ROOT,
        cocoon_unregister_proxy_data: { query_id: 5n, seqno: 4 },
        txs: 'tx0 tx1 tx2',
      },
    },
  });
});
