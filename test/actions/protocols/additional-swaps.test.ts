import { type Builder, beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf, withNames } from '../support/action-summaries.ts';
import { accountsNamed, EMPTY, payload, to } from '../support/dex-steps.ts';
import { jettonSteps } from '../support/jetton-steps.ts';
import type { KnownContracts } from '../support/known-contracts.ts';
import { op, type Step, sent } from '../support/trace-builder.ts';

const A = {
  ...accountsNamed(
    ...(['user', 'user wallet', 'jetton', 'pool', 'pool wallet', 'range', 'second range', 'bought'] as const),
    ...(['user other wallet', 'pool other wallet', 'router wallet', 'router other wallet'] as const),
  ),
  router: '0:310B71B340182396F5BA08903081A1EF6AB4DF571A3CA7B05EFFA44C4A3B0F92',
};
const wallets = {
  [A['user wallet']]: { owner: A.user, jetton: A.jetton },
  [A['pool wallet']]: { owner: A.pool, jetton: A.jetton },
  [A['router wallet']]: { owner: A.router, jetton: A.jetton },
  [A['user other wallet']]: { owner: A.user, jetton: A.bought },
  [A['pool other wallet']]: { owner: A.pool, jetton: A.bought },
  [A['router other wallet']]: { owner: A.router, jetton: A.bought },
};
const poolOf = (hash: string): KnownContracts => ({ jettonWallets: wallets, codeHashes: { [A.pool]: hash } });

type Name = 'user' | 'pool' | 'router';

/** A transfer of the first or the other jetton. */
function pay(
  from: Name,
  receiver: Name,
  amount: bigint,
  { payload: body, sends, other = false }: { payload?: Cell; sends?: readonly Step[]; other?: boolean } = {},
): Step {
  const walletOf = (name: Name) => (other ? A[`${name} other wallet`] : A[`${name} wallet`]);
  return jettonSteps({
    owner: A[from],
    wallet: walletOf(from),
    receiver: A[receiver],
    receiverWallet: walletOf(receiver),
    amount,
    ...(body && { payload: body }),
    ...(sends && { sends }),
  });
}

const summarize = (known: KnownContracts, ...sends: Step[]) =>
  withNames(summarizeActions(sent(A.user, ...sends), known), A);

/** The amounts and assets of the only swap. */
function swapIn(actions: ReturnType<typeof summarize>) {
  const swaps = actions.filter(({ type }) => type === 'dex_swap');
  expect(swaps).toHaveLength(1);
  const { jetton_swap_data: data, source, destination, asset = null, asset2 = null } = swaps[0]!;
  const {
    dex,
    dex_incoming_transfer: given,
    dex_outgoing_transfer: taken,
    min_out_amount,
  } = data as Record<
    string,
    // biome-ignore lint/suspicious/noExplicitAny: columns of any type
    any
  >;
  return [dex, source, destination, asset, given.amount, asset2, taken.amount, min_out_amount ?? null];
}

const visibleTo = (actions: ReturnType<typeof summarize>, type: string) =>
  actions.filter(({ within }) => !(within as string[] | undefined)?.includes(type)).map((one) => one.type);

describe('a swap on bidask', () => {
  const POOL = poolOf('v/KqDp40glzQHQgUaETayPSq7EEnLPwS5CykwUgShcE=');
  const limit = (cell: Builder) => cell.storeBit(0).storeCoins(1n).storeCoins(0n);
  const nobody = (cell: Builder) => cell.storeAddress(null).storeBit(0).storeBit(0).storeBit(0);
  const request = (amount: bigint) =>
    nobody(limit(op(0xf2ef6c1b, 7).storeCoins(amount).storeAddress(to(A.user)))).endCell();
  const intoRange = (
    opcode: number,
    range: string,
    [isX, amount]: [boolean, bigint],
    sends: Step[],
  ): Step => ({
    to: range,
    body: limit(
      op(opcode, 7).storeAddress(to(A.user)).storeBit(0).storeBit(isX).storeCoins(amount).storeCoins(0n),
    )
      .storeBit(0)
      .storeBit(0)
      .storeBit(0)
      .storeBit(0),
    sends,
  });
  const success = (isX: boolean, x: bigint, y: bigint, sends: Step[], opcode = 0x520e4831): Step => ({
    to: A.pool,
    body: op(opcode, 7)
      .storeInt(-3, 32)
      .storeUint(9n, 256)
      .storeBit(0)
      .storeCoins(x)
      .storeCoins(y)
      .storeBit(isX)
      .storeAddress(to(A.user))
      .storeUint(0, 16),
    sends,
  });
  const tons = (amount: bigint): Step => ({
    to: A.user,
    value: amount + 5n,
    body: op(0x6edd65f0, 7).storeCoins(amount).storeBit(0),
  });

  // The amounts of a swap on mainnet, 31bf2c4796206a0fe5738e235c16f06a9617b283d5eedc01291aeddd920c1050.
  const ofTons = (...sends: Step[]): Step => ({
    to: A.pool,
    value: 5300000000n,
    body: request(5211017015n),
    sends: [intoRange(0x66210c65, A.range, [true, 5211017015n], [success(true, 0n, 16392522n, sends)])],
  });

  it('of TON covers all of its messages', () => {
    const actions = summarize(POOL, ofTons(pay('pool', 'user', 16392522n)));
    expect(swapIn(actions)).toEqual(['bidask', 'user', 'user', null, 5211017015n, 'jetton', 16392522n, null]);
    expect(visibleTo(actions, 'dex_swap')).toEqual(['dex_swap']);
    expect(typesOf(actions)).toContain('dex_swap/jetton_transfer');
  });

  it('of jettons goes through several ranges, and pays the rest back', () => {
    const rest = pay('pool', 'user', 75n);
    const paid = success(false, 101340544466n, 75n, [tons(101340544466n), rest], 0xd3a25890);
    const next = { ...intoRange(0x5a6a036f, A['second range'], [false, 200n], [paid]) };
    const given = nobody(limit(beginCell().storeUint(0xf2ef6c1b, 32).storeAddress(to(A.user)))).endCell();
    const actions = summarize(
      POOL,
      pay('user', 'pool', 275000000n, {
        payload: given,
        sends: [intoRange(0x87d36990, A.range, [false, 275000000n], [next])],
      }),
    );
    expect(swapIn(actions)).toEqual([
      ...['bidask', 'user', 'user', 'jetton', 274999925n],
      ...[null, 101340544466n, null],
    ]);
    expect(visibleTo(actions, 'dex_swap')).toEqual(['jetton_transfer', 'dex_swap']);
  });

  it.each([
    ['another code', poolOf('AAAA'), ofTons(pay('pool', 'user', 16392522n))],
    ['no payout', POOL, ofTons()],
    ['another payout', POOL, ofTons(pay('pool', 'user', 5n))],
    ['no request', POOL, success(true, 0n, 9n, [pay('pool', 'user', 9n)])],
    ['a success that is cut short', POOL, { to: A.pool, body: op(0x520e4831, 7) }],
  ])('is none with %s', (_, known, step) => {
    expect(summarize(known, step).map(({ type }) => type)).not.toContain('dex_swap');
  });

  describe('at a constant product', () => {
    const PRODUCT = poolOf('oTI7bKi3ig68sMDj7FmV0Sk1VoCmLKLp8JMAvSoUBsY=');
    const terms = (cell: Builder) =>
      cell.storeAddress(to(A.user)).storeCoins(4n).storeAddress(to(A.user)).storeCoins(0n).storeBit(0);

    it('of TON', () => {
      const body = terms(op(0xdd79732c, 7).storeCoins(50n));
      const actions = summarize(PRODUCT, { to: A.pool, body, sends: [pay('pool', 'user', 6n)] });
      expect(swapIn(actions)).toEqual(['bidask', 'user', 'user', null, 50n, 'jetton', 6n, 4n]);
    });

    it.each([
      ['for TON', tons(8n), null, 8n],
      ['for jettons', pay('pool', 'user', 9n, { other: true }), 'bought', 9n],
    ])('of jettons %s', (_, paid, asset, amount) => {
      const actions = summarize(
        PRODUCT,
        pay('user', 'pool', 50n, { payload: payload(0xdd79732c, terms), sends: [paid] }),
      );
      expect(swapIn(actions)).toEqual(['bidask', 'user', 'user', 'jetton', 50n, asset, amount, 4n]);
    });

    it('is none if the jettons come back', () => {
      const back = pay('pool', 'user', 50n);
      const actions = summarize(
        PRODUCT,
        pay('user', 'pool', 50n, { payload: payload(0xdd79732c, terms), sends: [back] }),
      );
      expect(actions.map(({ type }) => type)).not.toContain('dex_swap');
    });
  });
});

describe('a swap on moon', () => {
  const POOL = poolOf('KAgWUlMoah5P5j76ubo1SBE3qsCxoPntzLj2RC3eRsQ=');
  const params = (cell: Builder) =>
    cell.storeCoins(4n).storeUint(0, 64).storeBit(0).storeBit(0).storeBit(0).storeBit(0);
  const ofTons = (...sends: Step[]): Step => ({
    to: A.pool,
    body: params(op(0xb37a900b, 7).storeCoins(61000000000n)),
    sends,
  });
  const ofJettons = (...sends: Step[]) =>
    pay('user', 'pool', 10000000n, { payload: payload(0xb37a900b, params), sends });
  const succeeded = payload(0xcb7f38d6);

  it('of TON', () => {
    const actions = summarize(POOL, ofTons(pay('pool', 'user', 134385367n, { payload: succeeded })));
    expect(swapIn(actions)).toEqual(['moon', 'user', 'user', null, 61000000000n, 'jetton', 134385367n, 4n]);
    expect(visibleTo(actions, 'dex_swap')).toEqual(['dex_swap']);
  });

  it('of jettons for TON, whose amount is not known', () => {
    const actions = summarize(POOL, ofJettons({ to: A.user, value: 9n, body: succeeded }));
    expect(swapIn(actions)).toEqual(['moon', 'user', 'user', 'jetton', 10000000n, null, null, 4n]);
  });

  it('of jettons for jettons', () => {
    const actions = summarize(POOL, ofJettons(pay('pool', 'user', 3n, { other: true, payload: EMPTY })));
    expect(swapIn(actions)).toEqual(['moon', 'user', 'user', 'jetton', 10000000n, 'bought', 3n, 4n]);
  });

  it.each([
    ['another code', poolOf('AAAA'), ofTons(pay('pool', 'user', 5n, { payload: succeeded }))],
    ['no payout', POOL, ofTons()],
    ['jettons that come back', POOL, ofJettons(pay('pool', 'user', 10000000n))],
    ['the news of a failure', POOL, ofTons(pay('pool', 'user', 5n, { payload: payload(0xc47c1f57) }))],
  ])('is none with %s', (_, known, step) => {
    expect(summarize(known, step).map(({ type }) => type)).not.toContain('dex_swap');
  });
});

describe('a swap on megaton', () => {
  const KNOWN = { jettonWallets: wallets };
  // The amounts of a swap on mainnet, e5d8031bb6e6001342fae861e94761658a96d4e6bd8ed26814ff2746ed3c38a6.
  const swap = (toUser: Step) =>
    pay('user', 'router', 100000000n, {
      sends: [
        pay('router', 'pool', 100000000n, {
          sends: [pay('pool', 'router', 131164n, { other: true, sends: [toUser] })],
        }),
      ],
    });

  it('is four transfers through the router', () => {
    const actions = summarize(KNOWN, swap(pay('router', 'user', 131164n, { other: true })));
    expect(swapIn(actions)).toEqual([
      'megaton',
      'user',
      'user',
      'jetton',
      100000000n,
      'bought',
      131164n,
      null,
    ]);
    expect(typesOf(actions)).toEqual([...Array(4).fill('dex_swap/jetton_transfer'), 'dex_swap']);
  });

  it('is none if the user gets another jetton', () => {
    const actions = summarize(KNOWN, swap(pay('router', 'user', 131164n)));
    expect(new Set(typesOf(actions))).toEqual(new Set(['jetton_transfer']));
  });
});
