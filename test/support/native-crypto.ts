import naclModule from '@ton/crypto/dist/primitives/nacl.js';
import { useNativeSha256 } from '../../src/chain/boc/ton-core.ts';
import { keyFromSeed, signWithSeed } from '../../src/lib/ed25519.ts';

/**
 * @ton/crypto, with which client libraries and tests hash and sign, does both in JavaScript: 4 ms per signature. In
 * tests it uses node:crypto. The functions are replaced where @ton/crypto re-exports them on every access.
 */
useNativeSha256();
const nacl: Pick<typeof naclModule, 'sign' | 'keyPairFromSeed'> = naclModule;
nacl.sign = (data, secretKey) => signWithSeed(secretKey, data);
nacl.keyPairFromSeed = (seed) => keyFromSeed(seed);
