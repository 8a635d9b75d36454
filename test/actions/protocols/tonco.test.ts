import { beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf, withNames } from '../support/action-summaries.ts';
import { accountsNamed, EMPTY, payload, ptonIn, ptonOut, to } from '../support/dex-steps.ts';
import { jettonSteps } from '../support/jetton-steps.ts';
import { op, type Step, sent } from '../support/trace-builder.ts';

const A = {
  ...accountsNamed(
    ...(['user', 'user wallet', 'jetton', 'router', 'router wallet', 'pool', 'second pool'] as const),
    ...(['other jetton', 'other wallet', 'router other wallet', 'account', 'position'] as const),
  ),
  pTON: '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
  'router TON wallet': '0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17',
};
const known = {
  jettonWallets: {
    [A['user wallet']]: { owner: A.user, jetton: A.jetton },
    [A['router wallet']]: { owner: A.router, jetton: A.jetton },
    [A['router TON wallet']]: { owner: A.router, jetton: A.pTON },
    [A['other wallet']]: { owner: A.user, jetton: A['other jetton'] },
    [A['router other wallet']]: { owner: A.router, jetton: A['other jetton'] },
  },
  nftItems: { [A.position]: { index: 4n, collection: A.pool, owner: A.user } },
};

function summarize(...sends: Step[]) {
  return withNames(summarizeActions(sent(A.user, ...sends), known), A);
}

function swap(pool: string, wallet: string, sends: Step[]): Step {
  const terms = beginCell().storeCoins(9n).storeUint(0, 160).storeCoins(1n).endCell();
  const body = op(0xa7fb58f8, 7).storeAddress(to(A.user)).storeAddress(to(wallet));
  return { to: pool, body: body.storeRef(terms).storeRef(EMPTY), sends };
}

function payTo(exit: number, sides: [string, bigint, string, bigint], sends: Step[]): Step {
  const [wallet0, amount0, wallet1, amount1] = sides;
  const coins = beginCell().storeCoins(amount0).storeAddress(to(wallet0)).storeCoins(amount1);
  const receiver = to(A.user);
  const body = op(0xa1daa96d, 7)
    .storeAddress(receiver)
    .storeAddress(receiver)
    .storeUint(exit, 32)
    .storeUint(3, 64);
  return { to: A.router, body: body.storeMaybeRef(coins.storeAddress(to(wallet1)).endCell()), sends };
}

const jettonsOut = (amount: bigint, isOther = false) =>
  jettonSteps({
    owner: A.router,
    wallet: A[isOther ? 'router other wallet' : 'router wallet'],
    receiver: A.user,
    receiverWallet: A[isOther ? 'other wallet' : 'user wallet'],
    amount,
  });
const router = { owner: A.router, user: A.user };

function swapParams(wallet: string, minOut: bigint, next: Cell | null = null): Cell {
  return payload(0xa7fb58f8, (cell) =>
    cell
      .storeAddress(to(wallet))
      .storeUint(0, 160)
      .storeCoins(minOut)
      .storeAddress(to(A.user))
      .storeMaybeRef(next),
  );
}

describe('TONCO swaps', () => {
  const fromTon = (forward: Cell, sends: Step[]) =>
    ptonIn(A['router TON wallet'], router, 100n, forward, sends);

  it('go through two pools', () => {
    const second = payTo(
      200,
      [A['router wallet'], 0n, A['router other wallet'], 33n],
      [jettonsOut(33n, true)],
    );
    const between = jettonSteps({
      owner: A.router,
      wallet: A['router wallet'],
      receiver: A.router,
      receiverWallet: A['router wallet'],
      amount: 70n,
      sends: [swap(A['second pool'], A['router wallet'], [second])],
    });
    const first = payTo(200, [A['router wallet'], 70n, A['router TON wallet'], 0n], [between]);
    expect(summarize(fromTon(EMPTY, [swap(A.pool, A['router TON wallet'], [first])]))).toEqual([
      {
        type: 'jetton_swap',
        success: true,
        source: 'user',
        destination: 'user',
        destination_secondary: 'other wallet',
        asset2: 'other jetton',
        jetton_swap_data: {
          dex: 'tonco',
          sender: 'user',
          min_out_amount: 33n,
          dex_incoming_transfer: {
            amount: 100n,
            asset: null,
            source: 'user',
            destination: 'router',
            source_jetton_wallet: null,
            destination_jetton_wallet: 'router TON wallet',
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
            { asset_in: null, amount_in: 100n, asset_out: 'jetton', amount_out: 70n },
            { asset_in: 'jetton', amount_in: 70n, asset_out: 'other jetton', amount_out: 33n },
          ],
        },
        txs: Array.from({ length: 13 }, (_, number) => `tx${number}`).join(' '),
      },
    ]);
  });

  it('have the requested asset if TON was refunded', () => {
    const back = payTo(
      1,
      [A['router wallet'], 0n, A['router TON wallet'], 100n],
      [ptonOut(A['router TON wallet'], A.user, 100n)],
    );
    const forward = swapParams(A['router wallet'], 60n, swapParams(A['router other wallet'], 30n));
    const [action, ...others] = summarize(fromTon(forward, [swap(A.pool, A['router TON wallet'], [back])]));
    expect(others).toEqual([]);
    expect(action).toMatchObject({ type: 'jetton_swap', success: false, asset2: 'other jetton' });
    expect(action!.jetton_swap_data).toMatchObject({
      min_out_amount: 30n,
      dex_outgoing_transfer: { asset: null, amount: 100n, destination: 'user' },
    });
    const [less] = summarize(fromTon(EMPTY, [swap(A.pool, A['router TON wallet'], [back])]));
    expect(less).toMatchObject({ success: false, jetton_swap_data: { min_out_amount: 100n } });
    expect(less).not.toHaveProperty('asset2');
  });

  it('are contract calls for another body', () => {
    const broken = {
      ...payTo(0, [A['router wallet'], 1n, A['router wallet'], 1n], [jettonsOut(1n)]),
      body: op(0xa1daa96d),
    };
    expect(
      typesOf(summarize(fromTon(EMPTY, [swap(A.pool, A['router TON wallet'], [broken])]))),
    ).not.toContain('jetton_swap');
  });
});

describe('TONCO deposits', () => {
  const add = (amounts: [bigint, bigint], sends: Step[]): Step => {
    const body = op(0x3ebe5431, 7)
      .storeCoins(amounts[0])
      .storeCoins(amounts[1])
      .storeCoins(400n)
      .storeCoins(90n);
    const fund = op(0x4468de77, 7);
    const position = body.storeUint(1_000_000n, 128).storeInt(-30, 24).storeInt(60, 24);
    return { to: A.pool, body: fund, sends: [{ to: A.account, body: position, sends }] };
  };
  const forward = (wallet: string) =>
    payload(0x4468de77, (cell) => cell.storeAddress(to(wallet)).storeCoins(1n).storeCoins(1n));
  const targets = {
    dex: 'tonco',
    target_amount_1: 400n,
    target_amount_2: 90n,
    target_asset_2: 'jetton',
    tick_lower: -30,
    tick_upper: 60,
  };
  const fees = beginCell().storeUint(0, 256).storeUint(0, 256).storeUint(4, 64).endCell();
  const made: Step = {
    to: A.position,
    deploys: true,
    body: op(0xd5ecca2a, 7)
      .storeAddress(to(A.user))
      .storeUint(1_000_000n, 128)
      .storeInt(-30, 24)
      .storeInt(60, 24)
      .storeRef(fees),
  };

  it('are recognised for the first side', () => {
    const given = ptonIn(A['router TON wallet'], router, 500n, forward(A['router wallet']), [
      add([500n, 0n], []),
    ]);
    expect(summarize(given)).toEqual([
      {
        type: 'dex_deposit_liquidity',
        success: true,
        source: 'user',
        destination: 'pool',
        destination_secondary: 'account',
        dex_deposit_liquidity_data: { ...targets, amount1: 500n, vault_excesses: [] },
        txs: 'tx0 tx1 tx2 tx3 tx4',
      },
    ]);
  });

  it('have position and refunds on the second side', () => {
    const rest = payTo(
      0,
      [A['router TON wallet'], 9n, A['router wallet'], 2n],
      [ptonOut(A['router TON wallet'], A.user, 9n), jettonsOut(2n)],
    );
    const complete = {
      to: A.pool,
      body: op(0x81702ef8, 7),
      sends: [rest, made, { to: A.user, body: op(0xd53276db, 7) }],
    };
    const given = jettonSteps({
      owner: A.user,
      wallet: A['user wallet'],
      receiver: A.router,
      receiverWallet: A['router wallet'],
      amount: 92n,
      payload: forward(A['router TON wallet']),
      sends: [add([0n, 92n], [complete])],
    });
    const [deposit, ...others] = summarize(given);
    expect(typesOf(others)).toEqual(['contract_deploy']);
    expect(deposit).toEqual({
      type: 'dex_deposit_liquidity',
      success: true,
      source: 'user',
      source_secondary: 'user wallet',
      destination: 'pool',
      destination_secondary: 'account',
      dex_deposit_liquidity_data: {
        ...targets,
        asset1: 'jetton',
        amount1: 92n,
        user_jetton_wallet_2: 'user wallet',
        lp_tokens_minted: 1_000_000n,
        nft_index: 4n,
        nft_address: 'position',
        vault_excesses: [
          { asset: null, amount: 9n },
          { asset: 'jetton', amount: 2n },
        ],
      },
      txs: Array.from({ length: 15 }, (_, number) => `tx${number}`).join(' '),
    });
  });

  it('are contract calls for another payload', () => {
    const given = ptonIn(A['router TON wallet'], router, 500n, payload(0x4468de78), [add([500n, 0n], [])]);
    expect(new Set(typesOf(summarize(given)))).toEqual(new Set(['call_contract']));
  });
});

describe('TONCO withdrawals', () => {
  const burn = (exit: number, sends: Step[]) => {
    const payment = payTo(exit, [A['router TON wallet'], 400n, A['router wallet'], 90n], sends);
    const pool: Step = {
      to: A.pool,
      body: op(0xd73ac09d, 7).storeAddress(to(A.user)).storeUint(4, 64),
      sends: [payment],
    };
    const position = { to: A.position, body: op(0x46ca335a, 7).storeAddress(to(A.user)), sends: [pool] };
    const body = op(0x530b5f2c, 7).storeUint(4, 64).storeUint(1_000n, 128).storeInt(-30, 24).storeInt(60, 24);
    return { to: A.pool, body, sends: [position] };
  };
  const common = {
    dex: 'tonco',
    amount1: 400n,
    amount2: 90n,
    asset2_out: 'jetton',
    lp_tokens_burnt: 1_000n,
    burned_nft_index: 4n,
    burned_nft_address: 'position',
    tick_lower: -30,
    tick_upper: 60,
  };

  it('have the assets in pool order', () => {
    const [action, ...others] = summarize(
      burn(201, [jettonsOut(90n), ptonOut(A['router TON wallet'], A.user, 400n)]),
    );
    expect(others).toEqual([]);
    expect(action).toMatchObject({
      type: 'dex_withdraw_liquidity',
      success: true,
      source: 'user',
      destination: 'pool',
    });
    expect(action!.dex_withdraw_liquidity_data).toEqual({
      ...common,
      dex_wallet_1: 'router',
      dex_wallet_2: 'router',
      dex_jetton_wallet_2: 'router wallet',
      user_jetton_wallet_2: 'user wallet',
    });
  });

  it('take amounts from the log of the pool without transfers', () => {
    const [action] = summarize(burn(5, []));
    expect(action).toMatchObject({ type: 'dex_withdraw_liquidity', success: false });
    expect(action!.dex_withdraw_liquidity_data).toEqual({
      ...common,
      dex_wallet_1: 'pool',
      dex_wallet_2: 'pool',
      dex_jetton_wallet_2: 'router wallet',
      user_jetton_wallet_1: 'user',
      user_jetton_wallet_2: 'user',
    });
  });
});
