import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use-pages.ts';
import { Empty, Loaded, Panel } from './panel.tsx';
import { Table, type TableProps } from './table.tsx';

interface ListPanelProps<Row> {
  readonly title: string;
  readonly tools?: ComponentChildren;
  readonly pages: Pages<Row>;
  /** Shown where there are no rows. */
  readonly empty: string;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}

/** A panel with a list that is loaded page by page. */
export function ListPanel<Row>({ title, tools, pages, empty, children }: ListPanelProps<Row>) {
  const { more, isLoadingMore } = pages;
  return (
    <Panel title={title} tools={tools}>
      <Loaded call={pages}>{(rows) => (rows.length === 0 ? <Empty>{empty}</Empty> : children(rows))}</Loaded>
      {more !== undefined && (
        <p class="more">
          <button type="button" onClick={more} disabled={isLoadingMore}>
            {isLoadingMore ? 'Loading…' : 'Show more'}
          </button>
        </p>
      )}
    </Panel>
  );
}

type ListTableProps<Row> = Omit<ListPanelProps<Row>, 'children'> & Pick<TableProps<Row>, 'columns'>;

/** Such a panel with a table. */
export function ListTable<Row>({ columns, ...panel }: ListTableProps<Row>) {
  const name = `Table of ${panel.title.toLowerCase()}`;
  return (
    <ListPanel {...panel}>
      {(rows) => <Table name={name} rows={rows} keyOf={panel.pages.keyOf} columns={columns} />}
    </ListPanel>
  );
}
