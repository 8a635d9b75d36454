import { type Builder, beginCell, type Cell } from '@ton/core';
import { expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { writeCellBoc } from '../../../src/chain/boc/writer.ts';
import { ACCOUNT_AT, headBytes, LT_AT, maskAccount, NOW_AT } from '../../../src/index/format/page.ts';
import {
  ACCOUNT,
  DESCRIPTIONS,
  MESSAGES,
  transactionCell,
  transactionOf,
} from '../../chain/support/transaction-samples.ts';

const ZEROS = Buffer.alloc(32);

function bagOf(cell: Cell): Buffer {
  const bag = readBoc(cell.toBoc());
  return writeCellBoc(bag, bag.root);
}

/** A transaction that received a message which begins with these bits. */
function receiving(message: Builder): Cell {
  const { bits, refs } = transactionCell(transactionOf(DESCRIPTIONS.storage!));
  const messages = beginCell().storeBit(1).storeRef(message).storeBit(0);
  const root = beginCell().storeBits(bits).storeRef(messages);
  return refs
    .slice(1)
    .reduce((to, ref) => to.storeRef(ref), root)
    .endCell();
}

const standard = (builder: Builder) => builder.storeAddress(ACCOUNT);
const cases: readonly (readonly [name: string, cell: Cell, isMasked: boolean])[] = [
  ...Object.keys(DESCRIPTIONS).map(
    (name) => [`${name}, no message`, transactionCell(transactionOf(DESCRIPTIONS[name]!)), false] as const,
  ),
  ...([MESSAGES.deploying, MESSAGES.external] as const).map(
    (message) =>
      [
        `${message.info.type}`,
        transactionCell(transactionOf(DESCRIPTIONS.storage!, { in: message, out: [MESSAGES.internal] })),
        true,
      ] as const,
  ),
  ['internal from nowhere', receiving(beginCell().storeUint(0b0000_00, 6).store(standard)), true],
  [
    'external from an external address',
    receiving(beginCell().storeUint(0b10_01, 4).storeUint(13, 9).storeUint(0x1abc, 13).store(standard)),
    true,
  ],
  [
    'internal to an address with an anycast part',
    receiving(beginCell().storeUint(0b0000_00_101, 9).storeUint(3, 5).storeUint(5, 3).storeBuffer(ZEROS)),
    false,
  ],
  [
    'internal from a variable address',
    receiving(beginCell().storeUint(0b0000_11, 6).storeBuffer(ZEROS)),
    false,
  ],
];

it.each(cases)('masks and restores the account of a transaction: %s', (_name, cell, isMasked) => {
  const bag = bagOf(cell);
  const masked = Buffer.from(bag);
  maskAccount(masked);
  expect(headBytes(masked, ACCOUNT_AT, 32)).toEqual(isMasked ? ZEROS : ACCOUNT.hash);
  expect(headBytes(masked, LT_AT, 8).readBigUInt64BE(0)).toBe(2n ** 63n + 1n);
  expect(headBytes(masked, NOW_AT, 4).readUInt32BE(0)).toBe(3_999_999_999);
  maskAccount(masked);
  expect(masked).toEqual(bag);
});

it('leaves bytes alone that are not a bag of cells', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(3, 255), Buffer.alloc(100, 7)]) {
    const masked = Buffer.from(bytes);
    maskAccount(masked);
    expect(masked).toEqual(bytes);
  }
});
