import { type Kysely, type RawBuilder, sql } from 'kysely';
import { KEPT_PLAN } from '../kept-plans.ts';
import type { Tables } from '../tables.ts';
import {
  type ActionFilters,
  type ActionRow,
  type ActionsQuery,
  actionOrder,
  endsIn,
  type FoundAction,
  isNoPart,
  isOfTypes,
  isTimed,
} from './action-order.ts';
import { readTracedTransactions, readTransactionsOfMessages } from './action-transactions.ts';
import { allowSorting, allRows, type LookedUpList, lookedUpPage, rowsWith } from './looked-up-page.ts';
import { pageParts } from './page.ts';
import { readBoundsOfTime } from './shard-bounds.ts';
import { intersect, type Span } from './span.ts';
import { findTimeWindow } from './time-window.ts';

interface ActionKey {
  readonly trace_id: Buffer;
  readonly action_id: Buffer;
  readonly trace_mc_seqno_end: number;
  readonly cursor: readonly string[];
}

/** What finds an action, and what lists are ordered by. */
const COLUMNS = sql`trace_id, action_id, trace_mc_seqno_end, trace_end_lt, trace_end_utime, end_lt, end_utime`;

/** A page of actions: their keys first, by one index in the order of the list, then the rest of these rows. */
export async function readActions(db: Kysely<Tables>, query: ActionsQuery): Promise<FoundAction[]> {
  const keys = query.filters.types.shown.length === 0 ? [] : await readKeys(db, query);
  if (keys.length === 0) return [];
  // The planner leaves out partitions only for what it knows beforehand.
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
    with ${lookedUpPage(await listOf(db, query))}
    select trace_id, action_id, trace_mc_seqno_end, cursor from page order by place`.execute(db);
  return rows;
}

/**
 * Rows that are few and that all wanted are among, where a filter says so. They are found as they are, not by an index of
 * the order around them.
 */
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
async function listOf(db: Kysely<Tables>, query: ActionsQuery): Promise<LookedUpList> {
  const { filters, page } = query;
  const { account, types, span } = filters;
  const keys = actionOrder(query);
  const list = { columns: COLUMNS, keys, page };
  await allowSorting(db, false);
  if (account === undefined && !filters.isOfFewTypes) {
    // These are in the order of time in an index of their own.
    const times = isTimed(filters) ? await readBoundsOfTime(db, span) : {};
    return {
      ...list,
      lookups: [allRows('actions')],
      where: [isOfTypes(types), endsIn(intersect(span, times))],
    };
  }
  const found =
    account === undefined
      ? { lookups: [typeLookup(types.shown)], isWanted: isNoPart(types.hiding) }
      : { lookups: [rowsWith('action_accounts', 'account', [account])], isWanted: isOfTypes(types) };
  const within = (reach: Span) => [found.isWanted, endsIn(reach)];
  const { lookups } = found;
  if (!isTimed(filters)) return { ...list, lookups, where: within(span) };
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

/** The times of the first rows of a list in the order of logical time; undefined when there are not so many. */
async function readTimes(
  db: Kysely<Tables>,
  list: LookedUpList,
  { filters, sort }: ActionsQuery,
  count: number,
): Promise<{ first: bigint; last: bigint } | undefined> {
  const keys = actionOrder({ filters: { ...filters, span: {} }, sort });
  const { rows } = await sql<{ rows: string; first: string; last: string }>`
    with ${lookedUpPage({ ...list, keys, page: { limit: count, offset: 0 } })}
    select count(*) as rows, min(trace_end_utime) as first, max(trace_end_utime) as last from page`.execute(
    db,
  );
  const { rows: found, first, last } = rows[0]!;
  return Number(found) < count ? undefined : { first: BigInt(first), last: BigInt(last) };
}
