import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { pageParts } from './page.ts';
import { inSpan, type Span } from './span.ts';
import { findTimeWindow } from './time-window.ts';
import { type FoundTrace, isTimed, type TraceRow, type TracesQuery, traceOrder } from './trace-order.ts';

interface TraceKey {
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
  readonly cursor: readonly string[];
}

/** A page of the traces that have a transaction of an account. */
export async function readTracesOfAccount(
  db: Kysely<Tables>,
  query: TracesQuery,
  account: Buffer,
): Promise<FoundTrace[]> {
  const { where, cursor, tail } = pageParts(traceOrder(query), query.page);
  const reach = await findReach(db, query, account);
  // In the order of time the rows are few, and shall not be looked for in another order.
  const fence = isTimed(query.filters) ? sql`offset 0` : sql``;
  const { rows: keys } = await sql<TraceKey>`
    select trace_id, mc_seqno_end, ${cursor} as cursor
    from (select * from trace_accounts where account = ${account} and ${isIn(reach)} ${fence}) found
    where ${where} ${tail}`.execute(db);
  if (keys.length === 0) return [];
  const [ids, seqnos] = [keys.map(({ trace_id }) => trace_id), keys.map(({ mc_seqno_end }) => mc_seqno_end)];
  const { rows } = await sql<TraceRow>`
    select * from traces where trace_id = any(${ids}::bytea[])
    and mc_seqno_end between ${Math.min(...seqnos)} and ${Math.max(...seqnos)}`.execute(db);
  const traces = new Map(rows.map((row) => [row.trace_id.toString('latin1'), row]));
  return keys.map((key) => ({ ...traces.get(key.trace_id.toString('latin1'))!, cursor: key.cursor }));
}

/** What the page lies in: traces of an account are in the order of lt, and one in that of time is sorted out of those around it. */
async function findReach(db: Kysely<Tables>, query: TracesQuery, account: Buffer): Promise<Span> {
  const { span } = query.filters;
  if (!isTimed(query.filters)) return span;
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
