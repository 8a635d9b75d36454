import { sql } from 'kysely';
import { isCluster } from '../db/driver.ts';
import type { Db } from '../db/tables/tables.ts';
import { derivedPlaces } from '../index/hash-places.ts';
import { readChainTransaction } from './chain-block.ts';
import type { CheckContext } from './check-context.ts';
import { readSlots } from './check-pages.ts';
import { accountBytes, accountPrefix } from './core-readers.ts';
import { describeRow, keyOf, type Row } from './differences.ts';
import { type PageSlot, readTraceInfo, type TraceRow } from './stored-format.ts';

const BANDS_PER_QUERY = 100;

/** A range of seqnos in a table, and the rows there. */
interface Band {
  readonly first: number;
  readonly last: number;
  readonly rows: readonly Row[];
}

type Check = (context: CheckContext, table: string, band: Band) => Promise<void>;

/** Finds rows that belong to no transaction or trace, and compares the accounts of traces that start before the range. */
export async function checkStrays(context: CheckContext): Promise<void> {
  await eachUnseen(context, ['transactions', 'mc_seqno'], checkTransactions);
  await eachUnseen(context, ['messages', 'mc_seqno'], checkMessages);
  await eachUnseen(context, ['trace_accounts', 'mc_seqno_end'], checkTraceAccounts);
  if (isCluster(context.db)) await eachUnseen(context, ['hash_places', 'mc_seqno'], checkPlaces);
  for (const table of ['jetton_transfers', 'jetton_burns', 'nft_transfers'])
    await eachUnseen(context, [table, 'mc_seqno'], checkEvents);
}

/** Calls `check` for all bands in which a table has another number of rows than were seen. */
async function eachUnseen(
  context: CheckContext,
  [table, column]: readonly [table: string, column: string],
  check: Check,
): Promise<void> {
  const { db, seen } = context;
  const { from, to, width } = seen;
  const seqno = sql.ref(column);
  const { rows: counts } = await sql<{ band: number; count: string }>`
    select (${seqno} - ${from}::integer) / ${width}::integer as band, count(*) as count from ${sql.table(table)}
    where ${seqno} between ${from} and ${to} group by 1 order by 1`.execute(db);
  const wrong = counts.filter(({ band, count }) => Number(count) !== seen.count(table, band));
  for (let i = 0; i < wrong.length; i += BANDS_PER_QUERY) {
    const bands = wrong.slice(i, i + BANDS_PER_QUERY).map(({ band }) => band);
    const firstOf = (band: number) => from + band * width;
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)}
      where ${seqno} between ${firstOf(bands[0]!)} and ${firstOf(bands.at(-1)! + 1) - 1}
        and (${seqno} - ${from}::integer) / ${width}::integer = any(${bands}::integer[])`.execute(db);
    const byBand = Map.groupBy(rows, (row) => Math.floor((Number(row[column]) - from) / width));
    for (const [band, own] of byBand)
      await check(context, table, { first: firstOf(band), last: firstOf(band + 1) - 1, rows: own });
  }
}

/** Rows with the logical time of another block. */
const checkTransactions: Check = async ({ db, findings }, table, band) => {
  const isInside = await blockTimes(db, band);
  for (const row of band.rows) if (!isInside(row)) findings.addSurplus(table, describeRow(row));
};

/** The same, except for messages that were received: they have the time of their creation. */
const checkMessages: Check = async ({ db, findings }, table, band) => {
  const isInside = await blockTimes(db, band);
  const strange = band.rows.filter((row) => !isInside(row));
  const { rows } = await sql<{ mc_seqno: number; in8: string }>`
    select mc_seqno, in8 from transactions where in8 = any(${strange.map(({ hash8 }) => hash8)}::bigint[])
      and mc_seqno between ${band.first} and ${band.last}`.execute(db);
  const received = new Set(rows.map(({ mc_seqno, in8 }) => `${mc_seqno} ${in8}`));
  for (const row of strange)
    if (Number(row.ordinal) > 0 || !received.has(`${row.mc_seqno} ${row.hash8}`))
      findings.addSurplus(table, describeRow(row));
};

/** Places of nothing: those that do not follow from the other tables. */
const checkPlaces: Check = async ({ db, findings }, table, band) => {
  const counts = new Map<string, number>();
  for (const query of derivedPlaces(sql`mc_seqno between ${band.first} and ${band.last}`)) {
    const { rows } = await sql<Row>`${query}`.execute(db);
    for (const row of rows) counts.set(keyOf(row, PLACE), (counts.get(keyOf(row, PLACE)) ?? 0) + 1);
  }
  for (const row of band.rows) {
    const left = counts.get(keyOf(row, PLACE)) ?? 0;
    if (left === 0) findings.addSurplus(table, describeRow(row));
    counts.set(keyOf(row, PLACE), Math.max(0, left - 1));
  }
};

const PLACE = ['hash8', 'at', 'mc_seqno', 'kind'];

/** Tells whether a row has the logical time of a block of its seqno. */
async function blockTimes(db: Db, { first, last }: Band): Promise<(row: Row) => boolean> {
  const { rows } = await sql<{ mc_seqno: number; start: string; end: string }>`
    select mc_seqno, min(start_lt) as start, max(end_lt) as end from blocks
    where mc_seqno between ${first} and ${last} group by mc_seqno`.execute(db);
  const times = new Map(rows.map((row) => [row.mc_seqno, row]));
  return ({ mc_seqno, lt }) => {
    const time = times.get(Number(mc_seqno));
    const at = BigInt(lt as string);
    return time !== undefined && at >= BigInt(time.start) && at <= BigInt(time.end);
  };
}

/** Events without a transaction; others may have been written after they were looked for. */
const checkEvents: Check = async ({ db, findings }, table, band) => {
  const { rows } = await sql<Row>`
    select acc8, lt, mc_seqno from transactions where lt = any(${band.rows.map(({ lt }) => lt)}::bigint[])
      and mc_seqno between ${band.first} and ${band.last}`.execute(db);
  const transactions = new Set(rows.map(({ acc8, lt, mc_seqno }) => `${acc8} ${lt} ${mc_seqno}`));
  for (const row of band.rows)
    if (!transactions.has(`${row.acc8} ${row.lt} ${row.mc_seqno}`))
      findings.addSurplus(table, describeRow(row));
};

/**
 * Accounts of traces that end in a band. Of traces that start before the range the comparison seqno by seqno knows
 * nothing, so the accounts of their transactions are read from pages.
 */
const checkTraceAccounts: Check = async ({ db, findings, seen }, table, { first, last, rows }) => {
  // The accounts were read first: a trace that is joined meanwhile is known here.
  const { rows: traces } = await sql<TraceRow>`
    select * from traces where mc_seqno_end between ${first} and ${last}`.execute(db);
  const slots = await readSlots(db, traces.flatMap(positionsOf));
  const byTrace = Map.groupBy(rows, (row) => `${row.trace8} ${row.end_lt}`);
  for (const trace of traces) {
    const key = `${trace.trace8} ${trace.end_lt}`;
    const stored = byTrace.get(key) ?? [];
    byTrace.delete(key);
    const accounts = accountsOf(trace, slots);
    if (accounts === undefined) continue;
    const missing = new Set(accounts);
    for (const row of stored)
      if (!missing.delete(String(row.acc8))) findings.addSurplus(table, describeRow(row));
    if (trace.mc_seqno_start >= seen.from) continue;
    for (const acc8 of missing)
      findings.add({
        table,
        key: `acc8 ${acc8} of the trace with ${describeRow({ trace8: trace.trace8, end_lt: trace.end_lt })}`,
        expected: 'a row',
        found: undefined,
      });
  }
  for (const row of [...byTrace.values()].flat()) findings.addSurplus(table, describeRow(row));
};

/** The accounts of a trace according to its pages; undefined if some were dropped or cannot be read. */
function accountsOf(trace: TraceRow, slots: ReadonlyMap<number, PageSlot>): ReadonlySet<string> | undefined {
  const own = positionsOf(trace).map((at) => slots.get(at));
  const readable = own.filter((slot) => slot !== undefined);
  if (readable.length === 0 || readable.length < own.length) return undefined;
  return new Set(
    readable.map(({ workchain, cell }) =>
      String(accountPrefix(accountBytes(workchain, readChainTransaction(cell).address))),
    ),
  );
}

function positionsOf(trace: TraceRow): readonly number[] {
  try {
    return readTraceInfo(trace).positions;
  } catch {
    return [];
  }
}
