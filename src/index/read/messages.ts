import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../db/tables/tables.ts';
import { accountPrefix, accountPrefixes, hashPrefix, type Position } from '../format/position.ts';
import { isShown } from '../shown-seqnos.ts';
import { hashOfKey, type OrderKey, type Page, pageParts } from './pages.ts';
import {
  findTimeWindow,
  inStoredSpan,
  intersect,
  isTimed,
  MAX_INT64,
  readTimeRange,
  type Span,
  unixTimeOf,
} from './time-bounds.ts';
import { isOneOf } from './transactions.ts';

/** Which messages are wanted. */
export interface MessageFilters {
  readonly bodyHash?: Buffer | undefined;
  /** An account, or null for external messages. */
  readonly source?: Buffer | null | undefined;
  /** An account, or null for messages to outside the chain. */
  readonly destination?: Buffer | null | undefined;
  /** The sender is one of these accounts. */
  readonly sources?: readonly Buffer[] | undefined;
  /** The receiver is one of these accounts. */
  readonly destinations?: readonly Buffer[] | undefined;
  readonly opcode?: number | undefined;
  /** Only received, or only sent. */
  readonly direction?: 'in' | 'out' | undefined;
  readonly onlyExternals: boolean;
  readonly excludeExternals: boolean;
  /** Of the creation of messages, which external messages do not have. */
  readonly span: Span;
  /** Logical times in the list beyond which nothing is wanted. */
  readonly reach?: Pick<Span, 'startLt' | 'endLt'> | undefined;
}

/** What lists of messages are ordered by. */
export interface MessageKey extends Pick<OrderKey, 'type' | 'direction'> {
  readonly name: 'lt' | 'created_at' | 'hash';
}

interface MessageList {
  readonly filters: MessageFilters;
  readonly sort: 'asc' | 'desc';
}

/** The order of a list of messages; external messages are placed where they were received. */
export function messageOrder({ filters: { span }, sort }: MessageList): readonly MessageKey[] {
  return [
    { name: isTimed(span) ? 'created_at' : 'lt', type: 'bigint', direction: sort },
    { name: 'hash', type: 'bytea', direction: sort },
  ];
}

/** A side of a message. */
interface MessageSide {
  readonly at: Position;
  /** 0 at the receiver; otherwise the number of the out message. */
  readonly ordinal: number;
}

/** The rows of a message. They hold prefixes, so the message itself must be checked; it may even be two messages. */
export interface MessageRows {
  readonly lt: bigint;
  readonly hash8: bigint;
  /** Where it was sent, or, if that is not in the index or in an older partition, where it was received; or both. */
  readonly sides: readonly MessageSide[];
}

/** Messages that were found. */
interface FoundMessages {
  readonly rows: readonly MessageRows[];
  /** Of the index: changes whenever indexed blocks are taken back. Undefined without rows. */
  readonly history: string | undefined;
  /** The keys of the last row; undefined at the end of the list. */
  readonly last: readonly string[] | undefined;
}

interface MessagesQuery extends MessageList {
  /** Its `after` has the keys of a row. */
  readonly page: Page;
}

const CREATED_AT = unixTimeOf(sql`created_at`);

/** What rows are ordered by: the keys of the list, with the prefix of the hash, and the logical time. */
function rowOrder({ filters: { span }, sort }: MessageList): readonly OrderKey[] {
  const columns = [isTimed(span) ? CREATED_AT : sql`lt`, sql`hash8`, sql`lt`];
  return columns.map((by) => ({ by, type: 'bigint', direction: sort }));
}

/** The keys of a row just before all rows that may be those of a message, which is given by its keys in a cursor. */
export function messageRowKeysBefore({ sort }: MessageList, after: readonly string[]): readonly string[] {
  const [first, hash] = after as [string, string];
  return [first, String(hashPrefix(hashOfKey(hash))), sort === 'asc' ? '-1' : String(MAX_INT64)];
}

/** Rows of a message: one where it was sent, and one where it was received if the index may keep that one longer. */
const ROWS_PER_MESSAGE = 2;

interface FoundRow {
  readonly lt: string;
  readonly hash8: string;
  readonly positions: readonly string[];
  readonly ordinals: readonly number[];
  readonly keys: readonly string[];
  readonly total: string;
  readonly history: string | null;
}

/** Finds the messages of a page, in list order. Whether messages were received is not known. */
export async function findMessages(db: Kysely<Tables>, query: MessagesQuery): Promise<FoundMessages> {
  const { filters, page } = query;
  if (isContradictory(filters)) return { rows: [], history: undefined, last: undefined };
  const { where: after, tail, cursor } = pageParts(rowOrder(query), page);
  const conditions = [after, ...conditionsOf(filters), isShown(db, sql`mc_seqno`)];
  const reach = await reachOf(db, query, conditions);
  const where = sql.join([inStoredSpan(reach, sql`created_at`, sql`lt`), ...conditions], sql` and `);
  const maxRows = ROWS_PER_MESSAGE * (page.offset + page.limit);
  const source = isTimed(filters.span)
    ? sql`(select * from messages where ${where} offset 0) found`
    : firstRows(where, query, maxRows);
  const { rows } = await sql<FoundRow>`
    select lt, hash8, array_agg(at order by ordinal) as positions, array_agg(ordinal order by ordinal) as ordinals,
      ${cursor} as keys, sum(count(*)) over () as total, (select history_id::text from index_origin) as history
    from ${source} group by ${isTimed(filters.span) ? sql`created_at, ` : sql``} lt, hash8 ${tail}`.execute(
    db,
  );
  const isEnd = rows.length < page.limit && Number(rows[0]?.total ?? 0) < maxRows;
  const history = rows[0]?.history ?? undefined;
  return { rows: rows.map(toRows), history, last: isEnd ? undefined : rows.at(-1)!.keys };
}

function toRows({ lt, hash8, positions, ordinals }: FoundRow): MessageRows {
  return {
    lt: BigInt(lt),
    hash8: BigInt(hash8),
    sides: positions.map((at, i) => ({ at: Number(at), ordinal: ordinals[i]! })),
  };
}

/** The first rows in the order of lt; the planner must not choose another order. */
function firstRows(where: RawBuilder<unknown>, { sort }: MessageList, count: number): RawBuilder<unknown> {
  const direction = sql.raw(sort);
  return sql`(select * from messages where ${where}
    order by lt ${direction}, hash8 ${direction} limit ${count}) found`;
}

/** A span that contains the page: rows are indexed by lt, so a page in the order of time is sorted from those around it. */
async function reachOf(
  db: Kysely<Tables>,
  query: MessagesQuery,
  conditions: readonly RawBuilder<unknown>[],
): Promise<Span> {
  const { filters, sort, page } = query;
  const { span } = filters;
  if (!isTimed(span)) {
    const after = page.after?.[0] === undefined ? undefined : BigInt(page.after[0]);
    const rest = intersect(span, sort === 'asc' ? { startLt: after } : { endLt: after });
    return filters.reach === undefined ? rest : intersect(rest, filters.reach);
  }
  return findTimeWindow(db, { span, sort, page }, (rest, count) => {
    const where = sql.join([inStoredSpan(rest, sql`created_at`, sql`lt`), ...conditions], sql` and `);
    const taken = sql`select ${CREATED_AT} as time from ${firstRows(where, query, ROWS_PER_MESSAGE * count)}
      group by created_at, lt, hash8 order by lt ${sql.raw(sort)} limit ${count}`;
    return readTimeRange(db, { query: taken, count });
  });
}

/** Whether only external messages to an account are wanted. */
function isExternal({ source, onlyExternals }: MessageFilters): boolean {
  return onlyExternals || source === null;
}

/** Whether only messages with a time of creation are wanted: all but external ones to an account. */
function hasCreation({ source, excludeExternals, span }: MessageFilters): boolean {
  return Boolean(source) || excludeExternals || Object.values(span).some((bound) => bound !== undefined);
}

/** Whether filters contradict each other: a search for rows that cannot exist would scan to the end. */
function isContradictory(filters: MessageFilters): boolean {
  const { destination, direction } = filters;
  if (isExternal(filters) && (hasCreation(filters) || direction === 'out')) return true;
  return destination === null && (direction === 'in' || isExternal(filters));
}

function conditionsOf(filters: MessageFilters): RawBuilder<unknown>[] {
  const { bodyHash, source, destination, sources, destinations, opcode, direction } = filters;
  const conditions: RawBuilder<unknown>[] = [];
  if (bodyHash !== undefined) conditions.push(sql`body8 = ${hashPrefix(bodyHash)}`);
  if (source) conditions.push(sql`src8 = ${accountPrefix(source)}`);
  if (destination) conditions.push(sql`dst8 = ${accountPrefix(destination)}`);
  if (destination === null) conditions.push(sql`dst8 is null`);
  if (sources !== undefined) conditions.push(isOneOf(sql`src8`, accountPrefixes(sources)));
  if (destinations !== undefined) conditions.push(isOneOf(sql`dst8`, accountPrefixes(destinations)));
  if (direction === 'in') conditions.push(sql`dst8 is not null`);
  if (opcode !== undefined) conditions.push(sql`opcode = ${opcode}`);
  if (direction === 'out') conditions.push(sql`ordinal > 0`);
  if (hasCreation(filters)) conditions.push(sql`created_at is not null`);
  if (isExternal(filters)) conditions.push(sql`created_at is null`);
  return conditions;
}
