import { type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf, withNames } from '../support/action-summaries.ts';
import { accountsNamed, EMPTY, log, payload, storeAsset, to } from '../support/dex-steps.ts';
import { jettonSteps } from '../support/jetton-steps.ts';
import { op, type Step, sent } from '../support/trace-builder.ts';

const A = accountsNamed(
  ...(['user', 'user wallet', 'jetton', 'other jetton', 'vault', 'vault wallet', 'TON vault'] as const),
  ...(['pool', 'second pool', 'share wallet', 'depository', 'holder', 'holder wallet', 'fees'] as const),
);
const known = {
  jettonWallets: {
    [A['user wallet']]: { owner: A.user, jetton: A.jetton },
    [A['vault wallet']]: { owner: A.vault, jetton: A.jetton },
    [A['share wallet']]: { owner: A.user, jetton: A.pool },
    [A['holder wallet']]: { owner: A.holder, jetton: A.jetton },
  },
};

function summarize(...sends: Step[]) {
  return withNames(summarizeActions(sent(A.user, ...sends), known), A);
}

const payOut = (vault: string, amount: bigint, paid: Step): Step => ({
  to: vault,
  body: op(0xc0ffee21, 7).storeAddress(to(A.user)).storeCoins(amount).storeBit(0).storeBit(0),
  sends: [paid],
});
const jettonsOut = (amount: bigint) =>
  jettonSteps({
    owner: A.vault,
    wallet: A['vault wallet'],
    receiver: A.user,
    receiverWallet: A['user wallet'],
    amount,
  });
const tonOut: Step = { to: A.user, value: 41n, body: op(0xc0ffee32, 7) };
const toHolder = {
  owner: A.user,
  wallet: A['user wallet'],
  receiver: A.holder,
  receiverWallet: A['holder wallet'],
};

describe('swap.coffee withdrawals', () => {
  const burn = (sends: Step[]): Step => ({
    to: A['share wallet'],
    body: op(0x595f07bc, 7).storeCoins(77n).storeAddress(to(A.user)),
    sends: [{ to: A.pool, body: op(0x7bdd97de, 7), sends }],
  });
  const done = log(op(0xc0ffee35, 7).storeCoins(40n).storeCoins(90n).storeCoins(77n));

  it('have both assets', () => {
    const withdrawal = burn([
      payOut(A['TON vault'], 40n, tonOut),
      payOut(A.vault, 90n, jettonsOut(90n)),
      done,
    ]);
    expect(summarize(withdrawal)).toEqual([
      {
        type: 'dex_withdraw_liquidity',
        success: true,
        source: 'user',
        source_secondary: 'share wallet',
        destination: 'pool',
        asset: 'pool',
        dex_withdraw_liquidity_data: {
          is_refund: false,
          dex: 'coffee',
          amount1: 40n,
          dex_wallet_1: 'pool',
          user_jetton_wallet_1: 'user',
          amount2: 90n,
          asset2_out: 'jetton',
          dex_wallet_2: 'pool',
          dex_jetton_wallet_2: 'vault wallet',
          user_jetton_wallet_2: 'user wallet',
          lp_tokens_burnt: 77n,
        },
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7 tx8',
      },
    ]);
  });

  it('are burns if the log of the pool is missing', () => {
    const types = typesOf(
      summarize(burn([payOut(A['TON vault'], 40n, tonOut), payOut(A.vault, 90n, jettonsOut(90n))])),
    );
    expect(types).toContain('jetton_burn');
    expect(types).not.toContain('dex_withdraw_liquidity');
  });
});

describe('swap.coffee swaps', () => {
  const swapLog = (amountIn: bigint, amountOut: bigint, asset?: string) =>
    log(storeAsset(op(0xc0ffee30, 7), 2, asset).storeCoins(amountIn).storeCoins(amountOut));
  const native = (sends: Step[]): Step => ({
    to: A['TON vault'],
    value: 99n,
    body: op(0xc0ffee00, 7).storeCoins(90n),
    sends,
  });
  const swap = (pool: string, sends: Step[]): Step => ({ to: pool, body: op(0xc0ffee20, 7), sends });

  it('go through two pools and are paid with a payload', () => {
    const message: Step = { to: A.holder, value: 30n, body: op(0xc0ffee36, 7) };
    const second = swap(A['second pool'], [
      swapLog(60n, 31n, A.jetton),
      { ...payOut(A['TON vault'], 31n, message) },
    ]);
    const [action, ...others] = summarize(native([swap(A.pool, [swapLog(90n, 60n), second])]));
    expect(others).toEqual([]);
    expect(action).toEqual({
      type: 'jetton_swap',
      success: true,
      source: 'user',
      destination: 'holder',
      jetton_swap_data: {
        dex: 'coffee',
        sender: 'user',
        dex_incoming_transfer: {
          amount: 90n,
          asset: null,
          source: 'user',
          destination: 'TON vault',
          source_jetton_wallet: null,
          destination_jetton_wallet: null,
        },
        dex_outgoing_transfer: {
          amount: 30n,
          asset: null,
          source: 'TON vault',
          destination: 'holder',
          source_jetton_wallet: null,
          destination_jetton_wallet: null,
        },
        peer_swaps: [
          { asset_in: null, amount_in: 90n, asset_out: 'jetton', amount_out: 60n },
          { asset_in: 'jetton', amount_in: 60n, asset_out: null, amount_out: 31n },
        ],
      },
      txs: 'tx0 tx1 tx2 tx3 tx4 tx5',
    });
  });

  it('are contract calls if extra currencies are involved', () => {
    const extra = log(op(0xc0ffee30, 7).storeUint(2, 2).storeUint(100, 32).storeCoins(1n).storeCoins(1n));
    const types = typesOf(summarize(native([swap(A.pool, [extra, payOut(A['TON vault'], 40n, tonOut)])])));
    expect(new Set(types)).toEqual(new Set(['call_contract']));
  });
});

describe('swap.coffee deposits', () => {
  const request = (pool: (cell: Builder) => Builder, sends: Step[]): Step => ({
    to: A.depository,
    body: op(0xc0ffee27, 7)
      .storeCoins(90n)
      .storeRef(EMPTY)
      .storeRef(pool(beginCell()).storeUint(0, 3).storeBit(0).endCell())
      .storeAddress(to(A.user))
      .storeRef(EMPTY),
    sends: [{ to: A.depository, body: op(0xc0ffee22, 7), sends }],
  });
  const native = (sends: Step[]): Step => ({ to: A['TON vault'], body: op(0xc0ffee04, 7), sends });

  it('are one action per side, with refunds', () => {
    const minted: Step[] = [
      { to: A['share wallet'], body: op(0x178d4519, 7).storeCoins(77n) },
      log(op(0xc0ffee33, 7).storeCoins(40n).storeCoins(90n).storeCoins(77n)),
      payOut(A['TON vault'], 40n, tonOut),
    ];
    const complete: Step = { to: A.pool, body: op(0xc0ffee29, 7), sends: minted };
    const jettonFirst = (cell: Builder) => storeAsset(storeAsset(cell, 2, A.jetton), 2);
    expect(summarize(native([request(jettonFirst, [complete])]))).toEqual([
      {
        type: 'dex_deposit_liquidity',
        success: true,
        source: 'user',
        destination: 'pool',
        destination_secondary: 'depository',
        dex_deposit_liquidity_data: {
          dex: 'coffee',
          amount2: 90n,
          target_asset_2: 'jetton',
          lp_tokens_minted: 77n,
          vault_excesses: [{ asset: null, amount: 41n }],
        },
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7',
      },
    ]);
  });

  it('are contract calls if the asset is not in the pool', () => {
    const jettons = (cell: Builder) => storeAsset(storeAsset(cell, 2, A.jetton), 2, A['other jetton']);
    expect(new Set(typesOf(summarize(native([request(jettons, [])]))))).toEqual(new Set(['call_contract']));
  });
});

describe('swap.coffee MEV protection', () => {
  it('reports the held funds including the fee', () => {
    const fee: Step = { to: A.fees, value: 1n, body: op(0xc0ffeea0) };
    const [held, ...parts] = summarize(
      jettonSteps({ ...toHolder, amount: 90n, payload: payload(0x6bc79e7e) }),
      fee,
    );
    expect(held).toEqual({
      type: 'coffee_mev_protect_hold_funds',
      success: true,
      source: 'user',
      source_secondary: 'user wallet',
      destination: 'holder',
      asset: 'jetton',
      amount: 90n,
      txs: 'tx0 tx1 tx2 tx3 tx4',
    });
    expect(typesOf(parts).sort()).toEqual([
      'coffee_mev_protect_hold_funds/call_contract',
      'coffee_mev_protect_hold_funds/jetton_transfer',
    ]);
  });

  it('reports a failed swap without columns', () => {
    const body = op(0xee51ce51, 7).storeAddress(to(A.user));
    expect(summarize({ to: A.user, value: 90n, body })).toMatchObject([
      { type: 'coffee_mev_protect_failed_swap', success: true, txs: 'tx0 tx1' },
      { type: 'call_contract', within: ['coffee_mev_protect_failed_swap'] },
    ]);
    const [failed, transfer] = summarize(jettonSteps({ ...toHolder, amount: 90n, payload: body.endCell() }));
    expect(failed).toEqual({ type: 'coffee_mev_protect_failed_swap', success: true, txs: 'tx0 tx1 tx2 tx3' });
    expect(transfer).toMatchObject({ type: 'jetton_transfer', within: ['coffee_mev_protect_failed_swap'] });
    expect(typesOf(summarize({ to: A.user, body: op(0xee51ce51, 7) }))).toEqual(['call_contract']);
  });
});
