import { beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { AMOUNTS, storeAugmentedE } from '../../support/chain-builder/cells.ts';
import { readOutMsg } from '../support/block-readers.ts';
import { totalExported, walkOutMsgDescr } from '../support/block-walks.ts';
import { bagFrom, sliceFrom } from '../support/built-cells.ts';

const [A, B, C] = [1, 2, 3].map((n) => beginCell().storeUint(n, 8).endCell()) as [Cell, Cell, Cell];
const tag = (bits: string) => beginCell().storeUint(Number.parseInt(bits, 2), bits.length);
const hash = Buffer.alloc(32, 0xee);

const CASES = {
  ext: [tag('000').storeRef(A).storeRef(B), { kind: 'ext', message: A, transaction: B }],
  new: [tag('001').storeRef(A).storeRef(B), { kind: 'new', envelope: A, transaction: B }],
  imm: [
    tag('010').storeRef(A).storeRef(B).storeRef(C),
    { kind: 'imm', envelope: A, transaction: B, reimport: C },
  ],
  tr: [tag('011').storeRef(A).storeRef(B), { kind: 'tr', envelope: A, imported: B }],
  deq_imm: [tag('100').storeRef(A).storeRef(B), { kind: 'deq_imm', envelope: A, reimport: B }],
  new_defer: [tag('10100').storeRef(A).storeRef(B), { kind: 'new_defer', envelope: A, transaction: B }],
  deferred_tr: [tag('10101').storeRef(A).storeRef(B), { kind: 'deferred_tr', envelope: A, imported: B }],
  deq: [
    tag('1100')
      .storeRef(A)
      .storeUint(2n ** 63n - 1n, 63),
    { kind: 'deq', envelope: A, importBlockLt: 2n ** 63n - 1n },
  ],
  deq_short: [
    tag('1101').storeBuffer(hash).storeInt(-1, 32).storeUint(5, 64).storeUint(6, 64),
    { kind: 'deq_short', envelopeHash: hash, nextWorkchain: -1, nextAddrPrefix: 5n, importBlockLt: 6n },
  ],
  tr_req: [tag('111').storeRef(A).storeRef(B), { kind: 'tr_req', envelope: A, imported: B }],
} as const;

describe('readOutMsg', () => {
  it.each(Object.keys(CASES) as (keyof typeof CASES)[])('%s', (name) => {
    const [builder, expected] = CASES[name];
    const slice = sliceFrom(builder);
    const entries = Object.entries(readOutMsg(slice)).map(([key, value]) => [
      key,
      typeof value === 'number' && key !== 'nextWorkchain' ? slice.cells.hash(value) : value,
    ]);
    const hashes = Object.entries(expected).map(([key, value]) => [
      key,
      typeof value === 'object' && 'hash' in value ? value.hash() : value,
    ]);
    expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(hashes));
    slice.end();
  });

  it.each(['10110', '10111'])('rejects the unknown tag %s', (bits) => {
    expect(() => readOutMsg(sliceFrom(tag(bits).storeRef(A).storeRef(B)))).toThrow(CellError);
  });

  it('reads the OutMsgDescr of a block by hash, with values and their sum', () => {
    const entries = [9n, 2n].map((key) => ({ key, extra: key, value: CASES.ext[0] }));
    const bag = bagFrom(storeAugmentedE(beginCell(), entries, 256, AMOUNTS));
    const found: unknown[] = [];
    walkOutMsgDescr(bag, bag.root, (key, message, value) => found.push([key[31], message.kind, value.grams]));
    expect(found).toEqual([
      [2, 'ext', 2n],
      [9, 'ext', 9n],
    ]);
    expect(totalExported(bag, bag.root).grams).toBe(11n);
  });

  it('reads an empty OutMsgDescr', () => {
    const bag = bagFrom(storeAugmentedE(beginCell(), [], 256, AMOUNTS));
    walkOutMsgDescr(bag, bag.root, () => expect.unreachable());
    expect(totalExported(bag, bag.root).grams).toBe(0n);
  });
});
