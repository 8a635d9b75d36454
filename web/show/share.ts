/** A part of a whole in percent. */
export function formatShare(part: string, whole: string): string {
  const total = BigInt(whole);
  if (total <= 0n) return '–';
  const percent = Number((BigInt(part) * 1_000_000n) / total) / 10_000;
  return percent < 0.01 ? '<0.01 %' : `${percent.toFixed(2)} %`;
}
