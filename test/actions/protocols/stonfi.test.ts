import { type Builder, beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf, withNames } from '../support/action-summaries.ts';
import { accountsNamed, EMPTY, payload, ptonIn, ptonOut, to } from '../support/dex-steps.ts';
import { type JettonSteps, jettonSteps } from '../support/jetton-steps.ts';
import { op, type Step, sent } from '../support/trace-builder.ts';

const A = {
  ...accountsNamed(
    ...(['user', 'user wallet', 'jetton', 'router', 'router wallet', 'router TON wallet', 'pool'] as const),
    ...([
      'other jetton',
      'other wallet',
      'router other wallet',
      'second pool',
      'share wallet',
      'meeting',
    ] as const),
  ),
  pTON: '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
};
const known = {
  jettonWallets: {
    [A['user wallet']]: { owner: A.user, jetton: A.jetton },
    [A['router wallet']]: { owner: A.router, jetton: A.jetton },
    [A['router TON wallet']]: { owner: A.router, jetton: A.pTON },
    [A['other wallet']]: { owner: A.user, jetton: A['other jetton'] },
    [A['router other wallet']]: { owner: A.router, jetton: A['other jetton'] },
    [A['share wallet']]: { owner: A.user, jetton: A.pool },
  },
};

function summarize(...sends: Step[]) {
  return withNames(summarizeActions(sent(A.user, ...sends), known), A);
}

const OK = 0xc64370e5;
const REFUND = 0x38976e9b;

/** Swap parameters for a router: the wallet of the requested asset, and optionally those for the next pool. */
function swapParams(wallet: string, next?: Cell): Cell {
  const terms = beginCell()
    .storeCoins(1n)
    .storeAddress(to(A.user))
    .storeCoins(0)
    .storeMaybeRef(next ?? null);
  const rest = terms.storeCoins(0).storeBit(0).storeUint(10, 16).storeAddress(null).endCell();
  return payload(next ? 0x6664de2a : 0x69cf1a5b, (cell) =>
    cell
      .storeAddress(to(wallet))
      .storeAddress(to(A.user))
      .storeAddress(to(A.user))
      .storeUint(0, 64)
      .storeRef(rest),
  );
}

function swap(pool: string, params: Cell, sends: Step[]): Step {
  const body = op(0x6664de2a, 7).storeAddress(to(A.user)).storeCoins(5n).storeCoins(0).storeRef(params);
  return { to: pool, body, sends };
}

function payTo(exit: number, amount: bigint, wallet: string, sends: Step[]): Step {
  const sides = beginCell().storeCoins(0).storeCoins(0).storeAddress(to(A['router TON wallet']));
  const body = op(0x657b54f5, 7).storeAddress(to(A.user)).storeAddress(to(A.user)).storeAddress(to(A.user));
  return {
    to: A.router,
    body: body
      .storeUint(exit, 32)
      .storeBit(0)
      .storeRef(sides.storeCoins(amount).storeAddress(to(wallet)).endCell()),
    sends,
  };
}

const between = (steps: Partial<JettonSteps>): JettonSteps => ({
  owner: A.router,
  wallet: A['router wallet'],
  receiver: A.user,
  receiverWallet: A['user wallet'],
  amount: 70n,
  ...steps,
});
const fromUser = {
  owner: A.user,
  wallet: A['user wallet'],
  receiver: A.router,
  receiverWallet: A['router wallet'],
  amount: 100n,
};
const otherOut = { wallet: A['router other wallet'], receiverWallet: A['other wallet'] };

describe('STON.fi v2 swaps', () => {
  const params = swapParams(A['router TON wallet'], swapParams(A['router other wallet']));

  it('go through two pools with TON between them', () => {
    const second = payTo(OK, 33n, A['router other wallet'], [
      jettonSteps(between({ ...otherOut, amount: 33n })),
    ]);
    const next = swap(A['second pool'], swapParams(A['router other wallet']), [second]);
    // The router pays TON to itself and is notified by its wallet.
    const out = ptonOut(A['router TON wallet'], A.router, 70n);
    const again = op(0x01f3835d, 7).storeCoins(70n).storeAddress(to(A.user)).storeBit(1).storeRef(params);
    const notification: Step = { to: A.router, body: op(0x7362d09c, 7).storeCoins(70n), sends: [next] };
    const between70 = { ...out, sends: [{ to: A.router, body: again, sends: [notification] }] };
    const first = swap(A.pool, params, [payTo(OK, 70n, A['router TON wallet'], [between70])]);
    expect(summarize(jettonSteps({ ...fromUser, payload: params, sends: [first] }))).toEqual([
      {
        type: 'jetton_swap',
        success: true,
        source: 'user',
        source_secondary: 'user wallet',
        destination: 'user',
        destination_secondary: 'other wallet',
        asset: 'jetton',
        asset2: 'other jetton',
        jetton_swap_data: {
          dex: 'stonfi_v2',
          sender: 'user',
          dex_incoming_transfer: {
            amount: 100n,
            asset: 'jetton',
            source: 'user',
            destination: 'router',
            source_jetton_wallet: 'user wallet',
            destination_jetton_wallet: 'router wallet',
          },
          dex_outgoing_transfer: {
            amount: 33n,
            asset: 'other jetton',
            source: 'router',
            destination: 'user',
            source_jetton_wallet: 'router other wallet',
            destination_jetton_wallet: 'other wallet',
          },
          peer_swaps: [
            { asset_in: 'jetton', amount_in: 100n, asset_out: null, amount_out: 70n },
            { asset_in: null, amount_in: 70n, asset_out: 'other jetton', amount_out: 33n },
          ],
        },
        txs: Array.from({ length: 14 }, (_, number) => `tx${number}`).join(' '),
      },
    ]);
  });

  it('have the asset requested from the last pool if they failed', () => {
    const back = payTo(REFUND, 100n, A['router wallet'], [jettonSteps(between({ amount: 100n }))]);
    const failed = jettonSteps({ ...fromUser, payload: params, sends: [swap(A.pool, params, [back])] });
    const [action, ...others] = summarize(failed);
    expect(others).toEqual([]);
    expect(action).toMatchObject({
      type: 'jetton_swap',
      success: false,
      asset: 'jetton',
      asset2: 'other jetton',
    });
    expect(action!.jetton_swap_data).toMatchObject({
      dex_outgoing_transfer: { asset: 'jetton', amount: 100n },
    });
    // The last wallet is unknown, so the asset requested from the first pool is used.
    const unknown = swapParams(A['router other wallet'], swapParams(A.meeting));
    const [less] = summarize(jettonSteps({ ...fromUser, sends: [swap(A.pool, unknown, [back])] }));
    expect(less).toMatchObject({ success: false, asset2: 'other jetton' });
  });

  it('report pTON as TON', () => {
    const paid = payTo(OK, 70n, A['router TON wallet'], [ptonOut(A['router TON wallet'], A.user, 69n)]);
    const [action] = summarize(
      jettonSteps({ ...fromUser, sends: [swap(A.pool, swapParams(A['router TON wallet']), [paid])] }),
    );
    expect(action).toMatchObject({
      type: 'jetton_swap',
      success: true,
      destination: 'user',
      asset: 'jetton',
    });
    expect(action).not.toHaveProperty('asset2');
    expect(action!.jetton_swap_data).toMatchObject({ dex_outgoing_transfer: { asset: null, amount: 69n } });
  });

  it('are contract calls without a payout or with two', () => {
    const types = (payments: Step[]) =>
      typesOf(summarize(jettonSteps({ ...fromUser, sends: [swap(A.pool, params, payments)] })));
    const paid = payTo(OK, 70n, A['router wallet'], [jettonSteps(between({}))]);
    expect(types([paid])).toEqual(['jetton_swap']);
    expect(types([paid, paid])).not.toContain('jetton_swap');
    expect(types([{ ...paid, sends: [] }])).not.toContain('jetton_swap');
    expect(types([{ ...paid, body: op(0x657b54f5, 7) }])).not.toContain('jetton_swap');
  });
});

describe('STON.fi v2 deposits', () => {
  const forward = payload(0x37c096df);
  const provide = (first: bigint, second: bigint, sends: Step[]): Step => ({
    to: A.pool,
    body: op(0x37c096df, 7).storeAddress(to(A.user)).storeCoins(first).storeCoins(second),
    sends: [{ to: A.meeting, body: op(0x50c6a654, 7), sends }],
  });
  const minted: Step = { to: A['share wallet'], body: op(0x178d4519, 7).storeCoins(77n) };
  const complete = (response: Step): Step => ({ to: A.pool, body: op(0x06ecd527, 7), sends: [response] });
  const tonSide = (sends: Step[]) =>
    ptonIn(A['router TON wallet'], { owner: A.router, user: A.user }, 500n, forward, [
      provide(500n, 0n, sends),
    ]);
  const jettonSide = (sends: Step[]) => jettonSteps({ ...fromUser, sends: [provide(0n, 100n, sends)] });
  const common = { type: 'dex_deposit_liquidity', success: true, source: 'user', destination: 'pool' };
  const jettons = { asset1: 'jetton', amount1: 100n, user_jetton_wallet_1: 'user wallet' };

  it('are recognised for one side alone', () => {
    expect(summarize(jettonSide([]))).toEqual([
      {
        ...common,
        dex_deposit_liquidity_data: { dex: 'stonfi_v2', ...jettons },
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5',
      },
    ]);
    expect(summarize(tonSide([complete(minted)]))).toEqual([
      {
        ...common,
        dex_deposit_liquidity_data: { dex: 'stonfi_v2', amount1: 500n, lp_tokens_minted: 77n },
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6',
      },
    ]);
  });

  it('join two sides that were sent together', () => {
    const both = {
      dex: 'stonfi_v2',
      amount1: 500n,
      lp_tokens_minted: 77n,
      asset2: 'jetton',
      amount2: 100n,
      user_jetton_wallet_2: 'user wallet',
    };
    expect(summarize(tonSide([]), jettonSide([complete(minted)]))).toEqual([
      {
        ...common,
        dex_deposit_liquidity_data: both,
        txs: Array.from({ length: 11 }, (_, number) => `tx${number + 1}`).join(' '),
      },
    ]);
    const [transfer, action, ...others] = summarize(
      jettonSide([]),
      { to: A.user, value: 1n },
      tonSide([complete(minted)]),
    );
    expect(transfer).toMatchObject({ type: 'ton_transfer' });
    expect(action).toMatchObject({ ...common, dex_deposit_liquidity_data: both });
    expect(others).toEqual([]);
  });

  it('stay separate for different pools or without a mint', () => {
    const elsewhere = provide(500n, 0n, [complete(minted)]);
    const other = ptonIn(A['router TON wallet'], { owner: A.router, user: A.user }, 500n, forward, [
      { ...elsewhere, to: A['second pool'] },
    ]);
    expect(summarize(jettonSide([]), other).map(({ destination }) => destination)).toEqual([
      'pool',
      'second pool',
    ]);
    expect(typesOf(summarize(jettonSide([]), tonSide([])))).toHaveLength(2);
  });

  it('fail if the deposit is refunded', () => {
    const refused = summarize(jettonSide([complete({ to: A.router, body: op(0x50c6a654, 7) })]));
    expect(refused).toEqual([
      {
        ...common,
        success: false,
        dex_deposit_liquidity_data: { dex: 'stonfi_v2', ...jettons },
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7',
      },
    ]);
  });

  it('are contract calls for another body', () => {
    const broken = { ...provide(1n, 1n, []), body: op(0x37c096df, 7) };
    expect(typesOf(summarize(jettonSteps({ ...fromUser, sends: [broken] })))).toEqual([
      'jetton_transfer',
      'call_contract',
      'call_contract',
    ]);
  });
});

describe('STON.fi v2 withdrawals', () => {
  const payouts = [
    payTo(OK, 70n, A['router wallet'], [jettonSteps(between({}))]),
    payTo(OK, 30n, A['router TON wallet'], [ptonOut(A['router TON wallet'], A.user, 29n)]),
  ];
  const paid = {
    dex: 'stonfi_v2',
    amount1: 70n,
    asset1_out: 'jetton',
    dex_wallet_1: 'router',
    amount2: 29n,
    dex_jetton_wallet_1: 'router wallet',
    user_jetton_wallet_1: 'user wallet',
    dex_wallet_2: 'router',
  };
  const burn = (body: Builder): Step => ({
    to: A['share wallet'],
    body,
    sends: [
      {
        to: A.pool,
        body: op(0x7bdd97de, 7),
        sends: [{ to: A.pool, body: op(0x297437cf, 7).storeRef(EMPTY), sends: payouts }],
      },
    ],
  });

  it('have both assets and the burnt amount', () => {
    const body = op(0x595f07bc, 7).storeCoins(77n).storeAddress(to(A.user));
    expect(summarize(burn(body))).toEqual([
      {
        type: 'dex_withdraw_liquidity',
        success: true,
        source: 'user',
        source_secondary: 'share wallet',
        destination: 'pool',
        asset: 'pool',
        dex_withdraw_liquidity_data: { ...paid, lp_tokens_burnt: 77n, is_refund: false },
        txs: Array.from({ length: 11 }, (_, number) => `tx${number}`).join(' '),
      },
    ]);
    expect(typesOf(summarize(burn(op(0x595f07bc, 7))))).not.toContain('dex_withdraw_liquidity');
  });

  it('include the refund of an incomplete deposit', () => {
    const request = {
      to: A.meeting,
      body: op(0x132b9a2c, 7),
      sends: [{ to: A.pool, body: op(0x0f98e2b8, 7), sends: payouts }],
    };
    expect(summarize(request)).toEqual([
      {
        type: 'dex_withdraw_liquidity',
        success: true,
        source: 'user',
        destination: 'pool',
        dex_withdraw_liquidity_data: { ...paid, is_refund: true },
        txs: Array.from({ length: 10 }, (_, number) => `tx${number}`).join(' '),
      },
    ]);
  });
});
