import type { Kysely } from 'kysely';
import { readTokenRequest, type TokenRequest } from '../chain/messages/token-requests.ts';
import { findLoneAccounts } from '../db/queries/accounts.ts';
import type { Page } from '../db/queries/pages.ts';
import {
  type EventFilters,
  type EventKey,
  type EventRow,
  type EventTable,
  eventOrder,
  eventRowKeysBefore,
  findEvents,
} from '../db/queries/token-events.ts';
import type { Tables } from '../db/tables.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { bytesText, type ListedPage, readCheckedPage } from './checked-list.ts';
import type { IndexedTransaction, TransactionReader } from './indexed-transactions.ts';

/** A transfer or a burn: a request to a token with the transaction that received it. */
export interface ListedEvent {
  readonly placed: IndexedTransaction;
  readonly request: TokenRequest;
  /** The jetton or the collection; null for an NFT without one. */
  readonly token: Buffer | null;
}

interface EventsQuery {
  readonly table: EventTable;
  readonly filters: EventFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/** Reads a page of transfers or burns. */
export async function listEvents(
  db: Kysely<Tables>,
  reader: TransactionReader,
  { table, filters, sort, page }: EventsQuery,
): Promise<ListedPage<ListedEvent>> {
  const list = { table, filters, sort };
  const keys = eventOrder(list);
  const isWanted = createFilter(filters);
  return readCheckedPage({
    keys,
    page,
    skips: (await areRowsTrusted(db, filters, page)) ? 'unseen' : 'read',
    rowKeysBefore: (after) => eventRowKeysBefore(list, after),
    find: async (part) => {
      const rows = await findEvents(db, { ...list, page: part });
      return { rows, last: rows.length < part.limit ? undefined : rows.at(-1)!.keys };
    },
    read: async (rows) => (await readEvents(reader, rows)).filter(isWanted),
    keysOf: (event) => keysOf(keys, event),
  });
}

/** Whether events before a page can be skipped by what their rows tell: prefixes of accounts, and the whole token. */
async function areRowsTrusted(
  db: Kysely<Tables>,
  { accounts, owners }: EventFilters,
  { offset }: Page,
): Promise<boolean> {
  if (offset === 0) return false;
  const asked = [...accounts, ...owners];
  const lone = new Set((await findLoneAccounts(db, { accounts: asked })).map(bytesKey));
  return asked.every((account) => lone.has(bytesKey(account)));
}

/** Reads the events of rows; those whose transactions were dropped are left out. */
async function readEvents(reader: TransactionReader, rows: readonly EventRow[]): Promise<ListedEvent[]> {
  const found = await reader.read(rows.map(({ at }) => at));
  return rows.flatMap(({ at, token }) => {
    const placed = found.get(at);
    const request = placed && readTokenRequest(placed.transaction);
    return request === undefined ? [] : [{ placed: placed!, request, token }];
  });
}

/** The test that the accounts of an event fit the filters. Everything else is in rows as it is. */
function createFilter(filters: EventFilters): (event: ListedEvent) => boolean {
  const accounts = new Set(filters.accounts.map(bytesKey));
  const owners = new Set(filters.owners.map(bytesKey));
  const isOwner = (account: Buffer | undefined) => account !== undefined && owners.has(bytesKey(account));
  return ({ placed, request: { kind, source, destination } }) => {
    // Burns have one side only.
    const direction = kind === 'jetton_burn' ? 'out' : filters.direction;
    return (
      (accounts.size === 0 || accounts.has(bytesKey(placed.account))) &&
      (owners.size === 0 ||
        (direction !== 'in' && isOwner(source)) ||
        (direction !== 'out' && isOwner(destination)))
    );
  };
}

/** The keys of an event, as in cursors. */
function keysOf(
  keys: readonly EventKey[],
  { placed: { transaction, account } }: ListedEvent,
): readonly string[] {
  const texts = {
    lt: () => String(transaction.lt),
    now: () => String(transaction.now),
    account: () => bytesText(account),
  };
  return keys.map(({ name }) => texts[name]());
}
