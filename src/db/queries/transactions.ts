import { type Kysely, type RawBuilder, sql } from 'kysely';
import { distinctBytes } from '../../lib/bytes-key.ts';
import type { Tables } from '../tables.ts';
import { isKnownWorkchain } from './blocks.ts';
import { equals, type OrderKey, type Page, pageParts } from './pages.ts';
import {
  inSpan,
  intersect,
  isTimed,
  MAX_INT64,
  readBoundsOfLt,
  readBoundsOfTime,
  type Span,
} from './time-bounds.ts';

/** Which transactions are wanted. */
export interface TransactionFilters {
  readonly workchain?: number | undefined;
  readonly shard?: bigint | undefined;
  /** Of the block. */
  readonly seqno?: number | undefined;
  readonly mcSeqno?: number | undefined;
  /** An empty list does not filter. */
  readonly accounts: readonly Buffer[];
  readonly excluded: readonly Buffer[];
  /** An empty list does not filter. */
  readonly hashes: readonly Buffer[];
  readonly lt?: bigint | undefined;
  readonly span: Span;
}

/** Where a transaction is. */
interface LocatedTransaction {
  readonly at: string;
}

/** A transaction on a page. */
interface ListedTransaction extends LocatedTransaction {
  readonly cursor: readonly string[];
}

interface TransactionsQuery {
  readonly filters: TransactionFilters;
  readonly keys: readonly OrderKey[];
  readonly page: Page;
}

/** Reads the keys of a page of transactions. */
export async function readTransactions(
  db: Kysely<Tables>,
  query: TransactionsQuery,
): Promise<ListedTransaction[]> {
  const { filters, keys, page } = query;
  const { workchain } = filters;
  if (isContradiction(filters)) return [];
  if (workchain !== undefined && !(await isKnownWorkchain(db, { workchain }))) return [];
  const few = fewRows(filters);
  const reach = few === undefined ? await reachOf(db, filters) : filters.span;
  const { where: after, tail, cursor } = pageParts(keys, page);
  const isMerged = few === undefined && filters.accounts.length > 1;
  // A list of accounts besides the account itself would be sorted again for every account and partition.
  const conditions = conditionsOf(isMerged ? { ...filters, accounts: [] } : filters, reach);
  const where = sql.join([after, ...conditions], sql` and `);
  const source = isMerged
    ? byEachAccount(query, where)
    : sql`${few === undefined ? sql`transactions` : sql`few`} where ${where}`;
  const { rows } = await sql<ListedTransaction>`
    ${few === undefined ? sql`` : sql`with few as materialized (${few})`}
    select at, ${cursor} as cursor from ${source} ${tail}`.execute(db);
  return rows;
}

/** Contradictory filters would be tested on every row of an account. */
function isContradiction({ lt, accounts, excluded, workchain, span }: TransactionFilters): boolean {
  const isPossible = (account: Buffer) =>
    (workchain === undefined || account.readInt8(0) === workchain) &&
    !excluded.some((other) => other.equals(account));
  return (
    (lt !== undefined && lt > MAX_INT64) ||
    (accounts.length > 0 && !accounts.some(isPossible)) ||
    isBehind(span.startUtime, span.endUtime) ||
    isBehind(span.startLt, span.endLt)
  );
}

function isBehind(start: bigint | undefined, end: bigint | undefined): boolean {
  return start !== undefined && end !== undefined && start > end;
}

/**
 * The span with what follows from it for the column that the rows are walked by: an account that is busy is not walked
 * from its end to a time long ago.
 */
async function reachOf(db: Kysely<Tables>, { span, accounts, mcSeqno }: TransactionFilters): Promise<Span> {
  if (mcSeqno !== undefined) return span;
  if (accounts.length > 0) return intersect(span, await readBoundsOfLt(db, span));
  // Without a bound of time the list is in the order of logical time.
  return isTimed(span) ? intersect(span, await readBoundsOfTime(db, span)) : span;
}

/** A small superset of the wanted rows, if a filter gives one; the planner might prefer to walk an index in list order. */
function fewRows(filters: TransactionFilters): RawBuilder<unknown> | undefined {
  const { lt, hashes, seqno, mcSeqno, accounts } = filters;
  const columns = sql`at, account, lt, mc_seqno, hash, now, block_shard, block_seqno`;
  if (lt !== undefined) return sql`select ${columns} from transactions where lt = ${lt}`;
  if (hashes.length > 0) return sql`select ${columns} from transactions where hash = any(${hashes}::bytea[])`;
  if (seqno !== undefined)
    return sql`
      select t.* from blocks cross join lateral (
        select ${columns} from transactions
        where mc_seqno = blocks.mc_seqno and block_shard = blocks.shard and block_seqno = blocks.seqno
          and get_byte(account, 0) = blocks.workchain & 255) t
      where ${sql.join(blockConditions(filters), sql` and `)}`;
  if (mcSeqno === undefined || accounts.length === 0) return undefined;
  return sql`select ${columns} from transactions where mc_seqno = ${mcSeqno}`;
}

function blockConditions({ workchain, shard, seqno }: TransactionFilters): RawBuilder<unknown>[] {
  return [
    sql`seqno = ${seqno}`,
    ...(workchain === undefined ? [] : [sql`workchain = ${workchain}`]),
    ...(shard === undefined ? [] : [sql`shard = ${shard}`]),
  ];
}

function conditionsOf(filters: TransactionFilters, reach: Span): RawBuilder<unknown>[] {
  const { workchain, shard, seqno, mcSeqno, accounts, excluded, hashes, lt } = filters;
  return [
    inSpan(reach, sql`now`, sql`lt`),
    ...(workchain === undefined ? [] : [sql`get_byte(account, 0) = ${workchain} & 255`]),
    ...(shard === undefined ? [] : [sql`block_shard = ${shard}`]),
    ...(seqno === undefined ? [] : [sql`block_seqno = ${seqno}`]),
    ...(mcSeqno === undefined ? [] : [sql`mc_seqno = ${mcSeqno}`]),
    ...(accounts.length === 0 ? [] : [isOneOf(sql`account`, accounts)]),
    ...(excluded.length === 0 ? [] : [sql`account <> all(${excluded}::bytea[])`]),
    ...(hashes.length === 0 ? [] : [isOneOf(sql`hash`, hashes)]),
    ...(lt === undefined ? [] : [sql`lt = ${lt}`]),
  ];
}

/** With a single value the planner knows that the rest of an index key is in list order. */
function isOneOf(column: RawBuilder<unknown>, values: readonly Buffer[]): RawBuilder<unknown> {
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values}::bytea[])`;
}

/** The rows of each account that may be on the page. */
function byEachAccount(
  { filters, keys, page }: TransactionsQuery,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const direction = sql.raw(keys[0]!.direction);
  return sql`unnest(${filters.accounts}::bytea[]) as wanted (one) cross join lateral (
    select at, account, lt, now from transactions where account = one and ${where}
    order by lt ${direction} limit ${page.offset + page.limit}) found`;
}

/** Orders accounts by signed workchain: the masterchain, which is negative, comes first. */
function byAccount(direction: 'asc' | 'desc'): OrderKey {
  return { by: sql`set_byte(account, 0, get_byte(account, 0) # 128)`, type: 'bytea', direction };
}

/** Orders transactions by logical time, then by account. */
function byLt(direction: 'asc' | 'desc'): readonly OrderKey[] {
  return [{ by: sql`lt`, type: 'bigint', direction }, byAccount('asc')];
}

/** The order of a list of transactions, which depends on the filters. */
export function transactionOrder(
  { lt, hashes, accounts, mcSeqno, span }: TransactionFilters,
  direction: 'asc' | 'desc',
): readonly OrderKey[] {
  if (lt !== undefined) return [byAccount(direction)];
  if (hashes.length > 0) return [{ by: sql`hash`, type: 'bytea', direction }];
  // Within one account the orders of time and of logical time are the same.
  if (accounts.length === 1) return [{ by: sql`lt`, type: 'bigint', direction }];
  if (mcSeqno !== undefined || !isTimed(span)) return byLt(direction);
  return [{ by: sql`now`, type: 'bigint', direction }, ...byLt(direction)];
}

/** Which messages the wanted transactions have. */
export interface ByMessageFilters {
  /** Hashes or normalized hashes; an empty list does not filter. */
  readonly hashes: readonly Buffer[];
  readonly bodyHash?: Buffer | undefined;
  /** Of a received message. */
  readonly opcode?: number | undefined;
  /** The transaction received the message, or sent it. */
  readonly direction?: 'in' | 'out' | undefined;
  /** An account, or null for external messages. */
  readonly source?: Buffer | null | undefined;
  /** An account, or null for messages to outside the chain. */
  readonly destination?: Buffer | null | undefined;
}

interface ByMessageQuery {
  readonly filters: ByMessageFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/**
 * The order of the list. Hashes match few transactions, which are sorted by their logical time. Bodies and opcodes may
 * match millions, and their indexes are in the order of the logical time of the message.
 */
export function byMessageOrder({ hashes }: ByMessageFilters, direction: 'asc' | 'desc'): readonly OrderKey[] {
  if (hashes.length > 0) return byLt(direction);
  return [
    { by: sql`lt`, type: 'bigint', direction },
    byAccount('asc'),
    { by: sql`tx_lt`, type: 'bigint', direction },
  ];
}

/** Reads the keys of a page of the transactions that have such messages, each once. */
export async function readTransactionsByMessage(
  db: Kysely<Tables>,
  query: ByMessageQuery,
): Promise<ListedTransaction[]> {
  const { filters, sort, page } = query;
  const sides = sidesOf(filters);
  if (sides.length === 0) return [];
  const { where, tail, cursor } = pageParts(byMessageOrder(filters, sort), page);
  const found = filters.hashes.length > 0 ? distinctOf(filters, sides) : firstOf(query, sides);
  const { rows } = await sql<ListedTransaction>`
    select at, ${cursor} as cursor from (${found}) found where ${where} ${tail}`.execute(db);
  return rows;
}

/** Messages as rows of the receiver, or as rows of the sender. */
interface Side {
  readonly where: RawBuilder<unknown>;
  /** All rows belong to one account, whose index has them by transaction. */
  readonly isOneSender: boolean;
}

/** Each side has its own indexes. Contradictory filters give no side. */
function sidesOf({ bodyHash, opcode, direction, source, destination }: ByMessageFilters): readonly Side[] {
  const content = sql`${equals(sql`body_hash`, bodyHash)} and ${opcode === undefined ? sql`true` : sql`opcode = ${opcode}`}`;
  const received = sql`ordinal = 0 and ${equals(sql`peer`, source)} and ${equals(sql`account`, destination)} and ${content}`;
  const sent = sql`ordinal > 0 and ${equals(sql`account`, source)} and ${equals(sql`peer`, destination)} and ${content}`;
  // Without these filters both sides can be read at once.
  if ([opcode, direction, source, destination].every((filter) => filter === undefined))
    return [{ where: content, isOneSender: false }];
  const isReceived = direction !== 'out' && destination !== null;
  const isSent = direction !== 'in' && source !== null && opcode === undefined;
  return [
    ...(isReceived ? [{ where: received, isOneSender: false }] : []),
    ...(isSent ? [{ where: sent, isOneSender: source !== undefined && destination === undefined }] : []),
  ];
}

/** All transactions of messages with one of the hashes. */
function distinctOf({ hashes }: ByMessageFilters, sides: readonly Side[]): RawBuilder<unknown> {
  const byHash = (column: RawBuilder<unknown>) => sql`
    select * from messages where ${column} = any(${hashes}::bytea[])`;
  return sql`
    select distinct account, tx_lt, tx_lt as lt, at
    from (${byHash(sql`hash`)} union all ${byHash(sql`hash_norm`)} offset 0) named where ${anyOf(sides)}`;
}

/** The rows of each side that may be on the page. Only the first message of a transaction in list order counts. */
function firstOf({ filters, sort, page }: ByMessageQuery, sides: readonly Side[]): RawBuilder<unknown> {
  const keys = byMessageOrder(filters, sort);
  const { where: after } = pageParts(keys, page);
  const { tail } = pageParts(keys, { limit: page.offset + page.limit, offset: 0 });
  const direction = sql.raw(sort);
  const bySender = sql`order by tx_lt ${direction}, ordinal ${direction} limit ${page.offset + page.limit}`;
  const isEarlier = sql.raw(sort === 'asc' ? '<' : '>');
  const isFirst = sql`not exists (
    select from messages
    where account = m.account and tx_lt = m.tx_lt and mc_seqno = m.mc_seqno and ordinal ${isEarlier} m.ordinal
      and (${anyOf(sides)}))`;
  // A transaction receives at most one message.
  const isSingle = filters.direction === 'in' || filters.opcode !== undefined;
  const rows = sides.map(
    ({ where, isOneSender }) => sql`(
      select account, tx_lt, at, lt from messages m
      where ${where} and ${after} and ${isSingle ? sql`true` : isFirst} ${isOneSender ? bySender : tail})`,
  );
  return sql.join(rows, sql` union all `);
}

function anyOf(sides: readonly Side[]): RawBuilder<unknown> {
  return sql.join(
    sides.map(({ where }) => sql`(${where})`),
    sql` or `,
  );
}

/** Reads the transactions on the other side of the messages of a transaction: the sender of its in message and the receivers of its out messages. */
export async function readAdjacentTransactions(
  db: Kysely<Tables>,
  { hash, direction }: { readonly hash: Buffer; readonly direction?: 'in' | 'out' | undefined },
): Promise<LocatedTransaction[]> {
  const side = { in: sql`own.ordinal = 0`, out: sql`own.ordinal > 0` };
  const { order } = pageParts(byLt('asc'), { limit: 0, offset: 0 });
  const { rows } = await sql<LocatedTransaction>`
    with own as materialized (
      select own.hash, own.ordinal from transactions t
      join messages own on own.account = t.account and own.tx_lt = t.lt and own.mc_seqno = t.mc_seqno
      where t.hash = ${hash} and ${direction === undefined ? sql`true` : side[direction]})
    select at from (
      select distinct far.account, far.tx_lt as lt, far.at
      from own cross join lateral (
        select account, tx_lt, at from messages
        where hash = own.hash and (ordinal = 0) <> (own.ordinal = 0)) far) found ${order}`.execute(db);
  return rows;
}

/** A transaction and its trace. */
interface TracedTransaction {
  readonly hash: Buffer;
  readonly trace_id: Buffer;
}

/** Reads the traces of transactions; unknown transactions are left out. */
export async function readTracedTransactions(
  db: Kysely<Tables>,
  { hashes }: { readonly hashes: readonly Buffer[] },
): Promise<readonly TracedTransaction[]> {
  const { rows } = await sql<TracedTransaction>`
    select hash, trace_id from transactions where hash = any(${hashes}::bytea[])`.execute(db);
  return rows;
}

/**
 * Reads the transactions that sent or received messages, by hash or normalized hash. The hash of the first transaction of
 * a trace is the trace id, so it is known even if its own row was dropped.
 */
export async function readTransactionsOfMessages(
  db: Kysely<Tables>,
  { hashes }: { readonly hashes: readonly Buffer[] },
): Promise<readonly TracedTransaction[]> {
  const isNamed = sql`any(${hashes}::bytea[])`;
  const { rows } = await sql<TracedTransaction>`
    with found as materialized (
      select account, tx_lt, mc_seqno from messages where hash = ${isNamed} union
      select account, tx_lt, mc_seqno from messages where hash_norm = ${isNamed})
    select t.hash, t.trace_id from found join lateral (
      select hash, trace_id from transactions
      where account = found.account and lt = found.tx_lt and mc_seqno = found.mc_seqno) t on true union
    select trace_id, trace_id from traces where external_hash = ${isNamed} union
    select trace_id, trace_id from traces where external_hash_norm = ${isNamed}`.execute(db);
  return rows;
}

/** Finds transactions by hash; unknown ones are left out. */
export async function findTransactions(
  db: Kysely<Tables>,
  { hashes }: { readonly hashes: readonly Buffer[] },
): Promise<LocatedTransaction[]> {
  const { rows } = await sql<LocatedTransaction>`
    select at from transactions where hash = any(${distinctBytes(hashes)}::bytea[])`.execute(db);
  return rows;
}

/** Finds transactions by account and logical time; unknown ones are left out. */
export async function locateTransactions(
  db: Kysely<Tables>,
  { keys }: { readonly keys: readonly { readonly account: Buffer; readonly lt: bigint }[] },
): Promise<LocatedTransaction[]> {
  const { rows } = await sql<LocatedTransaction>`
    select t.at from unnest(${keys.map(({ account }) => account)}::bytea[], ${keys.map(({ lt }) => lt)}::bigint[])
      as asked (account, lt)
    join transactions t on t.account = asked.account and t.lt = asked.lt`.execute(db);
  return rows;
}
