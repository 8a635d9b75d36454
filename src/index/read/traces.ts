import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { KEPT_PLAN } from '../../db/client.ts';
import { isCluster } from '../../db/cluster-dialect.ts';
import type { Tables, TracesTable } from '../../db/tables/tables.ts';
import { accountPrefix, hashPrefix } from '../format/position.ts';
import { isShown } from '../shown-seqnos.ts';
import { type OrderKey, type Page, pageParts } from './pages.ts';
import {
  findTimeWindow,
  inStoredSpan,
  intersect,
  isTimed,
  readBoundsOfLt,
  readTimeRange,
  type Span,
  unixTimeOf,
} from './time-bounds.ts';

/** A complete trace; `info` is packed, and begins with the id without its prefix. */
export interface TraceRow extends Selectable<TracesTable> {
  /** Of the index: changes whenever indexed blocks are taken back, and others may take their place. */
  readonly history: string;
  /** Where the index begins; pages of transactions before it are dropped. */
  readonly first_seqno: number;
}

/** Where a trace stands in the list of an account. Prefixes are not unique. */
export interface TracePlaceRow {
  readonly trace8: string;
  readonly end_lt: string;
  readonly end_utime: number;
  readonly mc_seqno_end: number;
}

/** A row of a list with what it is ordered by, as PostgreSQL texts. */
type Listed<Row> = Row & { readonly keys: readonly string[] };

/** A part of a list of traces; `page.after` has the keys of a row. */
interface TraceListQuery {
  /** Of the end of traces. */
  readonly span: Span;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

const END_UTIME = unixTimeOf(sql`end_utime`);
const ROW = sql`trace8, end_lt, end_utime, mc_seqno_start, mc_seqno_end, nodes, info,
  (select history_id::text from index_origin) as history, (select first_seqno from index_origin) as first_seqno`;
const ID_REST = sql`substring(info for 24)`;
const PREFIX_BYTES = 8;

/** Reads a page of all complete traces, in the order of their end and of their ids. */
export function readTracePage(db: Kysely<Tables>, query: TraceListQuery): Promise<Listed<TraceRow>[]> {
  const { span, sort } = query;
  const keys: OrderKey[] = [...endKeys(span, sort), { by: ID_REST, type: 'bytea', direction: sort }];
  return readList<TraceRow>(db, query, {
    columns: ROW,
    from: sql`traces where ${isShown(db, sql`mc_seqno_end`)}`,
    keys,
  });
}

/** The keys of a row of `readTracePage`, from its end and its id. */
export function traceRowKeys(end: string, traceId: Buffer): readonly string[] {
  return [end, `${hashPrefix(traceId)}`, `\\x${traceId.toString('hex', PREFIX_BYTES)}`];
}

/** Reads the places of a page of the traces of an account, in the order of their end and of the prefixes of their ids. */
export function readPlacesOfAccount(
  db: Kysely<Tables>,
  { account, ...query }: TraceListQuery & { readonly account: Buffer },
): Promise<Listed<TracePlaceRow>[]> {
  const columns = sql`trace8, end_lt, end_utime, mc_seqno_end`;
  const from = sql`trace_accounts where acc8 = ${accountPrefix(account)}::bigint and ${isShown(db, sql`mc_seqno_end`)}`;
  return readList<TracePlaceRow>(db, query, { columns, from, keys: endKeys(query.span, query.sort) });
}

/** The keys of a row of `readPlacesOfAccount` before all rows of a trace. */
export function placeKeysBefore(end: string, traceId: Buffer, sort: 'asc' | 'desc'): readonly string[] {
  const before = hashPrefix(traceId) + (sort === 'asc' ? -1n : 1n);
  // No hash has the first or the last prefix of all.
  return [end, `${BigInt.asIntN(64, before) === before ? before : hashPrefix(traceId)}`];
}

/** Whether a list is in the order of time: with bounds of time alone. */
export function isByTime(span: Span): boolean {
  return isTimed(span) && span.startLt === undefined && span.endLt === undefined;
}

function endKeys(span: Span, direction: 'asc' | 'desc'): OrderKey[] {
  return [
    { by: isByTime(span) ? END_UTIME : sql`end_lt`, type: 'bigint', direction },
    { by: sql`trace8`, type: 'bigint', direction },
  ];
}

interface ListSource {
  readonly columns: RawBuilder<unknown>;
  /** `<table> where <condition>`. */
  readonly from: RawBuilder<unknown>;
  readonly keys: readonly OrderKey[];
}

async function readList<Row>(
  db: Kysely<Tables>,
  query: TraceListQuery,
  { columns, from, keys }: ListSource,
): Promise<Listed<Row>[]> {
  const { where, cursor, tail } = pageParts(keys, query.page);
  const reach = await findReach(db, query, sql`${from} and ${where}`);
  // In the order of time the rows are few; the fence keeps the planner from searching in another order.
  const fence = isByTime(query.span) ? sql`offset 0` : sql``;
  const { rows } = await sql<Listed<Row>>`
    select ${columns}, ${cursor} as keys from (select * from ${from} and ${isIn(reach)} ${fence}) found
    where ${where} ${tail}`.execute(db);
  return rows;
}

/** A span that contains the page: the indexes are by lt, so a page in the order of time is sorted from the rows around it. */
async function findReach(
  db: Kysely<Tables>,
  { span, sort, page }: TraceListQuery,
  rowsBehind: RawBuilder<unknown>,
): Promise<Span> {
  if (!isTimed(span)) return span;
  if (!isByTime(span)) return intersect(span, await readBoundsOfLt(db, span));
  return findTimeWindow(db, { span, sort, page }, (rest, count) => {
    const query = sql`select ${END_UTIME} as time from ${rowsBehind} and ${isIn(rest)}
      order by end_lt ${sql.raw(sort)} limit ${count}`;
    return readTimeRange(db, { query, count });
  });
}

function isIn(span: Span): RawBuilder<boolean> {
  return inStoredSpan(span, sql`end_utime`, sql`end_lt`);
}

/** Reads traces by prefixes of their ids. */
export async function findTraces(
  db: Kysely<Tables>,
  { trace8s }: { readonly trace8s: readonly bigint[] },
): Promise<TraceRow[]> {
  if (trace8s.length === 0) return [];
  const { rows } = await sql<TraceRow>`${KEPT_PLAN}
    select ${ROW} from traces where trace8 = any(${trace8s}::bigint[]) and ${isShown(db, sql`mc_seqno_end`)}`.execute(
    db,
  );
  return rows;
}

/** Reads the traces at some places, and perhaps others with the same prefixes. */
export async function readTracesAt(
  db: Kysely<Tables>,
  { places }: { readonly places: readonly TracePlaceRow[] },
): Promise<TraceRow[]> {
  if (places.length === 0) return [];
  const different = [
    ...new Map(places.map((place) => [`${place.trace8} ${place.mc_seqno_end}`, place])).values(),
  ];
  const prefixes = sql`${different.map(({ trace8 }) => trace8)}::bigint[]`;
  const seqnos = different.map(({ mc_seqno_end }) => mc_seqno_end);
  // The seqnos prune partitions. Between two of them may be all traces of a partition, which PostgreSQL would read in a plan
  // that does not know them; the workers of a cluster know them when they plan.
  const at = isCluster(db)
    ? sql`traces where trace8 = any(${prefixes})
        and mc_seqno_end between ${Math.min(...seqnos)} and ${Math.max(...seqnos)}`
    : sql`unnest(${prefixes}, ${seqnos}::int[]) as place (prefix, seqno)
        cross join lateral (select * from traces where trace8 = prefix and mc_seqno_end = seqno offset 0) found
        where true`;
  const { rows } = await sql<TraceRow>`${KEPT_PLAN}
    select ${ROW} from ${at} and ${isShown(db, sql`mc_seqno_end`)}`.execute(db);
  return rows;
}

/** Reads the traces that ended in masterchain blocks. */
export async function readTracesEndedIn(
  db: Kysely<Tables>,
  { seqnos }: { readonly seqnos: readonly number[] },
): Promise<TraceRow[]> {
  if (seqnos.length === 0) return [];
  // The ends prune partitions.
  const { rows } = await sql<TraceRow>`select ${ROW} from traces where mc_seqno_end = any(${seqnos}::int[])
    and mc_seqno_end between ${Math.min(...seqnos)} and ${Math.max(...seqnos)} and ${isShown(db, sql`mc_seqno_end`)}`.execute(
    db,
  );
  return rows;
}

/** Reads the places of the traces of an account that ended in a masterchain block, between two logical times. */
export async function readPlacesInBlock(
  db: Kysely<Tables>,
  {
    account,
    mcSeqno,
    first,
    last,
  }: { readonly account: Buffer; readonly mcSeqno: number; readonly first: bigint; readonly last: bigint },
): Promise<TracePlaceRow[]> {
  const { rows } = await sql<TracePlaceRow>`
    select trace8, end_lt, end_utime, mc_seqno_end from trace_accounts
    where acc8 = ${accountPrefix(account)}::bigint and end_lt between ${first} and ${last}
      and mc_seqno_end = ${mcSeqno} and ${isShown(db, sql`mc_seqno_end`)}`.execute(db);
  return rows;
}

/** The classification of a trace: waiting, done, or failed. */
export type ClassificationState = 'unclassified' | 'ok' | 'failed';

/** Which trace, and where it ended. */
interface TraceEnd {
  readonly traceId: Buffer;
  readonly mcSeqnoEnd: number;
}

/**
 * Reads the classification states of traces, keyed by trace id in hex. A trace that waits to be classified again keeps
 * its actions and counts as done. A trace that is too large stays unclassified.
 */
export async function readClassificationStates(
  db: Kysely<Tables>,
  { traces }: { readonly traces: readonly TraceEnd[] },
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
    from unnest(${traces.map(({ traceId }) => traceId)}::bytea[],
                ${traces.map(({ mcSeqnoEnd }) => mcSeqnoEnd)}::int[]) as asked (trace_id, seqno)
    left join classification_faults fault on fault.trace_id = asked.trace_id
    left join unclassified_traces waits on waits.trace_id = asked.trace_id`.execute(db);
  return new Map(rows.map(({ trace_id, state }) => [trace_id.toString('hex'), state]));
}
