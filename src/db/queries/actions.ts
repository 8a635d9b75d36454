import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { ActionsTable } from '../action-tables.ts';
import { KEPT_PLAN } from '../client.ts';
import type { Tables } from '../tables.ts';
import {
  allowSorting,
  allRows,
  type LookupList,
  lookupPage,
  type OrderKey,
  type Page,
  pageParts,
  rowsWith,
} from './pages.ts';
import { findTimeWindow, inSpan, intersect, isTimed, readBoundsOfTime, type Span } from './time-bounds.ts';
import type { TraceRow } from './traces.ts';
import { readTracedTransactions, readTransactionsOfMessages } from './transactions.ts';

interface ActionKey {
  readonly trace_id: Buffer;
  readonly action_id: Buffer;
  readonly trace_mc_seqno_end: number;
  readonly cursor: readonly string[];
}

/** The key of an action, and what lists are ordered by. */
const COLUMNS = sql`trace_id, action_id, trace_mc_seqno_end, trace_end_lt, trace_end_utime, end_lt, end_utime`;

/** Reads a page of actions: first their keys, from one index in the order of the list, then the rest of these rows. */
export async function readActions(db: Kysely<Tables>, query: ActionsQuery): Promise<FoundAction[]> {
  const keys = query.filters.types.shown.length === 0 ? [] : await readKeys(db, query);
  if (keys.length === 0) return [];
  // The planner prunes partitions only by values that it knows in advance.
  const seqnos = keys.map((key) => key.trace_mc_seqno_end);
  const { rows } = await sql<ActionRow & { readonly place: string }>`${KEPT_PLAN}
    select found.*, asked.place
    from unnest(${keys.map(({ trace_id }) => trace_id)}::bytea[], ${keys.map(({ action_id }) => action_id)}::bytea[],
                ${seqnos}::int[]) with ordinality as asked (trace_id, action_id, seqno, place)
    join lateral (
      select * from actions
      where trace_id = asked.trace_id and action_id = asked.action_id and trace_mc_seqno_end = asked.seqno
        and trace_mc_seqno_end between ${Math.min(...seqnos)} and ${Math.max(...seqnos)} limit 1) found on true
    order by asked.place`.execute(db);
  return rows.map((row) => ({ ...row, cursor: keys[Number(row.place) - 1]!.cursor }));
}

async function readKeys(db: Kysely<Tables>, query: ActionsQuery): Promise<readonly ActionKey[]> {
  const few = await fewRows(db, query.filters);
  if (few !== undefined) {
    const { where, cursor, tail } = pageParts(actionOrder(query), query.page);
    const { rows } = await sql<ActionKey>`
      select trace_id, action_id, trace_mc_seqno_end, ${cursor} as cursor from (${few}) few where ${where} ${tail}`.execute(
      db,
    );
    return rows;
  }
  const { rows } = await sql<ActionKey>`
    with ${lookupPage(await toLookupList(db, query))}
    select trace_id, action_id, trace_mc_seqno_end, cursor from page order by place`.execute(db);
  return rows;
}

/** A small superset of the wanted rows, if a filter gives one. It is read by that filter, not by an index in list order. */
async function fewRows(
  db: Kysely<Tables>,
  { account, actionIds, traceIds, txHashes, msgHashes, mcSeqno, types, span }: ActionFilters,
): Promise<RawBuilder<unknown> | undefined> {
  const conditions: RawBuilder<unknown>[] = [];
  if (actionIds.length > 0) conditions.push(sql`action_id = any(${actionIds}::bytea[])`);
  if (traceIds.length > 0) conditions.push(sql`trace_id = any(${traceIds}::bytea[])`);
  for (const [hashes, read] of [
    [txHashes, readTracedTransactions],
    [msgHashes, readTransactionsOfMessages],
  ] as const) {
    if (hashes.length === 0) continue;
    const found = await read(db, { hashes });
    conditions.push(sql`trace_id = any(${found.map(({ trace_id }) => trace_id)}::bytea[])
      and tx_hashes && ${found.map(({ hash }) => hash)}::bytea[]`);
  }
  if (mcSeqno !== undefined) conditions.push(sql`trace_mc_seqno_end = ${mcSeqno}`);
  if (conditions.length === 0) return undefined;
  if (account !== undefined) conditions.push(sql`accounts @> array[${account}::bytea]`);
  return sql`
    select ${COLUMNS} from actions
    where ${sql.join([...conditions, isOfTypes(types), endsIn(span)], sql` and `)} offset 0`;
}

/** Actions of an account, of some types, or all, by the index that has them in the order of logical time. */
async function toLookupList(db: Kysely<Tables>, query: ActionsQuery): Promise<LookupList> {
  const { filters, page } = query;
  const { account, types, span } = filters;
  const keys = actionOrder(query);
  const list = { columns: COLUMNS, keys, page };
  await allowSorting(db, false);
  if (account === undefined && !filters.isOfFewTypes) {
    // There is an index in the order of time.
    const times = isTimed(span) ? await readBoundsOfTime(db, span) : {};
    return {
      ...list,
      lookups: [allRows('actions')],
      where: [isOfTypes(types), endsIn(intersect(span, times))],
    };
  }
  const found =
    account === undefined
      ? { lookups: [typeLookup(types.shown)], isWanted: isNotPartOf(types.hiding) }
      : { lookups: [rowsWith('action_accounts', 'account', [account])], isWanted: isOfTypes(types) };
  const within = (reach: Span) => [found.isWanted, endsIn(reach)];
  const { lookups } = found;
  if (!isTimed(span)) return { ...list, lookups, where: within(span) };
  const window = await findTimeWindow(db, { ...query, span }, (rest, count) =>
    readTimes(db, { ...list, lookups, where: [...within(rest), pageParts(keys, page).where] }, query, count),
  );
  await allowSorting(db, true);
  return { ...list, lookups, where: within(window) };
}

function typeLookup(types: readonly string[]) {
  return {
    values: types,
    type: 'text' as const,
    rows: (value: RawBuilder<unknown>) => sql`actions where type = ${value}`,
  };
}

/** The times of the first `count` rows of a list in the order of logical time; undefined if there are fewer. */
async function readTimes(
  db: Kysely<Tables>,
  list: LookupList,
  { filters, sort }: ActionsQuery,
  count: number,
): Promise<{ first: bigint; last: bigint } | undefined> {
  const keys = actionOrder({ filters: { ...filters, span: {} }, sort });
  const { rows } = await sql<{ rows: string; first: string; last: string }>`
    with ${lookupPage({ ...list, keys, page: { limit: count, offset: 0 } })}
    select count(*) as rows, min(trace_end_utime) as first, max(trace_end_utime) as last from page`.execute(
    db,
  );
  const { rows: found, first, last } = rows[0]!;
  return Number(found) < count ? undefined : { first: BigInt(first), last: BigInt(last) };
}

/** A stored action. */
export type ActionRow = Selectable<ActionsTable>;

/** An action on a page. */
type FoundAction = ActionRow & { readonly cursor: readonly string[] };

/** Which action types are wanted. */
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

/** A page of a list of actions. */
interface ActionsQuery {
  readonly filters: ActionFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/** The order of a list of actions: by the end of their trace, then by their own end. */
export function actionOrder({ filters, sort }: Omit<ActionsQuery, 'page'>): readonly OrderKey[] {
  const clock = isTimed(filters.span) ? 'utime' : 'lt';
  return [
    { by: sql.ref(`trace_end_${clock}`), type: 'bigint', direction: sort },
    { by: sql`trace_id`, type: 'bytea', direction: sort },
    { by: sql.ref(`end_${clock}`), type: 'bigint', direction: sort },
    { by: sql`action_id`, type: 'bytea', direction: sort },
  ];
}

/** The condition that the trace of an action ended in a span. */
function endsIn(span: Span): RawBuilder<boolean> {
  return inSpan(span, sql`trace_end_utime`, sql`trace_end_lt`);
}

/** The condition that an action is of a wanted type and not part of an action that hides it. */
function isOfTypes({ shown, hiding }: WantedTypes): RawBuilder<boolean> {
  return sql`type = any(${shown}::text[]) and ${isNotPartOf(hiding)}`;
}

/** The condition that an action is not part of an action of these types. */
function isNotPartOf(hiding: readonly string[]): RawBuilder<boolean> {
  return sql`not ancestor_type && ${hiding}::text[]`;
}

/** Reads an action by id, and by trace if one is given. */
export async function readActionById(
  db: Kysely<Tables>,
  { action_id, trace_id }: { readonly action_id: Buffer; readonly trace_id?: Buffer | undefined },
): Promise<Pick<ActionRow, 'trace_id' | 'start_lt' | 'tx_hashes'> | undefined> {
  const isInTrace = trace_id === undefined ? sql`true` : sql`trace_id = ${trace_id}`;
  const { rows } = await sql<ActionRow>`
    select trace_id, start_lt, tx_hashes from actions
    where action_id = ${action_id} and ${isInTrace} order by trace_end_lt desc limit 1`.execute(db);
  return rows[0];
}

/** Reads the actions of traces in the order of their start, keyed by trace id in hex; one statement for all traces. */
export async function readTraceActions(
  db: Kysely<Tables>,
  { traces, types }: { readonly traces: readonly TraceRow[]; readonly types: WantedTypes },
): Promise<ReadonlyMap<string, readonly ActionRow[]>> {
  if (traces.length === 0) return new Map();
  const seqnos = traces.map(({ mc_seqno_end }) => mc_seqno_end);
  // The seqnos prune partitions.
  const { rows } = await sql<ActionRow>`
    select * from actions
    where trace_id = any(${traces.map(({ trace_id }) => trace_id)}::bytea[])
      and trace_mc_seqno_end between ${Math.min(...seqnos)} and ${Math.max(...seqnos)} and ${isOfTypes(types)}
    order by start_lt, end_lt, action_id`.execute(db);
  return Map.groupBy(rows, ({ trace_id }) => trace_id.toString('hex'));
}
