import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AdnlError,
  adnlShortId,
  createPrivateAdnlKey,
  readPublicKey,
  sharedSecret,
} from '../../../src/chain/adnl/keys.ts';
import { SERVER_ID, SERVER_KEY } from './recorded-sessions.ts';

const seed = (): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: 32, maxLength: 32 });

// The first two key pairs of RFC 8032, 7.1.
const FIRST = {
  seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
};
const SECOND = {
  seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
};

describe('ADNL keys', () => {
  it('have the short id that the network uses', () => {
    expect(adnlShortId(SERVER_KEY)).toEqual(SERVER_ID);
    expect(readPublicKey(SERVER_KEY).shortId).toEqual(SERVER_ID);
  });

  it.each([FIRST, SECOND])(
    'are derived from a seed as in the ed25519 test vectors',
    ({ seed: hex, publicKey }) => {
      const key = createPrivateAdnlKey(Buffer.from(hex, 'hex'));
      expect(key.publicBytes.toString('hex')).toBe(publicKey);
      expect(key.shortId).toEqual(adnlShortId(key.publicBytes));
    },
  );

  it('give the same shared secret as another implementation', () => {
    const own = createPrivateAdnlKey(Buffer.from(FIRST.seed, 'hex'));
    const peer = readPublicKey(Buffer.from(SECOND.publicKey, 'hex'));
    expect(sharedSecret(own, peer).toString('hex')).toBe(
      '5166f24a6918368e2af831a4affadd97af0ac326bdf143596c045967cc00230e',
    );
  });

  it('give both sides the same shared secret', () => {
    fc.assert(
      fc.property(seed(), seed(), (first, second) => {
        const one = createPrivateAdnlKey(first);
        const other = createPrivateAdnlKey(second);
        const secret = sharedSecret(one, readPublicKey(other.publicBytes));
        expect(sharedSecret(other, readPublicKey(one.publicBytes))).toEqual(secret);
      }),
      { numRuns: 20 },
    );
  });

  it('are random without a seed', () => {
    expect(createPrivateAdnlKey().publicBytes).not.toEqual(createPrivateAdnlKey().publicBytes);
  });

  it.each([
    ['y = 1, the neutral point', `01${'00'.repeat(31)}`],
    ['y = -1, the point of order two', `ec${'ff'.repeat(30)}7f`],
    ['y = 0, a point of order four', '00'.repeat(32)],
    ['y = p + 1, the neutral point spelt differently', `ee${'ff'.repeat(30)}7f`],
  ])('refuse key exchange with %s', (_, hex) => {
    const peer = readPublicKey(Buffer.from(hex, 'hex'));
    expect(() => sharedSecret(createPrivateAdnlKey(), peer)).toThrow(AdnlError);
  });

  it.each([0, 31, 33])('are refused with %i bytes', (length) => {
    expect(() => readPublicKey(Buffer.alloc(length))).toThrow(AdnlError);
    expect(() => createPrivateAdnlKey(Buffer.alloc(length))).toThrow(AdnlError);
  });
});
