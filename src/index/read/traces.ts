import { type RawBuilder, type Selectable, sql } from 'kysely';
import { isCluster, keptStatement, readRows } from '../../db/driver.ts';
import type { Db, Tables } from '../../db/tables/tables.ts';
import { distinctBytes } from '../../lib/bytes-key.ts';
import type { JsonText } from '../../lib/json-text.ts';
import { eachInSlices, mapInSlices } from '../../lib/slices.ts';
import { accountPrefix, hashPrefix, type Position } from '../format/position.ts';
import { isShown } from '../snapshot.ts';
import {
  areLoneAccounts,
  bytesText,
  compareKeys,
  hashOfKey,
  type ListSlice,
  type ListWindow,
  type OrderKey,
  readCheckedList,
  sliceOfAll,
  sliceParts,
} from './lists.ts';
import type { ReadyTrace } from './ready-cache.ts';
import {
  findByHashes,
  ROW,
  readTracesEndedIn,
  type StoredTrace,
  type TraceHashes,
  type TraceRow,
  toStoredTrace,
} from './stored-traces.ts';
import {
  findTimeWindow,
  inStoredSpan,
  intersect,
  isTimed,
  isWithin,
  readBoundsOfLt,
  readTimeRange,
  type Span,
  unixTimeOf,
} from './time-bounds.ts';
import {
  compareTransactions,
  type ReadyTransaction,
  type TransactionHead,
  type TransactionReader,
  type TransactionWriter,
} from './transaction-reader.ts';

/** Where a trace stands in the list of an account. Prefixes are not unique. */
type TracePlaceRow = Omit<Selectable<Tables['trace_accounts']>, 'acc8'>;

/** A row of a list with what it is ordered by, as PostgreSQL texts. */
type Listed<Row> = Row & { readonly keys: readonly string[] };

/** A part of a list of traces; `page.after` has the keys of a row. */
interface TraceListQuery {
  /** Of the end of traces. */
  readonly span: Span;
  readonly sort: 'asc' | 'desc';
  readonly page: ListWindow;
}

const END_UTIME = unixTimeOf(sql`end_utime`);
const ID_REST = sql`substring(info for 24)`;
const PREFIX_BYTES = 8;

/** Reads a part of all complete traces, in the order of their end and of their ids. */
function readAllTraces(db: Db, query: TraceListQuery): Promise<Listed<TraceRow>[]> {
  const { span, sort } = query;
  const keys: OrderKey[] = [...endKeys(span, sort), { by: ID_REST, type: 'bytea', direction: sort }];
  return readList<TraceRow>(db, query, {
    columns: ROW,
    from: sql`traces where ${isShown(db, sql`mc_seqno_end`)}`,
    keys,
  });
}

/** The keys of a row of `readAllTraces`, from its end and its id. */
function traceRowKeys(end: string, traceId: Buffer): readonly string[] {
  return [end, `${hashPrefix(traceId)}`, `\\x${traceId.toString('hex', PREFIX_BYTES)}`];
}

/** Reads the places of a page of the traces of an account, in the order of their end and of the prefixes of their ids. */
function readPlacesOfAccount(db: Db, { account, ...query }: TraceListQuery & { readonly account: Buffer }) {
  const columns = sql`trace8, end_lt, end_utime, mc_seqno_end`;
  const from = sql`trace_accounts where acc8 = ${accountPrefix(account)}::bigint and ${isShown(db, sql`mc_seqno_end`)}`;
  return readList<TracePlaceRow>(db, query, { columns, from, keys: endKeys(query.span, query.sort) });
}

/** The keys of a row of `readPlacesOfAccount` before all rows of a trace. */
function placeKeysBefore(end: string, traceId: Buffer, sort: 'asc' | 'desc'): readonly string[] {
  const before = hashPrefix(traceId) + (sort === 'asc' ? -1n : 1n);
  // No hash has the first or the last prefix of all.
  return [end, `${BigInt.asIntN(64, before) === before ? before : hashPrefix(traceId)}`];
}

/** Whether a list is in the order of time: with bounds of time alone. */
function isByTime(span: Span): boolean {
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

async function readList<Row>(db: Db, query: TraceListQuery, { columns, from, keys }: ListSource) {
  const { where, cursor, tail } = sliceParts(keys, query.page);
  const reach = await findReach(db, query, sql`${from} and ${where}`);
  // In the order of time the rows are few; the fence keeps the planner from searching in another order.
  const fence = isByTime(query.span) ? sql`offset 0` : sql``;
  return readRows<Listed<Row>>(db)`
    select ${columns}, ${cursor} as keys from (select * from ${from} and ${isIn(reach)} ${fence}) found
    where ${where} ${tail}`;
}

/** A span that contains the page: the indexes are by lt, so a page in the order of time is sorted from the rows around it. */
async function findReach(db: Db, { span, sort, page }: TraceListQuery, rowsBehind: RawBuilder<unknown>) {
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

async function readTracesAt(db: Db, places: readonly TracePlaceRow[]): Promise<StoredTrace[]> {
  if (places.length === 0) return [];
  const different = [
    ...new Map(places.map((place) => [`${place.trace8} ${place.mc_seqno_end}`, place])).values(),
  ];
  const seqnos = different.map(({ mc_seqno_end }) => mc_seqno_end);
  const rows = await tracesAt(
    db,
    different.map(({ trace8 }) => trace8),
    seqnos,
    Math.min(...seqnos),
    Math.max(...seqnos),
  );
  const wanted = new Set(places.map(placeKey));
  return rows.filter((row) => wanted.has(placeKey(row))).map(toStoredTrace);
}

/**
 * Reads traces by prefixes and seqnos, which prune partitions. Between two of them may be all traces of a partition, which
 * PostgreSQL would read in a plan that does not know them; the workers of a cluster know them when they plan.
 */
const tracesAt = keptStatement<
  TraceRow,
  [prefixes: readonly string[], seqnos: readonly number[], first: number, last: number]
>((db, prefixes, seqnos, first, last) => {
  const at = isCluster(db)
    ? sql`traces where trace8 = any(${prefixes}::bigint[]) and mc_seqno_end between ${first} and ${last}`
    : sql`unnest(${prefixes}::bigint[], ${seqnos}::int[]) as place (prefix, seqno)
        cross join lateral (select * from traces where trace8 = prefix and mc_seqno_end = seqno offset 0) found
        where true`;
  return sql`select ${ROW} from ${at} and ${isShown(db, sql`mc_seqno_end`)}`;
});

/** Reads the places of the traces of an account that ended in a masterchain block, between two logical times. */
async function readPlacesInBlock(
  db: Db,
  {
    account,
    mcSeqno,
    first,
    last,
  }: { readonly account: Buffer; readonly mcSeqno: number; readonly first: bigint; readonly last: bigint },
): Promise<TracePlaceRow[]> {
  return readRows<TracePlaceRow>(db)`
    select trace8, end_lt, end_utime, mc_seqno_end from trace_accounts
    where acc8 = ${accountPrefix(account)}::bigint and end_lt between ${first} and ${last}
      and mc_seqno_end = ${mcSeqno} and ${isShown(db, sql`mc_seqno_end`)}`;
}

export interface TraceFilters {
  readonly account?: Buffer | undefined;
  readonly hashes?: TraceHashes | undefined;
  readonly mcSeqno?: number | undefined;
  /** Of the end of traces. */
  readonly span: Span;
}

interface TracesQuery {
  readonly filters: TraceFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: ListWindow;
}

/** The order of a list of traces: by their end, then by id. */
export function traceOrder({
  sort,
}: Pick<TracesQuery, 'sort'>): readonly Pick<OrderKey, 'type' | 'direction'>[] {
  return [
    { type: 'bigint', direction: sort },
    { type: 'bytea', direction: sort },
  ];
}

export async function listTraces(reader: TransactionReader, query: TracesQuery) {
  const { account, hashes, mcSeqno } = query.filters;
  if (hashes !== undefined) {
    const traces = await findByHashes(reader, hashes);
    const isWanted = (trace: StoredTrace) => mcSeqno === undefined || trace.mcSeqnoEnd === mcSeqno;
    return sliceOfFew(query, traces.filter(isWanted));
  }
  if (mcSeqno !== undefined) {
    const traces = await readTracesEndedIn(reader.db, [mcSeqno]);
    if (account === undefined) return sliceOfFew(query, traces);
    return sliceOfFew(query, await onlyOfAccount(reader, traces, { account, mcSeqno }));
  }
  return account === undefined ? listAll(reader.db, query) : listOfAccount(reader, query, account);
}

/** A slice of traces that are all there are. */
function sliceOfFew({ filters: { span }, sort, page }: TracesQuery, traces: readonly StoredTrace[]) {
  const within = traces.filter(({ endUtime, endLt }) => isWithin(span, BigInt(endUtime), endLt));
  return sliceOfAll(within, traceOrder({ sort }), page, (trace) => cursorOf(span, trace));
}

function cursorOf(span: Span, { endLt, endUtime, traceId }: StoredTrace): readonly string[] {
  return [`${isByTime(span) ? endUtime : endLt}`, bytesText(traceId)];
}

async function listAll(db: Db, { filters: { span }, sort, page }: TracesQuery) {
  const after = page.after && traceRowKeys(page.after[0]!, hashOfKey(page.after[1]!));
  const items = (await readAllTraces(db, { span, sort, page: { ...page, after } })).map(toStoredTrace);
  return { items, next: items.length < page.limit ? undefined : cursorOf(span, items.at(-1)!) };
}

async function listOfAccount(
  reader: TransactionReader,
  { filters: { span }, sort, page }: TracesQuery,
  account: Buffer,
): Promise<ListSlice<StoredTrace>> {
  const keys = traceOrder({ sort });
  const keysOf = (trace: StoredTrace) => cursorOf(span, trace);
  const { db } = reader;
  const lone = areLoneAccounts(db, [account]);
  // The list may fail before anybody waits for it.
  lone.catch(() => {});
  return readCheckedList({
    keys,
    page,
    // Without an offset nothing is skipped, so both statements are sent together.
    skips: page.offset > 0 && (await lone) ? 'unseen' : 'read',
    rowKeysBefore: ([end, traceId]) => placeKeysBefore(end!, hashOfKey(traceId!), sort),
    find: async (part) => {
      const rows = await readPlacesOfAccount(db, { account, span, sort, page: part });
      return { rows, last: rows.length < part.limit ? undefined : rows.at(-1)!.keys };
    },
    read: async (places) => {
      const traces = await readTracesAt(db, places);
      const isLone = await lone;
      // Of several traces at a place perhaps only one has a transaction of the account.
      const isSure = isLone && traces.length <= places.length;
      const own = isSure ? traces : await withTransactionOf(reader, traces, account);
      return own.sort((a, b) => compareKeys(keys, keysOf(a), keysOf(b)));
    },
    keysOf,
  });
}

function placeKey({ trace8, end_lt, mc_seqno_end }: TracePlaceRow): string {
  return `${trace8} ${end_lt} ${mc_seqno_end}`;
}

/** Those of the traces of a masterchain block that have a transaction of an account. */
async function onlyOfAccount(
  reader: TransactionReader,
  traces: readonly StoredTrace[],
  { account, mcSeqno }: { readonly account: Buffer; readonly mcSeqno: number },
): Promise<readonly StoredTrace[]> {
  if (traces.length === 0) return [];
  const ends = traces.map(({ endLt }) => endLt);
  const first = ends.reduce((a, b) => (b < a ? b : a));
  const last = ends.reduce((a, b) => (b > a ? b : a));
  const places = await readPlacesInBlock(reader.db, { account, mcSeqno, first, last });
  const prefixes = new Set(places.map(({ trace8 }) => trace8));
  const listed = traces.filter(({ traceId }) => prefixes.has(`${hashPrefix(traceId)}`));
  const isSure = listed.length <= places.length && (await areLoneAccounts(reader.db, [account]));
  return isSure ? listed : withTransactionOf(reader, listed, account);
}

const READ_TOGETHER = 1000;

/**
 * The traces with a transaction of an account. If transactions were dropped, one of them may have been of the account: then
 * the prefix, which is listed, must do.
 */
async function withTransactionOf(reader: TransactionReader, traces: readonly StoredTrace[], account: Buffer) {
  const own = new Set<StoredTrace>();
  for (const parts of partsOf(traces)) {
    const left = parts.filter(({ trace }) => !own.has(trace));
    const accounts = await reader.readAccounts(left.flatMap(({ positions }) => positions));
    for (const { trace, positions } of left)
      if (positions.some((at) => accounts.get(at)?.equals(account) ?? true)) own.add(trace);
  }
  return traces.filter((trace) => own.has(trace));
}

/** A trace, or a part of a large one. */
interface TracePart {
  readonly trace: StoredTrace;
  readonly positions: readonly Position[];
}

function* partsOf(traces: readonly StoredTrace[]): Generator<readonly TracePart[]> {
  let parts: TracePart[] = [];
  let count = 0;
  for (const trace of traces)
    for (let at = 0; at < trace.positions.length; at += READ_TOGETHER) {
      const positions = trace.positions.slice(at, at + READ_TOGETHER);
      if (count + positions.length > READ_TOGETHER) {
        yield parts;
        parts = [];
        count = 0;
      }
      parts.push({ trace, positions });
      count += positions.length;
    }
  if (parts.length > 0) yield parts;
}

/** Reads the transactions of a trace in the order of lt and account; those that were dropped are left out. */
export async function readTraceTransactions(reader: TransactionReader, { positions }: StoredTrace) {
  const found = await reader.read(positions);
  const completed = await reader.complete([...found.values()]);
  return inOrder(positions, new Map(completed.map((one) => [one.at, one])));
}

/** What responses show of a trace, apart from what its row tells. */
export interface WrittenTrace extends Omit<ReadyTrace, 'text'> {
  /** Undefined if it is too long to be one text. */
  readonly text: JsonText | undefined;
  /** In the order of lt; empty if the text was taken from the cache. */
  readonly transactions: readonly ReadyTransaction[];
}

/** Writes the JSON of traces for one response. */
export interface TraceWriter extends TransactionWriter {
  readonly writeTrace: (
    transactions: readonly ReadyTransaction[],
  ) => Pick<WrittenTrace, 'text' | 'isMissingNodes'>;
}

type WrittenTraces = ReadonlyMap<StoredTrace, WrittenTrace>;

/** Writes the transactions of traces, or takes them from the cache. */
export async function writeTraces(
  reader: TransactionReader,
  traces: readonly StoredTrace[],
  writer: TraceWriter,
): Promise<WrittenTraces> {
  const { signal } = reader;
  const cache = reader.cache?.traces;
  const cached = new Map<StoredTrace, WrittenTrace>();
  if (cache !== undefined) {
    const takeCached = (trace: StoredTrace): void => {
      const ready = trace.isKept ? cache.find(trace) : undefined;
      if (ready !== undefined) cached.set(trace, { ...ready, transactions: [] });
    };
    await eachInSlices(traces, takeCached, signal);
  }
  const rest = traces.filter((trace) => !cached.has(trace));
  const members = await reader.find(rest.flatMap(({ positions }) => positions));
  const written = await reader.write([...members.values()], writer);
  const at = new Map(written.map((one) => [one.at, one]));
  const write = (trace: StoredTrace) => {
    const transactions = inOrder(trace.positions, at);
    const content = {
      ...writer.writeTrace(transactions),
      firstInHash: transactions.find((one) => one.at === trace.positions[0])?.inHash,
      accounts: distinctBytes(transactions.flatMap(({ accounts }) => accounts)),
    };
    const isWhole = transactions.length === trace.nodes && transactions.every(({ isSettled }) => isSettled);
    // Without one text its transactions are cached one by one.
    if (!isWhole || content.text === undefined || cache === undefined) {
      reader.addToCache(transactions);
      return [trace, { ...content, transactions }] as const;
    }
    const text = cache.add(trace, { ...content, text: content.text });
    return [trace, { ...content, text, transactions }] as const;
  };
  return new Map([...cached, ...(await mapInSlices(rest, write, signal))]);
}

function inOrder<T extends TransactionHead>(positions: readonly Position[], at: ReadonlyMap<Position, T>) {
  return positions.flatMap((position) => at.get(position) ?? []).sort(compareTransactions);
}

/** Reads the hashes of the messages that traces began with, null without one; the transactions of some of them were written. */
export async function readExternalHashes(
  reader: TransactionReader,
  traces: readonly StoredTrace[],
  written: WrittenTraces,
): Promise<ReadonlyMap<StoredTrace, Buffer | null>> {
  const unknown = traces.filter((trace) => trace.external === undefined && !written.has(trace));
  const read = await reader.read(unknown.map(({ positions }) => positions[0]!));
  const inHashOf = (trace: StoredTrace): Buffer | undefined => {
    const content = written.get(trace);
    return content === undefined
      ? read.get(trace.positions[0]!)?.transaction.inMessage?.hash
      : content.firstInHash;
  };
  return new Map(traces.map((trace) => [trace, trace.external?.hash ?? inHashOf(trace) ?? null]));
}
