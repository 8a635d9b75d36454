import { Address, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { formatPublicKey, readPaymentChannel } from '../../../src/chain/contracts/payment-channel.ts';

const KEY_A = Buffer.alloc(32, 0xaa);
const KEY_B = Buffer.alloc(32, 0xbb);
const address = (byte: number) =>
  beginCell()
    .storeAddress(new Address(0, Buffer.alloc(32, byte)))
    .endCell();

function channel(state: ReturnType<typeof beginCell>) {
  const config = beginCell()
    .storeUint(60, 32)
    .storeUint(70, 32)
    .storeBuffer(KEY_A)
    .storeBuffer(KEY_B)
    .storeRef(address(1))
    .storeRef(address(2))
    .storeUint(2n ** 64n - 5n, 64)
    .storeCoins(0);
  const bag = fromCoreCell(beginCell().storeRef(config).storeRef(state).endCell());
  return readPaymentChannel(bag, bag.root);
}

describe('readPaymentChannel', () => {
  it('reads a channel that is being opened', () => {
    const state = beginCell().storeUint(0, 3).storeBit(1).storeBit(0).storeCoins(0).storeCoins(256);
    const found = channel(state.storeUint(99, 32).storeCoins(1000n).storeCoins(2n));
    expect(found).toMatchObject({
      initTimeout: 60,
      closeTimeout: 70,
      alice: { publicKey: KEY_A, address: { workchain: 0, hash: Buffer.alloc(32, 1) } },
      bob: { publicKey: KEY_B, address: { workchain: 0, hash: Buffer.alloc(32, 2) } },
      channelId: -5n,
    });
    expect(found.state).toEqual({
      kind: 'init',
      signedA: true,
      signedB: false,
      limitA: 0n,
      limitB: 256n,
      expireAt: 99,
      amountA: 1000n,
      amountB: 2n,
    });
    expect(found.description).toBe(
      [
        '(chan_state_init signed_A:1 signed_B:0',
        '  min_A:(nanograms',
        '    amount:(var_uint len:0 value:0))',
        '  min_B:(nanograms',
        '    amount:(var_uint len:2 value:256)) expire_at:99',
        '  A:(nanograms',
        '    amount:(var_uint len:2 value:1000))',
        '  B:(nanograms',
        '    amount:(var_uint len:1 value:2)))\n',
      ].join('\n'),
    );
  });

  it('reads a channel that is being closed, and one after its payout', () => {
    const state = beginCell().storeUint(1, 3).storeBit(0).storeBit(1).storeCoins(3n).storeCoins(4n);
    const closing = channel(state.storeUint(5, 32).storeCoins(6n).storeCoins(7n));
    expect(closing.state).toMatchObject({ kind: 'close', limitA: 3n, limitB: 4n, expireAt: 5, amountA: 6n });
    expect(closing.description).toContain('(chan_state_close signed_A:0 signed_B:1\n  promise_A:(nanograms');
    const paid = channel(beginCell().storeUint(2, 3).storeCoins(6n).storeCoins(7n));
    expect(paid.state).toEqual({ kind: 'payout', amountA: 6n, amountB: 7n });
    expect(paid.description).toMatch(/^\(chan_state_payout\n {2}A:\(nanograms/);
  });

  it('rejects other states', () => {
    expect(() => channel(beginCell().storeUint(3, 3))).toThrow(CellError);
    expect(() => channel(beginCell())).toThrow(CellError);
  });

  it('formats keys with tag and checksum', () => {
    const text = formatPublicKey(KEY_A);
    expect(text).toHaveLength(48);
    expect(Buffer.from(text, 'base64url').subarray(0, 34).toString('hex')).toBe(`3ee6${'aa'.repeat(32)}`);
    expect(text.startsWith('Pua')).toBe(true);
  });
});
