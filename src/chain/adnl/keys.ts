import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** A peer's ed25519 key, prepared for key exchange; `shortId` is the peer's id on the wire. */
export type AdnlPublicKey = Readonly<ReturnType<typeof readPublicKey>>;

/** Our own key, prepared for key exchange. */
export type AdnlPrivateKey = Readonly<ReturnType<typeof createPrivateAdnlKey>>;

const KEY_BYTES = 32;
// DER prefixes of 32-byte keys.
const ED25519_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const X25519_PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex');
const X25519_PUBLIC = Buffer.from('302a300506032b656e032100', 'hex');
// pub.ed25519 key:int256 = PublicKey
const PUB_ED25519 = Buffer.from('c6b41348', 'hex');

/** The id of a key's owner: the hash of the key in TL. */
export function adnlShortId(publicKey: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([PUB_ED25519, publicKey]), 'buffer');
}

export function readPublicKey(bytes: Uint8Array) {
  if (bytes.length !== KEY_BYTES) throw new AdnlError(`a public key has 32 bytes, not ${bytes.length}`);
  const der = Buffer.concat([X25519_PUBLIC, edwardsToMontgomery(bytes)]);
  return {
    bytes: Buffer.from(bytes),
    shortId: adnlShortId(bytes),
    exchange: createPublicKey({ key: der, format: 'der', type: 'spki' }),
  };
}

/** The key of a 32-byte ed25519 seed; without one, a new key. */
export function createPrivateAdnlKey(seed: Uint8Array = randomBytes(KEY_BYTES)) {
  if (seed.length !== KEY_BYTES) throw new AdnlError(`a seed has 32 bytes, not ${seed.length}`);
  const signing = fromDer(ED25519_PRIVATE, seed);
  const publicBytes = createPublicKey(signing)
    .export({ format: 'der', type: 'spki' })
    .subarray(X25519_PUBLIC.length);
  // X25519 clamps the scalar by itself, as ed25519 does with the same bytes.
  const scalar = hash('sha512', seed, 'buffer').subarray(0, KEY_BYTES);
  return { publicBytes, shortId: adnlShortId(publicBytes), exchange: fromDer(X25519_PRIVATE, scalar) };
}

/** The secret that only the owners of both keys can compute. */
export function sharedSecret(own: AdnlPrivateKey, peer: AdnlPublicKey): Buffer {
  try {
    return diffieHellman({ privateKey: own.exchange, publicKey: peer.exchange });
  } catch (error) {
    throw new AdnlError('the public key is of a small order', error);
  }
}

function fromDer(prefix: Buffer, key: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([prefix, key]), format: 'der', type: 'pkcs8' });
}

/** The field of both curves. */
const P = 2n ** 255n - 19n;

/**
 * Converts an ed25519 public key to the x25519 key of the same point: u = (1 + y) / (1 - y). The sign of x does not
 * matter there. Points of small order become keys that the key exchange itself refuses.
 */
function edwardsToMontgomery(publicKey: Uint8Array): Buffer {
  const bigEndian = Buffer.from(publicKey).reverse();
  bigEndian[0] = bigEndian[0]! & 0x7f;
  const y = BigInt(`0x${bigEndian.toString('hex')}`);
  const u = ((1n + y) * invert(P + 1n - (y % P))) % P;
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse();
}

/** The inverse by Fermat: value to the power of p - 2. The inverse of zero is zero. */
function invert(value: bigint): bigint {
  let result = 1n;
  let square = value % P;
  for (let exponent = P - 2n; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/** A peer broke the protocol. Its stream cannot be read any further: the connection must be closed. */
export class AdnlError extends Error {
  constructor(text: string, cause?: unknown) {
    super(text, cause === undefined ? undefined : { cause });
    this.name = 'AdnlError';
  }
}
