import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use-pages.ts';
import { Empty, Loaded, Panel } from './panel.tsx';
import { Table, type TableProps } from './table.tsx';

/** A list that is loaded page by page. */
export interface ListProps<Row> {
  readonly title: string;
  readonly tools?: ComponentChildren;
  readonly pages: Pages<Row>;
  /** Shown where there are no rows. */
  readonly empty: string;
}

interface ListPanelProps<Row> extends ListProps<Row> {
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}

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

export function ListTable<Row>({ columns, ...list }: ListProps<Row> & Pick<TableProps<Row>, 'columns'>) {
  const name = `Table of ${list.title.toLowerCase()}`;
  return (
    <ListPanel {...list}>
      {(rows) => <Table name={name} rows={rows} keyOf={list.pages.keyOf} columns={columns} />}
    </ListPanel>
  );
}
