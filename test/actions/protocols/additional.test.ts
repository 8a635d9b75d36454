import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { testActions } from '../support/action-cases.ts';
import { summarizeActions, typesOf } from '../support/action-summaries.ts';
import { accountsNamed, payload, to } from '../support/dex-steps.ts';
import { jettonSteps } from '../support/jetton-steps.ts';
import { op, sent } from '../support/trace-builder.ts';

const A = accountsNamed('user', 'user wallet', 'shop', 'shop wallet', 'jetton');
const known = {
  jettonWallets: {
    [A['user wallet']]: { owner: A.user, jetton: A.jetton },
    [A['shop wallet']]: { owner: A.shop, jetton: A.jetton },
  },
};

const ID = '018f3b4c000070008000123456789abc';
const invoice = (opcode = 0x7aa23eb5) =>
  payload(opcode, (cell) => cell.storeBuffer(Buffer.from(ID, 'hex')).storeUint(0, 8));
const purchase_data = { invoice_id: '018f3b4c-0000-7000-8000-123456789abc' };

describe('a purchase', () => {
  testActions({
    'in TON': {
      trace: sent(A.user, { to: A.shop, value: 7n, body: invoice() }),
      types: ['call_contract', 'purchase'],
      has: [
        {
          type: 'purchase',
          success: true,
          source: A.user,
          destination: A.shop,
          amount: 7n,
          purchase_data,
          txs: 'tx0 tx1',
        },
      ],
    },
    'in an extra currency': {
      trace: sent(A.user, { to: A.shop, value: 7n, body: invoice(), extraCurrencies: { '100': '5' } }),
      has: [
        {
          type: 'purchase',
          success: true,
          source: A.user,
          destination: A.shop,
          amount: 7n,
          value_extra_currencies: { '100': '5' },
          purchase_data,
          txs: 'tx0 tx1',
        },
      ],
    },
    'in jettons': {
      known,
      trace: sent(
        A.user,
        jettonSteps({
          owner: A.user,
          wallet: A['user wallet'],
          receiver: A.shop,
          receiverWallet: A['shop wallet'],
          amount: 9n,
          payload: invoice(),
        }),
      ),
      types: ['jetton_transfer', 'purchase'],
      has: [
        {
          type: 'purchase',
          success: true,
          source: A.user,
          source_secondary: A['user wallet'],
          destination: A.shop,
          destination_secondary: A['shop wallet'],
          asset: A.jetton,
          amount: 9n,
          purchase_data,
          txs: 'tx0 tx1 tx2 tx3',
        },
      ],
    },
    'without money is a call': {
      trace: sent(A.user, { to: A.shop, value: 0n, body: invoice() }),
      types: ['call_contract'],
    },
    'without an id is a call': {
      trace: sent(A.user, { to: A.shop, value: 1n, body: op(0x7aa23eb5) }),
      types: ['call_contract'],
    },
  });

  it('covers the payment', () => {
    const trace = sent(A.user, { to: A.shop, value: 7n, body: invoice() });
    expect(typesOf(summarizeActions(trace))).toEqual(['purchase/call_contract', 'purchase']);
  });
});

describe('a flawed jetton transfer', () => {
  const transfer = (received: bigint) => {
    const step = jettonSteps({
      owner: A.user,
      wallet: A['user wallet'],
      receiver: A.shop,
      receiverWallet: A['shop wallet'],
      amount: 500000000000000n,
    });
    const [internal] = step.sends!;
    const body = op(0x178d4519, 7)
      .storeCoins(received)
      .storeAddress(to(A.user))
      .storeAddress(to(A.user))
      .storeCoins(1n)
      .storeBit(1)
      .storeRef(beginCell());
    return sent(A.user, { ...step, sends: [{ ...internal!, body }] });
  };

  it('is a transfer of which a part is kept', () => {
    const actions = summarizeActions(transfer(499900000000000n), known);
    expect(typesOf(actions)).toEqual(['flawed_jetton_transfer/jetton_transfer', 'flawed_jetton_transfer']);
    expect(actions[1]).toEqual({
      ...actions[0],
      type: 'flawed_jetton_transfer',
      within: undefined,
      flawed_jetton_transfer_data: { sent_amount: 500000000000000n },
    });
    expect(actions[1]).toMatchObject({ amount: 499900000000000n, asset: A.jetton });
  });

  it('is not one whose amount arrives', () => {
    expect(typesOf(summarizeActions(transfer(500000000000000n), known))).toEqual(['jetton_transfer']);
  });
});
