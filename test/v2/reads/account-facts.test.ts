import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { ProofFailure } from '../../../src/lite/errors.ts';
import { accountFacts } from '../../../src/v2/reads/account-facts.ts';
import { makeAccountAt } from '../support/made-account.ts';

const CODE = 'te6cckEBAQEAAgAAAEysuc0=';
const DATA = beginCell().storeUint(1, 8).endCell();
const HASH = Buffer.alloc(32, 0x11);

const factsOf = (made: Parameters<typeof makeAccountAt>[0]) => accountFacts(makeAccountAt(made).proven);

describe('what answers tell of an account', () => {
  it('finds nothing where there is no account', () => {
    expect(factsOf(undefined)).toEqual({
      ...{ status: 'uninitialized', balance: 0n, extraCurrencies: [] },
      ...{ code: undefined, data: undefined, frozenHash: undefined },
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
      ...{ status: 'frozen', balance: 5n, frozenHash: HASH },
      ...{ code: undefined, data: undefined },
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
