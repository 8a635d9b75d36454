import { type Builder, beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf, withNames } from '../support/action-summaries.ts';
import { accountsNamed, EMPTY, log, payload, to } from '../support/dex-steps.ts';
import { jettonSteps } from '../support/jetton-steps.ts';
import { op, type Step, sent } from '../support/trace-builder.ts';

const A = accountsNamed(
  ...(['user', 'user wallet', 'user other wallet', 'stranger', 'jetton', 'other jetton'] as const),
  ...(['pool', 'pool wallet', 'pool other wallet', 'second pool', 'second pool wallet'] as const),
  ...(['contract', 'position'] as const),
);
const known = {
  jettonWallets: {
    [A['user wallet']]: { owner: A.user, jetton: A.jetton },
    [A['user other wallet']]: { owner: A.user, jetton: A['other jetton'] },
    [A['pool wallet']]: { owner: A.pool, jetton: A.jetton },
    [A['pool other wallet']]: { owner: A.pool, jetton: A['other jetton'] },
    [A['second pool wallet']]: { owner: A['second pool'], jetton: A.jetton },
  },
  dedustPools: {
    [A.pool]: {
      assets: [
        { isTon: true, address: null },
        { isTon: false, address: A.jetton },
      ] as const,
    },
  },
};

function summarize(...sends: Step[]) {
  return withNames(summarizeActions(sent(A.user, ...sends), known), A);
}

const excess: Step = { to: A.user, body: op(0xd53276db, 7) };

/** A swap request with the minimum outputs of the pools after the first. */
function swapRequest(minOut: bigint, ...later: bigint[]): Cell {
  const stepOf = ([own, ...rest]: bigint[]): Cell | null =>
    own === undefined
      ? null
      : beginCell()
          .storeAddress(to(A['second pool']))
          .storeCoins(own)
          .storeUint(0, 40)
          .storeMaybeRef(stepOf(rest))
          .endCell();
  return payload(0xc442500f, (cell) =>
    cell.storeCoins(minOut).storeUint(0, 40).storeMaybeRef(stepOf(later)).storeBit(0).storeBit(0),
  );
}

const payTon = (pool: string, amount: bigint, request: Cell, sends: Step[]): Step => ({
  to: pool,
  value: amount + 100n,
  body: op(0xa5a7cbf8, 7).storeCoins(amount).storeRef(request).storeRef(EMPTY),
  sends,
});
const jettonsTo = (
  from: 'user' | 'pool',
  pool: 'pool' | 'second pool',
  amount: bigint,
  request: Cell,
  sends: Step[],
) =>
  jettonSteps({
    owner: A[from],
    wallet: A[`${from} wallet`],
    receiver: A[pool],
    receiverWallet: A[`${pool} wallet`],
    amount,
    payload: payload(0xcbc33949, (cell) => cell.storeRef(request).storeRef(EMPTY)),
    sends,
  });
const payJettons = (amount: bigint, request: Cell, sends: Step[]) =>
  jettonsTo('user', 'pool', amount, request, sends);
const tonPaid = (amount: bigint, exitCode = 0, receiver = A.user): Step => ({
  to: receiver,
  value: amount,
  body: op(0x3216ca09, 7).storeCoins(amount).storeInt(exitCode, 32).storeBit(0),
});
const jettonsPaid = (amount: bigint, other = false): Step =>
  jettonSteps({
    owner: A.pool,
    wallet: other ? A['pool other wallet'] : A['pool wallet'],
    receiver: A.user,
    receiverWallet: other ? A['user other wallet'] : A['user wallet'],
    amount,
  });
const people = (cell: Builder) => cell.storeAddress(to(A.user)).storeAddress(to(A.user));
const swapEvent = (amountIn: bigint, amountOut: bigint) =>
  log(
    people(beginCell().storeUint(0x78e79ba4, 32).storeBit(1).storeCoins(amountIn).storeCoins(amountOut))
      .storeRef(EMPTY)
      .storeRef(EMPTY),
  );

describe('DeDust v2 swaps', () => {
  it('TON for jettons', () => {
    expect(
      summarize(payTon(A.pool, 50n, swapRequest(60n), [swapEvent(50n, 70n), jettonsPaid(70n), excess])),
    ).toEqual([
      {
        type: 'jetton_swap',
        success: true,
        source: 'user',
        destination: 'user',
        destination_secondary: 'user wallet',
        asset2: 'jetton',
        jetton_swap_data: {
          dex: 'dedust_v2',
          sender: 'user',
          dex_incoming_transfer: {
            amount: 50n,
            asset: null,
            source: 'user',
            destination: 'pool',
            source_jetton_wallet: null,
            destination_jetton_wallet: null,
          },
          dex_outgoing_transfer: {
            amount: 70n,
            asset: 'jetton',
            source: 'pool',
            destination: 'user',
            source_jetton_wallet: 'pool wallet',
            destination_jetton_wallet: 'user wallet',
          },
          peer_swaps: [],
          min_out_amount: 60n,
        },
        txs: expect.any(String),
      },
    ]);
  });

  it('through a second pool that is paid in TON', () => {
    const last = payTon(A['second pool'], 40n, swapRequest(30n), [swapEvent(40n, 35n), tonPaid(35n), excess]);
    const [swap, ...more] = summarize(
      payJettons(50n, swapRequest(0n, 30n), [swapEvent(50n, 40n), last, excess]),
    );
    expect(more).toEqual([]);
    expect(swap).toMatchObject({
      type: 'jetton_swap',
      asset: 'jetton',
      jetton_swap_data: {
        peer_swaps: [
          { asset_in: 'jetton', amount_in: 50n, asset_out: null, amount_out: 40n },
          { asset_in: null, amount_in: 40n, asset_out: null, amount_out: 35n },
        ],
        min_out_amount: 30n,
      },
    });
  });

  it('reads the minimum output of at most 16 steps', () => {
    const steps = Array.from({ length: 20 }, (_, at) => BigInt(at + 1));
    const [swap] = summarize(payTon(A.pool, 5n, swapRequest(0n, ...steps), [swapEvent(5n, 7n), tonPaid(7n)]));
    expect(swap).toMatchObject({ jetton_swap_data: { min_out_amount: 16n } });
  });

  it('fails if a pool emitted its event in a rejected transaction', () => {
    const payment = payTon(A.pool, 5n, swapRequest(1n), [swapEvent(5n, 7n), tonPaid(7n)]);
    expect(summarize({ ...payment, exitCode: 30 })).toMatchObject([{ type: 'jetton_swap', success: false }]);
  });

  it('does not match a route that broke half way', () => {
    const refused = jettonsTo('pool', 'second pool', 40n, swapRequest(30n), [excess]);
    const broken = summarize(payTon(A.pool, 50n, swapRequest(0n, 30n), [swapEvent(50n, 40n), refused]));
    expect(typesOf(broken)).not.toContain('jetton_swap');
    const unpaid = summarize(payTon(A.pool, 50n, swapRequest(0n), [swapEvent(50n, 40n)]));
    expect(typesOf(unpaid)).toEqual(['call_contract']);
  });

  it('a refused swap returns the payment', () => {
    const failed = { type: 'jetton_swap', success: false };
    const outgoing = { amount: 0n, source: 'pool', destination: 'user' };
    expect(summarize(payTon(A.pool, 50n, swapRequest(60n), [tonPaid(50n, 30), excess]))).toMatchObject([
      { ...failed, asset2: 'jetton', jetton_swap_data: { dex_outgoing_transfer: outgoing } },
    ]);
    expect(summarize(payJettons(50n, swapRequest(60n), [jettonsPaid(50n)]))).toMatchObject([
      {
        ...failed,
        asset: 'jetton',
        jetton_swap_data: { dex_outgoing_transfer: { ...outgoing, asset: null } },
      },
    ]);
  });

  it.each([
    ['without an error', tonPaid(50n, 0)],
    ['to another account', tonPaid(50n, 30, A.stranger)],
    ['in another asset', jettonsPaid(50n)],
  ])('is not a refused swap if the payment is returned %s', (_, returned) => {
    expect(typesOf(summarize(payTon(A.pool, 50n, swapRequest(60n), [returned])))).not.toContain(
      'jetton_swap',
    );
  });
});

const withdraw = (claimsFees: boolean, sends: Step[]): Step => ({
  to: A.pool,
  body: op(0x20b5ef89, 7).storeCoins(9n).storeCoins(1n).storeCoins(1n).storeBit(claimsFees).storeRef(EMPTY),
  sends: [
    { to: A.position, body: op(0xbc1531a9, 7), sends: [{ to: A.pool, body: op(0xf6f6a3aa, 7), sends }] },
  ],
});
const withdrawalEvent = log(
  people(beginCell().storeUint(0xc0d77b54, 32).storeCoins(8n).storeCoins(3n).storeCoins(4n)).storeRef(EMPTY),
);

describe('DeDust v2 withdrawals', () => {
  it('pay TON and jettons', () => {
    expect(summarize(withdraw(false, [withdrawalEvent, tonPaid(3n), jettonsPaid(4n), excess]))).toEqual([
      {
        type: 'dex_withdraw_liquidity',
        success: true,
        source: 'user',
        destination: 'pool',
        dex_withdraw_liquidity_data: {
          dex: 'dedust_v2',
          amount1: 3n,
          dex_wallet_1: 'pool',
          amount2: 4n,
          asset2_out: 'jetton',
          user_jetton_wallet_2: 'user wallet',
          dex_jetton_wallet_2: 'pool wallet',
          dex_wallet_2: 'pool',
          lp_tokens_burnt: 8n,
          is_refund: false,
        },
        txs: expect.any(String),
      },
    ]);
  });

  it('are refused without an event', () => {
    expect(summarize(withdraw(false, [excess]))).toMatchObject([
      { success: false, dex_withdraw_liquidity_data: { lp_tokens_burnt: 9n, is_refund: true } },
    ]);
  });

  it('are not recognised if they claim fees too', () => {
    const types = typesOf(summarize(withdraw(true, [withdrawalEvent, tonPaid(3n), jettonsPaid(4n)])));
    expect(types).toEqual([...Array(4).fill('call_contract'), 'jetton_transfer']);
  });
});

const depositRequest = payload(0xc9a015da, (cell) =>
  cell.storeCoins(30n).storeCoins(40n).storeCoins(1n).storeUint(0, 16),
);
const credit = (isX: boolean, amount: bigint, sends: Step[] = []): Step => ({
  to: A.contract,
  body: op(0xdc5ddba1, 7).storeBit(isX).storeCoins(amount),
  sends,
});
const join = (sends: Step[]): Step => ({
  to: A.pool,
  body: op(0x25251ee0, 7).storeRef(EMPTY).storeCoins(30n).storeCoins(40n).storeAddress(to(A.user)),
  sends,
});
const depositEvent = log(
  people(beginCell().storeUint(0x35df2e12, 32).storeCoins(29n).storeCoins(38n).storeCoins(33n)).storeRef(
    EMPTY,
  ),
);
const tonSide = payTon(A.pool, 30n, depositRequest, [credit(true, 30n, [excess])]);
const lastSide = (sends: Step[]) => payJettons(40n, depositRequest, [credit(false, 40n, [join(sends)])]);
const credited: Step = { to: A.position, body: op(0x855afcbd, 7), sends: [excess] };

describe('DeDust v2 deposits', () => {
  it('join both sides', () => {
    expect(summarize(tonSide, lastSide([depositEvent, credited, jettonsPaid(2n), tonPaid(1n)]))).toEqual([
      {
        type: 'dex_deposit_liquidity',
        success: true,
        source: 'user',
        destination: 'pool',
        destination_secondary: 'contract',
        dex_deposit_liquidity_data: {
          dex: 'dedust_v2',
          amount1: 29n,
          amount2: 38n,
          asset2: 'jetton',
          user_jetton_wallet_2: 'user wallet',
          target_amount_1: 30n,
          target_asset_2: 'jetton',
          target_amount_2: 40n,
          lp_tokens_minted: 33n,
          vault_excesses: [
            { asset: 'jetton', amount: 2n },
            { asset: null, amount: 1n },
          ],
        },
        txs: expect.any(String),
      },
    ]);
  });

  it('are rejected when both sides are returned', () => {
    const [deposit, ...more] = summarize(tonSide, lastSide([jettonsPaid(40n), tonPaid(30n)]));
    expect(more).toEqual([]);
    expect(deposit).toMatchObject({
      success: false,
      dex_deposit_liquidity_data: {
        amount1: 30n,
        amount2: 40n,
        vault_excesses: [{ amount: 40n }, { amount: 30n }],
      },
    });
    expect(deposit!.dex_deposit_liquidity_data).not.toHaveProperty('lp_tokens_minted');
  });

  it('are not recognised if something is returned to another account', () => {
    const types = typesOf(summarize(lastSide([depositEvent, tonPaid(1n, 0, A.stranger)])));
    expect(types).not.toContain('dex_deposit_liquidity');
  });

  it('show a side that waits', () => {
    const [deposit, ...more] = summarize(tonSide);
    expect(more).toEqual([]);
    expect(deposit).toMatchObject({
      type: 'dex_deposit_liquidity',
      success: true,
      source: 'user',
      destination: 'pool',
      dex_deposit_liquidity_data: { amount1: 30n, target_amount_2: 40n },
    });
    expect(deposit!.dex_deposit_liquidity_data).not.toHaveProperty('amount2');
  });

  it('stay apart if more than two sides use the same contract', () => {
    expect(typesOf(summarize(tonSide, tonSide, lastSide([depositEvent, credited])))).toEqual(
      Array(3).fill('dex_deposit_liquidity'),
    );
  });

  it('stay apart if both sides are of the same asset', () => {
    const sameSide = payJettons(40n, depositRequest, [credit(false, 40n, [excess])]);
    expect(typesOf(summarize(sameSide, lastSide([depositEvent, credited])))).toEqual(
      Array(2).fill('dex_deposit_liquidity'),
    );
  });
});

describe('DeDust v2 claims', () => {
  const claimFees = (fees: readonly [bigint, bigint], sends: Step[]): Step => ({
    to: A.pool,
    body: op(0x5652f1df, 7).storeAddress(to(A.user)),
    sends: [
      {
        to: A.position,
        body: op(0x25f19752, 7),
        sends: [
          { to: A.pool, body: people(op(0x29ff1bcf, 7).storeCoins(fees[0]).storeCoins(fees[1])), sends },
        ],
      },
    ],
  });

  it('pay each fee to the side with its amount', () => {
    const [claim, ...parts] = summarize(claimFees([4n, 3n], [tonPaid(3n), jettonsPaid(4n), excess]));
    expect(claim).toEqual({
      type: 'dedust_v2_claim_fees',
      success: true,
      source: 'user',
      destination: 'pool',
      destination_secondary: 'position',
      dex_withdraw_liquidity_data: {
        dex: 'dedust_v2',
        amount1: 4n,
        asset1_out: 'jetton',
        user_jetton_wallet_1: 'user wallet',
        dex_jetton_wallet_1: 'pool wallet',
        dex_wallet_1: 'pool',
        amount2: 3n,
        dex_wallet_2: 'pool',
        is_refund: false,
      },
      txs: expect.any(String),
    });
    expect(new Set(typesOf(parts))).toEqual(
      new Set(['dedust_v2_claim_fees/call_contract', 'dedust_v2_claim_fees/jetton_transfer']),
    );
  });

  it('try the first side first, and leave a payout with another amount out', () => {
    const [same] = summarize(claimFees([4n, 4n], [jettonsPaid(4n), jettonsPaid(4n, true)]));
    expect(same).toMatchObject({
      dex_withdraw_liquidity_data: { asset1_out: 'jetton', asset2_out: 'other jetton' },
    });
    const [none] = summarize(claimFees([4n, 0n], [jettonsPaid(5n)]));
    expect(none!.dex_withdraw_liquidity_data).toEqual({
      dex: 'dedust_v2',
      amount1: 4n,
      amount2: 0n,
      is_refund: false,
    });
  });

  it('pay a reward', () => {
    const claim = (sends: Step[]): Step => ({
      to: A.pool,
      body: op(0x909fdb65, 7).storeUint(1, 2).storeAddress(to(A.user)),
      sends: [
        {
          to: A.position,
          body: op(0x2e0cccba, 7),
          sends: [{ to: A.pool, body: people(op(0x9e17fbbe, 7).storeCoins(6n).storeUint(1, 2)), sends }],
        },
      ],
    });
    const own = { type: 'dedust_v2_claim_reward', destination_secondary: 'position' };
    expect(summarize(claim([jettonsPaid(6n, true), excess]))[0]).toMatchObject({
      ...own,
      dex_withdraw_liquidity_data: { amount1: 6n, asset1_out: 'other jetton' },
    });
    expect(summarize(claim([]))[0]).toMatchObject({ ...own, dex_withdraw_liquidity_data: { amount1: 6n } });
  });
});
