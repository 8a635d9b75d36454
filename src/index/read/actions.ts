import type { Db } from '../../db/tables/tables.ts';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import type { ActionRow } from '../action-row.ts';
import { isCommonType, maskOfTypes, typeKey } from '../format/action-names.ts';
import { openActions, type PackedAction } from '../format/actions.ts';
import { hashPrefix } from '../format/position.ts';
import {
  ANY_TYPES,
  allTraces,
  eachTrace,
  findTracesByAction,
  findTracesById,
  knownTraces,
  type OpenTrace,
  readPackedTraces,
  readPlacesEndedIn,
  type TraceList,
  type TracePlace,
  tracesOfAccount,
  tracesWithKeys,
  tracesWithTypes,
} from './action-traces.ts';
import { allowSorting, bytesText, hashOfKey, type ListWindow, type OrderKey } from './lists.ts';
import type { StoredTrace } from './stored-traces.ts';
import { findTimeWindow, intersect, isTimed, type Span } from './time-bounds.ts';
import type { TransactionReader } from './transaction-reader.ts';

export interface WantedTypes {
  readonly shown: readonly string[];
  /** An action that is part of one of these is left out: the client supports the whole and does not need the parts. */
  readonly hiding: readonly string[];
}

/** Which actions are wanted; empty lists and undefined do not filter. */
export interface ActionFilters {
  readonly account?: Buffer | undefined;
  readonly actionIds: readonly Buffer[];
  readonly traceIds: readonly Buffer[];
  /** Of transactions in the action. */
  readonly txHashes: readonly Buffer[];
  /** Of messages of transactions in the action, normalized or not. */
  readonly msgHashes: readonly Buffer[];
  /** The masterchain block in which the trace ended. */
  readonly mcSeqno?: number | undefined;
  /** Of the end of the trace. */
  readonly span: Span;
  readonly types: WantedTypes;
  /** Whether these types may be few among all actions. */
  readonly isOfFewTypes: boolean;
}

interface ActionsQuery {
  readonly filters: ActionFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: ListWindow;
}

type FoundAction = ActionRow & { readonly cursor: readonly string[] };

/** The order of a list of actions: by the end of their trace, the trace id, their own end, and their id. */
export function actionOrder({
  sort,
}: Pick<ActionsQuery, 'sort'>): readonly Pick<OrderKey, 'type' | 'direction'>[] {
  return (['bigint', 'bytea', 'bigint', 'bytea'] as const).map((type) => ({ type, direction: sort }));
}

/** Reads a page of actions: traces in the order of the list, and of each the actions that are wanted. */
export async function readActions(reader: TransactionReader, query: ActionsQuery): Promise<FoundAction[]> {
  const { filters, sort, page } = query;
  if (filters.types.shown.length === 0) return [];
  const { db } = reader;
  const chosen = await chooseTraces(reader, filters);
  const order: ListOrder = { clock: isTimed(filters.span) ? 'utime' : 'lt', sort };
  const isBehind = isBehindCursor(order, page.after);
  const search: Search = {
    ...chosen,
    query,
    isWanted: (entry) => chosen.isWanted(entry) && isBehind(entry),
  };
  const span = await findSpan(db, search);
  if (span === undefined) return [];
  const rows: FoundAction[] = [];
  let skipped = 0;
  allowSorting(db, order.clock === 'utime');
  await eachTrace(db, listOf(search, { ...order, span, from: startOf(page.after) }), (trace) => {
    for (const action of inOrder(trace, order)) {
      const entry = { trace, action };
      if (!search.isWanted(entry)) continue;
      if (skipped < page.offset) skipped++;
      else if (rows.length < page.limit) rows.push({ ...action.row(), cursor: cursorOf(entry, order) });
    }
    return rows.length < page.limit;
  });
  return rows;
}

type ListOrder = Pick<TraceList['range'], 'clock' | 'sort'>;

interface Entry {
  readonly trace: OpenTrace;
  readonly action: PackedAction;
}

interface ChosenTraces {
  readonly source: TraceList['source'];
  /** Whether all of them are known, so that they can be sorted at once. */
  readonly isKnown: boolean;
  readonly isWanted: (entry: Entry) => boolean;
}

interface Search extends ChosenTraces {
  readonly query: ActionsQuery;
}

function listOf({ source, query }: Search, range: TraceList['range']): TraceList {
  const { filters, page } = query;
  return { source, range, types: maskOfTypes(filters.types.shown), wanted: page.offset + page.limit };
}

/** Chooses the filter that leaves the fewest traces; the others are tested on their actions. */
async function chooseTraces(reader: TransactionReader, filters: ActionFilters): Promise<ChosenTraces> {
  const { account, actionIds, traceIds, txHashes, msgHashes, mcSeqno, types } = filters;
  const tests: ((entry: Entry) => boolean)[] = [isOfTypes(types)];
  const traces: (readonly Buffer[])[] = [];
  if (account !== undefined) tests.push(({ action }) => action.accounts.some((one) => one.equals(account)));
  if (actionIds.length > 0) {
    const wanted = keysOf(actionIds);
    tests.push(({ action }) => wanted.has(bytesKey(action.id)));
  }
  if (mcSeqno !== undefined) tests.push(({ trace }) => trace.mcSeqnoEnd === mcSeqno);
  if (traceIds.length > 0) traces.push(traceIds);
  const transactions = [
    ...(txHashes.length === 0 ? [] : [await reader.readByHash(txHashes)]),
    ...(msgHashes.length === 0 ? [] : [await reader.readByMessage(msgHashes)]),
  ];
  for (const found of transactions) {
    const wanted = keysOf(found.map(({ transaction }) => transaction.hash));
    traces.push(found.map(({ traceId }) => traceId));
    tests.push(({ action }) => action.transactions.some((hash) => wanted.has(bytesKey(hash))));
  }
  for (const ids of traces) {
    const wanted = keysOf(ids);
    tests.push(({ trace }) => wanted.has(bytesKey(trace.traceId)));
  }
  const { db } = reader;
  const isWanted = (entry: Entry) => tests.every((test) => test(entry));
  const places = await findPlaces(db, filters, traces);
  if (places !== undefined) return { source: knownTraces(places), isKnown: true, isWanted };
  if (account !== undefined) return { source: tracesOfAccount(db, account), isKnown: false, isWanted };
  if (!filters.isOfFewTypes) return { source: allTraces(db), isKnown: false, isWanted };
  const source = types.shown.some(isCommonType)
    ? tracesWithTypes(db, maskOfTypes(types.shown))
    : tracesWithKeys(db, [...new Set(types.shown.map(typeKey))]);
  return { source, isKnown: false, isWanted };
}

/** The places of a few traces that contain all wanted actions, if a filter gives some. */
async function findPlaces(
  db: Db,
  { actionIds, mcSeqno }: ActionFilters,
  [traceIds]: readonly (readonly Buffer[])[],
): Promise<readonly TracePlace[] | undefined> {
  if (actionIds.length > 0) return findTracesByAction(db, actionIds.map(hashPrefix));
  if (traceIds !== undefined) return findTracesById(db, traceIds.map(hashPrefix));
  if (mcSeqno !== undefined) return readPlacesEndedIn(db, mcSeqno);
  return undefined;
}

function keysOf(hashes: readonly Buffer[]): ReadonlySet<HashKey> {
  return new Set(hashes.map(bytesKey));
}

/** The test that an action is of a wanted type and not part of an action that hides it. */
export function isOfTypes(types: WantedTypes): (entry: Pick<Entry, 'action'>) => boolean {
  const [shown, hiding] = [new Set(types.shown), new Set(types.hiding)];
  return ({ action: { type, ancestors } }) => shown.has(type) && !ancestors.some((one) => hiding.has(one));
}

/**
 * A span that contains the page; undefined if the page is empty. Lists are found in the order of logical time, so a page
 * in the order of time is sorted from the traces around it.
 */
async function findSpan(db: Db, search: Search): Promise<Span | undefined> {
  const { query, isKnown, isWanted } = search;
  const { filters, sort, page } = query;
  if (!isTimed(filters.span) || isKnown) return filters.span;
  allowSorting(db, false);
  let firstLt: bigint | undefined;
  const window = await findTimeWindow(db, { span: filters.span, sort, page }, async (span, count) => {
    let [found, first, last] = [0, Number.POSITIVE_INFINITY, 0];
    await eachTrace(db, listOf(search, { clock: 'lt', sort, span, from: undefined }), (trace) => {
      const own = trace.actions.filter((action) => isWanted({ trace, action })).length;
      found += own;
      if (own > 0) {
        firstLt ??= trace.endLt;
        first = Math.min(first, trace.endUtime);
        last = Math.max(last, trace.endUtime);
      }
      return found < count;
    });
    return found < count ? undefined : { first: BigInt(first), last: BigInt(last) };
  });
  if (firstLt === undefined) return undefined;
  // Nothing is wanted before the first trace in the order of logical time, where a search might take long.
  return intersect(window, sort === 'asc' ? { startLt: firstLt } : { endLt: firstLt });
}

export function inOrder({ actions }: OpenTrace, { clock, sort }: ListOrder): PackedAction[] {
  const sign = sort === 'asc' ? 1 : -1;
  const compare = (a: PackedAction, b: PackedAction) =>
    compareNumbers(endOf(a, clock), endOf(b, clock)) || Buffer.compare(a.id, b.id);
  return actions.toSorted((a, b) => sign * compare(a, b));
}

function endOf({ endLt, endUtime }: Pick<PackedAction, 'endLt' | 'endUtime'>, clock: 'lt' | 'utime'): bigint {
  return clock === 'lt' ? endLt : BigInt(endUtime);
}

function compareNumbers(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The keys of an action in a list, as PostgreSQL would write them. */
function cursorOf({ trace, action }: Entry, { clock }: ListOrder): readonly string[] {
  return [
    `${endOf(trace, clock)}`,
    bytesText(trace.traceId),
    `${endOf(action, clock)}`,
    bytesText(action.id),
  ];
}

/** The place at which a list continues after a row: that of its trace. */
export function startOf(after: ListWindow['after']): TraceList['range']['from'] {
  if (after === undefined) return undefined;
  return { end: BigInt(after[0]!), trace8: hashPrefix(hashOfKey(after[1]!)), isIncluded: true };
}

function isBehindCursor({ clock, sort }: ListOrder, after: ListWindow['after']): (entry: Entry) => boolean {
  if (after === undefined) return () => true;
  const [traceEnd, traceId, end, id] = after as readonly [string, string, string, string];
  const keys = {
    traceEnd: BigInt(traceEnd),
    traceId: hashOfKey(traceId),
    end: BigInt(end),
    id: hashOfKey(id),
  };
  const sign = sort === 'asc' ? 1 : -1;
  return ({ trace, action }) => {
    const distance =
      compareNumbers(endOf(trace, clock), keys.traceEnd) ||
      Buffer.compare(trace.traceId, keys.traceId) ||
      compareNumbers(endOf(action, clock), keys.end) ||
      Buffer.compare(action.id, keys.id);
    return sign * distance > 0;
  };
}

/** Reads an action by id, and by trace if one is given; the newest if there are several. */
export async function readActionById(
  db: Db,
  { action_id, trace_id }: { readonly action_id: Buffer; readonly trace_id?: Buffer | undefined },
): Promise<Pick<ActionRow, 'trace_id' | 'start_lt' | 'tx_hashes'> | undefined> {
  const traces = await findTracesByAction(db, [hashPrefix(action_id)]);
  const packed = await readPackedTraces(db, { traces, types: ANY_TYPES });
  const rows = packed
    .sort((a, b) => compareNumbers(b.endLt, a.endLt))
    .map((trace) => openActions(trace, trace.body))
    .filter(({ traceId }) => trace_id === undefined || traceId.equals(trace_id))
    .flatMap(({ actions }) => actions.find(({ id }) => id.equals(action_id)) ?? []);
  return rows[0]?.row();
}

/** Reads the actions of traces in the order of their start, keyed by trace id in hex. */
export async function readTraceActions(
  db: Db,
  { traces, types }: { readonly traces: readonly StoredTrace[]; readonly types?: WantedTypes },
): Promise<ReadonlyMap<string, readonly ActionRow[]>> {
  if (traces.length === 0) return new Map();
  const ids = new Set(traces.map(({ traceId }) => traceId.toString('hex')));
  const places = traces.map(({ traceId, endLt, mcSeqnoEnd }) => ({
    trace8: hashPrefix(traceId),
    endLt,
    mcSeqnoEnd,
  }));
  const mask = types === undefined ? ANY_TYPES : maskOfTypes(types.shown);
  const packed = await readPackedTraces(db, { traces: places, types: mask });
  const isWanted = types === undefined ? () => true : isOfTypes(types);
  const found = new Map<string, readonly ActionRow[]>();
  for (const trace of packed) {
    const { traceId, actions } = openActions(trace, trace.body);
    const id = traceId.toString('hex');
    const own = actions
      .filter((action) => isWanted({ action }))
      .sort(
        (a, b) =>
          compareNumbers(a.startLt, b.startLt) ||
          compareNumbers(a.endLt, b.endLt) ||
          Buffer.compare(a.id, b.id),
      );
    if (ids.has(id))
      found.set(
        id,
        own.map((action) => action.row()),
      );
  }
  return found;
}
