import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type OrderKey, type Page, pageParts } from './page.ts';
import { readBoundsOfLt, readBoundsOfTime } from './shard-bounds.ts';
import { inSpan, intersect, type Span } from './span.ts';
import type { TransactionKey } from './whole-transactions.ts';
import { isKnownWorkchain } from './workchains.ts';

/** Which transactions are wanted. */
export interface TransactionFilters {
  readonly workchain?: number | undefined;
  readonly shard?: bigint | undefined;
  /** Of the block. */
  readonly seqno?: number | undefined;
  readonly mcSeqno?: number | undefined;
  /** One of these, if there are any. */
  readonly accounts: readonly Buffer[];
  /** None of these. */
  readonly excluded: readonly Buffer[];
  /** One of these, if there are any. */
  readonly hashes: readonly Buffer[];
  readonly lt?: bigint | undefined;
  readonly span: Span;
}

/** A transaction on a page. */
export type ListedTransaction = TransactionKey & { readonly cursor: readonly string[] };

interface TransactionsQuery {
  readonly filters: TransactionFilters;
  readonly keys: readonly OrderKey[];
  readonly page: Page;
}

/** The keys of one page of the transactions wanted. */
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
  // A list of accounts beside the account itself would be sorted anew for every account and partition.
  const conditions = conditionsOf(isMerged ? { ...filters, accounts: [] } : filters, reach);
  const where = sql.join([after, ...conditions], sql` and `);
  const source = isMerged
    ? byEachAccount(query, where)
    : sql`${few === undefined ? sql`transactions` : sql`few`} where ${where}`;
  const { rows } = await sql<ListedTransaction>`
    ${few === undefined ? sql`` : sql`with few as materialized (${few})`}
    select account, lt, mc_seqno, ${cursor} as cursor from ${source} ${tail}`.execute(db);
  return rows;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** Filters that no row can pass would be tried on every row of an account. */
function isContradiction({ lt, accounts, excluded, workchain, span }: TransactionFilters): boolean {
  const isPossible = (account: Buffer) =>
    (workchain === undefined || account.readInt8(0) === workchain) &&
    !excluded.some((one) => one.equals(account));
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
  // Without a bound of time these are walked in the order of logical time.
  const isTimed = span.startUtime !== undefined || span.endUtime !== undefined;
  return isTimed ? intersect(span, await readBoundsOfTime(db, span)) : span;
}

/**
 * Rows that are few and that all wanted are among, where a filter says so: the planner may think that walking an
 * index in the order of the list is cheaper.
 */
function fewRows(filters: TransactionFilters): RawBuilder<unknown> | undefined {
  const { lt, hashes, seqno, mcSeqno, accounts } = filters;
  const columns = sql`account, lt, mc_seqno, hash, now, block_shard, block_seqno`;
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

/** With a single value in the query, the planner knows that the order of the rest of an index is that of the rows. */
function isOneOf(column: RawBuilder<unknown>, values: readonly Buffer[]): RawBuilder<unknown> {
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values}::bytea[])`;
}

/** Of each account the rows that the page could have of it. */
function byEachAccount(
  { filters, keys, page }: TransactionsQuery,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const direction = sql.raw(keys[0]!.direction);
  return sql`unnest(${filters.accounts}::bytea[]) as wanted (one) cross join lateral (
    select account, lt, mc_seqno, now from transactions where account = one and ${where}
    order by lt ${direction} limit ${page.offset + page.limit}) found`;
}
