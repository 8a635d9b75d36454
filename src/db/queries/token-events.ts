import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { JettonBurnsTable, JettonTransfersTable, NftTransfersTable, Tables } from '../tables.ts';
import {
  allowSorting,
  allRows,
  hasOneOf,
  type Lookup,
  type LookupList,
  lookupPage,
  type OrderKey,
  type Page,
  pageParts,
  rowsWith,
} from './pages.ts';
import { findTimeWindow, inSpan, isTimed, type Span } from './time-bounds.ts';

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

export interface EventQuery extends EventFilters {
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/** What an event on a page has besides its own row. */
interface EventPageFields {
  readonly cursor: readonly string[];
}

export type JettonTransferRow = Selectable<JettonTransfersTable> & EventPageFields;
export type JettonBurnRow = Selectable<JettonBurnsTable> & EventPageFields;
export type NftTransferRow = Selectable<NftTransfersTable> & EventPageFields;

/** The filter columns of an event table. */
interface EventTable {
  readonly table: 'jetton_transfers' | 'jetton_burns' | 'nft_transfers';
  readonly sender: string;
  readonly receiver?: string;
  readonly token: string;
  readonly where: readonly RawBuilder<unknown>[];
}

const JETTON_TRANSFERS: EventTable = {
  table: 'jetton_transfers',
  sender: 'source',
  receiver: 'destination',
  token: 'jetton',
  where: [sql`not aborted`],
};
const JETTON_BURNS: EventTable = { table: 'jetton_burns', sender: 'owner', token: 'jetton', where: [] };
const NFT_TRANSFERS: EventTable = {
  table: 'nft_transfers',
  sender: 'old_owner',
  receiver: 'new_owner',
  token: 'collection',
  where: [],
};

/** Reads a page of jetton transfers without aborted ones. */
export function readJettonTransfers(db: Kysely<Tables>, query: EventQuery): Promise<JettonTransferRow[]> {
  return readEvents<JettonTransferRow>(db, JETTON_TRANSFERS, query);
}

/** Reads a page of jetton burns. */
export function readJettonBurns(db: Kysely<Tables>, query: EventQuery): Promise<JettonBurnRow[]> {
  return readEvents<JettonBurnRow>(db, JETTON_BURNS, query);
}

/** Reads a page of NFT transfers. */
export function readNftTransfers(db: Kysely<Tables>, query: EventQuery): Promise<NftTransferRow[]> {
  return readEvents<NftTransferRow>(db, NFT_TRANSFERS, query);
}

/** Events are in the order of logical time, or of time if they are filtered by it. */
export function eventKeys({ sort, span }: Pick<EventQuery, 'sort' | 'span'>): OrderKey[] {
  const keys: OrderKey[] = [
    { by: sql`lt`, type: 'bigint', direction: sort },
    { by: sql`account`, type: 'bytea', direction: sort },
  ];
  return isTimed(span) ? [{ by: sql`now`, type: 'bigint', direction: sort }, ...keys] : keys;
}

const COLUMNS = sql`account, lt, mc_seqno, now`;

interface EventKey {
  readonly account: Buffer;
  readonly lt: string;
  readonly mc_seqno: number;
  readonly cursor: readonly string[];
}

/** Reads the keys of a page first, which tell the partitions of its rows. */
async function readEvents<Row>(db: Kysely<Tables>, table: EventTable, query: EventQuery): Promise<Row[]> {
  const { rows: keys } = await sql<EventKey>`
    with ${lookupPage(await toLookupList(db, table, query))}
    select account, lt, mc_seqno, cursor from page order by place`.execute(db);
  if (keys.length === 0) return [];
  const seqnos = keys.map(({ mc_seqno }) => mc_seqno);
  const { rows } = await sql<Row & { readonly place: string }>`
    select event.*, page.place
    from unnest(${keys.map(({ account }) => account)}::bytea[], ${keys.map(({ lt }) => lt)}::bigint[],
                ${seqnos}::int[]) with ordinality as page (account, lt, mc_seqno, place)
    join lateral (
      select * from ${sql.table(table.table)}
      where account = page.account and lt = page.lt and mc_seqno = page.mc_seqno
        and mc_seqno between ${Math.min(...seqnos)} and ${Math.max(...seqnos)} limit 1) event on true
    order by page.place`.execute(db);
  return rows.map((row) => ({ ...row, cursor: keys[Number(row.place) - 1]!.cursor }));
}

async function toLookupList(db: Kysely<Tables>, table: EventTable, query: EventQuery): Promise<LookupList> {
  const { span, page } = query;
  const found = lookupsOf(table, query);
  const lookups = found.lookups.length === 0 ? [allRows(table.table)] : found.lookups;
  const where = (within: Span) => [...table.where, ...found.where, inSpan(within, sql`now`, sql`lt`)];
  const list = { columns: COLUMNS, lookups, where: where(span), keys: eventKeys(query), page };
  // There is an index on the time of all events; the events of an account are indexed by logical time.
  const isOrdered = !isTimed(span) || found.lookups.length === 0;
  await allowSorting(db, false);
  if (isOrdered) return list;
  const window = await findTimeWindow(db, query, (rest, count) =>
    readTimes(db, { ...list, where: [...where(rest), pageParts(list.keys, page).where] }, query.sort, count),
  );
  await allowSorting(db, true);
  return { ...list, where: where(window) };
}

/** The times of the first `count` rows of a list in the order of logical time; undefined if there are fewer. */
async function readTimes(
  db: Kysely<Tables>,
  list: LookupList,
  sort: 'asc' | 'desc',
  count: number,
): Promise<{ first: bigint; last: bigint } | undefined> {
  const byLt = { ...list, keys: eventKeys({ sort, span: {} }), page: { limit: count, offset: 0 } };
  const { rows } = await sql<{ rows: string; first: string; last: string }>`
    with ${lookupPage(byLt)} select count(*) as rows, min(now) as first, max(now) as last from page`.execute(
    db,
  );
  const [{ rows: found, first, last }] = rows as [(typeof rows)[0]];
  return Number(found) < count ? undefined : { first: BigInt(first), last: BigInt(last) };
}

const SIDES = {
  in: (_: string, receiver: string) => [receiver],
  out: (sender: string) => [sender],
  both: (sender: string, receiver: string) => [sender, receiver],
};

/** Looks up by the most selective filter; the others become conditions. */
function lookupsOf(
  { table, sender, receiver, token }: EventTable,
  query: EventFilters,
): { lookups: Lookup[]; where: RawBuilder<unknown>[] } {
  const sides = receiver === undefined ? [sender] : SIDES[query.direction ?? 'both'](sender, receiver);
  const tokens = query.token === undefined ? [] : [query.token];
  if (query.accounts.length > 0) {
    const isOfOwner = sql.join(
      sides.flatMap((side) => hasOneOf(side, query.owners)),
      sql` or `,
    );
    const where = query.owners.length === 0 ? [] : [sql`(${isOfOwner})`];
    return {
      lookups: [rowsWith(table, 'account', query.accounts)],
      where: [...where, ...hasOneOf(token, tokens)],
    };
  }
  if (query.owners.length > 0) {
    const lookups = sides.map((side) => rowsWith(table, side, query.owners));
    return { lookups, where: hasOneOf(token, tokens) };
  }
  return { lookups: tokens.length === 0 ? [] : [rowsWith(table, token, tokens)], where: [] };
}
