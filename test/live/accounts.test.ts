import { beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../src/chain/boc/ton-core.ts';
import { ProofFailure } from '../../src/lite/methods/proofs.ts';
import { isSuspendedAt, readAccountState } from '../../src/live/accounts.ts';
import { buildAccountAt } from './support/built-account.ts';

const CODE = 'te6cckEBAQEAAgAAAEysuc0=';
const DATA = beginCell().storeUint(1, 8).endCell();
const HASH = Buffer.alloc(32, 0x11);

const stateOf = (made: Parameters<typeof buildAccountAt>[0]) => readAccountState(buildAccountAt(made).proven);

describe('readAccountState', () => {
  it('returns undefined for an account that does not exist', () => {
    expect(stateOf(undefined)).toBeUndefined();
  });

  it('returns code and data of an active account', () => {
    const { status, code, data } = stateOf({ code: CODE, data: DATA, balance: 7n })!;
    expect(status).toBe('active');
    expect(code!.cells.hash(code!.cell).toString('base64')).toBe(
      'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
    );
    expect(data!.cells.hash(data!.cell)).toEqual(DATA.hash());
    expect(stateOf({ code: CODE })).toMatchObject({ status: 'active', data: undefined });
  });

  it('returns the data of an active account without code', () => {
    const { status, code, data } = stateOf({ active: true, data: DATA })!;
    expect(status).toBe('active');
    expect(code).toBeUndefined();
    expect(data).toBeDefined();
  });

  it('returns state hash and balance of a frozen account', () => {
    expect(stateOf({ frozenHash: HASH, balance: 5n })).toMatchObject({
      status: 'frozen',
      balance: 5n,
      frozenHash: HASH,
      code: undefined,
      data: undefined,
    });
  });

  it('returns extra currencies of any size, ordered by unsigned id', () => {
    const extra = [
      { id: 239, amount: 2n ** 200n },
      { id: 2 ** 32 - 17, amount: 1n },
    ];
    expect(stateOf({ balance: 2n ** 64n, extra })).toMatchObject({
      balance: 2n ** 64n,
      extraCurrencies: extra,
    });
  });

  it('throws ProofFailure for an account that cannot be parsed', () => {
    const cells = fromCoreCell(beginCell().storeBit(1).endCell());
    const { proven } = buildAccountAt(undefined);
    expect(() => readAccountState({ ...proven, account: { cells, cell: cells.root } })).toThrow(ProofFailure);
  });
});

const LISTED = { workchain: -1, hash: Buffer.alloc(32, 0xaa) };
const UNTIL = 1_803_189_600;

/** A config with param 44, or without it. */
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

describe('isSuspendedAt', () => {
  it('is true for a listed account until the list expires', () => {
    const config = configWith(suspendedList([LISTED, { workchain: 0, hash: Buffer.alloc(32, 1) }]));
    expect(isSuspendedAt(config, LISTED, UNTIL - 1)).toBe(true);
    expect(isSuspendedAt(config, LISTED, UNTIL)).toBe(false);
    expect(isSuspendedAt(config, { ...LISTED, workchain: 0 }, UNTIL - 1)).toBe(false);
    expect(isSuspendedAt(config, { ...LISTED, hash: Buffer.alloc(32, 1) }, UNTIL - 1)).toBe(false);
  });

  it('is false without a list, with an empty list and with a list of an unknown form', () => {
    for (const param of [undefined, suspendedList([]), suspendedList([LISTED], 1), beginCell().endCell()])
      expect(isSuspendedAt(configWith(param), LISTED, 0)).toBe(false);
  });
});
