import { type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import {
  accountOf,
  type MsgAddress,
  readMsgAddress,
  skipMsgAddress,
} from '../../../src/chain/tlb/msg-address.ts';
import { sliceFrom } from '../support/built-cells.ts';

const hash = Buffer.alloc(32, 0x5a);
const begin = (bits: string): Builder => beginCell().storeUint(Number.parseInt(bits, 2), bits.length);

const CASES: Record<string, [Builder, MsgAddress]> = {
  none: [begin('00'), { kind: 'none' }],
  extern: [
    begin('01').storeUint(11, 9).storeUint(0b10110111101, 11),
    { kind: 'extern', bits: 11, value: Buffer.from([0b10110111, 0b10100000]) },
  ],
  'extern of no bits': [begin('01').storeUint(0, 9), { kind: 'extern', bits: 0, value: Buffer.alloc(0) }],
  std: [
    begin('100').storeInt(-1, 8).storeBuffer(hash),
    { kind: 'std', workchain: -1, hash, anycast: undefined },
  ],
  'std with anycast': [
    begin('10100101').storeUint(0b11011, 5).storeInt(0, 8).storeBuffer(hash),
    { kind: 'std', workchain: 0, hash, anycast: { depth: 5, prefix: 0b11011 } },
  ],
  var: [
    begin('110').storeUint(10, 9).storeInt(-70000, 32).storeUint(0b1111100001, 10),
    { kind: 'var', workchain: -70000, bits: 10, value: Buffer.from([0xf8, 0x40]), anycast: undefined },
  ],
  'var with anycast': [
    begin('11111110')
      .storeUint(2 ** 30 - 1, 30)
      .storeUint(30, 9)
      .storeInt(1, 32)
      .storeUint(0, 30),
    {
      kind: 'var',
      workchain: 1,
      bits: 30,
      value: Buffer.alloc(4),
      anycast: { depth: 30, prefix: 2 ** 30 - 1 },
    },
  ],
};

describe('readMsgAddress', () => {
  it.each(Object.keys(CASES))('%s', (name) => {
    const [builder, expected] = CASES[name]!;
    const slice = sliceFrom(builder.storeUint(3, 2));
    const copy = slice.clone();
    expect(readMsgAddress(slice)).toEqual(expected);
    skipMsgAddress(copy);
    expect([slice.uint(2), copy.uint(2)]).toEqual([3, 3]);
    slice.end();
    copy.end();
  });

  it.each([
    ['without bits', begin('1')],
    ['cut off', begin('100').storeInt(0, 8).storeUint(0, 255)],
    ['with an anycast prefix of no bits', begin('10100000').storeInt(0, 8).storeBuffer(hash)],
    [
      'with an anycast prefix of 31 bits',
      begin('10111111').storeUint(0, 31).storeInt(0, 8).storeBuffer(hash),
    ],
    [
      'with an anycast prefix longer than the address',
      begin('11100101').storeUint(0b11011, 5).storeUint(4, 9).storeInt(0, 32).storeUint(0, 4),
    ],
  ])('%s throws a CellError', (_name, builder) => {
    const slice = sliceFrom(builder);
    expect(() => readMsgAddress(slice.clone())).toThrow(CellError);
    expect(() => skipMsgAddress(slice.clone())).toThrow(CellError);
  });
});

describe('accountOf', () => {
  it('returns the hash without anycast', () => {
    expect(accountOf({ kind: 'std', workchain: 0, hash, anycast: undefined })).toBe(hash);
  });

  it.each([
    [1, 1, '11011010'],
    [5, 0b00001, '00001010'],
    [8, 0b11111111, '11111111'],
  ])('replaces the first %i bits by the anycast prefix', (depth, prefix, first) => {
    const account = accountOf({ kind: 'std', workchain: 0, hash, anycast: { depth, prefix } });
    expect(account[0]!.toString(2).padStart(8, '0')).toBe(first);
    expect(account.subarray(1)).toEqual(hash.subarray(1));
    expect(hash[0]).toBe(0x5a);
  });

  it('keeps the last two bits of the first word with 30 bits of anycast', () => {
    const account = accountOf({ kind: 'std', workchain: 0, hash, anycast: { depth: 30, prefix: 0 } });
    expect(account.subarray(0, 4)).toEqual(Buffer.from([0, 0, 0, 2]));
  });
});
