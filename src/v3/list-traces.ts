import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables/tables.ts';
import { READY_MEMBERS } from '../http/serializer.ts';
import { hashPrefix, type Position, pageOf, seqnoOfPage, unixTime } from '../index/format/position.ts';
import { type TraceInfo, unpackTraceInfo } from '../index/format/trace-info.ts';
import { findLoneAccounts } from '../index/read/accounts.ts';
import { hashOfKey, type OrderKey, type Page } from '../index/read/pages.ts';
import type { Span } from '../index/read/time-bounds.ts';
import {
  findTraces,
  isByTime,
  placeKeysBefore,
  readClassificationStates,
  readPlacesInBlock,
  readPlacesOfAccount,
  readTracePage,
  readTracesAt,
  readTracesEndedIn,
  type TracePlaceRow,
  type TraceRow,
  traceRowKeys,
} from '../index/read/traces.ts';
import {
  type FoundPages,
  findVersionsByHash,
  findVersionsByMessage,
} from '../index/read/transaction-positions.ts';
import type { PageVersion } from '../index/read/tx-pages.ts';
import { bytesKey, distinctBytes } from '../lib/bytes-key.ts';
import { eachInSlices, mapInSlices } from '../lib/slices.ts';
import { bytesText, compareKeys, type ListedPage, pageOfAll, readCheckedPage } from './checked-list.ts';
import type { IndexedTransaction, TransactionReader, TransactionWriter } from './indexed-transactions.ts';
import { compareTransactions, isWithin } from './list-transactions.ts';
import type { ShownVersion } from './shown-cache.ts';
import type { ShownTransaction, TransactionHead } from './shown-transaction.ts';
import { type LikelyTrace, type MemberHash, MemberPlace, type TraceCache } from './trace-cache.ts';
import { shownTraceContent, type TraceContent } from './trace-content.ts';

/** A complete trace. */
export interface StoredTrace extends TraceInfo {
  readonly mcSeqnoStart: number;
  readonly mcSeqnoEnd: number;
  readonly endLt: bigint;
  readonly endUtime: number;
  readonly nodes: number;
  /** Of the index when it was read. */
  readonly history: string;
  /** Whether the pages of all its transactions are kept. */
  readonly isKept: boolean;
}

/** Hashes of traces, of their transactions, or of their messages. */
export interface TraceHashes {
  readonly of: 'traces' | 'transactions' | 'messages';
  readonly values: readonly Buffer[];
}

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

/** The order of a list of traces: by their end, then by id. */
export function traceOrder({
  sort,
}: Pick<TracesQuery, 'sort'>): readonly Pick<OrderKey, 'type' | 'direction'>[] {
  return [
    { type: 'bigint', direction: sort },
    { type: 'bytea', direction: sort },
  ];
}

/** Reads a page of complete traces. */
export async function listTraces(
  db: Kysely<Tables>,
  reader: TransactionReader,
  query: TracesQuery,
  cache?: TraceCache,
): Promise<ListedPage<StoredTrace>> {
  const { account, hashes, mcSeqno } = query.filters;
  if (hashes !== undefined) {
    const found = await findByHashes(db, reader, hashes, cache);
    const isWanted = (trace: StoredTrace) => mcSeqno === undefined || trace.mcSeqnoEnd === mcSeqno;
    return pageOfFew(query, found.filter(isWanted));
  }
  if (mcSeqno !== undefined) {
    const found = (await readTracesEndedIn(db, { seqnos: [mcSeqno] })).map(toStoredTrace);
    if (account === undefined) return pageOfFew(query, found);
    return pageOfFew(query, await onlyOfAccount(db, reader, found, { account, mcSeqno }));
  }
  return account === undefined ? listAll(db, query) : listOfAccount(db, reader, query, account);
}

/** A page of traces that were all found. */
function pageOfFew(
  { filters: { span }, sort, page }: TracesQuery,
  found: readonly StoredTrace[],
): ListedPage<StoredTrace> {
  const within = found.filter(({ endUtime, endLt }) => isWithin(span, BigInt(endUtime), endLt));
  return pageOfAll(within, traceOrder({ sort }), page, (trace) => cursorOf(span, trace));
}

/** Unpacks a row of `traces`. */
export function toStoredTrace(row: TraceRow): StoredTrace {
  const info = unpackTraceInfo(row);
  return {
    ...info,
    mcSeqnoStart: row.mc_seqno_start,
    mcSeqnoEnd: row.mc_seqno_end,
    endLt: BigInt(row.end_lt),
    endUtime: unixTime(row.end_utime),
    nodes: row.nodes,
    history: row.history,
    isKept: info.positions.every((at) => seqnoOfPage(pageOf(at)) >= row.first_seqno),
  };
}

/** The keys of a trace, as in cursors. */
function cursorOf(span: Span, { endLt, endUtime, traceId }: StoredTrace): readonly string[] {
  return [`${isByTime(span) ? endUtime : endLt}`, bytesText(traceId)];
}

async function listAll(
  db: Kysely<Tables>,
  { filters: { span }, sort, page }: TracesQuery,
): Promise<ListedPage<StoredTrace>> {
  const after = page.after && traceRowKeys(page.after[0]!, hashOfKey(page.after[1]!));
  const items = (await readTracePage(db, { span, sort, page: { ...page, after } })).map(toStoredTrace);
  return { items, next: items.length < page.limit ? undefined : cursorOf(span, items.at(-1)!) };
}

/** Reads a page of the traces with a transaction of an account. */
async function listOfAccount(
  db: Kysely<Tables>,
  reader: TransactionReader,
  { filters: { span }, sort, page }: TracesQuery,
  account: Buffer,
): Promise<ListedPage<StoredTrace>> {
  const keys = traceOrder({ sort });
  const keysOf = (trace: StoredTrace) => cursorOf(span, trace);
  const isLone = await isLoneAccount(db, account);
  return readCheckedPage({
    keys,
    page,
    skips: isLone ? 'unseen' : 'read',
    rowKeysBefore: ([end, traceId]) => placeKeysBefore(end!, hashOfKey(traceId!), sort),
    find: async (part) => {
      const rows = await readPlacesOfAccount(db, { account, span, sort, page: part });
      return { rows, last: rows.length < part.limit ? undefined : rows.at(-1)!.keys };
    },
    read: async (places) => {
      const found = await findAtPlaces(db, places);
      // Of several traces at a place perhaps only one has a transaction of the account.
      const isSure = isLone && found.length <= places.length;
      const own = isSure ? found : await withTransactionOf(reader, found, account);
      return own.sort((a, b) => compareKeys(keys, keysOf(a), keysOf(b)));
    },
    keysOf,
  });
}

/** Whether no other account can be confused with an account. */
async function isLoneAccount(db: Kysely<Tables>, account: Buffer): Promise<boolean> {
  return (await findLoneAccounts(db, { accounts: [account] })).length > 0;
}

/** Reads all traces that stand at some places. */
async function findAtPlaces(db: Kysely<Tables>, places: readonly TracePlaceRow[]): Promise<StoredTrace[]> {
  const wanted = new Set(places.map(placeKey));
  const rows = await readTracesAt(db, { places });
  return rows.filter((row) => wanted.has(placeKey(row))).map(toStoredTrace);
}

function placeKey({ trace8, end_lt, mc_seqno_end }: TracePlaceRow): string {
  return `${trace8} ${end_lt} ${mc_seqno_end}`;
}

/** Those of the traces of a masterchain block that have a transaction of an account. */
async function onlyOfAccount(
  db: Kysely<Tables>,
  reader: TransactionReader,
  traces: readonly StoredTrace[],
  { account, mcSeqno }: { readonly account: Buffer; readonly mcSeqno: number },
): Promise<readonly StoredTrace[]> {
  if (traces.length === 0) return [];
  const ends = traces.map(({ endLt }) => endLt);
  const first = ends.reduce((a, b) => (b < a ? b : a));
  const last = ends.reduce((a, b) => (b > a ? b : a));
  const places = await readPlacesInBlock(db, { account, mcSeqno, first, last });
  const prefixes = new Set(places.map(({ trace8 }) => trace8));
  const listed = traces.filter(({ traceId }) => prefixes.has(`${hashPrefix(traceId)}`));
  const isSure = listed.length <= places.length && (await isLoneAccount(db, account));
  return isSure ? listed : withTransactionOf(reader, listed, account);
}

/** Transactions whose accounts are read together. */
const READ_TOGETHER = 1000;

/**
 * The traces with a transaction of an account. If transactions were dropped, one of them may have been of the account: then
 * the prefix, which is listed, must do.
 */
async function withTransactionOf(
  reader: TransactionReader,
  traces: readonly StoredTrace[],
  account: Buffer,
): Promise<StoredTrace[]> {
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

async function findByHashes(
  db: Kysely<Tables>,
  reader: TransactionReader,
  hashes: TraceHashes,
  cache: TraceCache | undefined,
): Promise<StoredTrace[]> {
  if (hashes.of === 'traces') return findById(db, hashes.values);
  const [value, ...others] = hashes.values;
  const hash = { of: hashes.of, value: value! };
  // A request for several hashes is hardly ever repeated.
  const places = others.length === 0 ? cache : undefined;
  const last = places?.lastPlaceOf(hash);
  if (places && last && (await isStillAt(db, hash, last, places))) return findById(db, [last.traceId]);
  const found = await findTracesOf(reader, hashes);
  const ids = distinctBytes(found.ids);
  const pages = pagesOf(found.positions);
  const version = ids.length === 1 ? versionOf(reader.versionsOf(pages), pages) : undefined;
  if (version) places?.addPlace(hash, new MemberPlace(ids[0]!, found.positions), version);
  return findById(db, ids);
}

/** Whether a transaction or message is where it was found last time; the page need not be read then. */
async function isStillAt(
  db: Kysely<Tables>,
  hash: MemberHash,
  last: MemberPlace,
  cache: TraceCache,
): Promise<boolean> {
  const { positions, pages } = await findVersions(db, hash);
  const wanted = new Set(last.positions);
  if (positions.length !== wanted.size || !positions.every((at) => wanted.has(at))) return false;
  const version = versionOf(pages, pagesOf(last.positions));
  return version !== undefined && cache.isPlaceOf(hash, version);
}

function findVersions(db: Kysely<Tables>, { of, value }: MemberHash): Promise<FoundPages<PageVersion>> {
  const find = of === 'transactions' ? findVersionsByHash : findVersionsByMessage;
  return find(db, { hashes: [value] });
}

function findTracesOf(reader: TransactionReader, { of, values }: TraceHashes) {
  return of === 'transactions' ? reader.findTracesOf(values) : reader.findTracesOfMessages(values);
}

function pagesOf(positions: readonly Position[]): number[] {
  return [...new Set(positions.map(pageOf))].sort((a, b) => a - b);
}

/** The version of what is on some pages together, if all of them exist. */
function versionOf(found: readonly PageVersion[], pages: readonly number[]): ShownVersion | undefined {
  const versions = new Map(found.map((version) => [version.page, version]));
  if (pages.length === 0 || versions.size < pages.length) return undefined;
  const traces = Buffer.concat(pages.map((page) => versions.get(page)!.traces));
  return { history: found[0]!.history, traces };
}

/** The trace that a request for one hash found last time. */
export function likelyTrace(
  { of, values: [value, ...others] }: TraceHashes,
  cache: TraceCache,
): LikelyTrace | undefined {
  if (value === undefined || others.length > 0) return undefined;
  const traceId = of === 'traces' ? value : cache.lastPlaceOf({ of, value })?.traceId;
  return traceId && cache.lastShown(traceId);
}

/** Starts the statements with which a request for one hash finds a trace, and shows it from the cache. */
export function startReading(
  db: Kysely<Tables>,
  { of, values }: TraceHashes,
  likely: LikelyTrace,
): Promise<unknown>[] {
  return [
    ...(of === 'traces' ? [] : [findVersions(db, { of, value: values[0]! })]),
    findTraces(db, { trace8s: [hashPrefix(likely.traceId)] }),
    readClassificationStates(db, { traces: [likely] }),
  ];
}

async function findById(db: Kysely<Tables>, ids: readonly Buffer[]): Promise<StoredTrace[]> {
  const wanted = new Set(ids.map(bytesKey));
  const rows = await findTraces(db, { trace8s: ids.map(hashPrefix) });
  return rows.map(toStoredTrace).filter(({ traceId }) => wanted.has(bytesKey(traceId)));
}

/** Reads a complete trace by id. */
export async function readTrace(db: Kysely<Tables>, traceId: Buffer): Promise<StoredTrace | undefined> {
  return (await findById(db, [traceId]))[0];
}

/** Reads the transactions of a trace in the order of lt and account; those that were dropped are left out. */
export async function readTraceTransactions(
  reader: TransactionReader,
  { positions }: StoredTrace,
): Promise<readonly IndexedTransaction[]> {
  const found = await reader.read(positions);
  const completed = await reader.complete([...found.values()]);
  return inOrder(positions, new Map(completed.map((one) => [one.at, one])));
}

/** What responses show of a trace, apart from what its row tells. */
interface ShownTrace extends TraceContent {
  /** The hash of the message that its first transaction received. */
  readonly firstInHash: Buffer | undefined;
  /** Of its transactions and the other sides of their messages, each once. */
  readonly accounts: readonly Buffer[];
}

/** Traces with what responses show of their transactions. */
type ShownTraces = ReadonlyMap<StoredTrace, ShownTrace>;

/** Writes the transactions of traces. */
export async function showTraces(
  reader: TransactionReader,
  traces: readonly StoredTrace[],
  { writer, cache, signal }: TraceShowing,
): Promise<ShownTraces> {
  const cached = cache === undefined ? new Map() : await findCached(traces, cache, signal);
  const rest = traces.filter((trace) => !cached.has(trace));
  const found = await reader.find(rest.flatMap(({ positions }) => positions));
  const written = await reader.write([...found.values()], writer);
  const at = new Map(written.map((one) => [one.at, one]));
  const show = (trace: StoredTrace) => {
    const transactions = inOrder(trace.positions, at);
    const shown = toShownTrace(trace, transactions);
    const isWhole = transactions.length === trace.nodes && transactions.every(({ isSettled }) => isSettled);
    const { members, ...rest } = shown;
    // The text of a large trace is not ready: its transactions are kept one by one.
    if (!isWhole || !(READY_MEMBERS in members) || cache === undefined) {
      reader.keep(transactions);
      return [trace, shown] as const;
    }
    const text = cache.add(trace, { ...rest, text: members[READY_MEMBERS] });
    return [trace, { ...rest, members: { [READY_MEMBERS]: text } }] as const;
  };
  return new Map([...cached, ...(await mapInSlices(rest, show, signal))]);
}

interface TraceShowing {
  readonly writer: TransactionWriter;
  readonly cache: TraceCache | undefined;
  readonly signal: AbortSignal | undefined;
}

async function findCached(
  traces: readonly StoredTrace[],
  cache: TraceCache,
  signal: AbortSignal | undefined,
): Promise<ShownTraces> {
  const found = new Map<StoredTrace, ShownTrace>();
  const find = (trace: StoredTrace): void => {
    const shown = trace.isKept ? cache.find(trace) : undefined;
    if (shown === undefined) return;
    const { text, ...rest } = shown;
    found.set(trace, { ...rest, members: { [READY_MEMBERS]: text } });
  };
  await eachInSlices(traces, find, signal);
  return found;
}

function toShownTrace({ positions }: StoredTrace, transactions: readonly ShownTransaction[]): ShownTrace {
  return {
    ...shownTraceContent(transactions),
    firstInHash: transactions.find(({ at }) => at === positions[0])?.inHash,
    accounts: distinctBytes(transactions.flatMap(({ accounts }) => accounts)),
  };
}

function inOrder<T extends TransactionHead>(
  positions: readonly Position[],
  at: ReadonlyMap<Position, T>,
): T[] {
  return positions.flatMap((position) => at.get(position) ?? []).sort(compareTransactions);
}

/** Reads the hashes of the messages that traces began with, null without one; the transactions of some of them are known. */
export async function readExternalHashes(
  reader: TransactionReader,
  traces: readonly StoredTrace[],
  shown: ShownTraces,
): Promise<ReadonlyMap<StoredTrace, Buffer | null>> {
  const unknown = traces.filter((trace) => trace.external === undefined && !shown.has(trace));
  const read = await reader.read(unknown.map(({ positions }) => positions[0]!));
  const inHashOf = (trace: StoredTrace): Buffer | undefined => {
    const known = shown.get(trace);
    return known === undefined
      ? read.get(trace.positions[0]!)?.transaction.inMessage?.hash
      : known.firstInHash;
  };
  return new Map(traces.map((trace) => [trace, trace.external?.hash ?? inHashOf(trace) ?? null]));
}
