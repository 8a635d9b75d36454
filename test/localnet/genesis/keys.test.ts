import { keyPairFromSeed, signVerify } from '@ton/crypto';
import { describe, expect, it } from 'vitest';
import {
  adminKeys,
  signWithSeed,
  validatorKeys,
  validatorSetNumber,
} from '../../../src/localnet/genesis/keys.ts';

describe('keys of a local chain', () => {
  it('equal those that @ton/crypto derives from the seed', () => {
    const { seed, publicKey, secretKey } = validatorKeys(0);
    const pair = keyPairFromSeed(seed);
    expect(pair.publicKey.equals(publicKey)).toBe(true);
    expect(pair.secretKey.equals(secretKey)).toBe(true);
    const data = Buffer.from('a block');
    expect(signVerify(data, signWithSeed(seed, data), publicKey)).toBe(true);
  });

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
