import type { ClientBase } from 'pg';
import { CLASSIFICATION_LOCK } from '../../db/advisory-locks.ts';

/** Traces of a range that go into the queue at once, about. */
const SLICE_TRACES = 2000;
/** Rows that wait and are looked at, and moved, at once. */
const SWEPT_ACCOUNTS = 2000;
const MOVED_TRACES = 5000;

/** Fills the queue from what was classified before, or never, because it was indexed before there were actions. */
export interface Feeder {
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
        ...[after, SWEPT_ACCOUNTS],
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
      ...[rows.map(({ trace_id }) => trace_id), seqnos],
      ...[seqnos.reduce((a, b) => Math.min(a, b)), seqnos.reduce((a, b) => Math.max(a, b))],
    ],
  );
  return rows.length;
}
