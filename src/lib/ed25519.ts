import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** An ed25519 key: seed, public key, and both concatenated, as @ton/crypto takes it. */
export interface SigningKey {
  readonly seed: Buffer;
  readonly publicKey: Buffer;
  readonly secretKey: Buffer;
}

// DER prefix of a 32-byte key.
const PRIVATE_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_DER_BYTES = 12;
const SEED_BYTES = 32;

export function keyFromSeed(seed: Buffer): SigningKey {
  const der = createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' });
  const publicKey = Buffer.from(der.subarray(PUBLIC_DER_BYTES));
  return { seed, publicKey, secretKey: Buffer.concat([seed, publicKey]) };
}

/** Signs with a seed, or with a secret key, which starts with its seed: a hundred times as fast as @ton/crypto. */
export function signWithSeed(seed: Uint8Array, data: Uint8Array): Buffer {
  return sign(null, data, privateKey(seed.subarray(0, SEED_BYTES)));
}

function privateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_DER, seed]), format: 'der', type: 'pkcs8' });
}
