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

/** The bytes of a key. */
export function bytesOf(key: HashKey): Buffer {
  return Buffer.from(key, 'latin1');
}
