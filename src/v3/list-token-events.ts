import type { Kysely } from 'kysely';
import { Slice } from '../chain/boc/slice.ts';
import { readTokenRequest, type TokenRequest } from '../chain/messages/token-requests.ts';
import { type Message, readMessage } from '../chain/tlb/message.ts';
import { readTransactionDescription } from '../chain/tlb/transaction.ts';
import type { Tables } from '../db/tables/tables.ts';
import { type Position, pageOf } from '../index/format/position.ts';
import { findLoneAccounts } from '../index/read/accounts.ts';
import type { Page } from '../index/read/pages.ts';
import {
  type EventFilters,
  type EventKey,
  type EventRow,
  type EventTable,
  eventOrder,
  eventRowKeysBefore,
  findEvents,
} from '../index/read/token-events.ts';
import { readPageVersions } from '../index/read/tx-pages.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { mapInSlices } from '../lib/slices.ts';
import { bytesText, type ListedPage, readCheckedPage } from './checked-list.ts';
import type { OutlinedTransaction, TransactionReader } from './indexed-transactions.ts';
import type { ShownCache } from './shown-cache.ts';
import { type EventHead, ShownEvent } from './shown-event.ts';

/** A transfer or a burn: a request to a token with the transaction that received it. */
export interface ListedEvent extends EventHead {
  readonly placed: OutlinedTransaction;
  readonly message: Message;
  readonly request: TokenRequest;
  /** By which it may be cached. */
  readonly key: string;
}

/** An event of the index, or all that responses show of it. */
export type FoundEvent = ListedEvent | ShownEvent;

interface EventsQuery {
  readonly table: EventTable;
  readonly filters: EventFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
  readonly cache?: ShownCache | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a page of transfers or burns. */
export async function listEvents(
  db: Kysely<Tables>,
  reader: TransactionReader,
  { table, filters, sort, page, cache, signal }: EventsQuery,
): Promise<ListedPage<FoundEvent>> {
  const list = { table, filters, sort };
  const keys = eventOrder(list);
  const isWanted = createFilter(list);
  return readCheckedPage({
    keys,
    page,
    skips: (await areRowsTrusted(db, filters, page)) ? 'unseen' : 'read',
    rowKeysBefore: (after) => eventRowKeysBefore(list, after),
    find: async (part) => {
      const rows = await findEvents(db, { ...list, page: part });
      return { rows, last: rows.length < part.limit ? undefined : rows.at(-1)!.keys };
    },
    read: async (rows) => {
      const keyed = rows.map((row) => ({ ...row, key: keyOf(table, row) }));
      const shown = cache === undefined ? new Map() : await findShown(db, cache, keyed);
      return (await readEvents(reader, keyed, { shown, signal })).filter(isWanted);
    },
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

interface KeyedRow extends EventRow {
  readonly key: string;
}

/** What tells an event apart in a cache. */
function keyOf(table: EventTable, { at, token }: EventRow): string {
  return `${table} ${at} ${token?.toString('base64')}`;
}

/** Events that other responses showed, by position. */
async function findShown(
  db: Kysely<Tables>,
  cache: ShownCache,
  rows: readonly KeyedRow[],
): Promise<ReadonlyMap<Position, ShownEvent>> {
  const candidates = rows.filter(({ key }) => cache.has(key));
  const pages = [...new Set(candidates.map(({ at }) => pageOf(at)))];
  const versions = new Map((await readPageVersions(db, { pages })).map((one) => [one.page, one]));
  const found = new Map<Position, ShownEvent>();
  for (const { at, key } of candidates) {
    const version = versions.get(pageOf(at));
    const shown = version && cache.find(ShownEvent, key, version);
    if (shown !== undefined) found.set(at, shown);
  }
  return found;
}

/** Reads the events of rows; those whose transactions were dropped are left out. */
async function readEvents(
  reader: TransactionReader,
  rows: readonly KeyedRow[],
  { shown, signal }: { readonly shown: ReadonlyMap<Position, ShownEvent> } & Pick<EventsQuery, 'signal'>,
): Promise<FoundEvent[]> {
  const outlines = await reader.readOutlines(rows.map(({ at }) => at).filter((at) => !shown.has(at)));
  const read = (row: KeyedRow): FoundEvent | undefined => {
    const placed = outlines.get(row.at);
    return shown.get(row.at) ?? (placed && toListed(row, placed));
  };
  return (await mapInSlices(rows, read, signal)).filter((event) => event !== undefined);
}

function toListed({ key, token }: KeyedRow, placed: OutlinedTransaction): ListedEvent | undefined {
  const { account, outline } = placed;
  const { cells, inMessage, description, lt, now, endStatus } = outline;
  if (inMessage < 0) return undefined;
  const message = readMessage(cells, inMessage);
  const request = readTokenRequest({
    inMessage: message,
    description: readTransactionDescription(new Slice(cells, description)),
    endStatus,
  });
  if (request === undefined) return undefined;
  const { source, destination, responseDestination } = request;
  return { placed, message, request, key, account, token, source, destination, responseDestination, lt, now };
}

/** The test that the accounts of an event fit the filters. Everything else is in rows as it is. */
function createFilter({
  table,
  filters,
}: Pick<EventsQuery, 'table' | 'filters'>): (event: FoundEvent) => boolean {
  const accounts = new Set(filters.accounts.map(bytesKey));
  const owners = new Set(filters.owners.map(bytesKey));
  const isOwner = (account: Buffer | undefined) => account !== undefined && owners.has(bytesKey(account));
  // Burns have one side only.
  const direction = table === 'jetton_burns' ? 'out' : filters.direction;
  return ({ account, source, destination }) =>
    (accounts.size === 0 || accounts.has(bytesKey(account))) &&
    (owners.size === 0 ||
      (direction !== 'in' && isOwner(source)) ||
      (direction !== 'out' && isOwner(destination)));
}

/** The keys of an event, as in cursors. */
function keysOf(keys: readonly EventKey[], { lt, now, account }: FoundEvent): readonly string[] {
  const texts = {
    lt: () => String(lt),
    now: () => String(now),
    account: () => bytesText(account),
  };
  return keys.map(({ name }) => texts[name]());
}
