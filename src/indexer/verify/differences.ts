/** A difference between a table and the chain. */
export interface Difference {
  readonly table: string;
  readonly key: string;
  /** Left out if one side lacks the whole row. */
  readonly column?: string;
  /** The value of the chain; undefined for a row that it does not have. */
  readonly expected: string | null | undefined;
  /** The value in the table; undefined for a missing row. */
  readonly found: string | null | undefined;
}

/** A row, or its compared columns. */
export type Row = Readonly<Record<string, unknown>>;

const MAX_KEPT = 1000;

/** Counts comparisons and differences; only the first differences are kept. */
export class Findings {
  readonly compared = new Map<string, number>();
  readonly differences: Difference[] = [];
  differenceCount = 0;
  /** How many rows could not be compared, by reason. */
  readonly skipped = new Map<string, number>();

  /** Counts compared rows. */
  count(table: string, rows = 1): void {
    this.compared.set(table, (this.compared.get(table) ?? 0) + rows);
  }

  /** Counts a row that cannot be compared. */
  skip(reason: string): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
  }

  add(difference: Difference): void {
    this.differenceCount++;
    if (this.differences.length < MAX_KEPT) this.differences.push(difference);
  }

  /** Compares rows by key; rows that only one side has are differences too. */
  compare(table: string, expected: ReadonlyMap<string, Row>, found: ReadonlyMap<string, Row>): void {
    for (const [key, row] of expected) this.compareRow(table, key, row, found.get(key));
    for (const key of found.keys())
      if (!expected.has(key)) this.add({ table, key, expected: undefined, found: 'a row' });
  }

  /** Compares the expected columns. */
  compareRow(table: string, key: string, expected: Row, found: Row | undefined): void {
    this.count(table);
    if (found === undefined) {
      this.add({ table, key, expected: 'a row', found: undefined });
      return;
    }
    for (const [column, value] of Object.entries(expected)) {
      const [want, have] = [textOf(value), textOf(found[column])];
      if (want !== have) this.add({ table, key, column, expected: want, found: have });
    }
  }
}

/** A value in a form common to both sides. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (Array.isArray(value)) return `{${value.map(textOf).join(',')}}`;
  if (typeof value === 'object')
    return JSON.stringify(Object.entries(value).sort(([a], [b]) => Number(a) - Number(b)));
  return String(value);
}

/** Rows by a key made of some of their columns. */
export function rowsByKey(rows: readonly Row[], columns: readonly string[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row, columns), row]));
}

/** The key of a row: the values of some columns, joined. */
export function keyOf(row: Row, columns: readonly string[]): string {
  return columns.map((column) => textOf(row[column])).join(' ');
}
