import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type OrderKey, type Page, pageParts } from './page.ts';
import { byAccount, byLt } from './transaction-order.ts';
import type { ListedTransaction } from './transactions.ts';

/** Which messages the transactions wanted have. */
export interface ByMessageFilters {
  /** Hashes or normalized hashes; empty when they do not matter. */
  readonly hashes: readonly Buffer[];
  readonly bodyHash?: Buffer | undefined;
  /** Of a message that was received. */
  readonly opcode?: number | undefined;
  /** The transaction received it, or sent it. */
  readonly direction?: 'in' | 'out' | undefined;
  /** An account, or null for messages from outside. */
  readonly source?: Buffer | null | undefined;
  /** An account, or null for messages to outside. */
  readonly destination?: Buffer | null | undefined;
}

interface ByMessageQuery {
  readonly filters: ByMessageFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/**
 * The order of the list. Hashes find few transactions, which are sorted by their logical time. Bodies and opcodes may
 * find millions, and their indexes have them in the order of the logical time of the message.
 */
export function byMessageOrder({ hashes }: ByMessageFilters, direction: 'asc' | 'desc'): readonly OrderKey[] {
  if (hashes.length > 0) return byLt(direction);
  return [
    { by: sql`lt`, type: 'bigint', direction },
    byAccount('asc'),
    { by: sql`tx_lt`, type: 'bigint', direction },
  ];
}

/** The keys of one page of the transactions that have such messages, each once. */
export async function readTransactionsByMessage(
  db: Kysely<Tables>,
  query: ByMessageQuery,
): Promise<ListedTransaction[]> {
  const { filters, sort, page } = query;
  const sides = sidesOf(filters);
  if (sides.length === 0) return [];
  const { where, tail, cursor } = pageParts(byMessageOrder(filters, sort), page);
  const found = filters.hashes.length > 0 ? distinctOf(filters, sides) : firstOf(query, sides);
  const { rows } = await sql<Omit<ListedTransaction, 'lt'> & { readonly tx_lt: string }>`
    select account, tx_lt, mc_seqno, ${cursor} as cursor from (${found}) found where ${where} ${tail}`.execute(
    db,
  );
  return rows.map(({ tx_lt: lt, ...row }) => ({ ...row, lt }));
}

/** Messages at the one that received them, or at the one that sent them. */
interface Side {
  readonly where: RawBuilder<unknown>;
  /** They are all of one account, whose index has them by transaction. */
  readonly isOneSender: boolean;
}

/** The two sides have indexes of their own. None is left where filters contradict each other. */
function sidesOf({ bodyHash, opcode, direction, source, destination }: ByMessageFilters): readonly Side[] {
  const content = sql`${is(sql`body_hash`, bodyHash)} and ${opcode === undefined ? sql`true` : sql`opcode = ${opcode}`}`;
  const received = sql`ordinal = 0 and ${is(sql`peer`, source)} and ${is(sql`account`, destination)} and ${content}`;
  const sent = sql`ordinal > 0 and ${is(sql`account`, source)} and ${is(sql`peer`, destination)} and ${content}`;
  // Without them the two sides are one.
  if ([opcode, direction, source, destination].every((filter) => filter === undefined))
    return [{ where: content, isOneSender: false }];
  const isReceived = direction !== 'out' && destination !== null;
  const isSent = direction !== 'in' && source !== null && opcode === undefined;
  return [
    ...(isReceived ? [{ where: received, isOneSender: false }] : []),
    ...(isSent ? [{ where: sent, isOneSender: source !== undefined && destination === undefined }] : []),
  ];
}

function is(column: RawBuilder<unknown>, value: Buffer | null | undefined): RawBuilder<unknown> {
  if (value === undefined) return sql`true`;
  return value === null ? sql`${column} is null` : sql`${column} = ${value}`;
}

/** All transactions that messages with one of the hashes belong to. */
function distinctOf({ hashes }: ByMessageFilters, sides: readonly Side[]): RawBuilder<unknown> {
  const byHash = (column: RawBuilder<unknown>) => sql`
    select * from messages where ${column} = any(${hashes}::bytea[])`;
  return sql`
    select distinct account, tx_lt, tx_lt as lt, mc_seqno
    from (${byHash(sql`hash`)} union all ${byHash(sql`hash_norm`)} offset 0) named where ${anyOf(sides)}`;
}

/** The rows of each side that the page could need. Of the messages of a transaction only the first in the order counts. */
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
  // A transaction receives one message at most.
  const isSingle = filters.direction === 'in' || filters.opcode !== undefined;
  const rows = sides.map(
    ({ where, isOneSender }) => sql`(
      select account, tx_lt, mc_seqno, lt from messages m
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
