import type { ClientBase } from 'pg';
import { TRACE_LOCK } from '../../db/advisory-locks.ts';
import { bytesKey, bytesOf, type HashKey } from '../../lib/bytes-key.ts';
import { copyIn, type WriteStatsRecorder } from '../write/copy-in.ts';
import { type MovedTransaction, moveInPages } from '../write/write-pages.ts';
import {
  type JoinedTraces,
  joinTraces,
  type Trace,
  type TraceBatch,
  type TraceMove,
} from './assemble-traces.ts';
import {
  OPEN_TRACE_COLUMNS,
  type OpenTraceRow,
  openTraceRows,
  TRACE_COLUMNS,
  toTrace,
  traceRows,
  UNCLASSIFIED_COLUMNS,
  unclassifiedRows,
  WAITING_COLUMNS,
  waitingRows,
} from './trace-rows.ts';

/**
 * Joins the traces of a batch with indexed ones and writes the result. Holds the trace lock until the end of the
 * transaction, so that concurrent writers see each other's joins and messages.
 */
export async function writeTraces(
  client: ClientBase,
  batch: TraceBatch,
  stats: WriteStatsRecorder,
): Promise<readonly TraceMove[]> {
  if (batch.open.length === 0) return [];
  await client.query('select pg_advisory_xact_lock($1)', [TRACE_LOCK]);
  const pending = await take(client, 'pending_messages', [...batch.received.keys(), ...batch.orphans.keys()]);
  const orphans = await take(client, 'orphan_messages', [...batch.sent.keys()]);
  const open = await takeOpen(client, new Set([...pending.values(), ...orphans.values()]));
  const joined = joinTraces(batch, { pending, orphans, open });
  if (joined.moves.length > 0) await move(client, joined.moves);
  await writeComplete(client, joined, stats);
  stats.add(await copyIn(client, 'open_traces', OPEN_TRACE_COLUMNS, [openTraceRows(joined.open)]));
  stats.add(await copyIn(client, 'pending_messages', WAITING_COLUMNS, [waitingRows(batch.sent)]));
  stats.add(await copyIn(client, 'orphan_messages', WAITING_COLUMNS, [waitingRows(batch.orphans)]));
  return joined.moves;
}

/** Removes messages from a table and returns their traces. */
async function take(
  client: ClientBase,
  table: 'pending_messages' | 'orphan_messages',
  hashes: readonly HashKey[],
): Promise<Map<HashKey, HashKey>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await client.query<{ hash: Buffer; trace_id: Buffer }>(
    `delete from ${table} where hash = any($1::bytea[]) returning hash, trace_id`,
    [hashes.map(bytesOf)],
  );
  return new Map(rows.map(({ hash, trace_id }) => [bytesKey(hash), bytesKey(trace_id)]));
}

async function takeOpen(client: ClientBase, ids: ReadonlySet<HashKey>): Promise<Trace[]> {
  if (ids.size === 0) return [];
  const { rows } = await client.query<OpenTraceRow>(
    'delete from open_traces where trace_id = any($1::bytea[]) returning *',
    [[...ids].map(bytesOf)],
  );
  return rows.map(toTrace);
}

/** Sets the final trace ids of transactions and pending messages. */
async function move(client: ClientBase, moves: readonly TraceMove[]): Promise<void> {
  await preferIndexes(client);
  const ids = [moves.map(({ from }) => bytesOf(from)), moves.map(({ to }) => bytesOf(to))];
  await client.query(
    `update pending_messages set trace_id = move.next
     from unnest($1::bytea[], $2::bytea[]) as move (id, next) where trace_id = move.id`,
    ids,
  );
  const firsts = moves.map(({ firstSeqno }) => firstSeqno);
  const lasts = moves.map(({ lastSeqno }) => lastSeqno);
  const { rows } = await client.query<MovedTransaction>(
    `update transactions set trace_id = move.next
     from unnest($1::bytea[], $2::bytea[], $3::integer[], $4::integer[]) as move (id, next, first, last)
     where trace_id = move.id and mc_seqno between move.first and move.last and mc_seqno between $5 and $6
     returning at, trace_id`,
    [...ids, firsts, lasts, least(firsts), greatest(lasts)],
  );
  await moveInPages(client, rows);
}

/** Writes complete traces; their accounts come from the transactions table, since earlier batches are only there. */
async function writeComplete(
  client: ClientBase,
  { complete }: JoinedTraces,
  stats: WriteStatsRecorder,
): Promise<void> {
  if (complete.length === 0) return;
  stats.add(await copyIn(client, 'traces', TRACE_COLUMNS, [traceRows(complete)]));
  stats.add(await copyIn(client, 'unclassified_traces', UNCLASSIFIED_COLUMNS, [unclassifiedRows(complete)]));
  const firsts = complete.map(({ mcSeqnoStart }) => mcSeqnoStart);
  const lasts = complete.map(({ mcSeqnoEnd }) => mcSeqnoEnd);
  await preferIndexes(client);
  const { rowCount } = await client.query(
    `insert into trace_accounts (account, end_lt, trace_id, mc_seqno_end, end_utime)
     select distinct account, trace.end_lt, trace_id, trace.last, trace.end_utime
     from unnest($1::bytea[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[])
       as trace (id, first, last, end_lt, end_utime)
     join transactions on trace_id = trace.id and mc_seqno between trace.first and trace.last
     where mc_seqno between $6 and $7`,
    [
      complete.map(({ id }) => bytesOf(id)),
      firsts,
      lasts,
      complete.map(({ endLt }) => endLt),
      complete.map(({ endUtime }) => endUtime),
      least(firsts),
      greatest(lasts),
    ],
  );
  stats.add({ rows: rowCount ?? 0, bytes: 0 });
}

/** The planner has no statistics of a partition that is being filled and might scan all of it. */
async function preferIndexes(client: ClientBase): Promise<void> {
  await client.query('set local enable_hashjoin = off; set local enable_mergejoin = off');
}

/** Bounds for partition pruning: the planner does not open other partitions. */
function least(seqnos: readonly number[]): number {
  return seqnos.reduce((a, b) => Math.min(a, b));
}

function greatest(seqnos: readonly number[]): number {
  return seqnos.reduce((a, b) => Math.max(a, b));
}
