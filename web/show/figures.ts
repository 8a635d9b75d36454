const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A number with at most three digits behind the point, as few as it needs to be told from others. */
export function formatCount(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** Bytes in their largest unit. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (Math.abs(value) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${formatCount(value)} ${UNITS[unit]}`;
}

/** Milliseconds; long ones as seconds. */
export function formatMs(ms: number): string {
  return ms >= 1000 ? `${formatCount(ms / 1000)} s` : `${formatCount(ms)} ms`;
}
