import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { bytesKey } from '../../lib/bytes-key.ts';
import { KEPT_PLAN } from '../client.ts';
import type { Tables, TracesTable } from '../tables.ts';
import { type OrderKey, type Page, pageParts } from './pages.ts';
import { findTimeWindow, inSpan, intersect, isTimed, readBoundsOfTime, type Span } from './time-bounds.ts';

/** Reads a page of complete traces. */
export async function readTraces(db: Kysely<Tables>, query: TracesQuery): Promise<FoundTrace[]> {
  const { account, hashes, mcSeqno } = query.filters;
  if (account !== undefined && hashes === undefined && mcSeqno === undefined)
    return readTracesOfAccount(db, query, account);
  const { where, cursor, tail } = pageParts(traceOrder(query), query.page);
  const { rows } = await sql<FoundTrace>`
    select *, ${cursor} as cursor from ${await findRows(db, query.filters)} and ${where} ${tail}`.execute(db);
  return rows;
}

/** The source of the page as `<rows> where <condition>`, such that an index can be used. */
async function findRows(db: Kysely<Tables>, filters: TraceFilters): Promise<RawBuilder<unknown>> {
  const { account, hashes, mcSeqno, span } = filters;
  const isInSpan = inSpan(span, sql`end_utime`, sql`end_lt`);
  const inBlock = mcSeqno === undefined ? sql`true` : sql`mc_seqno_end = ${mcSeqno}`;
  if (hashes !== undefined) {
    const ids = await findTraceIds(db, hashes);
    return sql`${few(sql`trace_id = any(${ids}::bytea[]) and ${inBlock}`)} where ${isInSpan}`;
  }
  if (mcSeqno !== undefined)
    return sql`${few(inBlock)} where ${account ? touches(account) : sql`true`} and ${isInSpan}`;
  const times = isTimed(span) ? await readBoundsOfTime(db, span) : {};
  return sql`traces where ${inSpan(intersect(span, times), sql`end_utime`, sql`end_lt`)}`;
}

/** A few traces: `offset 0` keeps the planner from using the index of the outer order instead. */
function few(where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select * from traces where ${where} offset 0) few`;
}

function touches(account: Buffer): RawBuilder<boolean> {
  return sql`exists (select from trace_accounts a where a.account = ${account} and a.end_lt = few.end_lt
    and a.trace_id = few.trace_id and a.mc_seqno_end = few.mc_seqno_end)`;
}

/** A complete trace. */
export type TraceRow = Selectable<TracesTable>;

/** A trace on a page. */
type FoundTrace = TraceRow & { readonly cursor: readonly string[] };

/** Which traces are wanted. */
export interface TraceFilters {
  readonly account?: Buffer | undefined;
  readonly hashes?: TraceHashes | undefined;
  readonly mcSeqno?: number | undefined;
  /** Of the end of traces. */
  readonly span: Span;
}

/** A page of a list of traces. */
interface TracesQuery {
  readonly filters: TraceFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/** The order of a list of traces. */
export function traceOrder({ filters, sort }: Omit<TracesQuery, 'page'>): readonly OrderKey[] {
  return [
    { by: isTimed(filters.span) ? sql`end_utime` : sql`end_lt`, type: 'bigint', direction: sort },
    { by: sql`trace_id`, type: 'bytea', direction: sort },
  ];
}

interface TraceKey {
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
  readonly cursor: readonly string[];
}

/** Reads a page of the traces with a transaction of an account. */
async function readTracesOfAccount(
  db: Kysely<Tables>,
  query: TracesQuery,
  account: Buffer,
): Promise<FoundTrace[]> {
  const { where, cursor, tail } = pageParts(traceOrder(query), query.page);
  const reach = await findReach(db, query, account);
  // In the order of time the rows are few; the fence keeps the planner from searching in another order.
  const fence = isTimed(query.filters.span) ? sql`offset 0` : sql``;
  const { rows: keys } = await sql<TraceKey>`
    select trace_id, mc_seqno_end, ${cursor} as cursor
    from (select * from trace_accounts where account = ${account} and ${isIn(reach)} ${fence}) found
    where ${where} ${tail}`.execute(db);
  if (keys.length === 0) return [];
  const [ids, seqnos] = [keys.map(({ trace_id }) => trace_id), keys.map(({ mc_seqno_end }) => mc_seqno_end)];
  const { rows } = await sql<TraceRow>`
    select * from traces where trace_id = any(${ids}::bytea[])
    and mc_seqno_end between ${Math.min(...seqnos)} and ${Math.max(...seqnos)}`.execute(db);
  const traces = new Map(rows.map((row) => [bytesKey(row.trace_id), row]));
  return keys.map((key) => ({ ...traces.get(bytesKey(key.trace_id))!, cursor: key.cursor }));
}

/** A span that contains the page: traces of an account are indexed by lt, so a page in the order of time is sorted from the rows around it. */
async function findReach(db: Kysely<Tables>, query: TracesQuery, account: Buffer): Promise<Span> {
  const { span } = query.filters;
  if (!isTimed(span)) return span;
  const { where } = pageParts(traceOrder(query), query.page);
  return findTimeWindow(db, { ...query, span }, async (rest, count) => {
    const { rows } = await sql<{ readonly count: string; readonly first: string; readonly last: string }>`
      select count(*) as count, min(end_utime) as first, max(end_utime) as last from (
        select end_utime from trace_accounts where account = ${account} and ${isIn(rest)} and ${where}
        order by end_lt ${sql.raw(query.sort)} limit ${count}) taken`.execute(db);
    const { first, last, count: found } = rows[0]!;
    return Number(found) < count ? undefined : { first: BigInt(first), last: BigInt(last) };
  });
}

function isIn(span: Span) {
  return inSpan(span, sql`end_utime`, sql`end_lt`);
}

/** Hashes of traces, of their transactions, or of their messages. */
export interface TraceHashes {
  readonly of: 'traces' | 'transactions' | 'messages';
  readonly values: readonly Buffer[];
}

/** Finds the ids of traces by hashes. */
async function findTraceIds(db: Kysely<Tables>, { of, values }: TraceHashes): Promise<readonly Buffer[]> {
  if (of === 'traces') return values;
  const { rows } =
    of === 'transactions'
      ? await sql<IdRow>`select distinct trace_id from transactions where hash = any(${values}::bytea[])`.execute(
          db,
        )
      : await readTracesOfMessages(db, values);
  return rows.map(({ trace_id }) => trace_id);
}

interface IdRow {
  readonly trace_id: Buffer;
}

/** The first message is also searched in the trace itself, which may outlive the transaction that received it. */
function readTracesOfMessages(db: Kysely<Tables>, values: readonly Buffer[]) {
  const hashes = sql`any(${values}::bytea[])`;
  return sql<IdRow>`
    with found as materialized (
      select account, tx_lt, mc_seqno from messages where hash = ${hashes} union
      select account, tx_lt, mc_seqno from messages where hash_norm = ${hashes})
    select trace_id from found join lateral (
      select trace_id from transactions
      where account = found.account and lt = found.tx_lt and mc_seqno = found.mc_seqno) t on true union
    select trace_id from traces where external_hash = ${hashes} union
    select trace_id from traces where external_hash_norm = ${hashes}`.execute(db);
}

/** Reads where the transactions of traces are, in the order of lt and account; one query for all traces. */
export async function readTraceMembers(
  db: Kysely<Tables>,
  { traces }: { readonly traces: readonly TraceRow[] },
): Promise<{ readonly at: string }[]> {
  if (traces.length === 0) return [];
  const first = Math.min(...traces.map(({ mc_seqno_start }) => mc_seqno_start));
  const last = Math.max(...traces.map(({ mc_seqno_end }) => mc_seqno_end));
  // The seqnos prune partitions.
  const { rows } = await sql<{ readonly at: string }>`
    select at from transactions
    where trace_id = any(${traces.map(({ trace_id }) => trace_id)}::bytea[]) and mc_seqno between ${first} and ${last}
    order by lt, get_byte(account, 0) < 128, account`.execute(db);
  return rows;
}

/** The classification of a trace: waiting, done, or failed. */
export type ClassificationState = 'unclassified' | 'ok' | 'failed';

/**
 * Reads the classification states of traces, keyed by trace id in hex. A trace that waits to be classified again keeps
 * its actions and counts as done. A trace that is too large stays unclassified.
 */
export async function readClassificationStates(
  db: Kysely<Tables>,
  { traces }: { readonly traces: readonly TraceRow[] },
): Promise<ReadonlyMap<string, ClassificationState>> {
  if (traces.length === 0) return new Map();
  const { rows } = await sql<{ readonly trace_id: Buffer; readonly state: ClassificationState }>`${KEPT_PLAN}
    select asked.trace_id, case
      when fault.too_large then 'unclassified'
      when fault.trace_id is not null then 'failed'
      when waits.trace_id is not null and not waits.again then 'unclassified'
      when waits.trace_id is null and exists (
        select from classification_ranges
        where not again and asked.seqno between first_seqno and last_seqno) then 'unclassified'
      else 'ok' end as state
    from unnest(${traces.map(({ trace_id }) => trace_id)}::bytea[],
                ${traces.map(({ mc_seqno_end }) => mc_seqno_end)}::int[]) as asked (trace_id, seqno)
    left join classification_faults fault on fault.trace_id = asked.trace_id
    left join unclassified_traces waits on waits.trace_id = asked.trace_id`.execute(db);
  return new Map(rows.map(({ trace_id, state }) => [trace_id.toString('hex'), state]));
}
