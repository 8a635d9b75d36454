/** Bytes, usually a hash or an account, as a key of maps and sets: one character per byte. */
export function bytesKey(bytes: Buffer): string {
  return bytes.toString('latin1');
}

/** The values without repetitions, in the order of their first occurrence. */
export function distinctBytes(values: Iterable<Buffer>): Buffer[] {
  const results = new Map<string, Buffer>();
  for (const value of values) {
    const key = bytesKey(value);
    if (!results.has(key)) results.set(key, value);
  }
  return [...results.values()];
}

/** Bytes, usually a hash, as a map key: one character per byte. */
export type HashKey = string;

const HASH_BYTES = 32;

/** The key of the bytes at an offset in a buffer. */
export function keyAt(bytes: Buffer, at: number, length = HASH_BYTES): HashKey {
  return bytes.toString('latin1', at, at + length);
}

export function bytesOf(key: HashKey): Buffer {
  return Buffer.from(key, 'latin1');
}

/** Memory besides their own that kept bytes may hold. */
const MAX_SLACK_BYTES = 1024;

/**
 * Bytes that are kept for long: a copy, if they are part of a much larger buffer, which would be kept with them. Nearly all
 * small buffers are: Node cuts them from pools.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength - bytes.length <= MAX_SLACK_BYTES) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
