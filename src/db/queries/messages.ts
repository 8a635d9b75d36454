import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { equals, type OrderKey, type Page, pageParts } from './pages.ts';
import {
  atLeast,
  atMost,
  findTimeWindow,
  inSpan,
  intersect,
  isTimed,
  readBoundsOfTime,
  type Span,
} from './time-bounds.ts';

/** One side of a message: the transaction of the receiver or of the sender. */
export interface MessageSide {
  readonly at: string;
  /** 0 at the receiver; otherwise the number of the out message. */
  readonly ordinal: number;
}

/** A message with the sides that were searched: receiver, sender, or both. */
export interface FoundMessage {
  readonly sides: readonly MessageSide[];
  readonly cursor: readonly string[];
}

interface MessagesQuery {
  readonly filters: MessageFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/** The order of a list of messages; external messages are placed where they were received. */
export function messageOrder({ filters, sort }: Omit<MessagesQuery, 'page'>): readonly OrderKey[] {
  return [
    { by: isTimed(filters.span) ? sql`created_at` : sql`lt`, type: 'bigint', direction: sort },
    { by: sql`hash`, type: 'bytea', direction: sort },
  ];
}

/** Reads a page of messages, each once although sender and receiver have a row each. */
export async function readMessages(db: Kysely<Tables>, query: MessagesQuery): Promise<FoundMessage[]> {
  const keys = messageOrder(query);
  const parts = pageParts(keys, query.page);
  const { reach, order } = await planPage(db, query);
  const columns = order === 'time' ? keys.map(({ by }) => by) : undefined;
  const found = selectSides(query, reach, order === 'none' ? 'all' : { columns });
  if (found === undefined) return [];
  const { rows } = await sql<FoundRow>`
    select array_agg(at) as positions, array_agg(ordinal) as ordinals, ${parts.cursor} as cursor
    from ${found} group by lt, hash, created_at ${parts.tail}`.execute(db);
  return rows.map(toFound);
}

interface PagePlan {
  /** Bounds that contain the page. */
  readonly reach: Span;
  /** The order in which an index returns the rows; `none` if they are few and get sorted. */
  readonly order: 'lt' | 'time' | 'none';
}

/** Decides which index to read the page from. */
async function planPage(db: Kysely<Tables>, query: MessagesQuery): Promise<PagePlan> {
  const { filters, sort, page } = query;
  const { span } = filters;
  if (filters.hashes.length > 0) return { reach: span, order: 'none' };
  if (!isTimed(span)) {
    const after = page.after?.[0] === undefined ? undefined : BigInt(page.after[0]);
    return { reach: intersect(span, sort === 'asc' ? { startLt: after } : { endLt: after }), order: 'lt' };
  }
  const { source, destination, opcode, bodyHash } = filters;
  if (!source && !destination && opcode === undefined && bodyHash === undefined)
    return { reach: intersect(span, await readBoundsOfTime(db, span)), order: 'time' };
  const reach = await findTimeWindow(db, { span, sort, page }, (rest, count) =>
    readTimes(db, { ...query, page: { ...page, offset: 0, limit: count } }, rest),
  );
  return { reach, order: 'none' };
}

/** When the first messages in the order of lt were created; undefined if there are fewer than the page needs. */
async function readTimes(db: Kysely<Tables>, query: MessagesQuery, reach: Span) {
  const found = selectSides(query, reach, {});
  if (found === undefined) return undefined;
  const direction = sql.raw(query.sort);
  const { rows } = await sql<{ readonly count: string; readonly first: string; readonly last: string }>`
    select count(*) as count, min(created_at) as first, max(created_at) as last
    from (select created_at from ${found} group by lt, hash, created_at
          order by lt ${direction}, hash ${direction} limit ${query.page.limit}) taken`.execute(db);
  const { count, first, last } = rows[0]!;
  return Number(count) < query.page.limit ? undefined : { first: BigInt(first), last: BigInt(last) };
}

/** The rows that a page needs: all, or the first ones in the given order, which is that of lt by default. */
function selectSides(
  { filters, sort, page }: MessagesQuery,
  reach: Span,
  first: 'all' | { readonly columns?: readonly RawBuilder<unknown>[] | undefined },
): RawBuilder<unknown> | undefined {
  const after = pageParts(messageOrder({ filters, sort }), page).where;
  const branches = messageBranches(filters, reach).map(({ where, order, sides }: MessageBranch) => {
    const columns = first === 'all' ? [] : (first.columns ?? order);
    const ordered = sql.join(columns.map((column) => sql`${column} ${sql.raw(sort)}`));
    // `offset 0` is a fence: without it PostgreSQL might choose the index of the outer order.
    const tail =
      first === 'all' ? sql`offset 0` : sql`order by ${ordered} limit ${(page.offset + page.limit) * sides}`;
    return sql`(select at, ordinal, lt, hash, created_at
                from messages where ${where} and ${after} ${tail})`;
  });
  return branches.length === 0 ? undefined : sql`(${sql.join(branches, sql` union all `)}) found`;
}

interface FoundRow {
  readonly positions: readonly string[];
  readonly ordinals: readonly number[];
  readonly cursor: readonly string[];
}

function toFound({ positions, ordinals, cursor }: FoundRow): FoundMessage {
  return { sides: positions.map((at, i) => ({ at, ordinal: ordinals[i]! })), cursor };
}

/** Which messages are wanted. */
export interface MessageFilters {
  /** Hashes or normalized hashes; an empty list does not filter. */
  readonly hashes: readonly Buffer[];
  readonly bodyHash?: Buffer | undefined;
  /** An account, or null for external messages. */
  readonly source?: Buffer | null | undefined;
  /** An account, or null for messages to outside the chain. */
  readonly destination?: Buffer | null | undefined;
  readonly opcode?: number | undefined;
  /** Only received, or only sent. */
  readonly direction?: 'in' | 'out' | undefined;
  readonly onlyExternals: boolean;
  readonly excludeExternals: boolean;
  /** Of the creation of messages, which external messages do not have. */
  readonly span: Span;
}

/** Rows of `messages` that one index finds. */
interface MessageBranch {
  readonly where: RawBuilder<boolean>;
  /** Columns by which the index has the rows in the order of lt. */
  readonly order: readonly RawBuilder<unknown>[];
  /** How many rows a message may have among them. */
  readonly sides: 1 | 2;
}

/** A transaction sends fewer messages than this, each one lt after the other. */
const MAX_SENT_PER_TRANSACTION = 65_536n;

const BY_LT = [sql`lt`, sql`hash`];
/** Within one account this is the order of lt too. */
const BY_SENDER = [sql`tx_lt`, sql`ordinal`];

/**
 * The rows of the wanted messages within `reach`, split so that each branch has an index. Filters that contradict each
 * other give no branch: a search for rows that cannot exist would scan to the end.
 */
function messageBranches(filters: MessageFilters, reach: Span): readonly MessageBranch[] {
  const isExternal = filters.onlyExternals || filters.source === null;
  const hasCreation =
    filters.excludeExternals || Object.values(filters.span).some((bound) => bound !== undefined);
  if (isExternal && (hasCreation || filters.source)) return [];
  const conditions = [
    equals(sql`body_hash`, filters.bodyHash),
    filters.opcode === undefined ? sql`true` : sql`opcode = ${filters.opcode}`,
    hasCreation ? sql`created_at is not null` : sql`true`,
    filters.onlyExternals ? sql`created_at is null` : sql`true`,
    inSpan(reach, sql`created_at`, sql`lt`),
  ];
  const branches = isExternal ? receivedBranches({ ...filters, source: null }) : sideBranches(filters, reach);
  return branches.flatMap((branch) =>
    hashConditions(filters.hashes).map((byHash) => ({
      ...branch,
      where: sql<boolean>`${sql.join([branch.where, byHash, ...conditions], sql` and `)}`,
    })),
  );
}

function sideBranches(filters: MessageFilters, reach: Span): readonly MessageBranch[] {
  const { source, destination, direction } = filters;
  if (source === undefined && destination === undefined && direction === undefined)
    return [{ where: sql`true`, order: BY_LT, sides: 2 }];
  return [...receivedBranches(filters), ...sentBranches(filters, reach)];
}

type Ends = Pick<MessageFilters, 'source' | 'destination' | 'direction'>;

/** Rows of receivers: the account is the destination. */
function receivedBranches({ source, destination, direction }: Ends): readonly MessageBranch[] {
  if (direction === 'out' || destination === null) return [];
  const where = sql<boolean>`ordinal = 0 and ${equals(sql`peer`, source)} and ${equals(sql`account`, destination)}`;
  return [{ where, order: BY_LT, sides: 1 }];
}

/** Rows of senders: the account is the source. */
function sentBranches({ source, destination, direction }: Ends, reach: Span): readonly MessageBranch[] {
  if (direction === 'in') return [];
  const where = sql<boolean>`ordinal > 0 and ${equals(sql`account`, source)} and ${equals(sql`peer`, destination)}`;
  if (!source || destination) return [{ where, order: BY_LT, sides: 1 }];
  const first = reach.startLt === undefined ? undefined : reach.startLt - MAX_SENT_PER_TRANSACTION;
  const inReach = sql`${atLeast(sql`tx_lt`, first)} and ${atMost(sql`tx_lt`, reach.endLt)}`;
  return [{ where: sql`${where} and ${inReach}`, order: BY_SENDER, sides: 1 }];
}

/** Each of the two hash columns has its own index, so each gets its own branch. */
function hashConditions(hashes: readonly Buffer[]): readonly RawBuilder<boolean>[] {
  if (hashes.length === 0) return [sql`true`];
  return [
    sql`hash = any(${hashes}::bytea[])`,
    sql`hash_norm = any(${hashes}::bytea[]) and hash <> all(${hashes}::bytea[])`,
  ];
}
