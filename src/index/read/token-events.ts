import { type RawBuilder, sql } from 'kysely';
import { Slice } from '../../chain/boc/slice.ts';
import { readTokenRequest, type TokenRequest } from '../../chain/messages/token-requests.ts';
import { type Message, readMessage } from '../../chain/tlb/message.ts';
import { readTransactionDescription } from '../../chain/tlb/transaction.ts';
import { readRows } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import type { JsonText } from '../../lib/json-text.ts';
import { mapInSlices } from '../../lib/slices.ts';
import { accountPrefix, accountPrefixes, type Position, pageOf } from '../format/position.ts';
import { isShown } from '../snapshot.ts';
import {
  accountOfKey,
  allowSorting,
  allRows,
  areLoneAccounts,
  bytesText,
  type ListWindow,
  type Lookup,
  type LookupList,
  lookupSlice,
  type OrderKey,
  readCheckedList,
  sliceParts,
} from './lists.ts';
import { type ReadyCache, ReadyText } from './ready-cache.ts';
import { findTimeWindow, inSpan, isTimed, MAX_INT64, readTimeRange, type Span } from './time-bounds.ts';
import { readPageVersions } from './transaction-pages.ts';
import type { OutlinedTransaction, TransactionReader } from './transaction-reader.ts';

/** Which events are wanted; empty lists and undefined do not filter. */
export interface EventFilters {
  /** The jetton wallets or NFT items that received the request. */
  readonly accounts: readonly Buffer[];
  /** Sender or receiver; both without a direction. */
  readonly owners: readonly Buffer[];
  readonly direction?: 'in' | 'out' | undefined;
  /** The jetton or the collection. */
  readonly token?: Buffer | undefined;
  /** Of the transaction. */
  readonly span: Span;
}

export type EventTable = 'jetton_transfers' | 'jetton_burns' | 'nft_transfers';

interface EventList {
  readonly table: EventTable;
  readonly filters: EventFilters;
  readonly sort: 'asc' | 'desc';
}

interface EventQuery extends EventList {
  /** Its `after` has the keys of a row. */
  readonly page: ListWindow;
}

interface EventKey extends Pick<OrderKey, 'type' | 'direction'> {
  readonly name: 'now' | 'lt' | 'account';
}

/** Events are in the order of logical time, or of time if they are filtered by it. */
export function eventOrder({
  filters: { span },
  sort: direction,
}: Pick<EventList, 'filters' | 'sort'>): readonly EventKey[] {
  const keys: EventKey[] = [
    { name: 'lt', type: 'bigint', direction },
    { name: 'account', type: 'bytea', direction },
  ];
  return isTimed(span) ? [{ name: 'now', type: 'bigint', direction }, ...keys] : keys;
}

/** A row of a list. Accounts are found by their prefixes, so the transaction itself must be checked. */
interface EventRow {
  readonly at: Position;
  /** The jetton or the collection; null for an NFT without one. */
  readonly token: Buffer | null;
  /** What rows are ordered by. */
  readonly keys: readonly string[];
}

const SIGN = 2n ** 63n;

/**
 * What rows are ordered by: the keys of the list, with prefixes of accounts, and the position. Lists have accounts in the
 * order of their bytes, which puts the masterchain last, so the sign of the prefix is flipped. Accounts with the same
 * prefix are in the same block if they have transactions of the same logical time, and there positions are in the order
 * of accounts.
 */
function rowOrder(list: Pick<EventList, 'filters' | 'sort'>): OrderKey[] {
  const columns = { now: sql`now`, lt: sql`lt`, account: sql`(acc8 # ${sql.lit(String(-SIGN))}::bigint)` };
  const keys = eventOrder(list).map(
    ({ name, direction }): OrderKey => ({ by: columns[name], type: 'bigint', direction }),
  );
  return [...keys, { by: sql`at`, type: 'bigint', direction: list.sort }];
}

/** The keys of a row just before all rows that may be those of an event, which is given by its keys in a cursor. */
function eventRowKeysBefore(list: Pick<EventList, 'filters' | 'sort'>, after: readonly string[]) {
  const flipped = BigInt.asIntN(64, accountPrefix(accountOfKey(after.at(-1)!)) ^ SIGN);
  return [...after.slice(0, -1), String(flipped), list.sort === 'asc' ? '-1' : String(MAX_INT64)];
}

const TOKENS: Readonly<Record<EventTable, string>> = {
  jetton_transfers: 'jetton',
  jetton_burns: 'jetton',
  nft_transfers: 'collection',
};

/** Finds the rows of a page, in list order. Aborted transfers of jettons are left out. */
export async function findEvents(db: Db, query: EventQuery): Promise<EventRow[]> {
  const rows = await readRows<{ at: string; token: Buffer | null; cursor: readonly string[] }>(db)`
    with ${lookupSlice(db, await toLookupList(db, query))}
    select at, ${sql.ref(TOKENS[query.table])} as token, cursor from page order by place`;
  return rows.map(({ at, token, cursor }) => ({ at: Number(at), token, keys: cursor }));
}

async function toLookupList(db: Db, query: EventQuery): Promise<LookupList> {
  const { table, filters, sort, page } = query;
  const { span } = filters;
  const { lookups, where: conditions } = lookupsOf(query);
  const fixed = table === 'jetton_transfers' ? [sql`not aborted`, ...conditions] : conditions;
  const where = (within: Span) => [...fixed, isShown(db, sql`mc_seqno`), inSpan(within, sql`now`, sql`lt`)];
  const columns = sql`at, acc8, lt, now, ${sql.ref(TOKENS[table])}`;
  const list = { columns, lookups, where: where(span), keys: rowOrder(query), page };
  allowSorting(db, false);
  if (!isTimed(span)) return list;
  // Rows are indexed by logical time, so a page in the order of time is sorted from those around it.
  const window = await findTimeWindow(db, { span, sort, page }, (rest, count) =>
    readTimes(db, { ...list, where: [...where(rest), sliceParts(list.keys, page).where] }, query, count),
  );
  allowSorting(db, true);
  return { ...list, where: where(window) };
}

/** The times of the first `count` rows of a list in the order of logical time; undefined if there are fewer. */
async function readTimes(db: Db, list: LookupList, { filters, sort }: EventQuery, count: number) {
  const keys = rowOrder({ filters: { ...filters, span: {} }, sort });
  const page = lookupSlice(db, { ...list, keys, page: { limit: count, offset: 0 } });
  return readTimeRange(db, { query: sql`with ${page} select now as time from page`, count });
}

const SIDES = { in: ['dst8'], out: ['src8'], both: ['src8', 'dst8'] };

/** Looks up by the most selective filter; the others become conditions. */
function lookupsOf({ table, filters }: EventList): { lookups: Lookup[]; where: RawBuilder<unknown>[] } {
  const { accounts, owners, direction, token } = filters;
  const sides = table === 'jetton_burns' ? SIDES.out : SIDES[direction ?? 'both'];
  // The row has the whole token.
  const ofToken = token === undefined ? [] : [sql`${sql.ref(TOKENS[table])} = ${token}`];
  if (accounts.length > 0) {
    const isOfOwner = sql.join(
      sides.map((side) => sql`${sql.ref(side)} = any(${accountPrefixes(owners)}::bigint[])`),
      sql` or `,
    );
    const where = owners.length === 0 ? ofToken : [sql`(${isOfOwner})`, ...ofToken];
    return { lookups: [rowsOf(table, 'acc8', accounts)], where };
  }
  if (owners.length > 0) return { lookups: sides.map((side) => rowsOf(table, side, owners)), where: ofToken };
  return {
    lookups: [token === undefined ? allRows(table) : rowsOf(table, 'token8', [token])],
    where: ofToken,
  };
}

function rowsOf(table: EventTable, column: string, accounts: readonly Buffer[]): Lookup {
  return {
    values: accountPrefixes(accounts),
    type: 'bigint',
    rows: (value) => sql`${sql.table(table)} where ${sql.ref(column)} = ${value}`,
  };
}

/** A transfer or a burn: a request to a token with the transaction that received it. */
export interface ListedEvent extends EventHead {
  readonly placed: OutlinedTransaction;
  readonly message: Message;
  readonly request: TokenRequest;
  /** By which it may be cached. */
  readonly key: string;
}

/** An event of the index, or all that responses show of it. */
export type FoundEvent = ListedEvent | ReadyEvent;

/** Reads a page of transfers or burns. */
export async function listEvents(reader: TransactionReader, { table, filters, sort, page }: EventQuery) {
  const list = { table, filters, sort };
  const keys = eventOrder(list);
  const { db, cache } = reader;
  const isWanted = createFilter(list);
  return readCheckedList({
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
      return (await readEvents(reader, keyed, shown)).filter(isWanted);
    },
    keysOf: (event) => keysOf(keys, event),
  });
}

/** Whether events before a page can be skipped by what their rows tell: prefixes of accounts, and the whole token. */
async function areRowsTrusted(db: Db, { accounts, owners }: EventFilters, { offset }: ListWindow) {
  return offset > 0 && areLoneAccounts(db, [...accounts, ...owners]);
}

interface KeyedRow extends EventRow {
  readonly key: string;
}

function keyOf(table: EventTable, { at, token }: EventRow): string {
  return `${table} ${at} ${token?.toString('base64')}`;
}

/** Events that other responses showed, by position. */
async function findShown(db: Db, cache: ReadyCache, rows: readonly KeyedRow[]) {
  const candidates = rows.filter(({ key }) => cache.has(key));
  const pages = [...new Set(candidates.map(({ at }) => pageOf(at)))];
  const versions = new Map((await readPageVersions(db, pages)).map((one) => [one.page, one]));
  const found = new Map<Position, ReadyEvent>();
  for (const { at, key } of candidates) {
    const version = versions.get(pageOf(at));
    const shown = version && cache.find(ReadyEvent, key, version);
    if (shown !== undefined) found.set(at, shown);
  }
  return found;
}

/** Reads the events of rows; those whose transactions were dropped are left out. */
async function readEvents(
  reader: TransactionReader,
  rows: readonly KeyedRow[],
  shown: ReadonlyMap<Position, ReadyEvent>,
): Promise<FoundEvent[]> {
  const outlines = await reader.readOutlines(rows.map(({ at }) => at).filter((at) => !shown.has(at)));
  const read = (row: KeyedRow): FoundEvent | undefined => {
    const placed = outlines.get(row.at);
    return shown.get(row.at) ?? (placed && toListed(row, placed));
  };
  return (await mapInSlices(rows, read, reader.signal)).filter((event) => event !== undefined);
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
}: Pick<EventList, 'table' | 'filters'>): (event: FoundEvent) => boolean {
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

function keysOf(keys: readonly EventKey[], { lt, now, account }: FoundEvent): readonly string[] {
  return keys.map(({ name }) => (name === 'account' ? bytesText(account) : String(name === 'lt' ? lt : now)));
}

/** What lists need to know of a transfer or a burn. Accounts have 33 bytes. */
export interface EventHead extends Pick<TokenRequest, 'source' | 'destination' | 'responseDestination'> {
  /** The jetton wallet or the NFT item. */
  readonly account: Buffer;
  /** The jetton or the collection; null for an NFT without one. */
  readonly token: Buffer | null;
  readonly lt: bigint;
  readonly now: number;
}

/** A transfer or a burn as lists show it, without its cells. */
export class ReadyEvent
  extends ReadyText
  implements Pick<EventHead, 'account' | 'source' | 'destination' | 'lt' | 'now'>
{
  readonly lt: bigint;
  readonly now: number;
  readonly #hasDestination: boolean;

  constructor(head: EventHead, text: JsonText) {
    const { account, source, destination, token, responseDestination } = head;
    const accounts = [account, source, destination, token, responseDestination];
    super(
      text,
      [],
      accounts.flatMap((one) => one ?? []),
    );
    this.lt = head.lt;
    this.now = head.now;
    this.#hasDestination = destination !== undefined;
  }

  get account(): Buffer {
    return this.accountAt(0);
  }

  get source(): Buffer {
    return this.accountAt(1);
  }

  get destination(): Buffer | undefined {
    return this.#hasDestination ? this.accountAt(2) : undefined;
  }
}
