import type { ClusterNode } from '../db/check-database.ts';

/** Formats rows as a text table with the column names of the first row. */
export function formatTable(rows: readonly Record<string, string>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const format = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return lines.map((line) => `${format(line).trimEnd()}\n`).join('');
}

interface RowsOptions {
  readonly json: boolean | undefined;
  /** The text if there are no rows. */
  readonly none: string;
  readonly cells: readonly Record<string, string>[];
}

/** Formats rows as JSON, or their cells as a table. */
export function formatRows(rows: readonly object[], { json, none, cells }: RowsOptions): string {
  if (json === true) return `${JSON.stringify(rows, null, 2)}\n`;
  return rows.length === 0 ? `${none}\n` : formatTable(cells);
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Formats a number of bytes with three digits and a unit. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${UNITS[unit]}`;
}

export function formatNodes(nodes: readonly ClusterNode[]): string {
  return formatTable(
    nodes.map(({ name, isCoordinator, isReachable, shards, bytes }) => ({
      NODE: name,
      ROLE: isCoordinator ? 'coordinator' : 'worker',
      SHARDS: `${shards}`,
      SIZE: formatBytes(bytes),
      STATE: isReachable ? 'ok' : 'unreachable',
    })),
  );
}

/** A duration in its two largest units. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const units = [
    ['d', Math.floor(whole / 86_400)],
    ['h', Math.floor(whole / 3600) % 24],
    ['min', Math.floor(whole / 60) % 60],
    ['s', whole % 60],
  ] as const;
  const first = units.findIndex(([, count]) => count > 0);
  if (first < 0) return '0 s';
  return units
    .slice(first, first + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${unit}`)
    .join(' ');
}
