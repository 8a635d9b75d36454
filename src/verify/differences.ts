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

export interface ExpectedRow {
  /** What it is about, in words. */
  readonly name: string;
  /** Without those that are not known. */
  readonly columns: Row;
  readonly isOptional?: boolean;
}

const MAX_KEPT = 1000;
const MAX_TEXT = 200;

/** Counts comparisons and differences; only the first differences are kept. */
export class Findings {
  readonly compared = new Map<string, number>();
  readonly differences: Difference[] = [];
  differenceCount = 0;
  /** How many rows could not be compared, by reason. */
  readonly skipped = new Map<string, number>();

  count(table: string, rows = 1): void {
    this.compared.set(table, (this.compared.get(table) ?? 0) + rows);
  }

  skip(reason: string): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
  }

  add(difference: Difference): void {
    this.differenceCount++;
    if (this.differences.length < MAX_KEPT) this.differences.push(difference);
  }

  addSurplus(table: string, key: string): void {
    this.add({ table, key, expected: undefined, found: 'a row' });
  }

  /** Compares rows by key; rows that only one side has are differences too. */
  compare(table: string, expected: ReadonlyMap<string, Row>, found: ReadonlyMap<string, Row>): void {
    for (const [key, row] of expected) this.compareRow(table, key, row, found.get(key));
    for (const key of found.keys()) if (!expected.has(key)) this.addSurplus(table, key);
  }

  /**
   * Compares rows of a table without a key. Rows that are equal in the columns of the first list are the same; of the
   * others, those that agree in the columns of a later list are taken for the same row with a wrong value.
   */
  compareRows(
    table: string,
    expected: readonly ExpectedRow[],
    found: readonly Row[],
    lists: readonly (readonly string[])[],
  ): void {
    let missing = expected;
    let surplus = found;
    for (const columns of lists) {
      if (missing.length === 0 || surplus.length === 0) break;
      const byKey = Map.groupBy(surplus, (row) => keyOf(row, columns));
      missing = missing.filter((one) => {
        if (!columns.every((column) => column in one.columns)) return true;
        const row = byKey.get(keyOf(one.columns, columns))?.pop();
        if (row !== undefined) this.compareRow(table, one.name, one.columns, row);
        return row === undefined;
      });
      surplus = [...byKey.values()].flat();
    }
    for (const { name, columns, isOptional } of missing)
      if (isOptional !== true) this.compareRow(table, name, columns, undefined);
    for (const row of surplus) this.addSurplus(table, describeRow(row));
  }

  compareRow(table: string, key: string, expected: Row, found: Row | undefined): void {
    this.count(table);
    if (found === undefined) {
      this.add({ table, key, expected: 'a row', found: undefined });
      return;
    }
    for (const [column, value] of Object.entries(expected)) {
      const [want, have] = [textOf(value), textOf(found[column])];
      if (want !== have) this.add({ table, key, column, expected: shorten(want), found: shorten(have) });
    }
  }
}

/** A row in words: its columns, without large ones. */
export function describeRow(row: Row): string {
  const columns = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
  return columns.map(([column, value]) => `${column} ${shorten(textOf(value))}`).join(', ');
}

function shorten(text: string | null): string | null {
  return text === null || text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
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
