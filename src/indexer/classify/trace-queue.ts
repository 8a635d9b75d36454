import type { ClientBase } from 'pg';
import { CLASSIFICATION_LOCK } from '../../db/advisory-locks.ts';

/** A trace that was taken out of the queue, for a while. */
export interface TakenTrace {
  readonly traceId: Buffer;
  readonly mcSeqnoEnd: number;
  readonly nodes: number;
  /** Whether it is classified however large it is. */
  readonly anySize: boolean;
  /** How often it was begun, this time included; also tells whether it is still ours. */
  readonly tries: number;
}

/** What is taken at once. */
export interface TakeLimits {
  readonly traces: number;
  /** Transactions; one trace is taken however many it has. */
  readonly nodes: number;
}

/** Who takes traces has so long until others do. */
const TURN_SECONDS = 60;

/** Those that were never begun, or those that were: each has an index of its own. */
const take = (which: 'tries = 0' | 'tries > 0') => `
with due as (
  select trace_id, mc_seqno_end, nodes from unclassified_traces
  where ${which} and next_try <= clock_timestamp()
  order by mc_seqno_end desc limit $1 for update skip locked
), counted as (
  select trace_id, sum(nodes) over (order by mc_seqno_end desc, trace_id) - nodes as nodes_before from due
)
update unclassified_traces queue
set tries = tries + 1, next_try = clock_timestamp() + ${TURN_SECONDS} * interval '1 second'
from counted where queue.trace_id = counted.trace_id and counted.nodes_before < $2
returning queue.trace_id as "traceId", queue.mc_seqno_end as "mcSeqnoEnd", queue.nodes,
  queue.any_size as "anySize", queue.tries`;
const TAKE_FRESH = take('tries = 0');
const TAKE_BEGUN = take('tries > 0');

/** Takes the newest traces that nobody has begun with. */
export async function takeTraces(client: ClientBase, { traces, nodes }: TakeLimits): Promise<TakenTrace[]> {
  const { rows } = await client.query<TakenTrace>(TAKE_FRESH, [traces, nodes]);
  return rows;
}

/**
 * Takes the newest trace that was begun and not finished. One alone: it may have ended a thread, and would end everything
 * that is taken together with it.
 */
export async function takeUnfinished(client: ClientBase): Promise<TakenTrace[]> {
  const { rows } = await client.query<TakenTrace>(TAKE_BEGUN, [1, 1]);
  return rows;
}

/** Gives traces back, as if they had not been taken. */
export async function giveBackTraces(client: ClientBase, traces: readonly TakenTrace[]): Promise<void> {
  await client.query(
    `update unclassified_traces queue set next_try = clock_timestamp(), tries = queue.tries - 1
     from unnest($1::bytea[], $2::int[]) as taken (trace_id, tries)
     where queue.trace_id = taken.trace_id and queue.tries = taken.tries`,
    columnsOf(traces),
  );
}

/** Takes traces off the queue for good; gives the ids of those that were still ours. */
export async function finishTraces(client: ClientBase, traces: readonly TakenTrace[]): Promise<Buffer[]> {
  const { rows } = await client.query<{ trace_id: Buffer }>(
    `with ours as (
       select queue.trace_id from unclassified_traces queue
       join unnest($1::bytea[], $2::int[]) as taken (trace_id, tries)
         on queue.trace_id = taken.trace_id and queue.tries = taken.tries
       order by queue.trace_id for update of queue
     )
     delete from unclassified_traces queue using ours where queue.trace_id = ours.trace_id
     returning queue.trace_id`,
    columnsOf(traces),
  );
  return rows.map(({ trace_id }) => trace_id);
}

function columnsOf(traces: readonly TakenTrace[]): [Buffer[], number[]] {
  return [traces.map(({ traceId }) => traceId), traces.map(({ tries }) => tries)];
}

/** Traces of a range that go into the queue at once, about. */
const SLICE_TRACES = 2000;
/** Rows that wait and are looked at, and moved, at once. */
const SWEPT_ACCOUNTS = 2000;
const MOVED_TRACES = 5000;

/** Fills the queue from what was classified before, or never, because it was indexed before there were actions. */
interface Feeder {
  /** Takes the next slice of the newest range into the queue; false when there is none, or another process is at it. */
  feedRange(client: ClientBase): Promise<boolean>;
  /**
   * Puts traces into the queue again that were classified before one of their accounts was judged, which it is now. Goes
   * on where it stopped the last time; gives how many traces.
   */
  requeueJudged(client: ClientBase): Promise<number>;
}

/** Begins with the first account. Both are to be called in a transaction of their own. */
export function createFeeder(): Feeder {
  let after: Buffer = Buffer.alloc(0);
  return {
    async feedRange(client) {
      if (!(await isAlone(client))) return false;
      return feedNewest(client);
    },
    async requeueJudged(client) {
      if (!(await isAlone(client))) return 0;
      const { rows } = await client.query<{ account: Buffer; is_judged: boolean }>(NEXT_ACCOUNTS, [
        after,
        SWEPT_ACCOUNTS,
      ]);
      const judged = rows.filter(({ is_judged }) => is_judged).map(({ account }) => account);
      const moved = judged.length === 0 ? 0 : await requeue(client, judged);
      // What is left of an account with very many is moved the next time.
      if (moved < MOVED_TRACES) after = rows.length < SWEPT_ACCOUNTS ? Buffer.alloc(0) : rows.at(-1)!.account;
      return moved;
    },
  };
}

/** Whoever finds somebody else at it leaves it to them. */
async function isAlone(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_xact_lock($1) as alone', [
    CLASSIFICATION_LOCK,
  ]);
  return rows[0]!.alone;
}

interface Range {
  readonly id: string;
  readonly first_seqno: number;
  readonly last_seqno: number;
  readonly types: readonly string[] | null;
  readonly again: boolean;
}

/** Only traces that have an action of some types, if there are any. */
const PUT_SLICE = `
insert into unclassified_traces (trace_id, mc_seqno_end, nodes, again)
select trace_id, mc_seqno_end, nodes, $3 from traces t
where mc_seqno_end between $1 and $2 and ($4::text[] is null or exists (
  select from actions a where a.trace_id = t.trace_id and a.trace_mc_seqno_end = t.mc_seqno_end
    and a.trace_mc_seqno_end between $1 and $2 and a.type = any($4::text[])))
order by trace_id on conflict do nothing`;

async function feedNewest(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<Range>(
    'select * from classification_ranges order by last_seqno desc, id limit 1 for update',
  );
  const [range] = rows;
  if (range === undefined) return false;
  const { id, first_seqno: first, last_seqno: last, types, again } = range;
  const { rows: behind } = await client.query<{ seqno: number }>(
    `select mc_seqno_end as seqno from traces where mc_seqno_end between $1 and $2
     order by mc_seqno_end desc offset $3 limit 1`,
    [first, last, SLICE_TRACES],
  );
  // Whole seqnos: that of the last trace is in the slice too.
  const from = behind[0]?.seqno ?? first;
  await client.query(PUT_SLICE, [from, last, again, types]);
  if (from === first) await client.query('delete from classification_ranges where id = $1', [id]);
  else await client.query('update classification_ranges set last_seqno = $2 where id = $1', [id, from - 1]);
  return true;
}

/** The next accounts that are waited for, each once, by steps from one to the next in the index. */
const NEXT_ACCOUNTS = `
with recursive next (account) as (
  (select account from waiting_traces where account > $1 order by account limit 1)
  union all
  select (select w.account from waiting_traces w where w.account > next.account order by w.account limit 1)
  from next where next.account is not null
)
select account, not exists (select from missing_cells where missing_cells.account = next.account) as is_judged
from next where account is not null limit $2`;

const TAKE_WAITING = `
with judged as (
  select account, trace_id from waiting_traces where account = any($1::bytea[])
  limit ${MOVED_TRACES} for update skip locked
)
delete from waiting_traces using judged
where waiting_traces.account = judged.account and waiting_traces.trace_id = judged.trace_id
returning waiting_traces.trace_id, waiting_traces.mc_seqno_end`;

/**
 * Two statements: the second sees what was committed until the first had its rows. So either a trace is in the queue and
 * not begun; or it is put there; or it is just being classified by somebody who did not know the account, and who will
 * write the row that was deleted here anew.
 */
async function requeue(client: ClientBase, accounts: readonly Buffer[]): Promise<number> {
  const { rows } = await client.query<{ trace_id: Buffer; mc_seqno_end: number }>(TAKE_WAITING, [accounts]);
  if (rows.length === 0) return 0;
  const seqnos = rows.map(({ mc_seqno_end }) => mc_seqno_end);
  await client.query(
    `insert into unclassified_traces (trace_id, mc_seqno_end, nodes, again)
     select found.trace_id, found.mc_seqno_end, found.nodes, true
     from (select distinct * from unnest($1::bytea[], $2::int[]) as one (trace_id, mc_seqno_end)) asked
     join lateral (
       select trace_id, mc_seqno_end, nodes from traces
       where trace_id = asked.trace_id and mc_seqno_end = asked.mc_seqno_end and mc_seqno_end between $3 and $4
       limit 1) found on true
     where not exists (select from unclassified_traces queue where queue.trace_id = found.trace_id)
     order by found.trace_id on conflict do nothing`,
    [
      rows.map(({ trace_id }) => trace_id),
      seqnos,
      seqnos.reduce((a, b) => Math.min(a, b)),
      seqnos.reduce((a, b) => Math.max(a, b)),
    ],
  );
  return rows.length;
}

/** What is still to be classified. */
export interface QueueStats {
  /** Traces in the queue; counted up to a million. */
  readonly traces: number;
  /** Masterchain seqnos of which the traces are not in the queue yet. */
  readonly seqnos: number;
  /** Traces that are classified again when it is known what some account is, once for each; counted up to a million. */
  readonly waiting: number;
}

const MAX_COUNTED = 1_000_000;

/** Counts what is still to be classified. */
export async function readQueueStats(client: ClientBase): Promise<QueueStats> {
  const { rows } = await client.query<QueueStats>(
    `select (select count(*)::int from (select from unclassified_traces limit $1) one) as traces,
       (select coalesce(sum(last_seqno - first_seqno + 1), 0)::float8 from classification_ranges) as seqnos,
       (select count(*)::int from (select from waiting_traces limit $1) one) as waiting`,
    [MAX_COUNTED],
  );
  return rows[0]!;
}
