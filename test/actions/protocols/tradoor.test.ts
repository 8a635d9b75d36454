import { type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf } from '../support/action-summaries.ts';
import { accountsNamed, log, to } from '../support/dex-steps.ts';
import { op, sent } from '../support/trace-builder.ts';

const { trader, other } = accountsNamed('trader', 'other');
const POOL = '0:1B31DE77FBF382B1023AD114D383E191506366D6E14AF8C6264699081D3A2309';

const logged = (body: Builder, pool = POOL) =>
  summarizeActions(sent(trader, { to: pool, body: op(0x1234_5678), sends: [log(body)] }));

const order = () =>
  op(0xad8e31ef)
    .storeUint(11, 8)
    .storeUint(4, 16)
    .storeAddress(to(trader))
    .storeBit(1)
    .storeCoins(100n)
    .storeCoins(2000n)
    .storeUint(31n, 128)
    .storeBit(0)
    .storeCoins(5n)
    .storeUint(77, 64)
    .storeUint(8, 64)
    .storeUint(1_700_000_000, 32);

const position = (opcode: number) =>
  op(opcode)
    .storeUint(8, 64)
    .storeUint(77, 64)
    .storeUint(12, 8)
    .storeUint(9, 64)
    .storeAddress(to(trader))
    .storeUint(4, 16)
    .storeBit(0)
    .storeInt(-100n, 128)
    .storeCoins(50n)
    .storeInt(-2000n, 128)
    .storeCoins(1000n)
    .storeRef(beginCell().storeUint(31n, 128).storeUint(30n, 128));

const parties = { success: true, source: trader, destination: POOL };

describe('a log of Tradoor', () => {
  it('is an order, beside the message that placed it', () => {
    const actions = logged(order());
    expect(typesOf(actions)).toEqual(['call_contract', 'tradoor_order']);
    expect(actions[1]).toEqual({
      ...parties,
      type: 'tradoor_order',
      tradoor_order_data: {
        op_type: 11,
        token_id: 4,
        is_long: true,
        margin_delta: 100n,
        size_delta: 2000n,
        trigger_price: 31n,
        trigger_above: false,
        execution_fee: 5n,
        order_id: 77n,
      },
      txs: 'tx1',
    });
  });

  it.each([
    ['an increase', 0x47596abe, true],
    ['a decrease', 0x2353464c, false],
  ])('is %s of a position', (_, opcode, is_increase) => {
    expect(logged(position(opcode))[1]).toEqual({
      ...parties,
      type: 'tradoor_position',
      tradoor_position_data: {
        is_increase,
        op_type: 12,
        token_id: 4,
        is_long: false,
        position_id: 9n,
        order_id: 77n,
        margin_delta: -100n,
        margin_after: 50n,
        size_delta: -2000n,
        size_after: 1000n,
        trade_price: 31n,
        entry_price: 30n,
      },
      txs: 'tx1',
    });
  });

  it('counts only from a pool', () => {
    expect(typesOf(logged(order(), other))).toEqual(['call_contract']);
    expect(typesOf(logged(beginCell().storeUint(0xad8e31ef, 32)))).toEqual(['call_contract']);
  });
});
