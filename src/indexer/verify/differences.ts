/** Where a table and the chain do not say the same. */
export interface Difference {
  readonly table: string;
  readonly key: string;
  /** Left out when it is the row itself that one side does not have. */
  readonly column?: string;
  /** What the chain says; undefined for a row that it does not have. */
  readonly expected: string | null | undefined;
  /** What the table says; undefined for a row that is not there. */
  readonly found: string | null | undefined;
}

/** A row, or the columns of one that are compared. */
export type Row = Readonly<Record<string, unknown>>;

const MAX_KEPT = 1000;

/** What was compared so far, and what was different. Only the first differences are kept, all are counted. */
export class Findings {
  readonly compared = new Map<string, number>();
  readonly differences: Difference[] = [];
  differenceCount = 0;

  /** Counts rows that were compared. */
  count(table: string, rows = 1): void {
    this.compared.set(table, (this.compared.get(table) ?? 0) + rows);
  }

  add(difference: Difference): void {
    this.differenceCount++;
    if (this.differences.length < MAX_KEPT) this.differences.push(difference);
  }

  /** Compares rows by key: those that only one side has are differences as well. */
  compare(table: string, expected: ReadonlyMap<string, Row>, found: ReadonlyMap<string, Row>): void {
    for (const [key, row] of expected) this.compareRow(table, key, row, found.get(key));
    for (const key of found.keys())
      if (!expected.has(key)) this.add({ table, key, expected: undefined, found: 'a row' });
  }

  /** Compares the columns that are expected. */
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

/** A value in the one form that both sides can be brought to. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (Array.isArray(value)) return `{${value.map(textOf).join(',')}}`;
  if (typeof value === 'object')
    return JSON.stringify(Object.entries(value).sort(([a], [b]) => Number(a) - Number(b)));
  return String(value);
}

/** Rows by a key that is made of some of their columns. */
export function rowsByKey(rows: readonly Row[], columns: readonly string[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row, columns), row]));
}

/** The values of some columns of a row, as one text. */
export function keyOf(row: Row, columns: readonly string[]): string {
  return columns.map((column) => textOf(row[column])).join(' ');
}
