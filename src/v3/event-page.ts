import type { Kysely } from 'kysely';
import { type EventFilters, type EventQuery, eventKeys } from '../db/queries/token-events.ts';
import type { Tables } from '../db/tables.ts';
import type { ParameterValues } from '../http/operation.ts';
import { loadBooks } from './books.ts';
import type { V3Call } from './call.ts';
import type { eventParams } from './event-params.ts';
import { notePage, openPage } from './page.ts';
import { readIndex } from './read-index.ts';
import { toSpan } from './span.ts';

/** What a request for transfers or burns gave, as far as all of them have it. */
type EventParams = ParameterValues<ReturnType<typeof eventParams>> & {
  readonly owner_address: readonly Buffer[];
  readonly direction?: 'in' | 'out' | 'both';
};

/** One list of transfers or burns. */
export interface EventList<Row> extends Pick<EventFilters, 'accounts' | 'token'> {
  readonly read: (db: Kysely<Tables>, query: EventQuery) => Promise<readonly Row[]>;
  /** The accounts of a row that the books tell of. */
  readonly named: (row: Row) => readonly (Buffer | null)[];
}

/** Reads the page of a list that was asked for, and the books of it. */
export function readEventPage<Row extends { readonly cursor: readonly string[] }>(
  call: V3Call,
  params: EventParams,
  { accounts, token, read, named }: EventList<Row>,
) {
  const { owner_address: owners, address, direction, sort } = params;
  const filters: EventFilters = {
    ...{ accounts, token, owners: owners.length > 0 ? owners : address, span: toSpan(params) },
    direction: direction === 'both' ? undefined : direction,
  };
  const keys = eventKeys({ ...filters, sort });
  const page = openPage(params, keys);
  return readIndex(call, async (db) => {
    const rows = await read(db, { ...filters, sort, page });
    notePage(call, keys, page, rows);
    return { rows, books: await loadBooks(call, db, rows.flatMap(named)) };
  });
}
