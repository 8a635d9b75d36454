/** Prices are in fractions of 65536 nanotons; what is paid is rounded up. */
export function priceOf(fractions: bigint): bigint {
  return (fractions + 0xffffn) >> 16n;
}
