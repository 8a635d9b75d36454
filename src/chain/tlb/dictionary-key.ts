/** One bit of a key. */
export function bitOf(key: Buffer, at: number): 0 | 1 {
  return ((key[at >> 3]! >> (7 - (at & 7))) & 1) as 0 | 1;
}

/** The first place from `from` on where two keys differ, or `to` if there is none before it. */
export function firstDifference(a: Buffer, b: Buffer, from: number, to: number): number {
  for (let at = from; at < to; ) {
    const difference = ((a[at >> 3]! ^ b[at >> 3]!) << (at & 7)) & 0xff;
    if (difference !== 0) return Math.min(to, at + Math.clz32(difference) - 24);
    at = (at | 7) + 1;
  }
  return to;
}
