import { type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { readMessageEnvelope } from '../../../src/chain/tlb/msg-descr.ts';
import { bagFrom } from '../support/built-cells.ts';
import { ACCOUNT } from '../support/transaction-samples.ts';

const message = beginCell().storeUint(1, 8).endCell();
const regular = (bits: number) => (builder: Builder) => builder.storeUint(bits, 8);
const simple = (builder: Builder) => builder.storeUint(0b10, 2).storeInt(-1, 8).storeUint(7, 64);
const long = (builder: Builder) => builder.storeUint(0b11, 2).storeInt(-70000, 32).storeUint(8, 64);

function read(builder: Builder) {
  const bag = bagFrom(builder);
  return readMessageEnvelope(bag, bag.root);
}

describe('readMessageEnvelope', () => {
  it('reads version 1', () => {
    const builder = beginCell()
      .storeUint(4, 4)
      .store(regular(96))
      .store(simple)
      .storeCoins(5)
      .storeRef(message);
    expect(read(builder)).toEqual({
      current: { kind: 'regular', destBits: 96 },
      next: { kind: 'prefix', workchain: -1, prefix: 7n },
      fwdFeeRemaining: 5n,
      message: 1,
      emittedLt: undefined,
      metadata: undefined,
    });
  });

  it('reads version 2 with all fields', () => {
    const builder = beginCell().storeUint(5, 4).store(long).store(regular(0)).storeCoins(5).storeRef(message);
    builder.storeBit(1).storeUint(99, 64).storeBit(1);
    builder.storeUint(0, 4).storeUint(3, 32).storeAddress(ACCOUNT).storeUint(98, 64);
    expect(read(builder)).toMatchObject({
      current: { kind: 'prefix', workchain: -70000, prefix: 8n },
      next: { kind: 'regular', destBits: 0 },
      emittedLt: 99n,
      metadata: { depth: 3, initiator: { kind: 'std', workchain: 0, hash: ACCOUNT.hash }, initiatorLt: 98n },
    });
  });

  it('reads version 2 without optional fields', () => {
    const builder = beginCell().storeUint(5, 4).store(regular(1)).store(regular(2)).storeCoins(0);
    expect(read(builder.storeRef(message).storeUint(0, 2))).toMatchObject({
      emittedLt: undefined,
      metadata: undefined,
    });
  });

  it.each([
    [
      'another tag',
      beginCell().storeUint(6, 4).store(regular(0)).store(regular(0)).storeCoins(0).storeRef(message),
    ],
    ['97 bits of the destination', beginCell().storeUint(4, 4).store(regular(97)).store(regular(0))],
    ['no message', beginCell().storeUint(4, 4).store(regular(0)).store(regular(0)).storeCoins(0)],
  ])('%s throws a CellError', (_name, builder) => {
    expect(() => read(builder)).toThrow(CellError);
  });
});
