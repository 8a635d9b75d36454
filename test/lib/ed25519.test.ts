import { describe, expect, it } from 'vitest';
import { keyFromSeed, signWithSeed } from '../../src/lib/ed25519.ts';

// Section 7.1 of RFC 8032.
const VECTORS = [
  {
    seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    data: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    data: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
];

describe.each(VECTORS)('ed25519 with the seed $seed', ({ seed, publicKey, data, signature }) => {
  const key = keyFromSeed(Buffer.from(seed, 'hex'));

  it('derives the keys', () => {
    expect(key.publicKey.toString('hex')).toBe(publicKey);
    expect(key.secretKey.toString('hex')).toBe(seed + publicKey);
  });

  it('signs with the seed, and with the secret key', () => {
    for (const secret of [key.seed, key.secretKey])
      expect(signWithSeed(secret, Buffer.from(data, 'hex')).toString('hex')).toBe(signature);
  });
});
