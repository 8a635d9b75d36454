import { beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { readInMsg } from '../../../src/chain/tlb/msg-descr.ts';
import { storeAugmentedE } from '../../support/chain-builder/cells.ts';
import { totalImportFees, walkInMsgDescr } from '../support/block-walks.ts';
import { bagFrom, sliceFrom } from '../support/built-cells.ts';

const [A, B, C] = [1, 2, 3].map((n) => beginCell().storeUint(n, 8).endCell()) as [Cell, Cell, Cell];
const tag = (bits: string) => beginCell().storeUint(Number.parseInt(bits, 2), bits.length);

const CASES = {
  ext: [tag('000').storeRef(A).storeRef(B), { kind: 'ext', message: A, transaction: B }],
  ihr: [
    tag('010').storeRef(A).storeRef(B).storeCoins(7).storeRef(C),
    { kind: 'ihr', message: A, transaction: B, ihrFee: 7n, proofCreated: C },
  ],
  imm: [
    tag('011').storeRef(A).storeRef(B).storeCoins(8),
    { kind: 'imm', envelope: A, transaction: B, fwdFee: 8n },
  ],
  fin: [
    tag('100').storeRef(A).storeRef(B).storeCoins(9),
    { kind: 'fin', envelope: A, transaction: B, fwdFee: 9n },
  ],
  tr: [
    tag('101').storeRef(A).storeRef(B).storeCoins(10),
    { kind: 'tr', envelope: A, outEnvelope: B, transitFee: 10n },
  ],
  discard_fin: [
    tag('110').storeRef(A).storeUint(5, 64).storeCoins(11),
    { kind: 'discard_fin', envelope: A, transactionId: 5n, fwdFee: 11n },
  ],
  discard_tr: [
    tag('111').storeRef(A).storeUint(6, 64).storeCoins(12).storeRef(C),
    { kind: 'discard_tr', envelope: A, transactionId: 6n, fwdFee: 12n, proofDelivered: C },
  ],
  deferred_fin: [
    tag('00100').storeRef(A).storeRef(B).storeCoins(13),
    { kind: 'deferred_fin', envelope: A, transaction: B, fwdFee: 13n },
  ],
  deferred_tr: [tag('00101').storeRef(A).storeRef(B), { kind: 'deferred_tr', envelope: A, outEnvelope: B }],
} as const;

describe('readInMsg', () => {
  it.each(Object.keys(CASES) as (keyof typeof CASES)[])('%s', (name) => {
    const [builder, expected] = CASES[name];
    const slice = sliceFrom(builder);
    const entries = Object.entries(readInMsg(slice)).map(([key, value]) => [
      key,
      typeof value === 'number' ? slice.cells.hash(value) : value,
    ]);
    const hashes = Object.entries(expected).map(([key, value]) => [
      key,
      typeof value === 'object' ? value.hash() : value,
    ]);
    expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(hashes));
    slice.end();
  });

  it.each(['00110', '00111'])('rejects the unknown tag %s', (bits) => {
    expect(() => readInMsg(sliceFrom(tag(bits).storeRef(A).storeRef(B)))).toThrow(CellError);
  });

  it('reads the InMsgDescr of a block by hash, with fees and their sum', () => {
    const entries = [9n, 2n, 5n].map((key) => ({ key, extra: key, value: CASES.imm[0] }));
    const descr = storeAugmentedE(beginCell(), entries, 256, {
      zero: 0n,
      combine: (left, right) => left + right,
      store: (builder, fee) =>
        builder
          .storeCoins(fee)
          .storeCoins(10n * fee)
          .storeBit(0),
    });
    const bag = bagFrom(descr);
    const found: unknown[] = [];
    walkInMsgDescr(bag, bag.root, (hash, message, fees) =>
      found.push([hash[31], message.kind, fees.feesCollected, fees.valueImported.grams]),
    );
    expect(found).toEqual([
      [2, 'imm', 2n, 20n],
      [5, 'imm', 5n, 50n],
      [9, 'imm', 9n, 90n],
    ]);
    expect(totalImportFees(bag, bag.root)).toEqual({
      feesCollected: 16n,
      valueImported: { grams: 160n, extra: -1 },
    });
  });

  it('reads an empty InMsgDescr', () => {
    const bag = bagFrom(beginCell().storeBit(0).storeCoins(0).storeCoins(0).storeBit(0));
    walkInMsgDescr(bag, bag.root, () => expect.unreachable());
    expect(totalImportFees(bag, bag.root).feesCollected).toBe(0n);
  });
});
