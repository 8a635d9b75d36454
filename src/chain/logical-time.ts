const ALIGNMENT = 1_000_000n;

/** The first logical time of a block that comes after some others. */
export function blockStartLtAfter(...ends: readonly bigint[]): bigint {
  const last = ends.reduce((a, b) => (a > b ? a : b));
  const over = last % ALIGNMENT;
  return over === 0n && last !== 0n ? last : last + ALIGNMENT - over;
}

/** The order of messages: by logical time and, where that is the same, by hash. */
export function compareByLt(
  a: { readonly lt: bigint; readonly hash: Buffer },
  b: { readonly lt: bigint; readonly hash: Buffer },
): number {
  return a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : a.hash.compare(b.hash);
}
