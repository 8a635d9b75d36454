import { type Selectable, sql } from 'kysely';
import type { ClientBase } from 'pg';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { anyOf, fence, isCluster, keptStatement, readRows } from '../../db/driver.ts';
import type { Db, TracesTable } from '../../db/tables/tables.ts';
import { bytesKey, distinctBytes } from '../../lib/bytes-key.ts';
import type { OpenPage } from '../format/page.ts';
import { hashPrefix, type Position, pageOf, seqnoOfPage, slotOf, unixTime } from '../format/position.ts';
import {
  type ExternalHashes,
  externalHashesOf,
  type TraceInfo,
  traceIdOf,
  unpackTraceInfo,
} from '../format/trace-info.ts';
import { isShown } from '../snapshot.ts';
import {
  type ItemVersion,
  type LikelyTrace,
  type MemberHash,
  MemberPlace,
  type TraceCache,
} from './ready-cache.ts';
import { findVersions, type PageVersion, readPagesOf } from './transaction-pages.ts';
import type { TransactionReader } from './transaction-reader.ts';

/** A row of `traces`; `info` is packed, and begins with the id without its prefix. */
export interface TraceRow extends Selectable<TracesTable> {
  /** Of the index: changes whenever indexed blocks are taken back, and others may take their place. */
  readonly history: string;
  /** Where the index begins; pages of transactions before it are dropped. */
  readonly first_seqno: number;
}

export const ROW = sql`trace8, end_lt, end_utime, mc_seqno_start, mc_seqno_end, nodes, info,
  (select history_id::text from index_origin) as history, (select first_seqno from index_origin) as first_seqno`;

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

export interface TraceHashes {
  readonly of: 'traces' | 'transactions' | 'messages';
  readonly values: readonly Buffer[];
}

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

const tracesByPrefix = keptStatement<TraceRow, [readonly bigint[]]>(
  (db, trace8s) => sql`
    select ${ROW} from traces where trace8 = any(${trace8s}::bigint[]) and ${isShown(db, sql`mc_seqno_end`)}`,
);

async function selectTraces(db: Db, trace8s: readonly bigint[]): Promise<TraceRow[]> {
  return trace8s.length === 0 ? [] : tracesByPrefix(db, trace8s);
}

export async function findByHashes(reader: TransactionReader, hashes: TraceHashes): Promise<StoredTrace[]> {
  const { db } = reader;
  if (hashes.of === 'traces') return findById(db, hashes.values);
  const [value, ...others] = hashes.values;
  const hash = { of: hashes.of, value: value! };
  // A request for several hashes is hardly ever repeated.
  const places = others.length === 0 ? reader.cache?.traces : undefined;
  const last = places?.lastPlaceOf(hash);
  if (places && last && (await isStillAt(db, hash, last, places))) return findById(db, [last.traceId]);
  const members = await findMembers(reader, hashes);
  const ids = distinctBytes(members.ids);
  const pages = pagesOf(members.positions);
  const version = ids.length === 1 ? versionOf(reader.versionsOf(pages), pages) : undefined;
  if (version) places?.addPlace(hash, new MemberPlace(ids[0]!, members.positions), version);
  return findById(db, ids);
}

/** Whether a transaction or message is where it was found last time; the page need not be read then. */
async function isStillAt(db: Db, hash: MemberHash, last: MemberPlace, cache: TraceCache) {
  const { positions, pages } = await findVersions(db, { of: hash.of, hashes: [hash.value] });
  const wanted = new Set(last.positions);
  if (positions.length !== wanted.size || !positions.every((at) => wanted.has(at))) return false;
  const version = versionOf(pages, pagesOf(last.positions));
  return version !== undefined && cache.isPlaceOf(hash, version);
}

function findMembers(reader: TransactionReader, { of, values }: TraceHashes) {
  return of === 'transactions' ? reader.findTracesOf(values) : reader.findTracesOfMessages(values);
}

function pagesOf(positions: readonly Position[]): number[] {
  return [...new Set(positions.map(pageOf))].sort((a, b) => a - b);
}

/** The version of what is on some pages together, if all of them exist. */
function versionOf(versions: readonly PageVersion[], pages: readonly number[]): ItemVersion | undefined {
  const byPage = new Map(versions.map((version) => [version.page, version]));
  if (pages.length === 0 || byPage.size < pages.length) return undefined;
  const traces = Buffer.concat(pages.map((page) => byPage.get(page)!.traces));
  return { history: versions[0]!.history, traces };
}

/** The trace that a request for one hash found last time. */
export function likelyTrace({ of, values: [value, ...others] }: TraceHashes, cache: TraceCache) {
  if (value === undefined || others.length > 0) return undefined;
  const traceId = of === 'traces' ? value : cache.lastPlaceOf({ of, value })?.traceId;
  return traceId && cache.lastShown(traceId);
}

/** Starts the statements with which a request for one hash finds a trace, and shows it from the cache. */
export function startReading(db: Db, { of, values }: TraceHashes, likely: LikelyTrace) {
  return [
    ...(of === 'traces' ? [] : [findVersions(db, { of, hashes: values })]),
    selectTraces(db, [hashPrefix(likely.traceId)]),
    readClassificationStates(db, { traces: [likely] }),
  ];
}

export async function findById(db: Db, ids: readonly Buffer[]): Promise<StoredTrace[]> {
  const wanted = new Set(ids.map(bytesKey));
  const rows = await selectTraces(db, ids.map(hashPrefix));
  return rows.map(toStoredTrace).filter(({ traceId }) => wanted.has(bytesKey(traceId)));
}

export async function readTrace(db: Db, traceId: Buffer): Promise<StoredTrace | undefined> {
  return (await findById(db, [traceId]))[0];
}

export async function readTracesEndedIn(db: Db, seqnos: readonly number[]) {
  if (seqnos.length === 0) return [];
  // The ends prune partitions.
  const rows = await readRows<TraceRow>(
    db,
  )`select ${ROW} from traces where mc_seqno_end = any(${seqnos}::int[])
    and mc_seqno_end between ${Math.min(...seqnos)} and ${Math.max(...seqnos)} and ${isShown(db, sql`mc_seqno_end`)}`;
  return rows.map(toStoredTrace);
}

/** The classification of a trace: waiting, done, or failed. */
export type ClassificationState = 'unclassified' | 'ok' | 'failed';

const classificationStates = keptStatement<
  { readonly trace_id: Buffer; readonly state: ClassificationState },
  [readonly Buffer[], readonly number[]]
>(
  (_db, traceIds, seqnos) => sql`
    select asked.trace_id, case
      when fault.too_large then 'unclassified'
      when fault.trace_id is not null then 'failed'
      when waits.trace_id is not null and not waits.again then 'unclassified'
      when waits.trace_id is null and exists (
        select from classification_ranges
        where not again and asked.seqno between first_seqno and last_seqno) then 'unclassified'
      else 'ok' end as state
    from unnest(${traceIds}::bytea[], ${seqnos}::int[]) as asked (trace_id, seqno)
    left join classification_faults fault on fault.trace_id = asked.trace_id
    left join unclassified_traces waits on waits.trace_id = asked.trace_id`,
);

/**
 * Reads the classification states of traces, keyed by trace id in hex. A trace that waits to be classified again keeps
 * its actions and counts as done. A trace that is too large stays unclassified.
 */
export async function readClassificationStates(db: Db, { traces }: { readonly traces: readonly TraceEnd[] }) {
  if (traces.length === 0) return new Map();
  const rows = await classificationStates(
    db,
    traces.map(({ traceId }) => traceId),
    traces.map(({ mcSeqnoEnd }) => mcSeqnoEnd),
  );
  return new Map(rows.map(({ trace_id, state }) => [trace_id.toString('hex'), state]));
}

/** A trace by the place of its first transaction. */
interface SoughtTrace {
  readonly traceId: Buffer;
  readonly mcSeqnoStart: number;
}

interface SoughtTraces {
  readonly traces: readonly SoughtTrace[];
}

/**
 * Finds the traces that are complete and classified. Traces that the rules failed on, or that are too large for them,
 * count as well: they do not wait any more.
 */
export async function readSettledTraces(db: Db, query: SoughtTraces): Promise<readonly Buffer[]> {
  const complete = await findComplete(db, query);
  if (complete.length === 0) return [];
  const rows = await readRows<{ readonly trace_id: Buffer }>(db)`
    select asked.trace_id
    from unnest(${complete.map(({ trace_id }) => trace_id)}::bytea[],
                ${complete.map(({ mc_seqno_end }) => mc_seqno_end)}::int[]) as asked (trace_id, seqno)
    where not exists (
        select from unclassified_traces waits where waits.trace_id = asked.trace_id and not waits.again)
      and not exists (
        select from classification_ranges where not again and asked.seqno between first_seqno and last_seqno)`;
  return rows.map(({ trace_id }) => trace_id);
}

export async function readCompleteTraces(db: Db, query: SoughtTraces) {
  return (await findComplete(db, query)).map(({ trace_id }) => trace_id);
}

const PREFIX_BYTES = 8;

async function findComplete(db: Db, { traces }: SoughtTraces) {
  if (traces.length === 0) return [];
  const ids = traces.map(({ traceId }) => traceId);
  // Prunes older partitions at planning.
  const first = traces.reduce((min, { mcSeqnoStart }) => Math.min(min, mcSeqnoStart), 2 ** 31 - 1);
  const prefixes = ids.map(hashPrefix);
  // Tells Citus the workers to ask.
  const isOneOf = isCluster(db) ? sql`found.trace8 = any(${prefixes}::bigint[])` : sql`true`;
  return readRows<{ readonly trace_id: Buffer; readonly mc_seqno_end: number }>(db)`
    select asked.trace_id, found.mc_seqno_end
    from unnest(${ids}::bytea[], ${prefixes}::bigint[]) as asked (trace_id, trace8)
    cross join lateral (
      select trace8, mc_seqno_end from traces
      where trace8 = asked.trace8 and mc_seqno_end >= ${first}
        and substring(info for 24) = substring(asked.trace_id from ${PREFIX_BYTES + 1}) ${fence(db)}) found
    where ${isOneOf}`;
}

export interface TraceEnd {
  readonly traceId: Buffer;
  readonly mcSeqnoEnd: number;
}

/** A row of `traces` as pg reads it. */
export type EndedTraceRow = Selectable<TracesTable>;

/** Prefixes of ids, and bounds of seqnos, which prune partitions. */
export function keyParams(traces: readonly TraceEnd[]): [bigint[], number, number] {
  const seqnos = traces.map(({ mcSeqnoEnd }) => mcSeqnoEnd);
  return [
    traces.map(({ traceId }) => hashPrefix(traceId)),
    seqnos.reduce((a, b) => Math.min(a, b)),
    seqnos.reduce((a, b) => Math.max(a, b)),
  ];
}

const FIND_TRACES = `
select trace8, end_lt, end_utime, mc_seqno_start, mc_seqno_end, nodes, info from traces
where trace8 = any($1::bigint[]) and mc_seqno_end between $2 and $3`;

/** Reads traces, by id; those that are not in the index are left out. */
export async function findTraces(client: ClientBase, traces: readonly TraceEnd[]) {
  if (traces.length === 0) return new Map();
  const seqnoOf = new Map(traces.map(({ traceId, mcSeqnoEnd }) => [bytesKey(traceId), mcSeqnoEnd]));
  const { rows } = await client.query<EndedTraceRow>(FIND_TRACES, keyParams(traces));
  const found = rows.map((row) => [bytesKey(traceIdOf(row)), row] as const);
  return new Map(found.filter(([key, row]) => seqnoOf.get(key) === row.mc_seqno_end));
}

export type TraceWithTransactions = ReturnType<typeof withTransactions>;

/** A trace and those of its transactions that the index still has. */
function withTransactions(row: EndedTraceRow, info: TraceInfo, pages: ReadonlyMap<number, OpenPage>) {
  const slots = info.positions.flatMap((at) => {
    const page = pages.get(pageOf(at));
    return page === undefined ? [] : [{ page, slot: slotOf(at) }];
  });
  return {
    traceId: info.traceId,
    mcSeqnoEnd: row.mc_seqno_end,
    startLt: info.startLt,
    endLt: BigInt(row.end_lt),
    startUtime: info.startUtime,
    endUtime: unixTime(row.end_utime),
    /** Whether the index has all of them. */
    isWhole: slots.length === row.nodes,
    /** Of their cells. */
    bytes: slots.reduce((sum, { page, slot }) => sum + page.bagBytes(slot), 0),
    /** The accounts of its transactions, which have 33 bytes; one may be there several times. */
    accounts: () => slots.map(({ page, slot }) => page.account(slot)),
    /** Decodes its transactions; the first is the one that the trace began with. */
    transactions: () =>
      slots.map(({ page, slot }) => ({
        transaction: page.transaction(slot),
        mcSeqno: page.place(slot).mcSeqno,
      })),
    /** The hashes of the message that it began with. */
    externalOf: (first: Transaction): ExternalHashes => info.external ?? externalHashesOf(first),
  };
}

/** Reads traces with their transactions, by id; those that are not in the index are left out. */
export async function loadTracesWithTransactions(client: ClientBase, ends: readonly TraceEnd[]) {
  const rows = await findTraces(client, ends);
  if (rows.size === 0) return new Map();
  const infos = new Map(Array.from(rows, ([key, row]) => [key, unpackTraceInfo(row)]));
  const pages = await readPagesOf(
    client,
    [...infos.values()].flatMap(({ positions }) => positions),
  );
  return new Map(Array.from(rows, ([key, row]) => [key, withTransactions(row, infos.get(key)!, pages)]));
}

/** Finds the ends and sizes of traces by id, whichever are in the index. */
export async function findTraceSizes(db: Db, { traceIds }: { readonly traceIds: readonly Buffer[] }) {
  const wanted = new Set(traceIds.map(bytesKey));
  const prefixes = traceIds.map((id) => String(hashPrefix(id)));
  const rows = await db.selectFrom('traces').selectAll().where('trace8', '=', anyOf(prefixes)).execute();
  return rows.map(toSized).filter(({ traceId }) => wanted.has(bytesKey(traceId)));
}

function toSized(row: Pick<EndedTraceRow, 'trace8' | 'mc_seqno_end' | 'nodes' | 'info'>): SizedTrace {
  return { traceId: traceIdOf(row), mcSeqnoEnd: row.mc_seqno_end, nodes: row.nodes };
}

export interface SizedTrace extends TraceEnd {
  readonly nodes: number;
}

/** The beginning of `info` has the rest of the id; the whole of it may be large. */
const FIND_ENDED = `
select trace8, mc_seqno_end, nodes, substring(info for 24) as info from traces
where mc_seqno_end between $1 and $2`;

export async function readTracesEnded(
  client: ClientBase,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<SizedTrace[]> {
  const { rows } = await client.query<Omit<EndedTraceRow, 'end_lt' | 'end_utime' | 'mc_seqno_start'>>(
    FIND_ENDED,
    [first, last],
  );
  return rows.map(toSized);
}
