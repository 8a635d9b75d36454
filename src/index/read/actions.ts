import { type Kysely, type RawBuilder, sql } from 'kysely';
import { KEPT_PLAN } from '../../db/client.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { unixTime } from '../format/position.ts';
import { isShown } from '../shown-seqnos.ts';
import { inStoredSpan, type Span, unixTimeOf } from './time-bounds.ts';

/** Where a trace stands in lists of actions. Prefixes are not unique: the body of the trace tells which one it is. */
export interface TracePlace {
  /** The prefix of the trace id. */
  readonly trace8: bigint;
  readonly mcSeqnoEnd: number;
  readonly endLt: bigint;
  readonly endUtime: number;
}

/** The packed actions of a trace. */
export interface PackedTrace extends TracePlace {
  /** The prefix of the id of its first action. */
  readonly action8: bigint;
  readonly body: Buffer;
}

/** A part of a list of traces, in the order of the end of the trace and of the prefix of its id. */
export interface TraceRange {
  readonly clock: 'lt' | 'utime';
  readonly sort: 'asc' | 'desc';
  readonly span: Span;
  /** Where the part begins; undefined for the beginning of the list. */
  readonly from: { readonly end: bigint; readonly trace8: bigint; readonly isIncluded: boolean } | undefined;
  readonly limit: number;
}

interface PlaceRow {
  readonly trace8: string;
  readonly mc_seqno_end: number;
  readonly trace_end_lt: string;
  readonly trace_end_utime: number;
}

interface PackedRow<Body = Buffer> extends PlaceRow {
  readonly action8: string;
  readonly body: Body;
}

/** The mask of all types. */
export const ANY_TYPES = -1;

const PLACE = sql`trace8, mc_seqno_end, trace_end_lt, trace_end_utime`;

function toPlace({ trace8, mc_seqno_end, trace_end_lt, trace_end_utime }: PlaceRow): TracePlace {
  return {
    trace8: BigInt(trace8),
    mcSeqnoEnd: mc_seqno_end,
    endLt: BigInt(trace_end_lt),
    endUtime: unixTime(trace_end_utime),
  };
}

function toPacked(row: PackedRow): PackedTrace {
  return { ...toPlace(row), action8: BigInt(row.action8), body: row.body };
}

/** The columns that a list of traces is ordered by; `id` is the prefix of the trace id. */
interface ListColumns {
  readonly lt: RawBuilder<unknown>;
  readonly utime: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
}

const COLUMNS: ListColumns = { lt: sql`trace_end_lt`, utime: sql`trace_end_utime`, id: sql`trace8` };

/** The condition of a range, and its order. */
function rangeParts(
  { clock, sort, span, from }: Omit<TraceRange, 'limit'>,
  columns = COLUMNS,
): { readonly where: RawBuilder<unknown>; readonly order: RawBuilder<unknown> } {
  const by = clock === 'lt' ? columns.lt : unixTimeOf(columns.utime);
  const [id, direction] = [columns.id, sql.raw(sort)];
  const sign = sort === 'asc' ? '>' : '<';
  const isBehind =
    from === undefined
      ? sql`true`
      : sql`${by} ${sql.raw(`${sign}=`)} ${from.end}::bigint
        and (${by}, ${id}) ${sql.raw(from.isIncluded ? `${sign}=` : sign)} (${from.end}::bigint, ${from.trace8}::bigint)`;
  return {
    where: sql`${inStoredSpan(span, columns.utime, columns.lt)} and ${isBehind}`,
    order: sql`order by ${by} ${direction}, ${id} ${direction}`,
  };
}

/** Bytes of packed actions that are read at once; a single trace is read whatever its size. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads the traces of a range that have one of the types of a mask. Those behind the first `MAX_BYTES` have no body: they
 * must be read again.
 */
export async function walkPackedTraces(
  db: Kysely<Tables>,
  { types, ...range }: TraceRange & { readonly types: number },
): Promise<(TracePlace | PackedTrace)[]> {
  const { where, order } = rangeParts(range);
  const isOfTypes = types === ANY_TYPES ? sql`true` : sql`types & ${types}::int <> 0`;
  const { rows } = await sql<PackedRow<Buffer | null>>`
    select ${PLACE}, action8, case when bytes_before < ${MAX_BYTES} then body end as body from (
      select *, sum(octet_length(body)) over (${order} rows unbounded preceding) - octet_length(body) as bytes_before
      from (
        select ${PLACE}, action8, body from trace_actions where ${isOfTypes} and ${where} and ${isShown(db, sql`mc_seqno_end`)} ${order} limit ${range.limit}
      ) found
    ) counted ${order}`.execute(db);
  return rows.map((row) => (row.body === null ? toPlace(row) : toPacked({ ...row, body: row.body })));
}

/** Traces whose packed actions are read at once. */
const TRACES_PER_QUERY = 200;

/** Reads the packed actions of traces, each once, without those that have none of the types of a mask; in no order. */
export async function readPackedTraces(
  db: Kysely<Tables>,
  {
    traces,
    types,
  }: {
    readonly traces: readonly Pick<TracePlace, 'trace8' | 'endLt' | 'mcSeqnoEnd'>[];
    readonly types: number;
  },
): Promise<PackedTrace[]> {
  const found: PackedTrace[] = [];
  // A trace that is given twice must not be in two queries.
  const different = [...new Map(traces.map((trace) => [`${trace.trace8} ${trace.endLt}`, trace])).values()];
  for (let at = 0; at < different.length; at += TRACES_PER_QUERY) {
    const part = different.slice(at, at + TRACES_PER_QUERY);
    const seqnos = part.map(({ mcSeqnoEnd }) => mcSeqnoEnd);
    // The seqnos prune partitions.
    const { rows } = await sql<PackedRow>`${KEPT_PLAN}
      select ${PLACE}, action8, body from trace_actions
      where trace_end_lt = any(${part.map(({ endLt }) => endLt)}::bigint[])
        and trace8 = any(${part.map(({ trace8 }) => trace8)}::bigint[])
        and mc_seqno_end between ${Math.min(...seqnos)} and ${Math.max(...seqnos)} and types & ${types}::int <> 0`.execute(
      db,
    );
    for (const row of rows) found.push(toPacked(row));
  }
  return found;
}

/** Reads the places of traces by prefixes of their ids; some may have no actions. */
export async function findTracesById(db: Kysely<Tables>, trace8s: readonly bigint[]): Promise<TracePlace[]> {
  const { rows } = await sql<PlaceRow>`
    select trace8, mc_seqno_end, end_lt as trace_end_lt, end_utime as trace_end_utime from traces
    where trace8 = any(${trace8s}::bigint[]) and ${isShown(db, sql`mc_seqno_end`)}`.execute(db);
  return rows.map(toPlace);
}

/** Reads the places of traces by prefixes of the ids of their actions. */
export async function findTracesByAction(
  db: Kysely<Tables>,
  action8s: readonly bigint[],
): Promise<TracePlace[]> {
  const { rows } = await sql<PlaceRow>`
    select ${PLACE} from trace_actions where action8 = any(${action8s}::bigint[]) and ${isShown(db, sql`mc_seqno_end`)}`.execute(
    db,
  );
  const { rows: others } = await sql<PlaceRow>`
    select ${PLACE} from action_keys where key = any(${action8s}::bigint[]) and ${isShown(db, sql`mc_seqno_end`)}`.execute(
    db,
  );
  return [...rows, ...others].map(toPlace);
}

/** Tables of places: traces in which an account takes part without a transaction, or with one; traces that have a type. */
const PLACE_TABLES = {
  action_accounts: { column: sql`acc8`, columns: COLUMNS },
  action_keys: { column: sql`key`, columns: COLUMNS },
  trace_accounts: {
    column: sql`acc8`,
    columns: { lt: sql`end_lt`, utime: sql`end_utime`, id: sql`trace8` },
  },
};

/** Reads a part of the list of traces that a table has for a value. */
export async function readPlacesOf(
  db: Kysely<Tables>,
  {
    table,
    value,
    ...range
  }: TraceRange & { readonly table: keyof typeof PLACE_TABLES; readonly value: bigint },
): Promise<TracePlace[]> {
  const { column, columns } = PLACE_TABLES[table];
  const { where, order } = rangeParts(range, columns);
  const { rows } = await sql<PlaceRow>`
    select trace8, mc_seqno_end, ${columns.lt} as trace_end_lt, ${columns.utime} as trace_end_utime
    from ${sql.table(table)} where ${column} = ${value}::bigint and ${where} and ${isShown(db, sql`mc_seqno_end`)} ${order}
    limit ${range.limit}`.execute(db);
  return rows.map(toPlace);
}

/** Reads the places of the traces that ended in a masterchain block. */
export async function readPlacesEndedIn(db: Kysely<Tables>, mcSeqno: number): Promise<TracePlace[]> {
  const { rows } = await sql<PlaceRow>`
    select trace8, mc_seqno_end, end_lt as trace_end_lt, end_utime as trace_end_utime
    from traces where mc_seqno_end = ${mcSeqno} and ${isShown(db, sql`mc_seqno_end`)}`.execute(db);
  return rows.map(toPlace);
}

/** The first slices, in the order of a list, that have one of the types of a mask. */
export async function readSlicesWith(
  db: Kysely<Tables>,
  {
    types,
    from,
    to,
    sort,
    limit,
  }: {
    readonly types: number;
    /** Both inclusive. */
    readonly from: bigint;
    readonly to: bigint;
    readonly sort: 'asc' | 'desc';
    readonly limit: number;
  },
): Promise<bigint[]> {
  const { rows } = await sql<{ readonly slice: string }>`
    select slice from action_slices where slice between ${from} and ${to} and types & ${types}::int <> 0
    order by slice ${sql.raw(sort)} limit ${limit}`.execute(db);
  return rows.map(({ slice }) => BigInt(slice));
}
