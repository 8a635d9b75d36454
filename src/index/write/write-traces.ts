import type { ClientBase } from 'pg';
import { TRACE_LOCK } from '../../db/advisory-locks.ts';
import { anyOf, databaseOf } from '../../db/driver.ts';
import { bytesKey, bytesOf, type HashKey } from '../../lib/bytes-key.ts';
import { joinTraces, type Trace, type TraceBatch, type TraceMove } from './assemble-traces.ts';
import { copyFormat, type WriteStatsRecorder } from './copy-in.ts';
import {
  copyOpenTraces,
  regroup,
  TRACE_ACCOUNTS,
  TRACES,
  type TraceMembers,
  toTrace,
  toWhole,
  UNCLASSIFIED_TRACES,
  WAITING_MESSAGES,
  type WholeTrace,
} from './trace-rows.ts';
import { type MovedTransaction, moveInPages } from './write-pages.ts';

interface BatchTransactions {
  readonly members: TraceMembers;
  /** Seqnos per partition of the index. */
  readonly width: number;
}

/** Writes the traces that are complete within the batch: no other process can have a part of them. */
export async function copyTraces(
  client: ClientBase,
  { complete }: TraceBatch,
  { members, width }: BatchTransactions,
  stats: WriteStatsRecorder,
): Promise<void> {
  const whole = complete.map((trace) => toWhole(trace, members.get(trace) ?? []));
  await copyWhole(client, whole, width, stats);
}

/**
 * Joins the other traces of a batch with indexed ones and writes the result. Holds the trace lock until the end of the
 * transaction, so that concurrent writers see each other's joins and messages.
 */
export async function writeTraces(
  client: ClientBase,
  batch: TraceBatch,
  { members, width }: BatchTransactions,
  stats: WriteStatsRecorder,
): Promise<readonly TraceMove[]> {
  if (batch.open.length === 0) return [];
  await client.query('select pg_advisory_xact_lock($1)', [TRACE_LOCK]);
  const pending = await take(client, 'pending_messages', [...batch.received.keys(), ...batch.orphans.keys()]);
  const orphans = await take(client, 'orphan_messages', [...batch.sent.keys()]);
  const ids = new Set([...pending.values(), ...orphans.values()]);
  const open = ids.size === 0 ? [] : await takeOpen(client, ids);
  const joined = joinTraces(batch, { pending, orphans, open });
  if (joined.moves.length > 0) await move(client, joined.moves);
  const added = regroup(batch.open, members);
  const completed = joined.complete.map(({ id }) => id);
  const earlier = completed.length === 0 ? new Map() : await takeMembers(client, completed);
  const whole = joined.complete.map((trace) =>
    toWhole(trace, [...(earlier.get(trace.id) ?? []), ...(added.get(trace) ?? [])]),
  );
  await copyWhole(client, whole, width, stats);
  for (const sent of await copyOpenTraces(client, joined.open, added)) stats.add(sent);
  stats.add(await copyFormat(client, 'pending_messages', WAITING_MESSAGES, batch.sent));
  stats.add(await copyFormat(client, 'orphan_messages', WAITING_MESSAGES, batch.orphans));
  return joined.moves;
}

async function copyWhole(
  client: ClientBase,
  whole: readonly WholeTrace[],
  width: number,
  stats: WriteStatsRecorder,
): Promise<void> {
  const accounts = whole.flatMap(({ trace, members }) =>
    [...new Set(members.map(({ acc8 }) => acc8))].map((acc8) => ({ trace, acc8 })),
  );
  const traces = whole.map(({ trace }) => trace);
  const rows = whole.map((one) => ({ ...one, width }));
  stats.add(await copyFormat(client, 'traces', TRACES, rows));
  stats.add(await copyFormat(client, 'trace_accounts', TRACE_ACCOUNTS, accounts));
  stats.add(await copyFormat(client, 'unclassified_traces', UNCLASSIFIED_TRACES, traces));
}

async function take(
  client: ClientBase,
  table: 'pending_messages' | 'orphan_messages',
  hashes: readonly HashKey[],
): Promise<Map<HashKey, HashKey>> {
  if (hashes.length === 0) return new Map();
  const taken = databaseOf(client)
    .deleteFrom(table)
    .where('hash', '=', anyOf(hashes.map(bytesOf)));
  const rows = await taken.returning(['hash', 'trace_id']).execute();
  return new Map(rows.map(({ hash, trace_id }) => [bytesKey(hash), bytesKey(trace_id)]));
}

export async function takeOpen(client: ClientBase, ids: Iterable<HashKey>): Promise<Trace[]> {
  const taken = databaseOf(client)
    .deleteFrom('open_traces')
    .where('trace_id', '=', anyOf(Array.from(ids, bytesOf)));
  const rows = await taken.returningAll().execute();
  return rows.map(toTrace);
}

/** Removes the transactions of open traces, and returns them by trace. */
export async function takeMembers(client: ClientBase, ids: Iterable<HashKey>) {
  const taken = databaseOf(client)
    .deleteFrom('open_members')
    .where('trace_id', '=', anyOf(Array.from(ids, bytesOf)));
  const rows = await taken.returningAll().execute();
  const members = rows.map(({ trace_id, at, acc8 }) => ({
    trace: bytesKey(trace_id),
    at: Number(at),
    acc8: BigInt(acc8),
  }));
  return Map.groupBy(members, ({ trace }) => trace);
}

/** Sets the final trace ids of transactions and pending messages of earlier batches. */
async function move(client: ClientBase, moves: readonly TraceMove[]): Promise<void> {
  // The planner knows little of tables whose rows come and go, and might scan all of them.
  await client.query('set local enable_hashjoin = off; set local enable_mergejoin = off');
  const ids = [moves.map(({ from }) => bytesOf(from)), moves.map(({ to }) => bytesOf(to))];
  const moved = 'from unnest($1::bytea[], $2::bytea[]) as move (id, next) where trace_id = move.id';
  await client.query(`update pending_messages set trace_id = move.next ${moved}`, ids);
  const { rows } = await client.query<MovedTransaction>(
    `update open_members set trace_id = move.next ${moved} returning at, trace_id`,
    ids,
  );
  await moveInPages(client, rows);
}
