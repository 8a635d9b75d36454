import { beginCell, type Cell, loadMessage } from '@ton/core';
import { describe, expect, it } from 'vitest';
import type { CellBag } from '../../../src/chain/boc/bag.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { fromCoreCell, toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeExternalMessage } from '../../../src/chain/tlb/message.ts';

const TO = {
  workchain: 0,
  hash: Buffer.from('83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8', 'hex'),
};
const wide = (bits: number): Cell => {
  const builder = beginCell();
  for (let left = bits; left > 0; left -= 200) builder.storeUint(0, Math.min(left, 200));
  return builder.endCell();
};
const rootOf = (bag: CellBag): Cell => toCoreCell(bag, bag.root);
const made = (body: Cell, init?: { code: Cell; data: Cell }) => {
  const bags = init && { code: fromCoreCell(init.code), data: fromCoreCell(init.data) };
  return rootOf(writeExternalMessage({ to: TO, body: fromCoreCell(body), init: bags }));
};

describe('writeExternalMessage', () => {
  it('writes the bytes of the contract example', () => {
    expect(made(beginCell().storeUint(0xdeadbeef, 32).endCell()).hash().toString('base64')).toBe(
      'vuZPCcyYFV9nYC0oSOnpsvkJXJlIamIWhnAi/jvoMcU=',
    );
  });

  it('inlines the init, and the body as long as it fits', () => {
    const init = { code: wide(100), data: wide(300) };
    const message = made(wide(8), init);
    expect(message.refs).toHaveLength(2);
    const read = loadMessage(message.beginParse());
    expect(read.init?.code?.equals(init.code)).toBe(true);
    expect(read.init?.data?.equals(init.data)).toBe(true);
    expect(read.body.equals(wide(8))).toBe(true);
  });

  it.each<[string, Cell, number]>([
    ['as wide as fits', wide(1023 - 277), 0],
    ['a bit too wide', wide(1023 - 276), 1],
    [
      'with four references',
      beginCell().storeRef(wide(1)).storeRef(wide(2)).storeRef(wide(3)).storeRef(wide(4)).endCell(),
      4,
    ],
  ])('puts a body into a separate cell only if it must: %s', (_what, body, refs) => {
    const message = made(body);
    expect(message.refs).toHaveLength(refs);
    expect(loadMessage(message.beginParse()).body.equals(body)).toBe(true);
  });

  it('puts a body with many references into a separate cell if there is an init', () => {
    const body = beginCell().storeRef(wide(1)).storeRef(wide(2)).storeRef(wide(3)).endCell();
    const message = made(body, { code: wide(1), data: wide(2) });
    expect(message.refs).toHaveLength(3);
    expect(loadMessage(message.beginParse()).body.equals(body)).toBe(true);
  });

  it('rejects an exotic body', () => {
    const library = beginCell().storeUint(2, 8).storeBuffer(TO.hash).endCell({ exotic: true });
    expect(() => made(library)).toThrow(CellError);
  });
});
