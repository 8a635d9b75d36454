import { type Selectable, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { CLASSIFICATION_LOCK } from '../../db/advisory-locks.ts';
import { databaseOf } from '../../db/driver.ts';
import { createQueue, inSeconds } from '../../db/queue.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { traceIdOf } from '../format/trace-info.ts';
import { findTraces, readTracesEnded, type SizedTrace } from '../read/stored-traces.ts';
import { findTracesWithTypes } from './stored-actions.ts';

/** A trace taken from the queue for the time of a lease. */
export interface TakenTrace extends SizedTrace {
  /** Whether it is classified regardless of its size. */
  readonly anySize: boolean;
  /** How often it was started, including this time; also shows whether the lease is still ours. */
  readonly tries: number;
}

export interface TakeLimits {
  readonly traces: number;
  /** Transactions; a single trace is taken regardless of its size. */
  readonly nodes: number;
}

const LEASE_SECONDS = 60;

/** Complete traces that wait for their classification. */
const QUEUE = createQueue({ table: 'unclassified_traces', key: ['trace_id'], leaseSeconds: LEASE_SECONDS });

/**
 * Takes the newest traces that were never started, or those that were: each kind has its own index. In two statements by
 * key: the queue grows and shrinks too fast for statistics, so that joins with a list might compare each row with each entry.
 */
async function take(client: ClientBase, kind: 'fresh' | 'interrupted', limits: TakeLimits) {
  const db = databaseOf(client);
  const rows = await QUEUE.due(db, ['trace_id', 'mc_seqno_end', 'nodes', 'any_size', 'tries'])
    .where('tries', kind === 'fresh' ? '=' : '>', sql.lit(0))
    .orderBy('mc_seqno_end', 'desc')
    .limit(limits.traces)
    .$castTo<Selectable<Tables['unclassified_traces']>>()
    .execute();
  let nodes = 0;
  const taken = rows.filter((trace) => {
    const isWithin = nodes < limits.nodes;
    nodes += trace.nodes;
    return isWithin;
  });
  if (taken.length > 0)
    await db
      .updateTable('unclassified_traces')
      .set((eb) => ({ tries: eb('tries', '+', 1), next_try: inSeconds(LEASE_SECONDS) }))
      .where(QUEUE.isOneOf(taken))
      .execute();
  return taken.map((row) => ({
    traceId: row.trace_id,
    mcSeqnoEnd: row.mc_seqno_end,
    nodes: row.nodes,
    anySize: row.any_size,
    tries: row.tries + 1,
  }));
}

/** Takes the newest traces that were never started. */
export function takeTraces(client: ClientBase, limits: TakeLimits): Promise<TakenTrace[]> {
  return take(client, 'fresh', limits);
}

/**
 * Takes the newest trace that was started and not finished. Only one: it may have crashed a thread, and would fail
 * everything taken together with it.
 */
export function takeInterrupted(client: ClientBase): Promise<TakenTrace[]> {
  return take(client, 'interrupted', { traces: 1, nodes: 1 });
}

/** Returns traces as if they had not been taken. */
export async function giveBackTraces(client: ClientBase, traces: readonly TakenTrace[]): Promise<void> {
  const ours = await lockOurs(client, traces);
  if (ours.length === 0) return;
  await databaseOf(client)
    .updateTable('unclassified_traces')
    .set((eb) => ({ tries: eb('tries', '-', 1), next_try: inSeconds(0) }))
    .where(QUEUE.isOneOf(ours))
    .execute();
}

/** Removes traces from the queue; returns the ids of those that were still ours. */
export async function finishTraces(client: ClientBase, traces: readonly TakenTrace[]): Promise<Buffer[]> {
  const ours = await lockOurs(client, traces);
  if (ours.length > 0)
    await databaseOf(client).deleteFrom('unclassified_traces').where(QUEUE.isOneOf(ours)).execute();
  return ours.map(({ trace_id }) => trace_id);
}

/** Locks the traces whose lease is still ours, always in the same order. */
async function lockOurs(client: ClientBase, traces: readonly TakenTrace[]) {
  if (traces.length === 0) return [];
  const triesOf = new Map(traces.map(({ traceId, tries }) => [bytesKey(traceId), tries]));
  const rows = await databaseOf(client)
    .selectFrom('unclassified_traces')
    .select(['trace_id', 'tries'])
    .where(QUEUE.isOneOf(traces.map(({ traceId }) => ({ trace_id: traceId }))))
    .orderBy('trace_id')
    .forUpdate()
    .execute();
  return rows.filter(({ trace_id, tries }) => triesOf.get(bytesKey(trace_id)) === tries);
}

/** Approximate number of traces of a range that are queued at once. */
const SLICE_TRACES = 2000;
/** Waiting accounts checked, and traces requeued, per call. */
const SWEPT_ACCOUNTS = 2000;
const MOVED_TRACES = 5000;

/** Creates a feeder of traces to be classified again, or that were indexed before there were actions. Each method needs its own transaction. */
export function createFeeder() {
  let after: Buffer = Buffer.alloc(0);
  return {
    /** Queues the next slice of the newest range; false when there is none, or another process holds the lock. */
    async feedRange(client: ClientBase): Promise<boolean> {
      if (!(await tryLock(client))) return false;
      return feedNewest(client);
    },
    /**
     * Requeues traces that were classified before one of their accounts was detected. Continues where it stopped the last
     * time; returns the number of traces.
     */
    async requeueDetected(client: ClientBase): Promise<number> {
      if (!(await tryLock(client))) return 0;
      const { rows } = await client.query<{ account: Buffer; is_detected: boolean }>(NEXT_ACCOUNTS, [
        after,
        SWEPT_ACCOUNTS,
      ]);
      const detected = rows.filter(({ is_detected }) => is_detected).map(({ account }) => account);
      const moved = detected.length === 0 ? 0 : await requeue(client, detected);
      // The rest of an account with very many traces follows the next time.
      if (moved < MOVED_TRACES) after = rows.length < SWEPT_ACCOUNTS ? Buffer.alloc(0) : rows.at(-1)!.account;
      return moved;
    },
  };
}

/** Takes the classification lock, unless another process holds it. */
async function tryLock(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_xact_lock($1) as alone', [
    CLASSIFICATION_LOCK,
  ]);
  return rows[0]!.alone;
}

const put = (where: string) => `
insert into unclassified_traces (trace_id, mc_seqno_end, nodes, again)
select trace_id, mc_seqno_end, nodes, $4
from unnest($1::bytea[], $2::int[], $3::int[]) as one (trace_id, mc_seqno_end, nodes) ${where}
order by trace_id on conflict do nothing`;
/** Waits for others that are finishing the same traces, which are then queued again. */
const PUT_TRACES = put('');
/** Waits for nobody. */
const PUT_UNLESS_QUEUED = put(
  'where not exists (select from unclassified_traces queue where queue.trace_id = one.trace_id)',
);

async function putTraces(
  client: ClientBase,
  statement: string,
  traces: readonly SizedTrace[],
  again: boolean,
): Promise<void> {
  if (traces.length === 0) return;
  await client.query(statement, [
    traces.map(({ traceId }) => traceId),
    traces.map(({ mcSeqnoEnd }) => mcSeqnoEnd),
    traces.map(({ nodes }) => nodes),
    again,
  ]);
}

async function feedNewest(client: ClientBase): Promise<boolean> {
  const db = databaseOf(client);
  const ranges = db
    .selectFrom('classification_ranges')
    .selectAll()
    .orderBy('last_seqno', 'desc')
    .orderBy('id');
  const range = await ranges.limit(1).forUpdate().executeTakeFirst();
  if (range === undefined) return false;
  const { id, first_seqno: first, last_seqno: last, types, again } = range;
  const { rows: behind } = await client.query<{ seqno: number }>(
    `select mc_seqno_end as seqno from traces where mc_seqno_end between $1 and $2
     order by mc_seqno_end desc offset $3 limit 1`,
    [first, last, SLICE_TRACES],
  );
  // Whole seqnos: that of the last trace is included.
  const from = behind[0]?.seqno ?? first;
  const ended = await readTracesEnded(client, { first: from, last });
  const wanted = types === null ? ended : await onlyOfTypes(client, ended, types);
  await putTraces(client, PUT_TRACES, wanted, again);
  if (from === first) await db.deleteFrom('classification_ranges').where('id', '=', id).execute();
  else
    await db
      .updateTable('classification_ranges')
      .set({ last_seqno: from - 1 })
      .where('id', '=', id)
      .execute();
  return true;
}

async function onlyOfTypes(client: ClientBase, traces: readonly SizedTrace[], types: readonly string[]) {
  const found = new Set((await findTracesWithTypes(client, traces, types)).map(bytesKey));
  return traces.filter(({ traceId }) => found.has(bytesKey(traceId)));
}

/** The next distinct accounts, by index skip scan. */
const NEXT_ACCOUNTS = `
with recursive next (account) as (
  (select account from waiting_traces where account > $1 order by account limit 1)
  union all
  select (select w.account from waiting_traces w where w.account > next.account order by w.account limit 1)
  from next where next.account is not null
)
select account, not exists (select from missing_cells where missing_cells.account = next.account) as is_detected
from next where account is not null limit $2`;

const TAKE_WAITING = `
with detected as (
  select account, trace_id from waiting_traces where account = any($1::bytea[])
  limit ${MOVED_TRACES} for update skip locked
)
delete from waiting_traces using detected
where waiting_traces.account = detected.account and waiting_traces.trace_id = detected.trace_id
returning waiting_traces.trace_id, waiting_traces.mc_seqno_end`;

/**
 * Two statements: the second sees everything that was committed before the first got its row locks. So a trace is either
 * in the queue and not started; or it is queued here; or it is being classified by a process that did not know the
 * account and will insert the deleted row again.
 */
async function requeue(client: ClientBase, accounts: readonly Buffer[]): Promise<number> {
  const { rows } = await client.query<{ trace_id: Buffer; mc_seqno_end: number }>(TAKE_WAITING, [accounts]);
  const ends = rows.map((row) => ({ traceId: row.trace_id, mcSeqnoEnd: row.mc_seqno_end }));
  const found = await findTraces(client, ends);
  const traces = Array.from(found.values(), (row) => ({
    traceId: traceIdOf(row),
    mcSeqnoEnd: row.mc_seqno_end,
    nodes: row.nodes,
  }));
  await putTraces(client, PUT_UNLESS_QUEUED, traces, true);
  return rows.length;
}

/** The backlog of classification. */
export interface QueueStats {
  /** Traces in the queue; counted up to a million. */
  readonly traces: number;
  /** Masterchain seqnos whose traces are not queued yet. */
  readonly seqnos: number;
  /** Traces that are reclassified once an account is detected, one per account; counted up to a million. */
  readonly waiting: number;
  /** How long the oldest trace of the queue has been in it, or since it was last started; 0 if it is empty. */
  readonly oldestSeconds: number;
}

const MAX_COUNTED = 1_000_000;

/** Counts the backlog of classification. */
export async function readQueueStats(client: ClientBase): Promise<QueueStats> {
  const { rows } = await client.query<QueueStats>(
    `select (select count(*)::int from (select from unclassified_traces limit $1) one) as traces,
       (select coalesce(sum(last_seqno - first_seqno + 1), 0)::float8 from classification_ranges) as seqnos,
       (select count(*)::int from (select from waiting_traces limit $1) one) as waiting,
       (select greatest(0, coalesce(extract(epoch from clock_timestamp() - min(since)), 0))::float8
        from (select case when tries = 0 then next_try else next_try - ${LEASE_SECONDS} * interval '1 second' end as since
              from unclassified_traces limit $1) one) as "oldestSeconds"`,
    [MAX_COUNTED],
  );
  return rows[0]!;
}
