import { sql } from 'kysely';
import type { Db } from '../db/tables/tables.ts';
import { readChainTransaction } from './chain-block.ts';
import type { CheckContext } from './check-context.ts';
import { readSlots } from './check-pages.ts';
import { hashPrefix, storedTime } from './core-readers.ts';
import { type ExpectedRow, type Findings, type Row, rowsByKey } from './differences.ts';
import type { PlacedTransaction } from './expected-rows.ts';
import { readTraceInfo, type TraceRow } from './stored-format.ts';
import {
  addMember,
  isFromSystem,
  type Sender,
  settledTraces,
  TraceWalk,
  type WalkedSeqno,
  type WalkedTrace,
} from './trace-walk.ts';

const HASHES_PER_QUERY = 1000;
const MAX_STRAYS = 100;

/** By what rows are paired: first exactly, then by what a row with a wrong value still shares with the right one. */
const SAME_TRACE = [['trace_id', 'end_lt', 'positions'], ['trace_id'], ['trace8'], ['end_lt', 'nodes']];
const SAME_TRACE_ACCOUNT = [
  ['acc8', 'end_lt', 'trace8', 'end_utime', 'mc_seqno_end'],
  ['acc8', 'trace8'],
  ['acc8', 'end_lt'],
  ['trace8', 'end_lt'],
];
const SAME_MEMBER = [['trace_id', 'at', 'acc8'], ['at'], ['trace_id', 'acc8']];

/** Traces that lie entirely in the range are compared in all columns, others by their transactions only. */
export function createTraceCheck(context: CheckContext) {
  const { db } = context;
  const walk = new TraceWalk();
  /** Traces that stay open forever, and their first messages: there are few. */
  const broken = new Map<string, WalkedTrace>();
  const orphans = new Map<string, Row>();
  let current: { readonly mcSeqno: number; readonly walked: WalkedSeqno } | undefined;

  return {
    /** Adds the transactions of the next seqno and returns the trace of each. */
    async walk(mcSeqno: number, placed: readonly PlacedTransaction[]) {
      const unknown = walk.unknownSenders(placed);
      const senders = await readSenders(
        db,
        unknown.map(({ hash }) => hash),
      );
      const others = unknown.filter((one) => !senders.has(one.hash.toString('hex')) && !isFromSystem(one));
      const dropped = await readDroppedSenders(
        db,
        mcSeqno,
        others.map(({ hash }) => hash),
      );
      for (const [hash, sender] of dropped) senders.set(hash, sender);
      const walked = walk.take(mcSeqno, placed, senders);
      for (const [hash, { id }] of walked.orphans)
        orphans.set(hash, { trace_id: Buffer.from(id, 'hex'), mc_seqno: mcSeqno });
      current = { mcSeqno, walked };
      return walked.transactions;
    },
    /** Compares the traces that are complete after this seqno; `positions` are those of its transactions. */
    async compare(positions: readonly (number | undefined)[]) {
      const { mcSeqno, walked } = current!;
      for (const [i, one] of walked.transactions.entries()) addMember(one, positions[i]);
      const own = settledTraces(walked).filter(({ isOutside }) => !isOutside);
      for (const trace of own) if (trace.isBroken) broken.set(trace.id, trace);
      const complete = own.filter(({ isBroken }) => !isBroken);
      await checkComplete(context, mcSeqno, complete);
    },
    /** Compares the traces that are open at the end of the range, in one snapshot: they may end meanwhile. */
    end: () =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (snapshot) => {
          const within = { ...context, db: snapshot };
          const received = await receivedLater(snapshot, [...walk.waiting.keys()]);
          for (const [hash, { trace }] of walk.waiting) if (received.has(hash)) trace.isOutside = true;
          const pending = new Map<string, Row>();
          const open = new Map(broken);
          const outside = new Set<string>();
          for (const [hash, { trace, mcSeqno }] of walk.waiting) {
            if (!received.has(hash))
              pending.set(hash, { trace_id: Buffer.from(trace.id, 'hex'), mc_seqno: mcSeqno });
            if (trace.isOutside) outside.add(trace.id);
            else open.set(trace.id, trace);
          }
          await checkOpen(within, [...open.values()], outside);
          await checkWaiting(within, 'pending_messages', pending);
          await checkWaiting(within, 'orphan_messages', orphans);
        }),
  };
}

/** The senders of messages that are in the index, by hex hash. */
async function readSenders(db: Db, hashes: readonly Buffer[]): Promise<Map<string, Sender>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ at: string }>`
    select at from messages where hash8 = any(${hashes.map(hashPrefix)}::bigint[]) and ordinal > 0`.execute(
    db,
  );
  const wanted = new Set(hashes.map((hash) => hash.toString('hex')));
  const senders = new Map<string, Sender>();
  for (const { cell, mcSeqno, traceId } of (await readSlots(db, positionsOf(rows))).values())
    for (const { hash } of readChainTransaction(cell).outMessages)
      if (wanted.has(hash.toString('hex'))) senders.set(hash.toString('hex'), { mcSeqno, traceId });
  return senders;
}

/** Stands for the seqno of a sender that was dropped. */
const DROPPED = -1;

/**
 * The senders that were dropped with the oldest partitions. Their messages are not among those without a sender, and
 * the transactions that received them tell the trace.
 */
async function readDroppedSenders(
  db: Db,
  mcSeqno: number,
  hashes: readonly Buffer[],
): Promise<Map<string, Sender>> {
  const senders = new Map<string, Sender>();
  if (hashes.length === 0) return senders;
  const orphans = await db.selectFrom('orphan_messages').select('hash').where('hash', 'in', hashes).execute();
  const wanted = new Set(hashes.map((hash) => hash.toString('hex')));
  for (const { hash } of orphans) wanted.delete(hash.toString('hex'));
  const prefixes = hashes.filter((hash) => wanted.has(hash.toString('hex'))).map(hashPrefix);
  if (prefixes.length === 0) return senders;
  const { rows } = await sql<{ at: string }>`
    select at from transactions where in8 = any(${prefixes}::bigint[]) and mc_seqno = ${mcSeqno}`.execute(db);
  for (const { cell, traceId } of (await readSlots(db, positionsOf(rows))).values()) {
    const { inMessage, hash } = readChainTransaction(cell);
    const key = inMessage?.hash.toString('hex');
    if (key !== undefined && wanted.has(key) && !traceId.equals(hash))
      senders.set(key, { traceId, mcSeqno: DROPPED });
  }
  return senders;
}

/** The messages that have an indexed receiver. */
async function receivedLater(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const received = new Set<string>();
  for (let i = 0; i < hashes.length; i += HASHES_PER_QUERY) {
    const prefixes = hashes
      .slice(i, i + HASHES_PER_QUERY)
      .map((hash) => hashPrefix(Buffer.from(hash, 'hex')));
    const { rows } = await sql<{ at: string }>`
      select at from transactions where in8 = any(${prefixes}::bigint[])`.execute(db);
    for (const { cell } of (await readSlots(db, positionsOf(rows))).values())
      received.add(readChainTransaction(cell).inMessage!.hash.toString('hex'));
  }
  return received;
}

function positionsOf(rows: readonly { readonly at: string }[]): number[] {
  return rows.map(({ at }) => Number(at));
}

/** Compares the traces that end with a seqno; those that start before the range cannot be derived from it. */
async function checkComplete(
  { db, findings, seen, width }: CheckContext,
  mcSeqno: number,
  complete: readonly WalkedTrace[],
): Promise<void> {
  const expected = complete.map((trace) => traceRow(trace, width));
  const accounts = complete.flatMap(accountRows);
  // Accounts first: a trace that is joined meanwhile is then known by its row.
  const foundAccounts = await accountsOf(db, mcSeqno, accounts);
  seen.add('trace_accounts', mcSeqno, foundAccounts.length);
  const { rows } = await sql<TraceRow>`select * from traces where mc_seqno_end = ${mcSeqno}`.execute(db);
  const ids = new Set(expected.map(({ columns }) => String(columns.trace8)));
  const isOwn = (row: TraceRow) => row.mc_seqno_start >= seen.from || ids.has(row.trace8);
  const others = new Set(rows.filter((row) => !isOwn(row)).map(({ trace8 }) => trace8));
  const stored = rows.filter(isOwn).map((row) => withInfo(findings, row));
  findings.compareRows('traces', expected, stored, SAME_TRACE);
  findings.compareRows(
    'trace_accounts',
    accounts,
    foundAccounts.filter(({ trace8 }) => !others.has(String(trace8))),
    SAME_TRACE_ACCOUNT,
  );
}

/** The rows of accounts of traces that end with a seqno. */
async function accountsOf(
  db: Db,
  mcSeqno: number,
  accounts: readonly ExpectedRow[],
): Promise<readonly Row[]> {
  if (accounts.length === 0) return [];
  const lts = accounts.map(({ columns }) => columns.end_lt as bigint);
  const first = lts.reduce((a, b) => (a < b ? a : b));
  const last = lts.reduce((a, b) => (a > b ? a : b));
  const { rows } = await sql<Row>`
    select * from trace_accounts where mc_seqno_end = ${mcSeqno} and end_lt between ${first} and ${last}
      and acc8 = any(${[...new Set(accounts.map(({ columns }) => columns.acc8))]}::bigint[])`.execute(db);
  return rows;
}

/** A row of `traces` with what is packed in it, in place of the bytes. */
function withInfo(findings: Findings, row: TraceRow): Row {
  const { info, ...columns } = row;
  try {
    return { ...columns, ...readTraceInfo(row) };
  } catch (error) {
    const key = `trace8 ${row.trace8}, end_lt ${row.end_lt}`;
    findings.add({ table: 'traces', key, column: 'info', expected: 'a packed trace', found: String(error) });
    return columns;
  }
}

async function checkOpen(
  { db, findings, seen: { from, to } }: CheckContext,
  open: readonly WalkedTrace[],
  outside: ReadonlySet<string>,
): Promise<void> {
  const rows = await db
    .selectFrom('open_traces')
    .selectAll()
    .where('mc_seqno_start', '>=', from)
    .where('mc_seqno_start', '<=', to)
    .execute();
  const own = rows.filter(({ trace_id: id }) => !outside.has(id.toString('hex')));
  const expected = new Map(open.map((trace) => [trace.id, openRow(trace)]));
  findings.compare('open_traces', expected, rowsByKey(own, ['trace_id']));
  for (let i = 0; i < open.length; i += HASHES_PER_QUERY) {
    const part = open.slice(i, i + HASHES_PER_QUERY);
    const stored = await db
      .selectFrom('open_members')
      .selectAll()
      .where(
        'trace_id',
        'in',
        part.map(({ id }) => Buffer.from(id, 'hex')),
      )
      .execute();
    findings.compareRows('open_members', part.flatMap(memberRows), stored, SAME_MEMBER);
  }
  const { rows: strays } = await sql<{ id: string; at: string }>`
    select encode(trace_id, 'hex') as id, at from open_members member
    where not exists (select from open_traces trace where trace.trace_id = member.trace_id)
    limit ${MAX_STRAYS}`.execute(db);
  for (const { id, at } of strays)
    findings.addSurplus('open_members', `position ${at} of trace ${id}, which is not open`);
}

async function checkWaiting(
  { db, findings, seen: { from, to } }: CheckContext,
  table: 'pending_messages' | 'orphan_messages',
  expected: ReadonlyMap<string, Row>,
): Promise<void> {
  const rows = await db
    .selectFrom(table)
    .selectAll()
    .where('mc_seqno', '>=', from)
    .where('mc_seqno', '<=', to)
    .execute();
  findings.compare(table, expected, rowsByKey(rows, ['hash']));
}

/** The columns that complete and open traces have. */
function headOf(trace: WalkedTrace) {
  return {
    trace_id: Buffer.from(trace.id, 'hex'),
    mc_seqno_start: trace.mcSeqnoStart,
    mc_seqno_end: trace.mcSeqnoEnd,
    start_lt: trace.startLt,
    start_utime: trace.startUtime,
    end_lt: trace.endLt,
    end_utime: trace.endUtime,
    nodes: trace.members.length,
    edges: trace.edges,
  };
}

function traceRow(trace: WalkedTrace, width: number): ExpectedRow {
  const head = headOf(trace);
  const partition = (seqno: number) => Math.floor(seqno / width);
  // The first transaction has the hashes, but may be dropped before the trace.
  const keepsExternal = partition(trace.mcSeqnoStart) !== partition(trace.mcSeqnoEnd);
  const positions = trace.members.map(({ at }) => at);
  return {
    name: `trace ${trace.id}`,
    columns: {
      ...head,
      end_utime: storedTime(trace.endUtime),
      trace8: hashPrefix(head.trace_id),
      keeps_external: keepsExternal,
      external_hash: keepsExternal ? trace.externalHash : null,
      external_hash_norm: keepsExternal ? trace.externalHashNorm : null,
      ...(positions.includes(undefined) ? {} : { positions }),
    },
  };
}

function accountRows(trace: WalkedTrace): ExpectedRow[] {
  const { id, members, endLt, endUtime, mcSeqnoEnd } = trace;
  const trace8 = hashPrefix(Buffer.from(id, 'hex'));
  return [...new Set(members.map(({ acc8 }) => acc8))].map((acc8) => ({
    name: `account with acc8 ${acc8} of trace ${id}`,
    columns: { acc8, end_lt: endLt, trace8, end_utime: storedTime(endUtime), mc_seqno_end: mcSeqnoEnd },
  }));
}

function memberRows({ id, members }: WalkedTrace): ExpectedRow[] {
  const traceId = Buffer.from(id, 'hex');
  return members.map(({ at, acc8 }) => ({
    name: `position ${at} of trace ${id}`,
    columns: { trace_id: traceId, ...(at === undefined ? {} : { at }), acc8 },
  }));
}

function openRow(trace: WalkedTrace): Row {
  return {
    ...headOf(trace),
    external_hash: trace.externalHash,
    external_hash_norm: trace.externalHashNorm,
    pending_edges: trace.pending,
    broken: trace.isBroken,
  };
}
