import { type RawBuilder, sql } from 'kysely';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import { formatHashBase64 } from '../../chain/hash.ts';
import { fence, isCluster, readRows } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { accountPrefix, accountPrefixes, type Position, shardPrefixes } from '../format/position.ts';
import { isShown } from '../snapshot.ts';
import { readWorkchains } from './blocks.ts';
import { isNearBlock } from './hash-places.ts';
import {
  accountOfKey,
  allOf,
  areEqual,
  EMPTY_SLICE,
  findLoneAccounts,
  type ListSlice,
  type ListWindow,
  type OrderKey,
  readCheckedList,
  signedAccountText,
  sliceOfAll,
  sliceParts,
} from './lists.ts';
import {
  findTimeWindow,
  inStoredSpan,
  intersect,
  isTimed,
  isWithin,
  MAX_INT64,
  readBoundsOfLt,
  readTimeRange,
  type Span,
  unixTimeOf,
} from './time-bounds.ts';
import type {
  FoundTransaction,
  TransactionHead,
  TransactionReader,
  UnreadTransaction,
} from './transaction-reader.ts';

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

interface TransactionKey extends Pick<OrderKey, 'type' | 'direction'> {
  readonly name: 'lt' | 'now' | 'account' | 'hash';
}

/** The order of a list of transactions, which depends on the filters. */
export function transactionOrder(
  { lt, hashes, accounts, mcSeqno, span }: TransactionFilters,
  direction: 'asc' | 'desc',
): readonly TransactionKey[] {
  if (lt !== undefined) return [{ name: 'account', type: 'bytea', direction }];
  if (hashes.length > 0) return [{ name: 'hash', type: 'text', direction }];
  const byLt: TransactionKey = { name: 'lt', type: 'bigint', direction };
  // Within one account the orders of time and of logical time are the same.
  if (accounts.length === 1) return [byLt];
  const keys: TransactionKey[] = [byLt, { name: 'account', type: 'bytea', direction }];
  if (mcSeqno !== undefined || !isTimed(span)) return keys;
  return [{ name: 'now', type: 'bigint', direction }, ...keys];
}

/** A row of a list. It holds prefixes, so the transaction itself must be checked. */
interface TransactionRow {
  readonly at: Position;
  readonly acc8: bigint;
  readonly lt: bigint;
  readonly mcSeqno: number;
  /** What rows are ordered by. */
  readonly keys: readonly string[];
}

interface TransactionsQuery {
  readonly filters: TransactionFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: ListWindow;
}

const NOW = unixTimeOf(sql`now`);

/**
 * What rows are ordered by: the keys of the list, with prefixes of accounts, and the position. Accounts with the same
 * prefix are in the same block if they have transactions of the same logical time, and there positions are in the order
 * of accounts.
 */
function rowOrder(filters: TransactionFilters, sort: 'asc' | 'desc'): readonly OrderKey[] {
  const columns = { lt: sql`lt`, now: NOW, account: sql`acc8`, hash: sql`hash8` };
  const keys = transactionOrder(filters, sort).map(
    ({ name, direction }): OrderKey => ({ by: columns[name], type: 'bigint', direction }),
  );
  return [...keys, { by: sql`at`, type: 'bigint', direction: keys.at(-1)!.direction }];
}

/** The keys of a row just before all rows that may be those of a transaction, which is given by its keys in a cursor. */
function rowKeysBefore(filters: TransactionFilters, sort: 'asc' | 'desc', after: readonly string[]) {
  const keys = transactionOrder(filters, sort);
  const values = keys.map(({ name }, at) =>
    name === 'account' ? String(prefixOfSignedAccount(after[at]!)) : after[at]!,
  );
  return [...values, keys.at(-1)!.direction === 'asc' ? '-1' : String(MAX_INT64)];
}

/** In cursors the sign of the workchain is flipped, so that the order of bytes is the order of accounts. */
function prefixOfSignedAccount(text: string): bigint {
  const account = accountOfKey(text);
  account[0] = account[0]! ^ 0x80;
  return accountPrefix(account);
}

/** A shard has a bit that ends its prefix. */
const NO_SHARD = 0n;

/** Whether filters contradict each other: they would be tested on every row of an account. */
export function isContradiction(filters: TransactionFilters): boolean {
  const { lt, accounts, excluded, workchain, shard, span } = filters;
  const isPossible = (account: Buffer) =>
    (workchain === undefined || account.readInt8(0) === workchain) &&
    (shard === undefined || isInShard(account, shard)) &&
    !excluded.some((other) => other.equals(account));
  return (
    (lt !== undefined && lt > MAX_INT64) ||
    shard === NO_SHARD ||
    (accounts.length > 0 && !accounts.some(isPossible)) ||
    isBehind(span.startUtime, span.endUtime) ||
    isBehind(span.startLt, span.endLt)
  );
}

function isInShard(account: Buffer, shard: bigint): boolean {
  const { from, to } = shardPrefixes(account.readInt8(0), shard);
  const prefix = accountPrefix(account);
  return prefix >= from && prefix <= to;
}

function isBehind(start: bigint | undefined, end: bigint | undefined): boolean {
  return start !== undefined && end !== undefined && start > end;
}

/** Finds the rows of a part of a list without hashes, in its order; `page.after` has the keys of a row. Accounts are excluded with all that have the same prefix. */
export async function findTransactions(db: Db, query: TransactionsQuery) {
  const { filters, sort, page } = query;
  const { seqno, mcSeqno } = filters;
  const blocks = seqno === undefined && mcSeqno === undefined ? undefined : await readBlockRows(db, filters);
  if (blocks?.length === 0) return [];
  const { where: after, tail, cursor } = sliceParts(rowOrder(filters, sort), page);
  const conditions = [after, ...conditionsOf(filters), isShown(db, sql`mc_seqno`), ...isOfShard(db, filters)];
  const reach = await reachOf(db, query, conditions);
  const where = allOf([inStoredSpan(reach, sql`now`, sql`lt`), ...conditions]);
  const isSorted = areFew(filters) || (isTimed(filters.span) && filters.accounts.length !== 1);
  const source = isSorted
    ? fewRows(db, where, blocks)
    : firstRows(db, filters, where, { sort, count: page.offset + page.limit });
  const rows = await readRows<
    Record<'at' | 'acc8' | 'lt', string> & Pick<TransactionRow, 'mcSeqno' | 'keys'>
  >(db)`
    select at, acc8, lt, mc_seqno as "mcSeqno", ${cursor} as keys from ${source} ${tail}`;
  return rows.map(({ at, acc8, lt, ...row }) => ({
    ...row,
    at: Number(at),
    acc8: BigInt(acc8),
    lt: BigInt(lt),
  }));
}

/**
 * The condition that rows are of blocks of the wanted shard, if those are not known. Rows do not tell their block, but the
 * masterchain block that committed it. On a cluster its blocks may be on another worker: `keepOfShard` finds them there.
 */
function isOfShard(
  db: Db,
  filters: TransactionFilters,
  { acc8, mcSeqno, lt }: RowColumns = TRANSACTION_COLUMNS,
): RawBuilder<unknown>[] {
  const shard = shardToFind(filters);
  if (shard === undefined || isCluster(db)) return [];
  const isInside = lt === undefined ? sql`true` : sql`${lt} between blocks.start_lt and blocks.end_lt`;
  return [
    sql`exists (select from blocks where blocks.mc_seqno = ${mcSeqno} and blocks.shard = ${shard}
      and ${isInside} and (blocks.workchain = ${MASTERCHAIN}) = (${acc8} < 0) offset 0)`,
  ];
}

/** Where a row tells of a transaction; the logical time is undefined where it does not. */
interface RowColumns {
  readonly acc8: RawBuilder<unknown>;
  readonly mcSeqno: RawBuilder<unknown>;
  readonly lt: RawBuilder<unknown> | undefined;
}

const TRANSACTION_COLUMNS: RowColumns = {
  acc8: sql`transactions.acc8`,
  mcSeqno: sql`transactions.mc_seqno`,
  lt: sql`transactions.lt`,
};

/**
 * Creates the condition that a transaction may fit as far as a row tells; undefined if rows tell nothing of these filters,
 * are found by accounts anyway, or are on a cluster.
 */
export function createRowCondition(db: Db, filters: TransactionFilters) {
  const { workchain, shard, accounts } = filters;
  if (isCluster(db) || accounts.length > 0 || (workchain === undefined && shard === undefined))
    return undefined;
  return (columns: RowColumns): RawBuilder<boolean> =>
    allOf([...accountConditions(filters, columns.acc8), ...isOfShard(db, filters, columns)]);
}

/** Keeps the rows of blocks of a shard, on a cluster. */
async function keepOfShard(
  db: Db,
  { rows, shard }: { readonly rows: readonly TransactionRow[]; readonly shard: bigint },
): Promise<TransactionRow[]> {
  if (rows.length === 0) return [];
  const blocks = await selectBlocks(db, [
    sql`mc_seqno = any(${[...new Set(rows.map(({ mcSeqno }) => mcSeqno))]}::int[])`,
    sql`shard = ${shard}`,
  ]);
  const blocksOf = Map.groupBy(blocks, ({ mcSeqno }) => mcSeqno);
  const isIn = (value: bigint, [from, to]: readonly [bigint, bigint]) => value >= from && value <= to;
  return rows.filter(({ mcSeqno, lt, acc8 }) =>
    blocksOf.get(mcSeqno)?.some(({ lts, accounts }) => isIn(lt, lts) && isIn(acc8, accounts)),
  );
}

/** Where the rows of a block are: the logical times have an index. */
interface BlockRows {
  readonly mcSeqno: number;
  readonly lts: readonly [bigint, bigint];
  readonly accounts: readonly [bigint, bigint];
}

async function readBlockRows(
  db: Db,
  { workchain, shard, seqno, mcSeqno }: TransactionFilters,
): Promise<readonly BlockRows[]> {
  const near = mcSeqno === undefined ? await isNearBlock(db, { workchain, shard, seqno }) : [];
  if (near === undefined) return [];
  const blocks = await selectBlocks(db, [
    ...near,
    ...areEqual({ seqno, mc_seqno: mcSeqno, workchain, shard }),
  ]);
  if (seqno !== undefined || shard !== undefined || blocks.length === 0) return blocks;
  // One range for all blocks that a masterchain block committed.
  const lts = blocks.flatMap((block) => block.lts).sort((a, b) => (a < b ? -1 : 1));
  return [{ mcSeqno: mcSeqno!, lts: [lts[0]!, lts.at(-1)!], accounts: [-MAX_INT64 - 1n, MAX_INT64] }];
}

async function selectBlocks(db: Db, conditions: readonly RawBuilder<unknown>[]) {
  const rows = await db
    .selectFrom('blocks')
    .select(['mc_seqno', 'workchain', 'shard', 'start_lt', 'end_lt'])
    .where(allOf([...conditions, isShown(db, sql`mc_seqno`)]))
    .execute();
  return rows.map((row): BlockRows => {
    const { from, to } = shardPrefixes(row.workchain, BigInt(row.shard));
    return {
      mcSeqno: row.mc_seqno,
      lts: [BigInt(row.start_lt), BigInt(row.end_lt)],
      accounts: [from, to],
    };
  });
}

/**
 * The span with what follows from it for the logical time, which the rows are walked by: a busy account is not walked
 * from its end to a time long ago.
 */
async function reachOf(
  db: Db,
  { filters, sort, page }: TransactionsQuery,
  conditions: readonly RawBuilder<unknown>[],
): Promise<Span> {
  const { span, accounts } = filters;
  if (areFew(filters) || !isTimed(span)) return span;
  // The rows of one account are in the order of time as well.
  if (accounts.length === 1) return intersect(span, await readBoundsOfLt(db, span));
  return findTimeWindow(db, { span, sort, page }, (rest, count) => {
    const where = allOf([inStoredSpan(rest, sql`now`, sql`lt`), ...conditions]);
    const query = sql`select ${NOW} as time from ${firstRows(db, filters, where, { sort, count })}
      order by lt ${sql.raw(sort)} limit ${count}`;
    return readTimeRange(db, { query, count });
  });
}

function conditionsOf(filters: TransactionFilters) {
  const { excluded, lt } = filters;
  const conditions = accountConditions(filters, sql`acc8`);
  if (excluded.length > 0) conditions.push(sql`acc8 <> all(${accountPrefixes(excluded)}::bigint[])`);
  if (lt !== undefined) conditions.push(sql`lt = ${lt}`);
  return conditions;
}

/** The conditions on the account of a row, by its prefix. */
function accountConditions(
  { workchain, shard, accounts }: Pick<TransactionFilters, 'workchain' | 'shard' | 'accounts'>,
  acc8: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const inShard = (one: number): RawBuilder<unknown> => {
    const { from, to } = shardPrefixes(one, shard);
    return sql`${acc8} between ${from} and ${to}`;
  };
  const conditions: RawBuilder<unknown>[] = [];
  if (workchain !== undefined) conditions.push(inShard(workchain));
  else if (shard !== undefined) conditions.push(sql`(${inShard(0)} or ${inShard(MASTERCHAIN)})`);
  if (accounts.length > 0) conditions.push(isOneOf(acc8, accountPrefixes(accounts)));
  return conditions;
}

/** With a single value the planner knows that the rest of an index key is in list order. */
export function isOneOf(column: RawBuilder<unknown>, values: readonly bigint[]): RawBuilder<unknown> {
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values}::bigint[])`;
}

/** Whether the filters leave so few rows that they are sorted. */
export function areFew({ lt, seqno, mcSeqno }: TransactionFilters): boolean {
  return lt !== undefined || seqno !== undefined || mcSeqno !== undefined;
}

/** A few rows as `<rows> where <condition>`; the fence keeps PostgreSQL from walking the index of the list order. */
function fewRows(db: Db, where: RawBuilder<unknown>, blocks: readonly BlockRows[] | undefined) {
  if (blocks === undefined) return sql`(select * from transactions where ${where} offset 0) few where true`;
  const [only] = blocks;
  if (blocks.length === 1) {
    const isOfBlock = sql`mc_seqno = ${only!.mcSeqno} and lt between ${only!.lts[0]} and ${only!.lts[1]}
      and acc8 between ${only!.accounts[0]} and ${only!.accounts[1]}`;
    return sql`(select * from transactions where ${isOfBlock} and ${where} offset 0) few where true`;
  }
  const seqnos = blocks.map(({ mcSeqno }) => mcSeqno);
  const column = (of: (block: BlockRows) => bigint) => sql`${blocks.map(of)}::bigint[]`;
  return sql`unnest(
      ${seqnos}::int[], ${column(({ lts }) => lts[0])}, ${column(({ lts }) => lts[1])},
      ${column(({ accounts }) => accounts[0])}, ${column(({ accounts }) => accounts[1])}
    ) as block (committed, first_lt, last_lt, first_account, last_account) cross join lateral (
    select * from transactions
    where mc_seqno = committed and lt between first_lt and last_lt and acc8 between first_account and last_account
      and mc_seqno between ${Math.min(...seqnos)} and ${Math.max(...seqnos)} and ${where} ${fence(db)}) few where true`;
}

/** The first rows in the order of logical time, and perhaps more, as `<rows> where <condition>`. */
function firstRows(
  db: Db,
  { accounts }: TransactionFilters,
  where: RawBuilder<unknown>,
  { sort, count }: { readonly sort: 'asc' | 'desc'; readonly count: number },
): RawBuilder<unknown> {
  const prefixes = accountPrefixes(accounts);
  if (prefixes.length < 2) return sql`transactions where ${where}`;
  // An index has the rows in this order for one account at a time.
  const rowsOf = (account: RawBuilder<unknown>) => sql`(
    select * from transactions where acc8 = ${account} and ${where} order by lt ${sql.raw(sort)}, at limit ${count})`;
  if (isCluster(db)) {
    const parts = prefixes.map((prefix) => rowsOf(sql`${prefix}::bigint`));
    return sql`(${sql.join(parts, sql` union all `)}) found where true`;
  }
  return sql`unnest(${prefixes}::bigint[]) as wanted (one) cross join lateral ${rowsOf(sql`one`)} found where true`;
}

export async function listTransactions(
  reader: TransactionReader,
  { filters, sort, page }: TransactionsQuery,
): Promise<ListSlice<FoundTransaction>> {
  const keys = transactionOrder(filters, sort);
  const isWanted = createTransactionFilter(filters);
  const textsOf = (one: FoundTransaction) => transactionKeys(keys, one);
  if (isContradiction(filters)) return EMPTY_SLICE;
  if (filters.hashes.length > 0) {
    const found = await reader.findByHash(filters.hashes);
    return sliceOfAll(found.filter(isWanted), keys, withoutOffset(page), textsOf);
  }
  const { db } = reader;
  const { workchain, accounts, excluded } = filters;
  const workchains = workchain === undefined ? [] : await readWorkchains(db);
  if (workchain !== undefined && !workchains.includes(workchain)) return EMPTY_SLICE;
  const lone = await findLone(db, filters, page);
  const areLone = (some: readonly Buffer[]) => some.every((account) => lone.has(bytesKey(account)));
  const known = { ...filters, excluded: excluded.filter((account) => lone.has(bytesKey(account))) };
  const isExact = areLone(accounts) && areLone(excluded) && workchains.every(hasOwnPrefixes);
  const shard = isCluster(db) ? shardToFind(filters) : undefined;
  return readCheckedList({
    keys,
    page,
    skips: !isExact ? 'read' : shard === undefined ? 'unseen' : 'unread',
    rowKeysBefore: (after) => rowKeysBefore(filters, sort, after),
    find: async (part) => {
      const rows = await findTransactions(db, { filters: known, sort, page: part });
      const last = rows.length < part.limit ? undefined : rows.at(-1)!.keys;
      return { rows: shard === undefined ? rows : await keepOfShard(db, { rows, shard }), last };
    },
    read: async (rows) => {
      const found = await reader.find(rows.map(({ at }) => at));
      return rows.flatMap(({ at }) => found.get(at) ?? []).filter(isWanted);
    },
    keysOf: textsOf,
  });
}

/** Lists by hash have no offset. */
export function withoutOffset({ limit, after }: ListWindow): ListWindow {
  return { limit, offset: 0, after };
}

/** Accounts that no other account can be confused with, as far as the page depends on it. */
async function findLone(db: Db, { accounts, excluded }: TransactionFilters, { offset }: ListWindow) {
  const asked = offset === 0 ? excluded : [...accounts, ...excluded];
  return new Set((await findLoneAccounts(db, asked)).map(bytesKey));
}

/** Whether the prefixes of a workchain belong to it alone. */
function hasOwnPrefixes(workchain: number): boolean {
  return workchain === 0 || workchain === -1;
}

/** The wanted shard, if the wanted blocks are not known by their seqno anyway. */
function shardToFind({ shard, seqno, mcSeqno }: TransactionFilters): bigint | undefined {
  return seqno === undefined && mcSeqno === undefined ? shard : undefined;
}

export function createTransactionFilter(filters: TransactionFilters): (found: TransactionHead) => boolean {
  const hashes = new Set(filters.hashes.map(bytesKey));
  const isFitting = createUnreadFilter(filters);
  return (found) => isFitting(found) && (hashes.size === 0 || hashes.has(bytesKey(found.hash)));
}

/** The same but for hashes. */
export function createUnreadFilter(filters: TransactionFilters): (found: UnreadTransaction) => boolean {
  const { workchain, shard, seqno, mcSeqno, lt, span } = filters;
  const accounts = new Set(filters.accounts.map(bytesKey));
  const excluded = new Set(filters.excluded.map(bytesKey));
  return (found) =>
    (shard === undefined || found.block.shard === shard) &&
    (seqno === undefined || found.block.seqno === seqno) &&
    (mcSeqno === undefined || found.mcSeqno === mcSeqno) &&
    (accounts.size === 0 || accounts.has(bytesKey(found.account))) &&
    (excluded.size === 0 || !excluded.has(bytesKey(found.account))) &&
    (workchain === undefined || found.account.readInt8(0) === workchain) &&
    (lt === undefined || found.lt === lt) &&
    isWithin(span, BigInt(found.now), found.lt);
}

export function transactionKeys(
  keys: readonly TransactionKey[],
  { hash, account, lt, now }: TransactionHead,
): readonly string[] {
  return keys.map(({ name }) => {
    // Responses show hashes like this, and clients see the order of that.
    if (name === 'hash') return formatHashBase64(hash);
    return name === 'account' ? signedAccountText(account) : String(name === 'lt' ? lt : now);
  });
}
