import type { ComponentChildren } from 'preact';
import { Empty, ScrollRegion } from './panel.tsx';

type Cell<Row> = (row: Row, index: number) => ComponentChildren;

/** A column: how a cell shows its row, alone or with more about the column. */
type Column<Row> =
  | Cell<Row>
  | {
      readonly show: Cell<Row>;
      /** Class of its cells: those of a `number` stand at the right. */
      readonly kind?: string;
      /** The name is for screen readers only. */
      readonly isUnnamed?: boolean;
    };

export interface TableProps<Row> {
  /** Its subject, for screen readers. */
  readonly name: string;
  readonly kind?: string;
  readonly rows: readonly Row[];
  /** Shown instead of a table without rows. */
  readonly empty?: string | undefined;
  readonly keyOf: (row: Row, index: number) => string | number;
  readonly kindOf?: (row: Row) => string;
  readonly columns: Readonly<Record<string, Column<Row>>>;
}

export function Table<Row>({ name, kind, rows, empty, keyOf, kindOf, columns }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <Empty>{empty}</Empty>;
  const shown = Object.entries(columns).map(([title, column]) =>
    typeof column === 'function' ? { title, show: column } : { title, ...column },
  );
  return (
    <ScrollRegion name={name} kind={kind}>
      <table>
        <thead>
          <tr>
            {shown.map(({ title, kind, isUnnamed }) => (
              <th key={title} class={kind}>
                {isUnnamed ? <span class="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)} class={kindOf?.(row)}>
              {shown.map(({ title, kind, show }) => (
                <td key={title} class={kind}>
                  {show(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
