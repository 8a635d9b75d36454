const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A number of bytes in a unit that people read, with three digits. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${UNITS[unit]}`;
}
