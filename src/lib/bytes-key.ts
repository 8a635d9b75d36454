/** Bytes, usually a hash or an account, as a key of maps and sets: one character per byte. */
export function bytesKey(bytes: Buffer): string {
  return bytes.toString('latin1');
}

/** The values without repetitions, in the order of their first occurrence. */
export function distinctBytes(values: Iterable<Buffer>): Buffer[] {
  const found = new Map<string, Buffer>();
  for (const value of values) {
    const key = bytesKey(value);
    if (!found.has(key)) found.set(key, value);
  }
  return [...found.values()];
}
