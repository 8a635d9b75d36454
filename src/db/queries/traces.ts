import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { readTracesOfAccount } from './account-traces.ts';
import { pageParts } from './page.ts';
import { readBoundsOfTime } from './shard-bounds.ts';
import { inSpan, intersect } from './span.ts';
import { findTraceIds } from './trace-ids.ts';
import { type FoundTrace, isTimed, type TraceFilters, type TracesQuery, traceOrder } from './trace-order.ts';

/** A page of complete traces. */
export async function readTraces(db: Kysely<Tables>, query: TracesQuery): Promise<FoundTrace[]> {
  const { account, hashes, mcSeqno } = query.filters;
  if (account !== undefined && hashes === undefined && mcSeqno === undefined)
    return readTracesOfAccount(db, query, account);
  const { where, cursor, tail } = pageParts(traceOrder(query), query.page);
  const { rows } = await sql<FoundTrace>`
    select *, ${cursor} as cursor from ${await findRows(db, query.filters)} and ${where} ${tail}`.execute(db);
  return rows;
}

/** What the page is taken of, as `<rows> where <condition>`, such that an index finds it. */
async function findRows(db: Kysely<Tables>, filters: TraceFilters): Promise<RawBuilder<unknown>> {
  const { account, hashes, mcSeqno, span } = filters;
  const isInSpan = inSpan(span, sql`end_utime`, sql`end_lt`);
  const inBlock = mcSeqno === undefined ? sql`true` : sql`mc_seqno_end = ${mcSeqno}`;
  if (hashes !== undefined) {
    const ids = await findTraceIds(db, hashes);
    return sql`${few(sql`trace_id = any(${ids}::bytea[]) and ${inBlock}`)} where ${isInSpan}`;
  }
  if (mcSeqno !== undefined)
    return sql`${few(inBlock)} where ${account ? touches(account) : sql`true`} and ${isInSpan}`;
  const times = isTimed(filters) ? await readBoundsOfTime(db, span) : {};
  return sql`traces where ${inSpan(intersect(span, times), sql`end_utime`, sql`end_lt`)}`;
}

/** Traces that are few: the planner shall find them as they are, not by the index of the order around them. */
function few(where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select * from traces where ${where} offset 0) few`;
}

function touches(account: Buffer): RawBuilder<boolean> {
  return sql`exists (select from trace_accounts a where a.account = ${account} and a.end_lt = few.end_lt
    and a.trace_id = few.trace_id and a.mc_seqno_end = few.mc_seqno_end)`;
}
