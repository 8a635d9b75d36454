import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type MessageBranch, type MessageFilters, messageBranches } from './message-branches.ts';
import { type OrderKey, type Page, pageParts } from './page.ts';
import { readBoundsOfTime } from './shard-bounds.ts';
import { intersect, type Span } from './span.ts';
import { findTimeWindow } from './time-window.ts';

/** Where one side of a message is in the index. */
interface MessageSide {
  readonly account: Buffer;
  readonly tx_lt: string;
  /** 0 at the receiver. */
  readonly ordinal: number;
  readonly mc_seqno: number;
}

/** A message with the sides that were looked for: at the receiver, at the sender, or both. */
export interface FoundMessage {
  readonly sides: readonly MessageSide[];
  readonly cursor: readonly string[];
}

interface MessagesQuery {
  readonly filters: MessageFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/** The order of a list of messages; those from outside stand where they were received. */
export function messageOrder({ filters, sort }: Omit<MessagesQuery, 'page'>): readonly OrderKey[] {
  return [
    { by: isTimed(filters) ? sql`created_at` : sql`lt`, type: 'bigint', direction: sort },
    { by: sql`hash`, type: 'bytea', direction: sort },
  ];
}

/** A page of messages, each of them once although sender and receiver have a row each. */
export async function readMessages(db: Kysely<Tables>, query: MessagesQuery): Promise<FoundMessage[]> {
  const keys = messageOrder(query);
  const parts = pageParts(keys, query.page);
  const { reach, order } = await planPage(db, query);
  const columns = order === 'time' ? keys.map(({ by }) => by) : undefined;
  const found = selectSides(query, reach, order === 'none' ? 'all' : { columns });
  if (found === undefined) return [];
  const { rows } = await sql<FoundRow>`
    select array_agg(account) as accounts, array_agg(tx_lt) as tx_lts, array_agg(ordinal) as ordinals,
           array_agg(mc_seqno) as mc_seqnos, ${parts.cursor} as cursor
    from ${found} group by lt, hash, created_at ${parts.tail}`.execute(db);
  return rows.map(toFound);
}

function isTimed({ span }: MessageFilters): boolean {
  return span.startUtime !== undefined || span.endUtime !== undefined;
}

interface PagePlan {
  /** What the page lies in. */
  readonly reach: Span;
  /** The order in which an index gives the rows; `none` where they are few and are sorted. */
  readonly order: 'lt' | 'time' | 'none';
}

/** Decides which index gives the page. */
async function planPage(db: Kysely<Tables>, query: MessagesQuery): Promise<PagePlan> {
  const { filters, sort, page } = query;
  const { span } = filters;
  if (filters.hashes.length > 0) return { reach: span, order: 'none' };
  if (!isTimed(filters)) {
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

/** When the first messages in the order of lt were created, if there are as many as the page wants. */
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

/** Rows of the messages that a page needs: all there are, or the first ones in an order, else in that of lt. */
function selectSides(
  { filters, sort, page }: MessagesQuery,
  reach: Span,
  first: 'all' | { readonly columns?: readonly RawBuilder<unknown>[] | undefined },
): RawBuilder<unknown> | undefined {
  const after = pageParts(messageOrder({ filters, sort }), page).where;
  const branches = messageBranches(filters, reach).map(({ where, order, sides }: MessageBranch) => {
    const columns = first === 'all' ? [] : (first.columns ?? order);
    const ordered = sql.join(columns.map((column) => sql`${column} ${sql.raw(sort)}`));
    // Without an offset, which means nothing, PostgreSQL might choose the index of the order around it.
    const tail =
      first === 'all' ? sql`offset 0` : sql`order by ${ordered} limit ${(page.offset + page.limit) * sides}`;
    return sql`(select account, tx_lt, ordinal, mc_seqno, lt, hash, created_at
                from messages where ${where} and ${after} ${tail})`;
  });
  return branches.length === 0 ? undefined : sql`(${sql.join(branches, sql` union all `)}) found`;
}

interface FoundRow {
  readonly accounts: readonly Buffer[];
  readonly tx_lts: readonly string[];
  readonly ordinals: readonly number[];
  readonly mc_seqnos: readonly number[];
  readonly cursor: readonly string[];
}

function toFound({ accounts, tx_lts, ordinals, mc_seqnos, cursor }: FoundRow): FoundMessage {
  const sides = accounts.map((account, at) => ({
    account,
    tx_lt: tx_lts[at]!,
    ordinal: ordinals[at]!,
    mc_seqno: mc_seqnos[at]!,
  }));
  return { sides, cursor };
}
