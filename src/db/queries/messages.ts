import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { KEPT_PLAN } from '../client.ts';
import type { MessagesTable, Tables } from '../tables.ts';
import { type OrderKey, type Page, pageParts } from './pages.ts';
import {
  atLeast,
  atMost,
  findTimeWindow,
  inSpan,
  intersect,
  readBoundsOfTime,
  type Span,
} from './time-bounds.ts';

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

/** Which messages are wanted. */
export interface MessageFilters {
  /** Hashes or normalized hashes; empty when they do not matter. */
  readonly hashes: readonly Buffer[];
  readonly bodyHash?: Buffer | undefined;
  /** An account, or null for messages that come from outside. */
  readonly source?: Buffer | null | undefined;
  /** An account, or null for messages that go outside. */
  readonly destination?: Buffer | null | undefined;
  readonly opcode?: number | undefined;
  /** Only as it was received, or as it was sent. */
  readonly direction?: 'in' | 'out' | undefined;
  readonly onlyExternals: boolean;
  readonly excludeExternals: boolean;
  /** Of the creation of messages, which those from outside do not tell. */
  readonly span: Span;
}

/** Rows of `messages` that one index finds. */
interface MessageBranch {
  readonly where: RawBuilder<boolean>;
  /** Columns that are in the order of lt, and that the index has in this order. */
  readonly order: readonly RawBuilder<unknown>[];
  /** How many rows a message may have among them. */
  readonly sides: 1 | 2;
}

/** A transaction sends fewer messages than this, each one tick after the other. */
const MAX_SENT_PER_TRANSACTION = 65_536n;

const BY_LT = [sql`lt`, sql`hash`];
/** In one account this is the order of lt too. */
const BY_SENDER = [sql`tx_lt`, sql`ordinal`];

/**
 * The rows of the messages wanted in a part of their span, cut so that each branch has an index. No branch at all is left
 * where the filters contradict each other: rows that are not there would be looked for to the end.
 */
function messageBranches(filters: MessageFilters, reach: Span): readonly MessageBranch[] {
  const isFromOutside = filters.onlyExternals || filters.source === null;
  const hasCreation = filters.excludeExternals || Object.values(filters.span).some(isGiven);
  if (isFromOutside && (hasCreation || filters.source)) return [];
  const conditions = [
    is(sql`body_hash`, filters.bodyHash),
    filters.opcode === undefined ? sql`true` : sql`opcode = ${filters.opcode}`,
    hasCreation ? sql`created_at is not null` : sql`true`,
    filters.onlyExternals ? sql`created_at is null` : sql`true`,
    inSpan(reach, sql`created_at`, sql`lt`),
  ];
  const branches = isFromOutside
    ? receivedBranches({ ...filters, source: null })
    : sideBranches(filters, reach);
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
  const where = sql<boolean>`ordinal = 0 and ${is(sql`peer`, source)} and ${is(sql`account`, destination)}`;
  return [{ where, order: BY_LT, sides: 1 }];
}

/** Rows of senders: the account is the source. */
function sentBranches({ source, destination, direction }: Ends, reach: Span): readonly MessageBranch[] {
  if (direction === 'in') return [];
  const where = sql<boolean>`ordinal > 0 and ${is(sql`account`, source)} and ${is(sql`peer`, destination)}`;
  if (!source || destination) return [{ where, order: BY_LT, sides: 1 }];
  const first = reach.startLt === undefined ? undefined : reach.startLt - MAX_SENT_PER_TRANSACTION;
  const inReach = sql`${atLeast(sql`tx_lt`, first)} and ${atMost(sql`tx_lt`, reach.endLt)}`;
  return [{ where: sql`${where} and ${inReach}`, order: BY_SENDER, sides: 1 }];
}

/** Each of the two hashes has an index, and each is asked for itself. */
function hashConditions(hashes: readonly Buffer[]): readonly RawBuilder<boolean>[] {
  if (hashes.length === 0) return [sql`true`];
  return [
    sql`hash = any(${hashes}::bytea[])`,
    sql`hash_norm = any(${hashes}::bytea[]) and hash <> all(${hashes}::bytea[])`,
  ];
}

function is(column: RawBuilder<unknown>, value: Buffer | null | undefined): RawBuilder<boolean> {
  if (value === undefined) return sql`true`;
  return value === null ? sql`${column} is null` : sql`${column} = ${value}`;
}

function isGiven(bound: bigint | undefined): boolean {
  return bound !== undefined;
}

/** A message with the hashes of the transactions at its sides, as far as they were looked for. */
export interface ListedMessage extends MessageDetails {
  readonly received_by: Buffer | undefined;
  readonly sent_by: Buffer | undefined;
}

type SideRow = MessageRow & { readonly place: string; readonly tx_hash: Buffer };

/** Reads messages in the order in which they were found. */
export async function readMessageDetails(
  db: Kysely<Tables>,
  { found }: { readonly found: readonly FoundMessage[] },
): Promise<ListedMessage[]> {
  const sides = found.flatMap((message, place) => message.sides.map((side) => ({ ...side, place })));
  if (sides.length === 0) return [];
  const seqnos = sides.map(({ mc_seqno }) => mc_seqno);
  // Leaves most partitions out before the query is planned, which would take longer than to run it.
  const isNear = sql`mc_seqno between ${Math.min(...seqnos)} and ${Math.max(...seqnos)}`;
  const { rows } = await sql<SideRow>`${KEPT_PLAN}
    select m.*, t.hash as tx_hash, asked.place
    from unnest(${sides.map(({ place }) => place)}::int[], ${sides.map(({ account }) => account)}::bytea[],
                ${sides.map(({ tx_lt }) => tx_lt)}::bigint[], ${sides.map(({ ordinal }) => ordinal)}::smallint[],
                ${seqnos}::int[]) as asked (place, account, tx_lt, ordinal, mc_seqno)
    join lateral (
      select * from messages where account = asked.account and tx_lt = asked.tx_lt and ordinal = asked.ordinal
      and mc_seqno = asked.mc_seqno and ${isNear} limit 1) m on true
    join lateral (
      select hash from transactions
      where account = asked.account and lt = asked.tx_lt and mc_seqno = asked.mc_seqno and ${isNear} limit 1) t on true
    order by asked.place, m.ordinal`.execute(db);
  const grouped = [...Map.groupBy(rows, ({ place }) => place).values()];
  // What came later is kept longer, so the receiver's row is taken where there is one.
  const messages = await readMessageContents(db, { messages: grouped.map(([first]) => first!) });
  return messages.map((message, at) => ({
    ...message,
    received_by: grouped[at]!.find(({ ordinal }) => ordinal === 0)?.tx_hash,
    sent_by: grouped[at]!.find(({ ordinal }) => ordinal > 0)?.tx_hash,
  }));
}

/** A message as one transaction saw it. */
export type MessageRow = Selectable<MessagesTable>;

/** A message with the bags of its body and its initial state; null where there is none, or none any more. */
export interface MessageDetails extends MessageRow {
  readonly body: Buffer | null;
  readonly init: Buffer | null;
}

/** Reads what messages bring, each content once: it is the same in every partition that has it. */
export async function readMessageContents(
  db: Kysely<Tables>,
  { messages }: { readonly messages: readonly MessageRow[] },
): Promise<MessageDetails[]> {
  const wanted = new Map<string, { readonly hash: Buffer; readonly mcSeqno: number }>();
  for (const { body_hash, init_hash, mc_seqno } of messages) {
    for (const hash of init_hash === null ? [body_hash] : [body_hash, init_hash]) {
      const key = hash.toString('latin1');
      // Old partitions may be gone; the newest is the last to go.
      if ((wanted.get(key)?.mcSeqno ?? -1) < mc_seqno) wanted.set(key, { hash, mcSeqno: mc_seqno });
    }
  }
  const bags = await readBags(db, [...wanted.values()]);
  const bagOf = (hash: Buffer | null) => (hash && bags.get(hash.toString('latin1'))) ?? null;
  return messages.map((row) => ({ ...row, body: bagOf(row.body_hash), init: bagOf(row.init_hash) }));
}

async function readBags(
  db: Kysely<Tables>,
  wanted: readonly { readonly hash: Buffer; readonly mcSeqno: number }[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<{ hash: Buffer; boc: Buffer }>`${KEPT_PLAN}
    select content.hash, content.boc
    from index_origin,
         unnest(${wanted.map(({ hash }) => hash)}::bytea[], ${wanted.map(({ mcSeqno }) => mcSeqno)}::int[])
           as wanted (hash, mc_seqno)
    join lateral (select hash, boc from message_contents
                  where hash = wanted.hash and part = wanted.mc_seqno - wanted.mc_seqno % partition_seqnos limit 1) content on true
  `.execute(db);
  return new Map(rows.map(({ hash, boc }) => [hash.toString('latin1'), boc]));
}
