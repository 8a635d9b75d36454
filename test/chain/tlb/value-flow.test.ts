import { type Builder, beginCell } from '@ton/core';
import { expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { storeAmount } from '../../support/chain-builder/cells.ts';
import { readValueFlow } from '../support/block-readers.ts';
import { bagFrom } from '../support/built-cells.ts';

const four = (from: bigint): Builder =>
  [0n, 1n, 2n, 3n].reduce((b, i) => storeAmount(b, from + i), beginCell());

function read(builder: Builder) {
  const bag = bagFrom(builder);
  const flow = readValueFlow(bag, bag.root);
  return Object.fromEntries(Object.entries(flow).map(([name, amount]) => [name, amount?.grams]));
}

const EXPECTED = {
  fromPrevBlock: 1n,
  toNextBlock: 2n,
  imported: 3n,
  exported: 4n,
  feesCollected: 5n,
  burned: undefined,
  feesImported: 7n,
  recovered: 8n,
  created: 9n,
  minted: 10n,
};

it('readValueFlow reads version 1', () => {
  const flow = storeAmount(beginCell().storeUint(0xb8e48dfb, 32).storeRef(four(1n)), 5n).storeRef(four(7n));
  expect(read(flow)).toEqual(EXPECTED);
});

it('readValueFlow reads version 2 with burned fees', () => {
  const flow = storeAmount(beginCell().storeUint(0x3ebf98b7, 32).storeRef(four(1n)), 5n);
  expect(read(storeAmount(flow, 6n).storeRef(four(7n)))).toEqual({ ...EXPECTED, burned: 6n });
});

it('readValueFlow throws on anything else', () => {
  expect(() => read(beginCell().storeUint(1, 32))).toThrow(CellError);
});
