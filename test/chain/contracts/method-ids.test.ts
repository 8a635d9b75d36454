import { beginCell, type Cell, Dictionary } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMethodIds } from '../../../src/chain/contracts/method-ids.ts';

const NOTHING = { serialize: () => {}, parse: () => null };

/** Code of the usual form, with a dictionary of methods. */
function codeOf(ids: readonly number[], idBits = 19): Cell {
  const methods = Dictionary.empty(Dictionary.Keys.Uint(idBits), NOTHING);
  for (const id of ids) methods.set(id, null);
  const head = beginCell()
    .storeUint(0xff00f4a4 >>> 2, 30)
    .storeUint(idBits, 10);
  return head
    .storeBuilder(beginCell().storeRef(beginCell().storeDictDirect(methods)))
    .storeUint(0xf4a0, 16)
    .endCell();
}

describe('readMethodIds', () => {
  it('returns the keys of the method dictionary as unsigned numbers', () => {
    expect(readMethodIds(codeOf([0, 85_143, 524_287]).toBoc())).toEqual([0, 85_143, 524_287]);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(2 ** 19 - 1), { minLength: 1 }), (ids) => {
        expect(readMethodIds(codeOf(ids).toBoc())).toEqual(ids.toSorted((a, b) => a - b));
      }),
      { numRuns: 50 },
    );
    for (const bits of [1, 8, 31, 32]) expect(readMethodIds(codeOf([1], bits).toBoc())).toEqual([1]);
  });

  it('returns undefined for code of another form', () => {
    const empty = beginCell().endCell();
    const library = beginCell().storeUint(2, 8).storeUint(5, 256).endCell({ exotic: true });
    const withoutDictionary = beginCell()
      .storeBits(codeOf([1]).bits)
      .endCell();
    const badDictionary = beginCell()
      .storeBits(codeOf([1]).bits)
      .storeRef(beginCell().storeUint(0, 2))
      .endCell();
    const others = [empty, library, withoutDictionary, badDictionary, codeOf([1], 33)];
    for (const code of others) expect(readMethodIds(code.toBoc())).toBeUndefined();
    expect(
      readMethodIds(beginCell().storeUint(0xff00, 16).storeUint(0xf4a0_13, 24).endCell().toBoc()),
    ).toBeUndefined();
  });

  it('returns undefined for a dictionary of shared cells with too many methods', () => {
    let tree = beginCell().storeUint(0, 2).endCell();
    for (let i = 0; i < 32; i++) tree = beginCell().storeUint(0, 2).storeRef(tree).storeRef(tree).endCell();
    const code = beginCell()
      .storeUint(0xff00f4a4 >>> 2, 30)
      .storeUint(32, 10)
      .storeRef(tree)
      .endCell();
    expect(readMethodIds(code.toBoc())).toBeUndefined();
  });
});
