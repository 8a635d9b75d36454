import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../db/tables/tables.ts';
import { accountPrefix, accountPrefixes, type Position } from '../format/position.ts';
import { isShown } from '../shown-seqnos.ts';
import {
  accountOfKey,
  allowSorting,
  allRows,
  type Lookup,
  type LookupList,
  lookupPage,
  type OrderKey,
  type Page,
  pageParts,
} from './pages.ts';
import { findTimeWindow, inSpan, isTimed, MAX_INT64, readTimeRange, type Span } from './time-bounds.ts';

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

/** A table of events. */
export type EventTable = 'jetton_transfers' | 'jetton_burns' | 'nft_transfers';

interface EventList {
  readonly table: EventTable;
  readonly filters: EventFilters;
  readonly sort: 'asc' | 'desc';
}

export interface EventQuery extends EventList {
  /** Its `after` has the keys of a row. */
  readonly page: Page;
}

/** What lists of events are ordered by. */
export interface EventKey extends Pick<OrderKey, 'type' | 'direction'> {
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
export interface EventRow {
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
export function eventRowKeysBefore(
  list: Pick<EventList, 'filters' | 'sort'>,
  after: readonly string[],
): readonly string[] {
  const flipped = BigInt.asIntN(64, accountPrefix(accountOfKey(after.at(-1)!)) ^ SIGN);
  return [...after.slice(0, -1), String(flipped), list.sort === 'asc' ? '-1' : String(MAX_INT64)];
}

/** The column of the token of a table. */
const TOKENS: Readonly<Record<EventTable, string>> = {
  jetton_transfers: 'jetton',
  jetton_burns: 'jetton',
  nft_transfers: 'collection',
};

/** Finds the rows of a page, in list order. Aborted transfers of jettons are left out. */
export async function findEvents(db: Kysely<Tables>, query: EventQuery): Promise<EventRow[]> {
  const { rows } = await sql<{ at: string; token: Buffer | null; cursor: readonly string[] }>`
    with ${lookupPage(db, await toLookupList(db, query))}
    select at, ${sql.ref(TOKENS[query.table])} as token, cursor from page order by place`.execute(db);
  return rows.map(({ at, token, cursor }) => ({ at: Number(at), token, keys: cursor }));
}

async function toLookupList(db: Kysely<Tables>, query: EventQuery): Promise<LookupList> {
  const { table, filters, sort, page } = query;
  const { span } = filters;
  const { lookups, where: conditions } = lookupsOf(query);
  const fixed = table === 'jetton_transfers' ? [sql`not aborted`, ...conditions] : conditions;
  const where = (within: Span) => [...fixed, isShown(db, sql`mc_seqno`), inSpan(within, sql`now`, sql`lt`)];
  const columns = sql`at, acc8, lt, now, ${sql.ref(TOKENS[table])}`;
  const list = { columns, lookups, where: where(span), keys: rowOrder(query), page };
  await allowSorting(db, false);
  if (!isTimed(span)) return list;
  // Rows are indexed by logical time, so a page in the order of time is sorted from those around it.
  const window = await findTimeWindow(db, { span, sort, page }, (rest, count) =>
    readTimes(db, { ...list, where: [...where(rest), pageParts(list.keys, page).where] }, query, count),
  );
  await allowSorting(db, true);
  return { ...list, where: where(window) };
}

/** The times of the first `count` rows of a list in the order of logical time; undefined if there are fewer. */
async function readTimes(
  db: Kysely<Tables>,
  list: LookupList,
  { filters, sort }: EventQuery,
  count: number,
): Promise<{ first: bigint; last: bigint } | undefined> {
  const keys = rowOrder({ filters: { ...filters, span: {} }, sort });
  const page = lookupPage(db, { ...list, keys, page: { limit: count, offset: 0 } });
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
