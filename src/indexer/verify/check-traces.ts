import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { type Findings, type Row, rowsByKey } from './differences.ts';
import type { PlacedTransaction } from './expected-rows.ts';

/** Compares traces while a range is processed. */
interface TraceCheck {
  /** Adds the transactions of the next seqno and returns the trace of each. */
  readonly seqno: (mcSeqno: number, placed: readonly PlacedTransaction[]) => Promise<Buffer[]>;
  /** Compares the traces that are open at the end of the range. */
  readonly end: () => Promise<void>;
}

const PAGE = 1000;

/** Traces that lie entirely in the range are compared in all columns, others by their transactions only. */
export function createTraceCheck(
  db: Kysely<Tables>,
  findings: Findings,
  from: number,
  to: number,
): TraceCheck {
  const walk = new TraceWalk();
  /** Traces that stay open forever, and their first messages: there are few. */
  const broken = new Map<string, Row>();
  const orphans = new Map<string, Row>();

  return {
    async seqno(mcSeqno, placed) {
      const senders = await tracesOfSenders(db, walk.unknownSenders(placed));
      const walked = walk.take(mcSeqno, placed, senders);
      for (const [hash, { id }] of walked.orphans)
        orphans.set(hash, { trace_id: Buffer.from(id, 'hex'), mc_seqno: mcSeqno });
      const own = walked.settled.filter(({ isOutside }) => !isOutside);
      for (const trace of own.filter(({ isBroken }) => isBroken)) broken.set(trace.id, openRow(trace));
      const complete = own.filter(({ isBroken }) => !isBroken);
      await checkComplete(db, findings, { mcSeqno, from }, complete);
      return walked.traces.map(({ id }) => Buffer.from(id, 'hex'));
    },
    async end() {
      const received = await receivedLater(db, [...walk.waiting.keys()]);
      for (const [hash, { trace }] of walk.waiting) if (received.has(hash)) trace.isOutside = true;
      const pending = new Map<string, Row>();
      const outside = new Set<string>();
      for (const [hash, { trace, mcSeqno }] of walk.waiting) {
        if (!received.has(hash))
          pending.set(hash, { trace_id: Buffer.from(trace.id, 'hex'), mc_seqno: mcSeqno });
        if (trace.isOutside) outside.add(trace.id);
        else broken.set(trace.id, openRow(trace));
      }
      await checkOpen(db, findings, { from, to }, broken, outside);
      for (const [table, expected] of [
        ['pending_messages', pending] as const,
        ['orphan_messages', orphans] as const,
      ]) {
        const rows = await db
          .selectFrom(table)
          .selectAll()
          .where('mc_seqno', '>=', from)
          .where('mc_seqno', '<=', to)
          .execute();
        findings.compare(table, expected, rowsByKey(rows, ['hash']));
      }
    },
  };
}

/** The traces of the senders, by message hash. */
async function tracesOfSenders(db: Kysely<Tables>, hashes: readonly Buffer[]): Promise<Map<string, Buffer>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ hash: Buffer; trace_id: Buffer }>`
    select m.hash, t.trace_id from messages m
    join transactions t on t.account = m.account and t.lt = m.tx_lt and t.mc_seqno = m.mc_seqno
    where m.hash = any(${[...hashes]}::bytea[]) and m.ordinal > 0`.execute(db);
  return new Map(rows.map((row) => [row.hash.toString('hex'), row.trace_id]));
}

/** The messages that have an indexed receiver. */
async function receivedLater(db: Kysely<Tables>, hashes: readonly string[]): Promise<Set<string>> {
  const received = new Set<string>();
  for (let i = 0; i < hashes.length; i += PAGE) {
    const page = hashes.slice(i, i + PAGE).map((hash) => Buffer.from(hash, 'hex'));
    const { rows } = await sql<{ hash: Buffer }>`
      select hash from messages where hash = any(${page}::bytea[]) and ordinal = 0`.execute(db);
    for (const { hash } of rows) received.add(hash.toString('hex'));
  }
  return received;
}

/** Compares the traces that end with a seqno; those that start before the range cannot be derived from it. */
async function checkComplete(
  db: Kysely<Tables>,
  findings: Findings,
  { mcSeqno, from }: { readonly mcSeqno: number; readonly from: number },
  complete: readonly WalkedTrace[],
): Promise<void> {
  const rows = await db.selectFrom('traces').selectAll().where('mc_seqno_end', '=', mcSeqno).execute();
  const expected = new Map<string, Row>(complete.map((trace) => [trace.id, traceRow(trace)]));
  const found = rows.filter(
    (row) => row.mc_seqno_start >= from || expected.has(row.trace_id.toString('hex')),
  );
  findings.compare('traces', expected, rowsByKey(found, ['trace_id']));
  if (complete.length === 0) return;
  const accounts = complete.flatMap((trace) =>
    [...trace.accounts].map((account) => ({
      trace_id: Buffer.from(trace.id, 'hex'),
      account: Buffer.from(account, 'hex'),
      end_lt: trace.endLt,
      end_utime: trace.endUtime,
      mc_seqno_end: mcSeqno,
    })),
  );
  const { rows: foundAccounts } = await sql<Row>`
    select a.* from unnest(${accounts.map((row) => row.account)}::bytea[], ${accounts.map((row) => row.trace_id)}::bytea[],
      ${accounts.map((row) => String(row.end_lt))}::bigint[]) as page (account, trace_id, end_lt)
    join trace_accounts a using (account, trace_id, end_lt)`.execute(db);
  const key = ['trace_id', 'account'];
  findings.compare('trace_accounts', rowsByKey(accounts, key), rowsByKey(foundAccounts, key));
}

async function checkOpen(
  db: Kysely<Tables>,
  findings: Findings,
  { from, to }: { readonly from: number; readonly to: number },
  expected: ReadonlyMap<string, Row>,
  outside: ReadonlySet<string>,
): Promise<void> {
  const rows = await db
    .selectFrom('open_traces')
    .selectAll()
    .where('mc_seqno_start', '>=', from)
    .where('mc_seqno_start', '<=', to)
    .execute();
  const own = rows.filter(({ trace_id: id }) => !outside.has(id.toString('hex')));
  findings.compare('open_traces', expected, rowsByKey(own, ['trace_id']));
}

function traceRow(trace: WalkedTrace): Row {
  return {
    trace_id: Buffer.from(trace.id, 'hex'),
    external_hash: trace.externalHash,
    external_hash_norm: trace.externalHashNorm,
    mc_seqno_start: trace.mcSeqnoStart,
    mc_seqno_end: trace.mcSeqnoEnd,
    start_lt: trace.startLt,
    start_utime: trace.startUtime,
    end_lt: trace.endLt,
    end_utime: trace.endUtime,
    nodes: trace.nodes,
    edges: trace.edges,
  };
}

function openRow(trace: WalkedTrace): Row {
  return { ...traceRow(trace), pending_edges: trace.pending, broken: trace.isBroken };
}

/** The part of a trace within the range. */
interface WalkedTrace {
  /** Hex. */
  readonly id: string;
  /** Whether it has transactions outside the range: its counters are unknown then. */
  isOutside: boolean;
  /** Whether it starts with a message whose sender is not indexed. */
  readonly isBroken: boolean;
  readonly externalHash: Buffer | null;
  readonly externalHashNorm: Buffer | null;
  readonly mcSeqnoStart: number;
  readonly startLt: bigint;
  readonly startUtime: number;
  mcSeqnoEnd: number;
  endLt: bigint;
  endUtime: number;
  nodes: number;
  edges: number;
  pending: number;
  /** Hex. */
  readonly accounts: Set<string>;
}

/** A message that was sent and not received yet. */
interface WaitingMessage {
  readonly trace: WalkedTrace;
  readonly mcSeqno: number;
}

/** The traces of one seqno. */
interface WalkedSeqno {
  /** The trace of each transaction. */
  readonly traces: readonly WalkedTrace[];
  /** Traces without pending messages. */
  readonly settled: readonly WalkedTrace[];
  /** Messages whose sender is not indexed, by hex hash. */
  readonly orphans: ReadonlyMap<string, WalkedTrace>;
}

const SYSTEM = Buffer.concat([Buffer.of(0xff), Buffer.alloc(32)]);

/** Follows messages through a range, seqno by seqno; keeps only traces with pending messages. */
class TraceWalk {
  readonly waiting = new Map<string, WaitingMessage>();

  /** Messages of a seqno that were not sent in the range: their senders must be looked up. */
  unknownSenders(placed: readonly PlacedTransaction[]): Buffer[] {
    const sent = new Set(
      placed.flatMap(({ transaction }) => transaction.outMessages.map(({ hash }) => hex(hash))),
    );
    return placed.flatMap(({ transaction: { inMessage } }) => {
      if (inMessage?.kind !== 'internal') return [];
      const key = hex(inMessage.hash);
      return sent.has(key) || this.waiting.has(key) ? [] : [inMessage.hash];
    });
  }

  /** Adds the transactions of the next seqno; `senders` has the traces of messages with an indexed sender. */
  take(
    mcSeqno: number,
    placed: readonly PlacedTransaction[],
    senders: ReadonlyMap<string, Buffer>,
  ): WalkedSeqno {
    const orphans = new Map<string, WalkedTrace>();
    const outside = new Map<string, WalkedTrace>();
    const traces = placed.map((one) => {
      const trace = this.#traceOf(mcSeqno, one, senders, orphans, outside);
      const { transaction, account } = one;
      trace.nodes++;
      trace.accounts.add(hex(account));
      trace.mcSeqnoEnd = Math.max(trace.mcSeqnoEnd, mcSeqno);
      trace.endUtime = Math.max(trace.endUtime, transaction.now);
      if (transaction.lt > trace.endLt) trace.endLt = transaction.lt;
      for (const message of transaction.outMessages) {
        if (message.kind === 'external-out') {
          trace.edges++;
          continue;
        }
        trace.pending++;
        this.waiting.set(hex(message.hash), { trace, mcSeqno });
      }
      return trace;
    });
    const settled = [...new Set(traces)].filter(({ pending }) => pending === 0);
    return { traces, settled, orphans };
  }

  #traceOf(
    mcSeqno: number,
    one: PlacedTransaction,
    senders: ReadonlyMap<string, Buffer>,
    orphans: Map<string, WalkedTrace>,
    outside: Map<string, WalkedTrace>,
  ): WalkedTrace {
    const { inMessage, hash } = one.transaction;
    if (inMessage?.kind !== 'internal') return begin(mcSeqno, one, hex(hash), false, false);
    const key = hex(inMessage.hash);
    const sender = this.waiting.get(key);
    if (sender !== undefined) {
      this.waiting.delete(key);
      sender.trace.pending--;
      sender.trace.edges++;
      return sender.trace;
    }
    const known = senders.get(key)?.toString('hex');
    // The zero account can send messages like any other; one without a sending transaction was created by the block.
    if (known === undefined && inMessage.source?.equals(SYSTEM))
      return begin(mcSeqno, one, hex(hash), false, false);
    if (known === undefined) {
      const orphan = begin(mcSeqno, one, hex(hash), true, false);
      orphans.set(key, orphan);
      return orphan;
    }
    const trace = outside.get(known) ?? begin(mcSeqno, one, known, false, true);
    outside.set(known, trace);
    return trace;
  }
}

function begin(
  mcSeqno: number,
  { transaction }: PlacedTransaction,
  id: string,
  isBroken: boolean,
  isOutside: boolean,
): WalkedTrace {
  const { inMessage, lt, now } = transaction;
  const first = isBroken || isOutside ? undefined : inMessage;
  const norm = first?.normalHash;
  return {
    id,
    isOutside,
    isBroken,
    externalHash: first?.hash ?? null,
    externalHashNorm: norm === undefined || norm.equals(first!.hash) ? null : norm,
    mcSeqnoStart: mcSeqno,
    startLt: lt,
    startUtime: now,
    mcSeqnoEnd: mcSeqno,
    endLt: lt,
    endUtime: now,
    nodes: 0,
    edges: first === undefined ? 0 : 1,
    pending: 0,
    accounts: new Set(),
  };
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex');
}
