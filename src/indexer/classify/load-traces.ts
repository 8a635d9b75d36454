import type { ClientBase } from 'pg';
import { bytesKey } from '../../lib/bytes-key.ts';
import type { MessageFacts, TraceFacts, TransactionFacts } from '../actions/classifier-input.ts';
import type { OpenTraceRow } from '../traces/trace-rows.ts';
import { accountText } from './contracts.ts';
import type { TakenTrace } from './trace-queue.ts';

/** The loaded traces, and those that could not be loaded. */
interface LoadedTraces {
  readonly loaded: readonly LoadedTrace[];
  /** No longer in the index. */
  readonly missing: readonly TakenTrace[];
  /** Some of their transactions are no longer in the index. */
  readonly partial: readonly TakenTrace[];
  /** Their messages exceed the memory limit together with those of the others. */
  readonly tooHeavy: readonly TakenTrace[];
}

/** A trace with everything that classification needs. */
export interface LoadedTrace {
  readonly taken: TakenTrace;
  readonly facts: TraceFacts;
  /** The accounts of its transactions, by their texts. */
  readonly accounts: ReadonlyMap<string, Buffer>;
}

/** Maximum bodies and initial states in memory. */
const MAX_BYTES = 64 * 1024 * 1024;

type TraceRow = Omit<OpenTraceRow, 'edges' | 'pending_edges' | 'broken'>;

/** Lateral lookups by key: other joins might scan whole partitions. */
const FIND_TRACES = `
select found.* from unnest($1::bytea[], $2::int[]) as asked (trace_id, mc_seqno_end) join lateral (
  select trace_id, external_hash, external_hash_norm, mc_seqno_start, mc_seqno_end, start_lt, start_utime, end_lt,
    end_utime, nodes
  from traces where trace_id = asked.trace_id and mc_seqno_end = asked.mc_seqno_end
    and mc_seqno_end between $3 and $4 limit 1) found on true`;

interface TransactionRow {
  readonly trace_id: Buffer;
  readonly account: Buffer;
  readonly lt: string;
  readonly hash: Buffer;
  readonly mc_seqno: number;
  readonly now: string;
  readonly kind: string;
  readonly orig_status: TransactionFacts['origStatus'];
  readonly end_status: TransactionFacts['endStatus'];
  readonly aborted: boolean | null;
  readonly compute_skip_reason: string | null;
  readonly compute_exit_code: number | null;
}

const OF_TRACES = `
unnest($1::bytea[], $2::int[], $3::int[]) as asked (id, first, last) join lateral (
  select * from transactions where trace_id = asked.id and mc_seqno between asked.first and asked.last
    and mc_seqno between $4 and $5 offset 0) t on true`;

const FIND_TRANSACTIONS = `
select t.trace_id, t.account, t.lt, t.hash, t.mc_seqno, t.now, t.kind, t.orig_status, t.end_status, t.aborted,
  t.compute_skip_reason, t.compute_exit_code
from ${OF_TRACES} order by t.lt, t.account`;

/** The body of a delivered message is read only on the receiving side. */
const FIND_MESSAGES = `
select tx_hash, account, ordinal, hash, peer, lt, created_at, value, value_extra, opcode, bounce,
  case when bytes <= $7 then body end as body, case when bytes <= $7 then init end as init, bytes > $7 as "isCut"
from (
  select t.hash as tx_hash, m.*, body.boc as body, init.boc as init,
    sum(coalesce(octet_length(body.boc), 0) + coalesce(octet_length(init.boc), 0))
      over (rows unbounded preceding) as bytes
  from ${OF_TRACES}
  join lateral (
    select account, ordinal, hash, peer, lt, created_at, value, value_extra, opcode, bounce, body_hash, init_hash
    from messages where account = t.account and tx_lt = t.lt and mc_seqno = t.mc_seqno
      and mc_seqno between $4 and $5 offset 0) m on true
  left join lateral (
    select boc from message_contents where hash = m.body_hash and part = t.mc_seqno - t.mc_seqno % $6 limit 1) body
    on m.ordinal = 0 or m.peer is null
  left join lateral (
    select boc from message_contents where hash = m.init_hash and part = t.mc_seqno - t.mc_seqno % $6 limit 1) init
    on m.init_hash is not null and (m.ordinal = 0 or m.peer is null)
) found`;

/** Loads traces with their transactions and messages in three statements. */
export async function loadTraces(
  client: ClientBase,
  taken: readonly TakenTrace[],
  partitionSeqnos: number,
  maxBytes = MAX_BYTES,
): Promise<LoadedTraces> {
  if (taken.length === 0) return { loaded: [], missing: [], partial: [], tooHeavy: [] };
  const traces = await findTraces(client, taken);
  const found = taken.filter(({ traceId }) => traces.has(bytesKey(traceId)));
  const missing = taken.filter(({ traceId }) => !traces.has(bytesKey(traceId)));
  if (found.length === 0) return { loaded: [], missing, partial: [], tooHeavy: [] };
  const rows = [...traces.values()];
  const [firsts, lasts] = [rows.map((row) => row.mc_seqno_start), rows.map((row) => row.mc_seqno_end)];
  const bounds = [firsts.reduce((a, b) => Math.min(a, b)), lasts.reduce((a, b) => Math.max(a, b))];
  const params = [rows.map(({ trace_id }) => trace_id), firsts, lasts, ...bounds];
  const transactions = await client.query<TransactionRow>(FIND_TRANSACTIONS, params);
  const messages = await client.query<MessageRow>(FIND_MESSAGES, [...params, partitionSeqnos, maxBytes]);
  const ofTrace = Map.groupBy(transactions.rows, ({ trace_id }) => bytesKey(trace_id));
  const ofTransaction = Map.groupBy(messages.rows, ({ tx_hash }) => bytesKey(tx_hash));
  const internal = internalMessages(messages.rows);

  const loaded: LoadedTrace[] = [];
  const partial: TakenTrace[] = [];
  const tooHeavy: TakenTrace[] = [];
  for (const one of found) {
    const key = bytesKey(one.traceId);
    const own = ofTrace.get(key) ?? [];
    const isCut = ({ hash }: TransactionRow) =>
      ofTransaction.get(bytesKey(hash))?.some((message) => message.isCut);
    if (own.length !== traces.get(key)!.nodes) partial.push(one);
    else if (own.some(isCut)) tooHeavy.push(one);
    else loaded.push(toLoaded(one, traces.get(key)!, own, ofTransaction, internal));
  }
  return { loaded, missing, partial, tooHeavy };
}

async function findTraces(
  client: ClientBase,
  taken: readonly TakenTrace[],
): Promise<ReadonlyMap<string, TraceRow>> {
  const seqnos = taken.map(({ mcSeqnoEnd }) => mcSeqnoEnd);
  const { rows } = await client.query<TraceRow>(FIND_TRACES, [
    taken.map(({ traceId }) => traceId),
    seqnos,
    Math.min(...seqnos),
    Math.max(...seqnos),
  ]);
  return new Map(rows.map((row) => [bytesKey(row.trace_id), row]));
}

function toLoaded(
  taken: TakenTrace,
  row: TraceRow,
  transactions: readonly TransactionRow[],
  messages: ReadonlyMap<string, readonly MessageRow[]>,
  internal: ReadonlyMap<string, MessageFacts>,
): LoadedTrace {
  const accounts = new Map<string, Buffer>();
  const facts: TraceFacts = {
    traceId: row.trace_id.toString('base64'),
    externalHash: row.external_hash?.toString('base64') ?? null,
    externalHashNorm: row.external_hash_norm?.toString('base64') ?? null,
    mcSeqnoEnd: row.mc_seqno_end,
    startLt: BigInt(row.start_lt),
    endLt: BigInt(row.end_lt),
    startUtime: Number(row.start_utime),
    endUtime: Number(row.end_utime),
    transactions: transactions.map((transaction) => {
      const account = accountText(transaction.account);
      accounts.set(account, transaction.account);
      return transactionFacts(transaction, account, messages.get(bytesKey(transaction.hash)) ?? [], internal);
    }),
  };
  return { taken, facts, accounts };
}

function transactionFacts(
  row: TransactionRow,
  account: string,
  messages: readonly MessageRow[],
  internal: ReadonlyMap<string, MessageFacts>,
): TransactionFacts {
  // A delivered message is the same object on both sides.
  const factsOf = (message: MessageRow) => internal.get(bytesKey(message.hash)) ?? messageFacts(message);
  const [inbound] = messages.filter(({ ordinal }) => ordinal === 0);
  const sent = messages.filter(({ ordinal }) => ordinal > 0).sort((a, b) => a.ordinal - b.ordinal);
  return {
    hash: row.hash.toString('base64'),
    account,
    lt: BigInt(row.lt),
    now: Number(row.now),
    mcSeqno: row.mc_seqno,
    origStatus: row.orig_status,
    endStatus: row.end_status,
    tickTock: row.kind === 'tick_tock',
    aborted: row.aborted ?? false,
    skippedReason: row.compute_skip_reason,
    exitCode: row.compute_exit_code,
    inMessage: inbound && factsOf(inbound),
    outMessages: sent.map(factsOf),
  };
}

/** An indexed message on the side of one transaction. */
interface MessageRow {
  readonly tx_hash: Buffer;
  readonly account: Buffer;
  readonly ordinal: number;
  readonly hash: Buffer;
  readonly peer: Buffer | null;
  readonly lt: string;
  readonly created_at: string | null;
  readonly value: string | null;
  readonly value_extra: Readonly<Record<string, string>> | null;
  readonly opcode: number | null;
  readonly bounce: boolean | null;
  readonly body: Buffer | null;
  readonly init: Buffer | null;
  /** Whether body and initial state were omitted because of the memory limit. */
  readonly isCut: boolean;
}

const NO_CURRENCIES: Readonly<Record<string, string>> = {};

/** Internal messages by hash, from the receiving side, which has their bodies. */
function internalMessages(rows: readonly MessageRow[]): ReadonlyMap<string, MessageFacts> {
  const found = new Map<string, MessageFacts>();
  for (const row of rows)
    if (row.ordinal === 0 && row.peer !== null) found.set(bytesKey(row.hash), messageFacts(row));
  return found;
}

/** A message as input of the classifier. */
function messageFacts(row: MessageRow): MessageFacts {
  const isInbound = row.ordinal === 0;
  const account = accountText(row.account);
  const peer = row.peer && accountText(row.peer);
  // For an external message the index stores the lt of its transaction.
  const isExternal = isInbound && peer === null;
  return {
    hash: row.hash.toString('base64'),
    source: isInbound ? peer : account,
    destination: isInbound ? account : peer,
    value: row.value === null ? null : BigInt(row.value),
    extraCurrencies: row.value_extra ?? NO_CURRENCIES,
    createdLt: isExternal ? null : BigInt(row.lt),
    createdAt: row.created_at === null ? null : Number(row.created_at),
    opcode: row.opcode === null ? null : row.opcode >>> 0,
    bounce: row.bounce,
    body: row.body ?? undefined,
    init: row.init ?? undefined,
  };
}
