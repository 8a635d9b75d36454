import { beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { PrunedCellFault } from '../../../src/chain/boc/cell-fault.ts';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { configParam, configParams } from '../../../src/chain/tlb/config.ts';
import { readConfigAddresses } from '../../../src/chain/tlb/config-addresses.ts';
import { makePart } from '../state/make-update.ts';
import { hash, read } from './built-params.ts';

describe('the configuration', () => {
  const params = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  const value = (index: number): Cell => beginCell().storeInt(index, 32).storeRef(beginCell()).endCell();
  const indexes = [0, 1, 2, 34, 1000, -1000, -999, -71];
  for (const index of indexes) params.set(index, value(index));
  const bag = fromCoreCell(beginCell().storeDictDirect(params).endCell());

  it('gives parameters by their number', () => {
    for (const index of indexes)
      expect(bag.hash(configParam(bag, bag.root, index))).toEqual(value(index).hash());
    for (const index of [3, 33, -1, 2 ** 31 - 1, -(2 ** 31)])
      expect(configParam(bag, bag.root, index)).toBe(-1);
    expect(configParam(bag, bag.root, 2 ** 32 - 1000)).toBe(configParam(bag, bag.root, -1000));
  });

  it('lists all parameters', () => {
    const listed = configParams(bag, bag.root);
    expect(listed.map(({ index }) => index)).toEqual(indexes);
    for (const { index, cell } of listed) expect(cell).toBe(configParam(bag, bag.root, index));
  });

  it('can be read in part', () => {
    const { bag: part, root } = makePart({
      cells: bag,
      root: bag.root,
      keep: (cell) => bag.depth(cell) > 4,
    });
    expect(() => configParams(part, root)).toThrow(PrunedCellFault);
    expect(() => configParam(part, root, 34)).toThrow(PrunedCellFault);
    expect(configParams(part, root, 'skip').length).toBeLessThan(indexes.length);
  });

  it('names the accounts that run the network', () => {
    const addresses = (given: Record<number, number>) => {
      const some = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
      for (const [index, fill] of Object.entries(given))
        some.set(Number(index), beginCell().storeBuffer(hash(fill)).endCell());
      return read(readConfigAddresses, beginCell().storeDictDirect(some));
    };
    expect(addresses({ 0: 5, 1: 6, 2: 7, 3: 8, 4: 9 })).toEqual({
      config: hash(5),
      elector: hash(6),
      minter: hash(7),
      feeCollector: hash(8),
      dnsRoot: hash(9),
    });
    expect(addresses({ 0: 5, 1: 6 })).toEqual({
      config: hash(5),
      elector: hash(6),
      minter: hash(5),
      feeCollector: hash(6),
      dnsRoot: undefined,
    });
  });
});
