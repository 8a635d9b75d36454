import { Address, type Builder, beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions } from '../support/action-summaries.ts';
import { jettonSteps } from '../support/jetton-steps.ts';
import { account, op, type Step, sent, text } from '../support/trace-builder.ts';

const [OWNER, OWNER_WALLET, BORROWER] = [account('owner'), account('owner wallet'), account('borrower')];
const [MASTER, MASTER_WALLET, USER] = [account('master'), account('master wallet'), account('user contract')];
const JETTON = account('jetton');
const TON = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an;
const OTHER = 0xca9006bdn;
const known = {
  jettonWallets: {
    [OWNER_WALLET]: { owner: OWNER, jetton: JETTON },
    [MASTER_WALLET]: { owner: MASTER, jetton: JETTON },
  },
};

const raw = (address: string) => Address.parseRaw(address);
/** A body for a user's contract: the header, then the opcode. */
const toUser = (opcode: number) =>
  beginCell().storeCoins(6).storeBit(0).storeUint(0, 2).storeUint(opcode, 32).storeUint(9, 64);

describe('EVAA', () => {
  it('recognises a supply of TON', () => {
    const request = op(1, 9).storeInt(0, 2).storeUint(700n, 64).storeAddress(raw(BORROWER));
    const success = op(0x11a, 9).storeAddress(raw(BORROWER)).storeUint(TON, 256).storeUint(699n, 64);
    const user = toUser(0x11).storeUint(TON, 256).storeUint(700n, 64);
    const trace = sent(OWNER, {
      to: MASTER,
      body: request,
      sends: [
        {
          to: USER,
          body: user,
          sends: [{ to: MASTER, body: success, sends: [{ to: BORROWER, body: text('EVAA supply.') }] }],
        },
      ],
    });
    const [supply, ...parts] = summarizeActions(trace);
    expect(supply).toEqual({
      type: 'evaa_supply',
      success: true,
      source: OWNER,
      destination: BORROWER,
      destination_secondary: USER,
      amount: 699n,
      evaa_supply_data: { is_ton: true, asset_id: `0x${TON.toString(16)}`, master: MASTER },
      txs: 'tx0 tx1 tx2 tx3 tx4',
    });
    expect(parts.map(({ type, within }) => [type, within])).toEqual([
      ['call_contract', ['evaa_supply']],
      ['call_contract', ['evaa_supply']],
      ['call_contract', ['evaa_supply']],
      ['ton_transfer', ['evaa_supply']],
    ]);
  });

  it('recognises a refunded supply of jettons', () => {
    const payload = beginCell().storeUint(1, 32).storeInt(0, 2).storeAddress(raw(OWNER)).endCell();
    const back = jettonSteps({
      owner: USER,
      wallet: MASTER_WALLET,
      receiver: OWNER,
      receiverWallet: OWNER_WALLET,
      amount: 50n,
    });
    const supply = {
      owner: OWNER,
      wallet: OWNER_WALLET,
      receiver: MASTER,
      receiverWallet: MASTER_WALLET,
      amount: 50n,
    };
    const user: Step = {
      to: USER,
      body: toUser(0x11).storeUint(OTHER, 256).storeUint(50n, 64),
      sends: [back],
    };
    const [action] = summarizeActions(sent(OWNER, jettonSteps({ ...supply, payload, sends: [user] })), known);
    expect(action).toMatchObject({
      type: 'evaa_supply',
      success: false,
      source_secondary: OWNER_WALLET,
      asset: JETTON,
      amount: 50n,
    });
    expect(action).toMatchObject({
      evaa_supply_data: {
        is_ton: false,
        asset_id: '0xca9006bd',
        master: MASTER,
        recipient_jetton_wallet: OWNER_WALLET,
      },
    });
  });

  it('recognises withdrawals with the payout or the reason of rejection', () => {
    const request = op(2, 9).storeUint(TON, 256).storeUint(700n, 64).storeAddress(raw(BORROWER));
    const collateralized = op(0x211, 9).storeAddress(raw(OWNER)).storeUint(TON, 256).storeUint(650n, 64);
    const paid: Step[] = [
      { to: BORROWER, body: op(0x211a, 9), sends: [] },
      { to: USER, body: toUser(0x211a), sends: [{ to: BORROWER, body: text('rest') }] },
    ];
    const fails: Step[] = [{ to: USER, body: toUser(0x211f), sends: [{ to: OWNER, body: op(0x211fe8, 9) }] }];
    const classify = (response: Step) =>
      summarizeActions(
        sent(OWNER, {
          to: MASTER,
          body: request,
          sends: [{ to: USER, body: toUser(0x21), sends: [response] }],
        }),
      )[0];
    const data = { is_ton: true, master: MASTER, asset_id: `0x${TON.toString(16)}` };
    const columns = {
      type: 'evaa_withdraw',
      source: OWNER,
      destination: BORROWER,
      destination_secondary: USER,
    };
    expect(classify({ to: MASTER, body: collateralized, sends: paid })).toEqual({
      ...columns,
      success: true,
      amount: 650n,
      evaa_withdraw_data: data,
      txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6',
    });
    expect(classify({ to: MASTER, body: collateralized, sends: fails })).toEqual({
      ...columns,
      success: false,
      amount: 700n,
      evaa_withdraw_data: { ...data, fail_reason: 'withdraw_no_funds_excess' },
      txs: 'tx0 tx1 tx2 tx3 tx4 tx5',
    });
    for (const [opcode, fail_reason] of [
      [0x21e6, 'withdraw_locked_excess'],
      [0x21e7, 'withdraw_not_collateralized_excess'],
      [0x21e8, 'withdraw_missing_prices_excess'],
      [0x21ec, 'withdraw_execution_crashed'],
    ] as const) {
      expect(classify({ to: OWNER, body: op(opcode, 9) })).toMatchObject({
        evaa_withdraw_data: { fail_reason },
      });
    }
  });
});

/** The request of a liquidator. */
const liquidation = () =>
  op(3, 9)
    .storeAddress(raw(BORROWER))
    .storeAddress(raw(OWNER))
    .storeUint(OTHER, 256)
    .storeUint(1n, 64)
    .storeInt(0, 2)
    .storeUint(800n, 64);

/** The response of the borrower's contract: satisfied or not. */
const responseBody = (opcode: number, details: Builder) =>
  op(opcode, 9).storeAddress(raw(BORROWER)).storeAddress(raw(OWNER)).storeUint(TON, 256).storeRef(details);

const satisfied = responseBody(
  0x311,
  beginCell()
    .storeInt(-1, 64)
    .storeUint(790n, 64)
    .storeUint(2n, 64)
    .storeInt(-3, 64)
    .storeUint(OTHER, 256)
    .storeInt(-4, 64)
    .storeUint(55n, 64),
);
const unsatisfied = (code: Builder) =>
  responseBody(
    0x31f,
    beginCell()
      .storeUint(800n, 64)
      .storeUint(OTHER, 256)
      .storeUint(1n, 64)
      .storeUint(0n, 64)
      .storeRef(Cell.EMPTY)
      .storeBuilder(code),
  );

describe('an EVAA liquidation', () => {
  const columns = { type: 'evaa_liquidate', source: OWNER, destination: BORROWER, asset: String(OTHER) };
  const classify = (...responses: readonly Step[]) =>
    summarizeActions(sent(OWNER, { to: MASTER, body: liquidation(), sends: responses }))[0];
  const byUser = (body: Builder, ...sends: readonly Step[]): Step => ({
    to: USER,
    body: toUser(0x31),
    sends: [{ to: MASTER, body, sends }],
  });

  it('has the reward of the liquidator', () => {
    const paid = { to: OWNER, body: op(0x311d, 9) };
    expect(classify(byUser(satisfied, { to: USER, body: toUser(0x311a) }, paid))).toEqual({
      ...columns,
      success: true,
      destination_secondary: USER,
      amount: 55n,
      evaa_liquidate_data: { asset_id: '0xca9006bd', debt_amount: 790n },
      txs: 'tx0 tx1 tx2 tx3 tx4 tx5',
    });
  });

  it('has the reason of a failure', () => {
    const refund = { to: OWNER, body: op(0x311f, 9) };
    const failed = { ...columns, success: false, destination_secondary: USER, amount: 0n };
    for (const [code, fail_reason] of [
      [beginCell().storeUint(0xe003, 32), 'not_liquidatable'],
      [beginCell().storeUint(0xe0ff, 32), 'unknown'],
      [beginCell(), 'parse_error'],
    ] as const) {
      expect(classify(byUser(unsatisfied(code), refund))).toEqual({
        ...failed,
        evaa_liquidate_data: { asset_id: '0xca9006bd', debt_amount: 800n, fail_reason },
        txs: 'tx0 tx1 tx2 tx3 tx4',
      });
    }
    for (const revert of [op(0x311f, 9), toUser(0x311f)]) {
      expect(classify(byUser(satisfied, { to: USER, body: revert }, refund))).toMatchObject({
        ...failed,
        evaa_liquidate_data: { fail_reason: 'master_not_enough_liquidity' },
      });
    }
  });

  it('is recognised if the master rejected it at once', () => {
    const immediate = {
      success: false,
      amount: 0n,
      evaa_liquidate_data: { fail_reason: 'immediate_rejection', debt_amount: 800n },
    };
    const bounced = classify({ to: OWNER, body: op(0xffffffff).storeUint(3, 32) });
    expect(bounced).toMatchObject({ ...columns, ...immediate, txs: 'tx0 tx1 tx2' });
    expect(bounced).not.toHaveProperty('destination_secondary');
    const payment = {
      owner: OWNER,
      wallet: OWNER_WALLET,
      receiver: MASTER,
      receiverWallet: MASTER_WALLET,
      amount: 800n,
    };
    const back = jettonSteps({
      owner: MASTER,
      wallet: MASTER_WALLET,
      receiver: OWNER,
      receiverWallet: OWNER_WALLET,
      amount: 800n,
    });
    const trace = sent(OWNER, jettonSteps({ ...payment, payload: liquidation().endCell(), sends: [back] }));
    expect(summarizeActions(trace, known)[0]).toMatchObject({ ...columns, ...immediate });
  });

  it('is a contract call for bodies of another layout', () => {
    const bounce = { to: OWNER, body: op(0xffffffff) };
    const types = (body: Builder) =>
      summarizeActions(sent(OWNER, { to: MASTER, body, sends: [bounce] })).map(({ type }) => type);
    expect(types(op(3, 9))).toEqual(['call_contract', 'call_contract']);
    expect(types(liquidation())).toEqual(['evaa_liquidate', 'call_contract', 'call_contract']);
  });
});
