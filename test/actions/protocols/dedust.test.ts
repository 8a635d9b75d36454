import { type Builder, beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf, withNames } from '../support/action-summaries.ts';
import { accountsNamed, EMPTY, log, payload, storeAsset, to } from '../support/dex-steps.ts';
import { jettonSteps } from '../support/jetton-steps.ts';
import { op, type Step, sent } from '../support/trace-builder.ts';

const A = accountsNamed(
  ...(['user', 'user wallet', 'jetton', 'other jetton', 'vault', 'vault wallet', 'TON vault'] as const),
  ...(['pool', 'second pool', 'factory', 'contract', 'share wallet', 'other vault'] as const),
  ...(['other vault wallet', 'user other wallet', 'LP wallet'] as const),
);
const known = {
  jettonWallets: {
    [A['user wallet']]: { owner: A.user, jetton: A.jetton },
    [A['vault wallet']]: { owner: A.vault, jetton: A.jetton },
    [A['user other wallet']]: { owner: A.user, jetton: A['other jetton'] },
    [A['LP wallet']]: { owner: A.user, jetton: A.pool },
  },
  dedustPools: {
    [A.pool]: { assets: [asset(A.jetton), asset(A['other jetton'])] as const },
    [A['second pool']]: { assets: [asset(), asset(A['other jetton'])] as const },
  },
};

function asset(address?: string) {
  return { isTon: address === undefined, address: address ?? null };
}

function summarize(...sends: Step[]) {
  return withNames(summarizeActions(sent(A.user, ...sends), known), A);
}

function steps(cell: Builder, pools: readonly string[]): Builder {
  const [pool, ...rest] = pools;
  const next = rest.length > 0 ? steps(beginCell(), rest).endCell() : null;
  return cell.storeAddress(to(pool!)).storeBit(0).storeCoins(1n).storeMaybeRef(next);
}

function swapLog(
  assetIn: string | undefined,
  amountIn: bigint,
  assetOut: string | undefined,
  amountOut: bigint,
) {
  const assets = storeAsset(storeAsset(op(0x9c610de3), 4, assetIn), 4, assetOut);
  return log(assets.storeCoins(amountIn).storeCoins(amountOut).storeRef(EMPTY));
}

const payOut = (vault: string, amount: bigint, sends: Step[]): Step => ({
  to: vault,
  body: op(0xad4eb6f5, 7).storeRef(EMPTY).storeCoins(amount),
  sends,
});
const tonPaid: Step = { to: A.user, value: 44n, body: op(0x474f86cf, 7) };

describe('DeDust swaps', () => {
  const give = (pools: string[], sends: Step[]) =>
    jettonSteps({
      owner: A.user,
      wallet: A['user wallet'],
      receiver: A.vault,
      receiverWallet: A['vault wallet'],
      amount: 100n,
      payload: payload(0xe3a0d482, (cell) => steps(cell, pools)),
      sends,
    });
  const twoPools: Step = {
    to: A.pool,
    body: op(0x61ee542d, 7),
    sends: [
      swapLog(A.jetton, 100n, A['other jetton'], 70n),
      {
        to: A['second pool'],
        body: op(0x72aca8aa, 7),
        sends: [swapLog(A['other jetton'], 70n, undefined, 45n), payOut(A['TON vault'], 45n, [tonPaid])],
      },
    ],
  };

  it('have the swap of each pool', () => {
    expect(summarize(give([A.pool, A['second pool']], [twoPools]))).toEqual([
      {
        type: 'jetton_swap',
        success: true,
        source: 'user',
        source_secondary: 'user wallet',
        destination: 'user',
        asset: 'jetton',
        jetton_swap_data: {
          dex: 'dedust',
          sender: 'user',
          dex_incoming_transfer: {
            amount: 100n,
            asset: 'jetton',
            source: 'user',
            destination: 'vault',
            source_jetton_wallet: 'user wallet',
            destination_jetton_wallet: 'vault wallet',
          },
          dex_outgoing_transfer: {
            amount: 45n,
            asset: null,
            source: 'TON vault',
            destination: 'user',
            source_jetton_wallet: null,
            destination_jetton_wallet: null,
          },
          peer_swaps: [
            { asset_in: 'jetton', amount_in: 100n, asset_out: 'other jetton', amount_out: 70n },
            { asset_in: 'other jetton', amount_in: 70n, asset_out: null, amount_out: 45n },
          ],
        },
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7',
      },
    ]);
  });

  it('fail without the log of a pool, but have the requested asset', () => {
    const swap = { to: A.pool, body: op(0x61ee542d, 7), sends: [payOut(A['TON vault'], 30n, [tonPaid])] };
    const body = steps(op(0xea06185d, 7).storeCoins(30n), [A['second pool'], A.pool]);
    const [action, ...others] = summarize({ to: A['TON vault'], value: 99n, body, sends: [swap] });
    expect(others).toEqual([]);
    expect(action).toMatchObject({ type: 'jetton_swap', success: false, source: 'user', asset2: 'jetton' });
    const sides = { asset: null, amount: 30n, source_jetton_wallet: null, destination_jetton_wallet: null };
    expect(action!.jetton_swap_data).toMatchObject({
      dex_incoming_transfer: { ...sides, source: 'user', destination: 'TON vault' },
      dex_outgoing_transfer: { ...sides, source: 'TON vault', destination: 'user' },
      peer_swaps: [],
    });
  });

  it('are not recognised for an unknown pool or another payload', () => {
    const types = (swap: Step) => new Set(typesOf(summarize(swap)));
    expect(types(give([A.pool, A.vault], [twoPools]))).not.toContain('jetton_swap');
    const unrequested = jettonSteps({
      owner: A.user,
      wallet: A['user wallet'],
      receiver: A.vault,
      receiverWallet: A['vault wallet'],
      amount: 1n,
      payload: payload(0xe3a0d483),
      sends: [twoPools],
    });
    expect(types(unrequested)).not.toContain('jetton_swap');
  });
});

const TARGETS = (cell: Builder) => storeAsset(storeAsset(cell.storeBit(0), 4), 4, A.jetton);
const AMOUNTS = (cell: Builder) => cell.storeCoins(1n).storeCoins(500n).storeCoins(900n);

/** What the vault sends after it received a deposit. */
function toFactory(sends: readonly Step[], deploys = false): Step {
  const made: Step = { to: A.contract, body: op(0x9b3aa3fa), deploys };
  return { to: A.factory, body: op(0xf04ec526, 7), sends: [made, ...sends] };
}

const tonSide = (sends: readonly Step[], deploys = false): Step => ({
  to: A['TON vault'],
  value: 600n,
  body: TARGETS(op(0xd55e4686, 7).storeCoins(500n)).storeRef(AMOUNTS(beginCell()).endCell()),
  sends: [toFactory(sends, deploys)],
});

const jettonSide = (
  sends: readonly Step[],
  params: Cell = payload(0x40e108d6, (c) => AMOUNTS(TARGETS(c))),
): Step =>
  jettonSteps({
    owner: A.user,
    wallet: A['user wallet'],
    receiver: A.vault,
    receiverWallet: A['vault wallet'],
    amount: 900n,
    payload: params,
    sends: [toFactory(sends)],
  });

const topUp = (sends: readonly Step[] = []): Step => ({ to: A.contract, body: op(0x54240fe5, 7), sends });

const toPool = (sends: readonly Step[]): Step => {
  const targets = storeAsset(storeAsset(beginCell(), 4).storeCoins(500n), 4, A.jetton).storeCoins(900n);
  const body = op(0xb56b9598, 7)
    .storeRef(EMPTY)
    .storeAddress(to(A.user))
    .storeCoins(1n)
    .storeRef(targets.endCell());
  return { to: A.pool, body: body.storeBit(0).storeBit(0), sends };
};

const minted: Step = {
  to: A['LP wallet'],
  body: op(0x178d4519, 7).storeCoins(77n).storeAddress(null).storeAddress(null).storeCoins(0),
};

describe('DeDust deposits', () => {
  it('are recognised for the first side alone', () => {
    const deposit = { dex: 'dedust', target_asset_2: 'jetton', target_amount_1: 500n, target_amount_2: 900n };
    const [ton, deployed] = summarize(tonSide([topUp()], true));
    expect(ton).toEqual({
      type: 'dex_deposit_liquidity',
      success: true,
      source: 'user',
      destination_secondary: 'contract',
      dex_deposit_liquidity_data: { ...deposit, amount1: 500n },
      txs: 'tx0 tx1 tx2 tx3 tx4',
    });
    expect(deployed).toMatchObject({ type: 'contract_deploy', destination: 'contract' });
    expect(summarize(jettonSide([topUp()]))).toEqual([
      {
        type: 'dex_deposit_liquidity',
        success: true,
        source: 'user',
        destination_secondary: 'contract',
        dex_deposit_liquidity_data: {
          ...deposit,
          asset1: 'jetton',
          amount1: 900n,
          user_jetton_wallet_1: 'user wallet',
        },
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6',
      },
    ]);
  });

  it('join both sides in a trace, the first one first', () => {
    const back = jettonSteps({
      owner: A.vault,
      wallet: A['vault wallet'],
      receiver: A.user,
      receiverWallet: A['user wallet'],
      amount: 3n,
    });
    const destroyed: Step = {
      to: A.contract,
      body: op(0xaae79256),
      sends: [{ to: A.vault, body: op(0x6b0b787f), sends: [back] }],
    };
    const actions = summarize(jettonSide([topUp()]), tonSide([topUp([toPool([minted, destroyed])])]));
    expect(actions).toEqual([
      {
        type: 'dex_deposit_liquidity',
        success: true,
        source: 'user',
        destination: 'pool',
        destination_secondary: 'contract',
        dex_deposit_liquidity_data: {
          dex: 'dedust',
          asset1: 'jetton',
          amount1: 900n,
          user_jetton_wallet_1: 'user wallet',
          amount2: 500n,
          lp_tokens_minted: 77n,
          target_asset_1: 'jetton',
          target_amount_1: 500n,
          target_amount_2: 900n,
          vault_excesses: [{ asset: 'jetton', amount: 3n }],
        },
        txs: Array.from({ length: 18 }, (_, number) => `tx${number}`).join(' '),
      },
    ]);
  });

  it('have the refunds of a rejected deposit', () => {
    const rejected: Step = {
      to: A.contract,
      body: op(0xe1a36cd4),
      sends: [
        { to: A.user, value: 1n },
        { to: A['TON vault'], body: op(0x6b0b787f), sends: [tonPaid] },
        { to: A.vault, body: op(0x6b0b787f), sends: [{ to: A['vault wallet'], body: op(0x0f8a7ea5, 1) }] },
      ],
    };
    const [action, ...others] = summarize(jettonSide([topUp([toPool([rejected])])]));
    expect(action).toMatchObject({
      type: 'dex_deposit_liquidity',
      success: false,
      destination: 'pool',
      source: 'user',
      dex_deposit_liquidity_data: {
        dex: 'dedust',
        asset1: 'jetton',
        amount1: 900n,
        user_jetton_wallet_1: 'user wallet',
        vault_excesses: [{ asset: null, amount: 44n }],
      },
    });
    expect(typesOf(others)).toEqual(['call_contract']);
  });

  it('stay separate if they cannot belong together', () => {
    const final = tonSide([topUp([toPool([minted])])]);
    const types = (...sends: Step[]) =>
      typesOf(summarize(...sends)).filter((type) => type !== 'call_contract');
    expect(types(jettonSide([topUp()]), jettonSide([topUp()]), final)).toHaveLength(3);
    expect(types(tonSide([topUp()]), final)).toHaveLength(2);
    expect(types(jettonSide([topUp()]), final)).toHaveLength(1);
  });

  it('are contract calls for other bodies or unknown pool logs', () => {
    const types = (...sends: Step[]) => new Set(typesOf(summarize(...sends)));
    expect(types(jettonSide([topUp()], payload(0x40e108d7)))).not.toContain('dex_deposit_liquidity');
    expect(types(tonSide([topUp([toPool([])])]))).toEqual(new Set(['call_contract']));
    const broken = { ...toPool([minted]), body: op(0xb56b9598, 7) };
    expect(types(tonSide([topUp([broken])]))).toEqual(new Set(['call_contract']));
  });
});

describe('DeDust withdrawals', () => {
  const burn = (sends: Step[]): Step => ({
    to: A['LP wallet'],
    body: op(0x595f07bc, 7).storeCoins(77n).storeAddress(to(A.user)),
    sends: [{ to: A.pool, body: op(0x7bdd97de, 7), sends }],
  });
  const jettons = payOut(A.vault, 900n, [
    jettonSteps({
      owner: A.vault,
      wallet: A['vault wallet'],
      receiver: A.user,
      receiverWallet: A['user wallet'],
      amount: 900n,
    }),
  ]);

  it('have both assets', () => {
    expect(summarize(burn([payOut(A['TON vault'], 500n, [tonPaid]), jettons]))).toEqual([
      {
        type: 'dex_withdraw_liquidity',
        success: true,
        source: 'user',
        source_secondary: 'LP wallet',
        destination: 'pool',
        asset: 'pool',
        dex_withdraw_liquidity_data: {
          is_refund: false,
          dex: 'dedust',
          amount1: 500n,
          dex_wallet_1: 'TON vault',
          lp_tokens_burnt: 77n,
          amount2: 900n,
          asset2_out: 'jetton',
          dex_wallet_2: 'vault',
          dex_jetton_wallet_2: 'vault wallet',
          user_jetton_wallet_2: 'user wallet',
        },
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7 tx8',
      },
    ]);
  });

  it('are burns if only one asset is paid', () => {
    expect(typesOf(summarize(burn([jettons])))).toEqual(['jetton_burn', 'call_contract', 'jetton_transfer']);
  });
});
