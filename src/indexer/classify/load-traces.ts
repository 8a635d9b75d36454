import type { ClientBase } from 'pg';
import { byLtAndAccount } from '../../chain/logical-time.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { type OpenPage, openPage } from '../../pages/page.ts';
import { type Position, pageOf, slotOf } from '../../pages/position.ts';
import type { TraceFacts } from '../actions/classifier-input.ts';
import type { OpenTraceRow } from '../traces/trace-rows.ts';
import { accountText } from './contracts.ts';
import { readTraceTransactions } from './read-facts.ts';
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

/** Maximum bytes of the cells of transactions. */
const MAX_BYTES = 64 * 1024 * 1024;

type TraceRow = Omit<OpenTraceRow, 'edges' | 'pending_edges' | 'broken'>;

/** Lateral lookups by key: other joins might scan whole partitions. */
const FIND_TRACES = `
select found.* from unnest($1::bytea[], $2::int[]) as asked (trace_id, mc_seqno_end) join lateral (
  select trace_id, external_hash, external_hash_norm, mc_seqno_start, mc_seqno_end, start_lt, start_utime, end_lt,
    end_utime, nodes
  from traces where trace_id = asked.trace_id and mc_seqno_end = asked.mc_seqno_end
    and mc_seqno_end between $3 and $4 limit 1) found on true`;

const FIND_MEMBERS = `
select at, trace_id from transactions where trace_id = any($1::bytea[]) and mc_seqno between $2 and $3`;

const READ_PAGES =
  'select page, body from tx_pages where page = any($1::bigint[]) and page between $2 and $3';

/** Loads traces with their transactions and messages in three statements. */
export async function loadTraces(
  client: ClientBase,
  taken: readonly TakenTrace[],
  maxBytes = MAX_BYTES,
): Promise<LoadedTraces> {
  if (taken.length === 0) return { loaded: [], missing: [], partial: [], tooHeavy: [] };
  const traces = await findTraces(client, taken);
  const found = taken.filter(({ traceId }) => traces.has(bytesKey(traceId)));
  const missing = taken.filter(({ traceId }) => !traces.has(bytesKey(traceId)));
  if (found.length === 0) return { loaded: [], missing, partial: [], tooHeavy: [] };
  const members = await findMembers(client, [...traces.values()]);
  const pages = await openPages(client, [...members.values()].flat());

  const loaded: LoadedTrace[] = [];
  const partial: TakenTrace[] = [];
  const tooHeavy: TakenTrace[] = [];
  let bytesLeft = maxBytes;
  for (const one of found) {
    const key = bytesKey(one.traceId);
    const row = traces.get(key)!;
    const slots = (members.get(key) ?? []).flatMap((at) => {
      const page = pages.get(pageOf(at));
      return page === undefined ? [] : [{ page, slot: slotOf(at) }];
    });
    for (const { page, slot } of slots) bytesLeft -= page.packed(slot).bag.length;
    if (slots.length !== row.nodes) partial.push(one);
    else if (bytesLeft < 0) tooHeavy.push(one);
    else loaded.push(toLoaded(one, row, slots));
  }
  return { loaded, missing, partial, tooHeavy };
}

/** The positions of the transactions of traces, by trace id. */
async function findMembers(
  client: ClientBase,
  traces: readonly TraceRow[],
): Promise<ReadonlyMap<string, readonly Position[]>> {
  const first = traces.reduce((least, { mc_seqno_start }) => Math.min(least, mc_seqno_start), Infinity);
  const last = traces.reduce((most, { mc_seqno_end }) => Math.max(most, mc_seqno_end), 0);
  const { rows } = await client.query<{ readonly at: string; readonly trace_id: Buffer }>(FIND_MEMBERS, [
    traces.map(({ trace_id }) => trace_id),
    first,
    last,
  ]);
  const members = new Map<string, Position[]>();
  for (const { at, trace_id } of rows) {
    const key = bytesKey(trace_id);
    const own = members.get(key);
    if (own === undefined) members.set(key, [Number(at)]);
    else own.push(Number(at));
  }
  return members;
}

/** Opens the pages of positions, each once. */
async function openPages(
  client: ClientBase,
  positions: readonly Position[],
): Promise<ReadonlyMap<number, OpenPage>> {
  const pages = [...new Set(positions.map(pageOf))].sort((a, b) => a - b);
  const { rows } = await client.query<{ readonly page: string; readonly body: Buffer }>(READ_PAGES, [
    pages,
    pages[0],
    pages.at(-1),
  ]);
  return new Map(rows.map(({ page, body }) => [Number(page), openPage(Number(page), body)]));
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
  slots: readonly { readonly page: OpenPage; readonly slot: number }[],
): LoadedTrace {
  const accounts = new Map<string, Buffer>();
  const members = slots.map(({ page, slot }) => {
    const account = page.account(slot);
    accounts.set(accountText(account), account);
    return { transaction: page.transaction(slot), mcSeqno: page.place(slot).mcSeqno };
  });
  members.sort((a, b) => byLtAndAccount(a.transaction, b.transaction));
  const facts: TraceFacts = {
    traceId: row.trace_id.toString('base64'),
    externalHash: row.external_hash?.toString('base64') ?? null,
    externalHashNorm: row.external_hash_norm?.toString('base64') ?? null,
    mcSeqnoEnd: row.mc_seqno_end,
    startLt: BigInt(row.start_lt),
    endLt: BigInt(row.end_lt),
    startUtime: Number(row.start_utime),
    endUtime: Number(row.end_utime),
    transactions: readTraceTransactions(members),
  };
  return { taken, facts, accounts };
}
