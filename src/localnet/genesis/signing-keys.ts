import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** An ed25519 key: its seed, its public half, and both in one, as @ton/crypto takes it. */
export interface SigningKey {
  readonly seed: Buffer;
  readonly publicKey: Buffer;
  readonly secretKey: Buffer;
}

/**
 * What the keys of a chain grow from unless it is given a secret of its own. It is public on purpose, and so are those
 * keys: a local chain is there to try things out, and whoever reaches it may make blocks and change its configuration.
 */
export const PUBLIC_SECRET = Buffer.from('tongate localnet: keys that everybody knows');

// What comes before the 32 bytes of a key in its DER form.
const PRIVATE_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_DER_BYTES = 12;
/** How many validator sets are looked through for a key. */
const MAX_SETS = 1000;

/** The key of the one validator of a set. Set 0 is that of the zero state; each set has another key. */
export function validatorKeys(set: number, secret: Buffer = PUBLIC_SECRET): SigningKey {
  return grow(secret, `validator ${set}`);
}

/** The key whose owner may change the configuration. */
export function adminKeys(secret: Buffer = PUBLIC_SECRET): SigningKey {
  return grow(secret, 'configuration');
}

/** The number of the set whose validator has a public key, or undefined if it is none of ours. */
export function validatorSetNumber(publicKey: Buffer, secret: Buffer = PUBLIC_SECRET): number | undefined {
  for (let set = 0; set < MAX_SETS; set++)
    if (validatorKeys(set, secret).publicKey.equals(publicKey)) return set;
  return undefined;
}

/** Signs with the key of a seed, a hundred times as fast as @ton/crypto. */
export function signWithSeed(seed: Buffer, data: Buffer): Buffer {
  return sign(null, data, privateKey(seed));
}

function grow(secret: Buffer, purpose: string): SigningKey {
  const seed = createHmac('sha256', secret).update(purpose).digest();
  const der = createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' });
  const publicKey = Buffer.from(der.subarray(PUBLIC_DER_BYTES));
  return { seed, publicKey, secretKey: Buffer.concat([seed, publicKey]) };
}

function privateKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_DER, seed]), format: 'der', type: 'pkcs8' });
}
