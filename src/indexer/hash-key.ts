/** Bytes, usually a hash, as a map key: one character per byte. */
export type HashKey = string;

const HASH_BYTES = 32;

/** The key of the bytes at an offset in a buffer. */
export function keyAt(bytes: Buffer, at: number, length = HASH_BYTES): HashKey {
  return bytes.toString('latin1', at, at + length);
}

/** The key of a whole buffer. */
export function keyOf(bytes: Buffer): HashKey {
  return bytes.toString('latin1');
}

/** The bytes of a key. */
export function bytesOf(key: HashKey): Buffer {
  return Buffer.from(key, 'latin1');
}
