import { Address, beginCell, type Cell, internal } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell, toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { buildUnsignedTransfer, type WalletType } from '../../../src/chain/contracts/wallets.ts';
import { type WalletVersion, walletTransfer } from '../../../src/localnet/contracts/wallets.ts';

const KINDS: readonly (readonly [WalletVersion, WalletType])[] = [
  ['v1r1', 'wallet v1 r1'],
  ['v1r2', 'wallet v1 r2'],
  ['v1r3', 'wallet v1 r3'],
  ['v2r1', 'wallet v2 r1'],
  ['v2r2', 'wallet v2 r2'],
  ['v3r1', 'wallet v3 r1'],
  ['v3r2', 'wallet v3 r2'],
  ['v4r1', 'wallet v4 r1'],
  ['v4r2', 'wallet v4 r2'],
  ['v5r1', 'wallet v5 r1'],
];
const SIGNATURE_BITS = 512;

const to = new Address(-1, Buffer.alloc(32, 7));
const small = beginCell().storeUint(1, 64).storeRef(beginCell().endCell()).endCell();
const large = beginCell().storeBuffer(Buffer.alloc(120, 9)).storeRef(small).endCell();
const [code, data] = [small, large];
const init = beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).endCell();

/** Messages as programs have them, and as requests give them. */
const CASES = [
  { bounce: true, value: 5n, body: small },
  { bounce: false, value: 2n ** 60n, body: large, init: { code, data } },
  { bounce: true, value: 0n, body: beginCell().endCell(), init: { code, data } },
  { bounce: false, value: 1n, body: beginCell().endCell() },
];

/** What is left of a body without its signature: at the end from v5 on, in front before. */
function unsigned(body: Cell, version: WalletVersion): Cell {
  const slice = body.beginParse();
  const rest = beginCell();
  if (version !== 'v5r1') slice.skip(SIGNATURE_BITS);
  const left = slice.remainingBits - (version === 'v5r1' ? SIGNATURE_BITS : 0);
  rest.storeBits(slice.loadBits(left));
  while (slice.remainingRefs > 0) rest.storeRef(slice.loadRef());
  return rest.endCell();
}

describe('buildUnsignedTransfer', () => {
  it.each(KINDS)('builds the body of %s, except for the signature', (version, type) => {
    for (const count of version.startsWith('v1') ? [1] : [1, 2, 4]) {
      const messages = CASES.slice(0, count);
      const signed = walletTransfer({
        version,
        secretKey: Buffer.alloc(64, 1),
        seqno: 7,
        walletId: 99,
        validUntil: 1_800_000_000,
        messages: messages.map((one) => internal({ to, ...one })),
      });
      const made = buildUnsignedTransfer({
        type,
        seqno: 7,
        walletId: 99,
        validUntil: 1_800_000_000,
        messages: messages.map(({ body, init: state, ...one }) => ({
          ...one,
          to: { workchain: -1, hash: to.hash },
          body: fromCoreCell(body),
          init: state && fromCoreCell(init),
        })),
      })!;
      const body = toCoreCell(made, made.root);
      expect(unsigned(body, version).toString()).toBe(unsigned(signed, version).toString());
      expect(body.bits.length).toBe(signed.bits.length);
    }
  });

  it('returns undefined for wallet types that it does not support', () => {
    const message = { to: { workchain: 0, hash: to.hash }, bounce: true, value: 1n };
    const order = { seqno: 0, walletId: 0, validUntil: 0 };
    const plain = { ...message, body: undefined, init: undefined };
    expect(
      buildUnsignedTransfer({ ...order, type: 'wallet v1 r3', messages: [plain, plain] }),
    ).toBeUndefined();
    expect(buildUnsignedTransfer({ ...order, type: 'wallet v5 beta', messages: [plain] })).toBeUndefined();
  });
});
