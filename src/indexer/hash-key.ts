/** Bytes, most often a hash, as a key of maps: each byte a character. */
export type HashKey = string;

const HASH_BYTES = 32;

/** The key of the bytes of a buffer from a place on. */
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
