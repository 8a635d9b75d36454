import { type Address, beginCell, type Cell, Dictionary, internal, toNano } from '@ton/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContractState, textComment } from '../../../src/localnet/contracts/contract.ts';
import {
  approveOrder,
  multisigOrder,
  multisigWallet,
  newOrder,
  type OrderAction,
  packOrder,
} from '../../../src/localnet/contracts/multisig.ts';
import {
  addressOf,
  at,
  cellOf,
  exitCode,
  hops,
  numberOf,
  type Person,
  type SmallChain,
  startSmallChain,
} from '../support/small-chain.ts';

const OPS = { init: 0x9c73fba2, execute: 0x75097f5d, accepted: 0x82609bf6, rejected: 0xafaf283e };

let net: SmallChain;
let ann: Person;
let ben: Person;
let cid: Person;
let dan: Person;
let wallet: ContractState;
let order: Address;
let pay: Cell;

beforeAll(async () => {
  net = await startSmallChain();
  [ann, ben, cid, dan] = await net.people('ann', 'ben', 'cid', 'dan');
  wallet = multisigWallet({
    threshold: 2,
    signers: [ann.address, ben.address, cid.address],
    proposers: [dan.address],
  });
  await net.send(ann, wallet.address, toNano('100'), undefined, wallet.init);
  pay = packOrder([send(dan.address, '7')]);
  net.save();
});

beforeEach(async () => {
  await net.reset();
  order = multisigOrder(wallet.address, 0n).address;
});

const send = (to: Address, value: string): OrderAction => ({
  kind: 'send',
  mode: 1,
  message: internal({ to, value: toNano(value), body: textComment('from all of us') }),
});

const propose = (who: Person, by: 'signer' | 'proposer', index: number, packed = pay, more: object = {}) =>
  net.send(
    who,
    wallet.address,
    toNano('0.2'),
    newOrder({ by, index, expiration: net.chain.now! + 3600, order: packed, ...more }),
  );

const approve = (who: Person, index: number, value = '0.1') =>
  net.send(who, order, toNano(value), approveOrder(index, 5n));

async function orderData() {
  const stack = await net.get(order, 'get_order_data');
  expect(stack).toHaveLength(9);
  return {
    multisig: addressOf(stack[0]),
    numbers: [1, 2, 3, 5, 6, 7].map((index) => numberOf(stack[index])),
    signers: cellOf(stack[4]),
    order: cellOf(stack[8]),
  };
}

const people = (cell: Cell) =>
  Dictionary.loadDirect(Dictionary.Keys.Uint(8), Dictionary.Values.Address(), cell).values().map(String);

describe('a multisig wallet', () => {
  it('returns its data', async () => {
    const [next, threshold, signers, proposers] = await net.get(wallet.address, 'get_multisig_data');
    expect([numberOf(next), numberOf(threshold)]).toEqual([0n, 2n]);
    expect(people(cellOf(signers))).toEqual([ann, ben, cid].map(({ address }) => `${address}`));
    expect(people(cellOf(proposers))).toEqual([`${dan.address}`]);
    const [found] = await net.get(wallet.address, 'get_order_address', [{ type: 'int', value: 0n }]);
    expect(addressOf(found)).toBe(`${order}`);
  });

  it('without proposers and with arbitrary seqnos returns no proposers and -1', async () => {
    const free = multisigWallet({ threshold: 1, signers: [ann.address], anySeqno: true });
    await net.send(ann, free.address, toNano('1'), undefined, free.init);
    const [next, , , proposers] = await net.get(free.address, 'get_multisig_data');
    expect([numberOf(next), proposers?.type]).toEqual([-1n, 'null']);
    await net.send(
      ann,
      free.address,
      toNano('0.2'),
      newOrder({ seqno: 777n, by: 'signer', index: 0, expiration: net.chain.now! + 9, order: pay }),
    );
    order = multisigOrder(free.address, 777n).address;
    // One signer is enough: the order was executed at once, though the wallet has not enough for it.
    expect((await orderData()).numbers).toEqual([777n, 1n, -1n, 1n, 1n, BigInt(net.chain.now! + 9)]);
  });

  it('accepts orders from signers and proposers only, in sequence, in time and with enough value', async () => {
    const codes = [];
    for (const result of [
      await propose(dan, 'signer', 0),
      await propose(ann, 'signer', 9),
      await propose(ann, 'signer', 0, pay, { seqno: 5n }),
      await propose(ann, 'signer', 0, pay, { expiration: net.chain.now! - 1 }),
      await net.send(
        ann,
        wallet.address,
        toNano('0.05'),
        newOrder({ by: 'signer', index: 0, expiration: net.chain.now! + 9, order: pay }),
      ),
    ])
      codes.push(exitCode(at(result, wallet.address)));
    expect(codes).toEqual([1007, 1007, 1008, 111, 100]);
  });

  it('executes its own orders only', async () => {
    const fake = beginCell()
      .storeUint(OPS.execute, 32)
      .storeUint(0, 64)
      .storeUint(0, 256)
      .storeUint(net.chain.now! + 9, 48)
      .storeUint(2, 8)
      .storeUint(0, 256)
      .storeRef(pay)
      .endCell();
    expect(exitCode(at(await net.send(ann, wallet.address, toNano('0.1'), fake), wallet.address))).toBe(101);
  });
});

describe('a multisig order', () => {
  it('returns its data', async () => {
    const result = await propose(dan, 'proposer', 0);
    expect(hops(result).slice(1)).toEqual([[`${order}`, OPS.init]]);
    const data = await orderData();
    expect(data.multisig).toBe(`${wallet.address}`);
    expect(data.numbers).toEqual([0n, 2n, 0n, 0n, 0n, BigInt(net.chain.now! + 3600)]);
    expect(people(data.signers)).toHaveLength(3);
    expect(data.order.equals(pay)).toBe(true);
    expect(numberOf((await net.get(wallet.address, 'get_multisig_data'))[0])).toBe(1n);
  });

  it('is executed after enough approvals', async () => {
    await propose(ann, 'signer', 0);
    expect((await orderData()).numbers.slice(3, 5)).toEqual([1n, 1n]);
    const before = await dan.getBalance();
    const result = await approve(cid, 2);
    expect(hops(result).map(([, op]) => op)).toEqual([0xa762230f, OPS.accepted, OPS.execute, 0]);
    expect((await orderData()).numbers.slice(2, 5)).toEqual([-1n, 5n, 2n]);
    expect((await dan.getBalance()) - before).toBeGreaterThan(toNano('6.99'));
  });

  it('can be approved by a comment', async () => {
    await propose(ann, 'signer', 0);
    const result = await net.send(ben, order, toNano('0.1'), textComment('approve'));
    expect(hops(result).map(([, op]) => op)).toContain(OPS.execute);
    expect(exitCode(at(await net.send(ben, order, toNano('0.1'), textComment('no')), order))).toBe(0xffff);
  });

  it.each([
    ['twice', 107, async () => approve(ann, 0)],
    [
      'when it was executed',
      112,
      async () => {
        await approve(ben, 1);
        return approve(cid, 2);
      },
    ],
    [
      'too late',
      111,
      async () => {
        net.chain.now! += 3601;
        return approve(ben, 1);
      },
    ],
  ])('rejects an approval %s', async (_, code, act) => {
    await propose(ann, 'signer', 0);
    const result = await act();
    const [to, op] = hops(result).at(-1)!;
    expect([[ann, ben, cid].some(({ address }) => `${address}` === to), op]).toEqual([true, OPS.rejected]);
    const body = result.transactions.at(-1)!.inMessage!.body.beginParse().skip(32);
    expect([body.loadUintBig(64), body.loadUint(32)]).toEqual([5n, code]);
  });

  it('rejects approvals of strangers', async () => {
    await propose(ann, 'signer', 0);
    expect(exitCode(at(await approve(dan, 1), order))).toBe(106);
    expect(exitCode(at(await approve(dan, 7), order))).toBe(106);
    expect(exitCode(at(await net.send(dan, order, toNano('0.1'), textComment('approve')), order))).toBe(106);
  });

  it('can change the signers, which invalidates older orders', async () => {
    await propose(
      ann,
      'signer',
      0,
      packOrder([{ kind: 'update', params: { threshold: 1, signers: [dan.address] } }]),
    );
    await propose(ann, 'signer', 0);
    await approve(ben, 1);
    const [next, threshold, signers, proposers] = await net.get(wallet.address, 'get_multisig_data');
    expect([numberOf(next), numberOf(threshold), proposers?.type]).toEqual([2n, 1n, 'null']);
    expect(people(cellOf(signers))).toEqual([`${dan.address}`]);
    order = multisigOrder(wallet.address, 1n).address;
    expect(exitCode(at(await approve(ben, 1), wallet.address))).toBe(102);
  });

  it('executes its actions in sequence', async () => {
    await propose(ann, 'signer', 0, packOrder([send(dan.address, '1'), send(cid.address, '2')]));
    const result = await approve(ben, 1);
    expect(
      hops(result)
        .slice(-2)
        .map(([to]) => to),
    ).toEqual([`${dan.address}`, `${cid.address}`]);
  });
});
