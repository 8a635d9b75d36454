import { Address, beginCell, type Cell, storeMessage } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import {
  isNominatorPoolCode,
  type PoolEvents,
  poolEvents,
  readNominatorPool,
} from '../../../src/chain/contracts/nominator-pool.ts';
import { readMessage } from '../../../src/chain/tlb/message.ts';
import type { Transaction } from '../../../src/chain/tlb/transaction.ts';
import { type MadePool, madePoolData } from '../../support/made-pool.ts';

const [ALICE, BOB, CAROL] = ['11', '22', '33'].map((byte) => byte.repeat(32)) as [string, string, string];
const ELECTOR = new Address(-1, Buffer.alloc(32, 0x33));
const SOMEBODY = new Address(0, Buffer.alloc(32, 0x44));
const POOL = new Address(-1, Buffer.alloc(32, 0x77));
const STAKE_RETURNED = 0xf96f7324;

const read = (pool: MadePool) => readNominatorPool(madePoolData(pool).toBoc())!;

type Cause = Pick<Transaction, 'inMessage' | 'description'>;

const ran = (success: boolean, aborted = !success) =>
  ({ kind: 'ord', aborted, compute: { skipped: false, success } }) as Transaction['description'];

function caused(src: Address, body: Cell, description = ran(true)): Cause {
  const info = {
    type: 'internal' as const,
    ihrDisabled: true,
    bounce: true,
    bounced: false,
    src,
    dest: POOL,
    value: { coins: 10n ** 9n },
    ihrFee: 0n,
    forwardFee: 0n,
    createdLt: 1n,
    createdAt: 1,
  };
  const bag = fromCoreCell(beginCell().store(storeMessage({ info, body })).endCell());
  return { inMessage: readMessage(bag, bag.root), description };
}

const bodyOf = (opcode: number, queryId?: bigint) => {
  const body = beginCell().storeUint(opcode, 32);
  return (queryId === undefined ? body : body.storeUint(queryId, 64)).endCell();
};
const RETURNED = caused(ELECTOR, bodyOf(STAKE_RETURNED, 77n));
const OTHER = caused(SOMEBODY, bodyOf(0));

const happened = (cause: Cause, before: MadePool | undefined, after: MadePool): PoolEvents =>
  poolEvents(cause, before && read(before), read(after));

/** Type, whose, amount, then balance, pending and request before and after. */
const told = ({ nominators }: PoolEvents) =>
  nominators.map(({ nominator, type, amount, before, after }) => [
    type,
    nominator.toString('hex').slice(2, 4),
    Number(amount),
    ...[before, after].map(
      ({ balance, pending, hasRequest }) => `${balance}+${pending}${hasRequest ? ' wants' : ''}`,
    ),
  ]);

describe('data of a nominator pool', () => {
  it('has the fields that events depend on', () => {
    expect(
      read({
        validatorAmount: 10n ** 13n,
        validator: 'ab'.repeat(32),
        share: 1234,
        nominators: { [BOB]: [5n, 6n], [ALICE]: [0n, 0n] },
        requests: [BOB],
        stakeAt: 1_790_000_000,
      }),
    ).toEqual({
      validatorAmount: 10n ** 13n,
      validator: Buffer.from(`ff${'ab'.repeat(32)}`, 'hex'),
      validatorRewardShare: 1234,
      nominators: new Map([
        [`00${ALICE}`, { balance: 0n, pending: 0n }],
        [`00${BOB}`, { balance: 5n, pending: 6n }],
      ]),
      withdrawRequests: new Set([`00${BOB}`]),
      stakeAt: 1_790_000_000,
    });
  });

  it('lists nominators by ascending address', () => {
    const { nominators } = read({ nominators: { [CAROL]: [1n, 0n], [ALICE]: [1n, 0n], [BOB]: [1n, 0n] } });
    expect([...nominators.keys()]).toEqual([ALICE, BOB, CAROL].map((hash) => `00${hash}`));
  });

  it('is refused if it is laid out in another way', () => {
    expect(readNominatorPool(beginCell().endCell().toBoc())).toBeUndefined();
    expect(readNominatorPool(beginCell().storeUint(1, 200).endCell().toBoc())).toBeUndefined();
    const some = (count: number) => Array.from({ length: count }, (_, i) => i.toString(16).padStart(64, '0'));
    const kept = (count: number) => Object.fromEntries(some(count).map((hash) => [hash, [1n, 0n] as const]));
    expect(read({ nominators: kept(1000), requests: some(1000) }).nominators.size).toBe(1000);
    expect(read({ nominators: kept(1001) })).toBeUndefined();
    expect(read({ requests: some(1001) })).toBeUndefined();
  });

  it('belongs to a known code', () => {
    expect(isNominatorPoolCode(Buffer.from('mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=', 'base64'))).toBe(
      true,
    );
    expect(isNominatorPoolCode(Buffer.alloc(32))).toBe(false);
    expect(isNominatorPoolCode(undefined)).toBe(false);
  });
});

describe('events of nominators', () => {
  it('a first deposit, and a second one that is pending while a stake is out', () => {
    expect(told(happened(OTHER, {}, { nominators: { [ALICE]: [50n, 0n] } }))).toEqual([
      ['deposit', '11', 50, '0+0', '50+0'],
    ]);
    const before = { nominators: { [ALICE]: [50n, 0n], [BOB]: [1n, 1n] } } as const;
    expect(
      told(happened(OTHER, before, { nominators: { ...before.nominators, [ALICE]: [50n, 7n] } })),
    ).toEqual([['deposit', '11', 7, '50+0', '50+7']]);
  });

  it('a reward and the activation of a pending deposit in one transaction are chained', () => {
    const events = happened(
      RETURNED,
      { nominators: { [ALICE]: [50n, 7n], [BOB]: [100n, 0n], [CAROL]: [0n, 9n] }, requests: [BOB] },
      { nominators: { [ALICE]: [60n, 0n], [BOB]: [106n, 0n], [CAROL]: [9n, 0n] }, requests: [BOB] },
    );
    expect(told(events)).toEqual([
      ['reward', '11', 3, '50+7', '53+7'],
      ['pending_deposit_activation', '11', 7, '53+7', '60+0'],
      ['reward', '22', 6, '100+0 wants', '106+0 wants'],
      ['pending_deposit_activation', '33', 9, '0+9', '9+0'],
    ]);
  });

  it('a stake that lost gives a negative reward', () => {
    const events = happened(
      RETURNED,
      { nominators: { [ALICE]: [50n, 0n] } },
      { nominators: { [ALICE]: [40n, 0n] } },
    );
    expect(told(events)).toEqual([['reward', '11', -10, '50+0', '40+0']]);
  });

  it('a withdrawal request, and the withdrawals of two nominators in one transaction', () => {
    const both = { nominators: { [ALICE]: [50n, 0n], [BOB]: [30n, 2n] } } as const;
    expect(told(happened(OTHER, both, { ...both, requests: [ALICE] }))).toEqual([
      ['withdrawal_request', '11', 0, '50+0', '50+0 wants'],
    ]);
    expect(told(happened(OTHER, { ...both, requests: [ALICE, BOB] }, {}))).toEqual([
      ['withdrawal', '11', 50, '50+0 wants', '0+0'],
      ['withdrawal', '22', 32, '30+2 wants', '0+0'],
    ]);
  });

  it('a request that returns the pending deposit at once has two events', () => {
    const events = happened(
      OTHER,
      { nominators: { [ALICE]: [50n, 7n] } },
      { nominators: { [ALICE]: [50n, 0n] }, requests: [ALICE] },
    );
    expect(told(events)).toEqual([
      ['withdrawal', '11', 7, '50+7', '50+0'],
      ['withdrawal_request', '11', 0, '50+0', '50+0 wants'],
    ]);
  });

  it('nothing changes, nothing happens; a pool that was just deployed had nothing', () => {
    const pool = { nominators: { [ALICE]: [50n, 7n] }, requests: [ALICE], validatorAmount: 5n } as const;
    expect(happened(OTHER, pool, pool)).toEqual({ nominators: [], validator: undefined });
    expect(told(happened(OTHER, undefined, { nominators: { [ALICE]: [5n, 0n] } }))).toEqual([
      ['deposit', '11', 5, '0+0', '5+0'],
    ]);
  });

  it.each([
    ['from somebody else', caused(SOMEBODY, bodyOf(STAKE_RETURNED, 1n))],
    ['with another opcode', caused(ELECTOR, bodyOf(0xfffffffe, 1n))],
    ['of an aborted transaction', caused(ELECTOR, bodyOf(STAKE_RETURNED, 1n), ran(true, true))],
    ['of a failed run', caused(ELECTOR, bodyOf(STAKE_RETURNED, 1n), ran(false, false))],
    ['of a tick', { inMessage: undefined, description: { kind: 'tick_tock' } } as Cause],
  ])('a message %s returns no stake', (_, cause) => {
    const events = happened(cause, {}, { nominators: { [ALICE]: [5n, 0n] } });
    expect(events.nominators.map(({ type }) => type)).toEqual(['deposit']);
  });
});

describe('events of the validator', () => {
  const validatorOf = (cause: Cause, before: MadePool | undefined, after: MadePool) =>
    happened(cause, before, after).validator;
  const common = { validator: Buffer.from(`ff${'66'.repeat(32)}`, 'hex'), validatorRewardShare: 4000 };

  it('rewards and penalties come with the stake, and have the election that it was sent for', () => {
    const before = { validatorAmount: 100n, stakeAt: 1_789_900_000 };
    const told = { ...common, queryId: 77n, cycleStart: 1_789_900_000, balanceBefore: 100n };
    expect(validatorOf(RETURNED, before, { validatorAmount: 108n })).toEqual({
      ...told,
      type: 'reward',
      balanceAfter: 108n,
    });
    expect(validatorOf(RETURNED, before, { validatorAmount: 90n })).toEqual({
      ...told,
      type: 'penalty',
      balanceAfter: 90n,
    });
    expect(
      validatorOf(RETURNED, { validatorAmount: 1n }, { validatorAmount: 2n })?.cycleStart,
    ).toBeUndefined();
  });

  it('deposits by opcode 4, withdraws by 5; other causes are no events', () => {
    const by = (opcode: number, queryId?: bigint) => caused(SOMEBODY, bodyOf(opcode, queryId));
    const before = { validatorAmount: 10n, stakeAt: 5 };
    expect(validatorOf(by(4, 9n), before, { validatorAmount: 15n })).toEqual({
      ...common,
      type: 'deposit',
      queryId: 9n,
      cycleStart: undefined,
      balanceBefore: 10n,
      balanceAfter: 15n,
    });
    expect(validatorOf(by(5), before, { validatorAmount: 3n })).toMatchObject({
      type: 'withdrawal',
      queryId: undefined,
      balanceAfter: 3n,
    });
    expect(validatorOf(by(6, 1n), before, { validatorAmount: 3n })).toBeUndefined();
    expect(validatorOf(by(4, 1n), before, before)).toBeUndefined();
  });

  it('are of the validator and the share before', () => {
    const after = { validatorAmount: 2n, validator: 'aa'.repeat(32), share: 1 };
    expect(validatorOf(RETURNED, { validatorAmount: 1n }, after)).toMatchObject(common);
    expect(validatorOf(RETURNED, undefined, after)).toMatchObject({ validatorRewardShare: 1 });
  });
});
