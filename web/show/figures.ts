const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A number in groups of three digits, as amounts have them; a point is always that of decimals. */
export function formatNumber(value: number, maximumFractionDigits = 0): string {
  return value.toLocaleString('en', { maximumFractionDigits }).replaceAll(',', '\u202f');
}

/** A number with at most three digits behind the point, as few as it needs to be told from others. */
export function formatCount(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return formatNumber(value, digits);
}

export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (Math.abs(value) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${formatCount(value)} ${UNITS[unit]}`;
}

export function formatMs(ms: number): string {
  return ms >= 1000 ? `${formatCount(ms / 1000)} s` : `${formatCount(ms)} ms`;
}

export function formatShare(part: string, whole: string): string {
  const total = BigInt(whole);
  if (total <= 0n) return '–';
  const percent = Number((BigInt(part) * 1_000_000n) / total) / 10_000;
  return percent < 0.01 ? '<0.01 %' : `${percent.toFixed(2)} %`;
}

/** A number of things; the plural is that of most words. */
export function counted(count: number, name: string): string {
  return `${formatNumber(count)} ${name}${count === 1 ? '' : 's'}`;
}
