import { beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../src/chain/boc/ton-core.ts';
import { ProofFailure } from '../../src/lite/errors.ts';
import { accountFacts, isSuspendedAt } from '../../src/live/accounts.ts';
import { makeAccountAt } from './support/made-account.ts';

const CODE = 'te6cckEBAQEAAgAAAEysuc0=';
const DATA = beginCell().storeUint(1, 8).endCell();
const HASH = Buffer.alloc(32, 0x11);

const factsOf = (made: Parameters<typeof makeAccountAt>[0]) => accountFacts(makeAccountAt(made).proven);

describe('what answers tell of an account', () => {
  it('finds nothing where there is no account', () => {
    expect(factsOf(undefined)).toEqual({
      status: 'uninitialized',
      balance: 0n,
      extraCurrencies: [],
      code: undefined,
      data: undefined,
      frozenHash: undefined,
    });
  });

  it('calls an account active that has code, with or without data', () => {
    const { status, code, data } = factsOf({ code: CODE, data: DATA, balance: 7n });
    expect(status).toBe('active');
    expect(code!.cells.hash(code!.cell).toString('base64')).toBe(
      'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
    );
    expect(data!.cells.hash(data!.cell)).toEqual(DATA.hash());
    expect(factsOf({ code: CODE })).toMatchObject({ status: 'active', data: undefined });
  });

  it('calls an active account without code uninitialized, yet has its data', () => {
    const { status, code, data } = factsOf({ active: true, data: DATA });
    expect(status).toBe('uninitialized');
    expect(code).toBeUndefined();
    expect(data).toBeDefined();
  });

  it('has the hash of what a frozen account has given up, and its balance', () => {
    expect(factsOf({ frozenHash: HASH, balance: 5n })).toMatchObject({
      status: 'frozen',
      balance: 5n,
      frozenHash: HASH,
      code: undefined,
      data: undefined,
    });
  });

  it('has extra currencies of any size in the order of their unsigned ids', () => {
    const extra = [
      { id: 239, amount: 2n ** 200n },
      { id: 2 ** 32 - 17, amount: 1n },
    ];
    expect(factsOf({ balance: 2n ** 64n, extra })).toMatchObject({
      balance: 2n ** 64n,
      extraCurrencies: extra,
    });
  });

  it('tells that an account cannot be read', () => {
    const cells = fromCoreCell(beginCell().storeBit(1).endCell());
    const { proven } = makeAccountAt(undefined);
    expect(() => accountFacts({ ...proven, account: { cells, cell: cells.root } })).toThrow(ProofFailure);
  });
});

const LISTED = { workchain: -1, hash: Buffer.alloc(32, 0xaa) };
const UNTIL = 1_803_189_600;

/** A configuration with a parameter 44, or with none. */
function configWith(param: Cell | undefined) {
  const params = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  params.set(0, beginCell().storeUint(0, 256).endCell());
  if (param !== undefined) params.set(44, param);
  const cells = fromCoreCell(beginCell().storeDictDirect(params).endCell());
  return { cells, cell: cells.root };
}

function suspendedList(addresses: readonly (typeof LISTED)[], tag = 0): Cell {
  const list = Dictionary.empty(Dictionary.Keys.BigUint(288), Dictionary.Values.BitString(0));
  for (const { workchain, hash } of addresses) {
    const key = BigInt.asUintN(32, BigInt(workchain));
    list.set((key << 256n) | BigInt(`0x${hash.toString('hex')}`), beginCell().endCell().bits);
  }
  return beginCell().storeUint(tag, 8).storeDict(list).storeUint(UNTIL, 32).endCell();
}

describe('whether an account is suspended', () => {
  it('is so while it is listed and the time is not over', () => {
    const config = configWith(suspendedList([LISTED, { workchain: 0, hash: Buffer.alloc(32, 1) }]));
    expect(isSuspendedAt(config, LISTED, UNTIL - 1)).toBe(true);
    expect(isSuspendedAt(config, LISTED, UNTIL)).toBe(false);
    expect(isSuspendedAt(config, { ...LISTED, workchain: 0 }, UNTIL - 1)).toBe(false);
    expect(isSuspendedAt(config, { ...LISTED, hash: Buffer.alloc(32, 1) }, UNTIL - 1)).toBe(false);
  });

  it('is not so without a list, with an empty one, or one of an unknown form', () => {
    for (const param of [undefined, suspendedList([]), suspendedList([LISTED], 1), beginCell().endCell()])
      expect(isSuspendedAt(configWith(param), LISTED, 0)).toBe(false);
  });
});
