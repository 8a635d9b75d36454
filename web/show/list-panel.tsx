import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use-pages.ts';
import { Empty, Loaded, Panel } from './panel.tsx';

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
