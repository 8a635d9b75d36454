import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { AdnlFault } from './adnl-fault.ts';
import { edwardsToMontgomery } from './edwards-to-montgomery.ts';

/** A peer's ed25519 key, ready for the exchange of secrets. */
export interface AdnlPublicKey {
  readonly bytes: Buffer;
  /** The peer's name on the wire. */
  readonly shortId: Buffer;
  readonly exchange: KeyObject;
}

/** Our own key, ready for the exchange of secrets. */
export interface AdnlPrivateKey {
  readonly publicBytes: Buffer;
  readonly shortId: Buffer;
  readonly exchange: KeyObject;
}

const KEY_BYTES = 32;
// What comes before the 32 bytes of a key in its DER form.
const ED25519_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const X25519_PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex');
const X25519_PUBLIC = Buffer.from('302a300506032b656e032100', 'hex');
/** pub.ed25519 key:int256 = PublicKey */
const PUB_ED25519 = Buffer.from('c6b41348', 'hex');

/** The name of a key's owner: the hash of the key's TL form. */
export function adnlShortId(publicKey: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([PUB_ED25519, publicKey]), 'buffer');
}

/** Reads the 32 bytes of a peer's ed25519 key. */
export function readPublicKey(bytes: Uint8Array): AdnlPublicKey {
  if (bytes.length !== KEY_BYTES) throw new AdnlFault(`a public key has 32 bytes, not ${bytes.length}`);
  const der = Buffer.concat([X25519_PUBLIC, edwardsToMontgomery(bytes)]);
  return {
    bytes: Buffer.from(bytes),
    shortId: adnlShortId(bytes),
    exchange: createPublicKey({ key: der, format: 'der', type: 'spki' }),
  };
}

/** The key that grows from a 32-byte ed25519 seed; without one, a new key. */
export function createPrivateAdnlKey(seed: Uint8Array = randomBytes(KEY_BYTES)): AdnlPrivateKey {
  if (seed.length !== KEY_BYTES) throw new AdnlFault(`a seed has 32 bytes, not ${seed.length}`);
  const signing = fromDer(ED25519_PRIVATE, seed);
  const publicBytes = createPublicKey(signing)
    .export({ format: 'der', type: 'spki' })
    .subarray(X25519_PUBLIC.length);
  // X25519 clamps the scalar by itself, as ed25519 does with the same bytes.
  const scalar = hash('sha512', seed, 'buffer').subarray(0, KEY_BYTES);
  return { publicBytes, shortId: adnlShortId(publicBytes), exchange: fromDer(X25519_PRIVATE, scalar) };
}

/** What only the owners of both keys can compute. */
export function sharedSecret(own: AdnlPrivateKey, peer: AdnlPublicKey): Buffer {
  try {
    return diffieHellman({ privateKey: own.exchange, publicKey: peer.exchange });
  } catch (error) {
    throw new AdnlFault('the public key is of a small order', error);
  }
}

function fromDer(prefix: Buffer, key: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([prefix, key]), format: 'der', type: 'pkcs8' });
}
