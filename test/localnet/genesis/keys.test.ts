import { describe, expect, it } from 'vitest';
import { adminKeys, validatorKeys, validatorSetNumber } from '../../../src/localnet/genesis/keys.ts';

describe('keys of a local chain', () => {
  it('are stable, and differ by set, purpose and secret', () => {
    expect(validatorKeys(3)).toEqual(validatorKeys(3));
    const all = [validatorKeys(0), validatorKeys(1), validatorKeys(0, Buffer.from('own')), adminKeys()];
    expect(new Set(all.map(({ publicKey }) => publicKey.toString('hex'))).size).toBe(4);
  });

  it('are found by public key', () => {
    const secret = Buffer.from('own');
    expect(validatorSetNumber(validatorKeys(17, secret).publicKey, secret)).toBe(17);
    expect(validatorSetNumber(validatorKeys(0).publicKey)).toBe(0);
    expect(validatorSetNumber(Buffer.alloc(32))).toBeUndefined();
  });
});
