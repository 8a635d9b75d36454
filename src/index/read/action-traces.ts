import { type RawBuilder, sql } from 'kysely';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import { KEPT_PLAN } from '../../db/client.ts';
import { readRows } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { isSliceOver, nextSlice } from '../../lib/slices.ts';
import { ltsOfSlices, sliceOf } from '../format/action-names.ts';
import {
  type OpenActions,
  openActions,
  type TraceHead,
  type TraceHeadRow,
  toTraceHead,
} from '../format/actions.ts';
import { accountPrefix, unixTime } from '../format/position.ts';
import { isShown } from '../snapshot.ts';
import { inStoredSpan, intersect, isWithin, MAX_INT64, type Span, unixTimeOf } from './time-bounds.ts';

/** Where a trace stands in lists of actions. Prefixes are not unique: the body of the trace tells which one it is. */
export type TracePlace = Omit<TraceHead, 'action8'>;

export interface PackedTrace extends TraceHead {
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

type PlaceRow = Omit<TraceHeadRow, 'action8'>;

interface PackedRow<Body = Buffer> extends TraceHeadRow {
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
  return { ...toTraceHead(row), body: row.body };
}

/** The columns that a list of traces is ordered by; `id` is the prefix of the trace id. */
interface ListColumns {
  readonly lt: RawBuilder<unknown>;
  readonly utime: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
}

const COLUMNS: ListColumns = { lt: sql`trace_end_lt`, utime: sql`trace_end_utime`, id: sql`trace8` };
const TRACE_COLUMNS: ListColumns = { lt: sql`end_lt`, utime: sql`end_utime`, id: sql`trace8` };

function rangeParts({ clock, sort, span, from }: Omit<TraceRange, 'limit'>, columns = COLUMNS) {
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
export async function walkPackedTraces(db: Db, { types, ...range }: TraceRange & { readonly types: number }) {
  const { where, order } = rangeParts(range);
  const isOfTypes = types === ANY_TYPES ? sql`true` : sql`types & ${types}::int <> 0`;
  const rows = await readRows<PackedRow<Buffer | null>>(db)`
    select ${PLACE}, action8, case when bytes_before < ${MAX_BYTES} then body end as body from (
      select *, sum(octet_length(body)) over (${order} rows unbounded preceding) - octet_length(body) as bytes_before
      from (
        select ${PLACE}, action8, body from trace_actions where ${isOfTypes} and ${where} and ${isShown(db, sql`mc_seqno_end`)} ${order} limit ${range.limit}
      ) found
    ) counted ${order}`;
  return rows.map((row) => (row.body === null ? toPlace(row) : toPacked({ ...row, body: row.body })));
}

const TRACES_PER_QUERY = 200;

/** Reads the packed actions of traces, each once, without those that have none of the types of a mask; in no order. */
export async function readPackedTraces(
  db: Db,
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
    const rows = await readRows<PackedRow>(db)`${KEPT_PLAN}
      select ${PLACE}, action8, body from trace_actions
      where trace_end_lt = any(${part.map(({ endLt }) => endLt)}::bigint[])
        and trace8 = any(${part.map(({ trace8 }) => trace8)}::bigint[])
        and mc_seqno_end between ${Math.min(...seqnos)} and ${Math.max(...seqnos)} and types & ${types}::int <> 0`;
    for (const row of rows) found.push(toPacked(row));
  }
  return found;
}

/** Reads the places of traces by prefixes of their ids; some may have no actions. */
export function findTracesById(db: Db, trace8s: readonly bigint[]) {
  return selectPlaces(db, sql`traces where trace8 = any(${trace8s}::bigint[])`, TRACE_COLUMNS);
}

/** The places of `<table> where <condition>`. */
async function selectPlaces(db: Db, from: RawBuilder<unknown>, { lt, utime } = COLUMNS) {
  const rows = await readRows<PlaceRow>(db)`
    select trace8, mc_seqno_end, ${lt} as trace_end_lt, ${utime} as trace_end_utime
    from ${from} and ${isShown(db, sql`mc_seqno_end`)}`;
  return rows.map(toPlace);
}

/** Reads the places of traces by prefixes of the ids of their actions. */
export async function findTracesByAction(db: Db, action8s: readonly bigint[]): Promise<TracePlace[]> {
  const first = await selectPlaces(db, sql`trace_actions where action8 = any(${action8s}::bigint[])`);
  return [...first, ...(await selectPlaces(db, sql`action_keys where key = any(${action8s}::bigint[])`))];
}

/** Tables of places: traces in which an account takes part without a transaction, or with one; traces that have a type. */
const PLACE_TABLES = {
  action_accounts: { column: sql`acc8`, columns: COLUMNS },
  action_keys: { column: sql`key`, columns: COLUMNS },
  trace_accounts: { column: sql`acc8`, columns: TRACE_COLUMNS },
};

/** Reads a part of the list of traces that a table has for a value. */
export async function readPlacesOf(
  db: Db,
  {
    table,
    value,
    ...range
  }: TraceRange & { readonly table: keyof typeof PLACE_TABLES; readonly value: bigint },
): Promise<TracePlace[]> {
  const { column, columns } = PLACE_TABLES[table];
  const { where, order } = rangeParts(range, columns);
  const rows = await readRows<PlaceRow>(db)`
    select trace8, mc_seqno_end, ${columns.lt} as trace_end_lt, ${columns.utime} as trace_end_utime
    from ${sql.table(table)} where ${column} = ${value}::bigint and ${where} and ${isShown(db, sql`mc_seqno_end`)} ${order}
    limit ${range.limit}`;
  return rows.map(toPlace);
}

export function readPlacesEndedIn(db: Db, mcSeqno: number): Promise<TracePlace[]> {
  return selectPlaces(db, sql`traces where mc_seqno_end = ${mcSeqno}`, TRACE_COLUMNS);
}

/** The first slices, in the order of a list, that have one of the types of a mask. */
export async function readSlicesWith(
  db: Db,
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
  const rows = await readRows<{ readonly slice: string }>(db)`
    select slice from action_slices where slice between ${from} and ${to} and types & ${types}::int <> 0
    order by slice ${sql.raw(sort)} limit ${limit}`;
  return rows.map(({ slice }) => BigInt(slice));
}

/** The next traces of a list, with or without their packed actions. */
interface NextTraces {
  readonly places: readonly (TracePlace | PackedTrace)[];
  /** Whether the limit has cut the list, so that places equal to the last one may follow. */
  readonly isCut: boolean;
  readonly isEnd: boolean;
}

type TraceSource = (range: TraceRange) => Promise<NextTraces>;

export interface TraceList {
  readonly source: TraceSource;
  readonly range: Omit<TraceRange, 'limit'>;
  /** A mask: traces without these types may be left out. */
  readonly types: number;
  /** How many traces are probably needed. */
  readonly wanted: number;
}

export type OpenTrace = TracePlace & OpenActions;

const MIN_BATCH = 10;
const MAX_BATCH = 1000;
/** Traces that are opened together: the largest take a few hundred kilobytes each. */
const OPENED_TOGETHER = 200;

/** Opens the traces of a list one after the other until `visit` returns false. */
export async function eachTrace(
  db: Db,
  list: TraceList,
  visit: (trace: OpenTrace) => boolean,
): Promise<void> {
  for await (const traces of openList(db, list))
    for (const trace of traces) {
      if (!visit(trace)) return;
      if (isSliceOver()) await nextSlice();
    }
}

/** Opens the traces of a list, some at a time. */
export async function* openList(
  db: Db,
  { source, range, types, wanted }: TraceList,
): AsyncGenerator<readonly OpenTrace[], void> {
  let { from } = range;
  let batch = Math.min(Math.max(wanted, MIN_BATCH), MAX_BATCH);
  for (;;) {
    const { places, isCut, isEnd } = await source({ ...range, from, limit: batch + 1 });
    const whole = isCut ? withoutLastGroup(places, range) : places;
    for (let at = 0; at < whole.length; ) {
      const end = endOfGroup(whole, at + OPENED_TOGETHER, range);
      yield await openTraces(db, whole.slice(at, end), range, types);
      at = end;
    }
    if (isEnd) return;
    const last = whole.at(-1);
    if (last !== undefined) from = { end: endOf(last, range), trace8: last.trace8, isIncluded: false };
    // With nothing whole, all places of the batch are equal, and a larger batch is needed.
    batch = last === undefined ? 2 * batch : Math.min(2 * batch, MAX_BATCH);
  }
}

type ListOrder = Pick<TraceRange, 'clock' | 'sort'>;

function endOf({ endLt, endUtime }: TracePlace, { clock }: ListOrder): bigint {
  return clock === 'lt' ? endLt : BigInt(endUtime);
}

function comparePlaces(a: TracePlace, b: TracePlace, order: ListOrder): number {
  const [endA, endB] = [endOf(a, order), endOf(b, order)];
  if (endA !== endB) return endA < endB ? -1 : 1;
  return a.trace8 === b.trace8 ? 0 : a.trace8 < b.trace8 ? -1 : 1;
}

/** Traces with the same prefix must be sorted together, so a list is not cut between them. */
function withoutLastGroup<Place extends TracePlace>(places: readonly Place[], order: ListOrder) {
  let count = places.length - 1;
  while (count > 0 && comparePlaces(places[count - 1]!, places[count]!, order) === 0) count--;
  return places.slice(0, count);
}

/** The end of the group of equal places that the place before `at` belongs to. */
function endOfGroup(places: readonly TracePlace[], at: number, order: ListOrder): number {
  let end = Math.min(at, places.length);
  while (end < places.length && comparePlaces(places[end - 1]!, places[end]!, order) === 0) end++;
  return end;
}

async function openTraces(
  db: Db,
  places: readonly (TracePlace | PackedTrace)[],
  order: ListOrder,
  types: number,
): Promise<OpenTrace[]> {
  const packed = places.filter((place): place is PackedTrace => 'body' in place);
  const missing = places.filter((place) => !('body' in place));
  const wanted = new Set(missing.map(keyOf));
  const read = await readPackedTraces(db, { traces: missing, types });
  const opened = [...packed, ...read.filter((trace) => wanted.has(keyOf(trace)))].map(
    (trace): OpenTrace => ({ ...trace, ...openActions(trace, trace.body) }),
  );
  const sign = order.sort === 'asc' ? 1 : -1;
  return opened.sort((a, b) => sign * (comparePlaces(a, b, order) || Buffer.compare(a.traceId, b.traceId)));
}

function keyOf({ trace8, endLt, endUtime, mcSeqnoEnd }: TracePlace): string {
  return `${trace8} ${endLt} ${endUtime} ${mcSeqnoEnd}`;
}

export function allTraces(db: Db): TraceSource {
  return async (range) => cutAt(range, await walkPackedTraces(db, { ...range, types: ANY_TYPES }));
}

/** What a query has found, if it found fewer places only for want of more. */
function cutAt({ limit }: TraceRange, places: NextTraces['places']): NextTraces {
  const isCut = places.length >= limit;
  return { places, isCut, isEnd: !isCut };
}

const SLICES = 64;

/**
 * All traces with one of the types of a mask. In the order of logical time, slices without the types are skipped: a walk
 * would take minutes to get through years without them.
 */
export function tracesWithTypes(db: Db, types: number): TraceSource {
  let run: Span | undefined;
  return async (range) => {
    if (range.clock === 'utime') return cutAt(range, await walkPackedTraces(db, { ...range, types }));
    for (;;) {
      run ??= await findRun(db, range, types);
      if (run === undefined) return { places: [], isCut: false, isEnd: true };
      const span = intersect(range.span, run);
      const places = await walkPackedTraces(db, { ...range, span, types });
      if (places.length >= range.limit) return { places, isCut: true, isEnd: false };
      const rest = restBehind(range, run);
      run = await findRun(db, { ...rest, from: undefined }, types);
      if (run === undefined) return { places, isCut: false, isEnd: true };
      if (places.length > 0) return { places, isCut: false, isEnd: false };
    }
  };
}

function restBehind(range: TraceRange, run: Span): TraceRange {
  const rest = range.sort === 'asc' ? { startLt: run.endLt! + 1n } : { endLt: run.startLt! - 1n };
  return { ...range, span: intersect(range.span, rest) };
}

/** The logical times of the next slices without a gap that have one of the types. */
async function findRun(db: Db, { span, sort, from }: TraceRange, types: number) {
  const begun = sort === 'asc' ? { startLt: from?.end } : { endLt: from?.end };
  const { startLt = 0n, endLt = MAX_INT64 } = intersect(span, begun);
  const bounds = { from: sliceOf(startLt), to: sliceOf(endLt > MAX_INT64 ? MAX_INT64 : endLt) };
  const slices = await readSlicesWith(db, { ...bounds, types, sort, limit: SLICES });
  const [first] = slices;
  if (first === undefined) return undefined;
  const step = sort === 'asc' ? 1n : -1n;
  let last = first;
  for (const slice of slices.slice(1)) {
    if (slice !== last + step) break;
    last = slice;
  }
  return sort === 'asc' ? ltsOfSlices(first, last) : ltsOfSlices(last, first);
}

/** The traces with types of which `action_keys` has rows. */
export function tracesWithKeys(db: Db, keys: readonly bigint[]): TraceSource {
  return async (range) => {
    const lists: TracePlace[][] = [];
    for (const value of keys) lists.push(await readPlacesOf(db, { ...range, table: 'action_keys', value }));
    return cutAt(range, merged(range, lists));
  };
}

export function tracesOfAccount(db: Db, account: Buffer): TraceSource {
  const value = accountPrefix(account);
  const isInMasterchain = account.readInt8(0) === MASTERCHAIN;
  return async (range) => {
    const lists = [await readPlacesOf(db, { ...range, table: 'action_accounts', value })];
    if (!isInMasterchain) lists.push(await readPlacesOf(db, { ...range, table: 'trace_accounts', value }));
    return cutAt(range, merged(range, lists));
  };
}

/** The first places of lists, each as long as the limit or complete. */
function merged(range: TraceRange, lists: readonly (readonly TracePlace[])[]): TracePlace[] {
  const sign = range.sort === 'asc' ? 1 : -1;
  const all = lists.flat();
  if (lists.length > 1) all.sort((a, b) => sign * comparePlaces(a, b, range));
  return all.slice(0, range.limit);
}

export function knownTraces(places: readonly TracePlace[]): TraceSource {
  return async (range) => {
    const { clock, sort, span, from } = range;
    const sign = sort === 'asc' ? 1 : -1;
    const isBehind = (place: TracePlace) => {
      if (from === undefined) return true;
      const ends = clock === 'lt' ? { endLt: from.end } : { endUtime: Number(from.end) };
      const distance = sign * comparePlaces(place, { ...place, ...ends, trace8: from.trace8 }, range);
      return from.isIncluded ? distance >= 0 : distance > 0;
    };
    const sorted = places
      .filter((place) => isWithin(span, BigInt(place.endUtime), place.endLt) && isBehind(place))
      .sort((a, b) => sign * comparePlaces(a, b, range));
    return cutAt(range, sorted.slice(0, range.limit));
  };
}
