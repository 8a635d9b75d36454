import { beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { isSuspendedAt } from '../../../src/v2/reads/account-suspension.ts';

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
