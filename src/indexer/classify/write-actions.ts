import type { ClientBase } from 'pg';
import { keyOf } from '../hash-key.ts';
import { copyIn } from '../write/copy-in.ts';
import { ACTION_ACCOUNT_COLUMNS, ACTION_COLUMNS, ActionRows } from './action-rows.ts';
import type { ClassifiedTrace } from './classify-traces.ts';
import { finishTraces, type TakenTrace } from './trace-queue.ts';

/** A trace that has not all the actions that it should have. */
export interface FaultyTrace {
  readonly taken: TakenTrace;
  readonly reason: string;
  readonly isTooLarge: boolean;
  /** Whether actions that it has from before stay. */
  readonly keepsActions: boolean;
}

/** What became of traces that were taken. */
export interface Outcome {
  readonly classified: readonly ClassifiedTrace[];
  readonly faulty: readonly FaultyTrace[];
  /** Traces that are not in the index any more. */
  readonly gone: readonly TakenTrace[];
}

/** What was written. */
export interface WrittenActions {
  readonly traces: number;
  readonly transactions: number;
  readonly actions: number;
  readonly failures: number;
}

const MOST_REASON_CHARS = 500;

/** Accounts and times are in the actions themselves, so that nothing has to be found by its trace. */
const DELETE_OLD = `
with gone as (
  delete from actions where trace_id = any($1::bytea[]) and trace_mc_seqno_end between $2 and $3
  returning action_id, accounts, trace_end_lt, trace_mc_seqno_end
)
delete from action_accounts old using (
  select unnest(accounts) as account, trace_end_lt, action_id, trace_mc_seqno_end from gone offset 0) key
where old.account = key.account and old.trace_end_lt = key.trace_end_lt and old.action_id = key.action_id
  and old.trace_mc_seqno_end = key.trace_mc_seqno_end and old.trace_mc_seqno_end between $2 and $3`;

const PUT_FAULTS = `
insert into classification_faults (trace_id, mc_seqno_end, too_large, reason)
select * from unnest($1::bytea[], $2::int[], $3::boolean[], $4::text[])`;

/** A row that is there is locked all the same: see requeueJudged. */
const PUT_WAITING = `
insert into waiting_traces (account, trace_id, mc_seqno_end)
select * from unnest($1::bytea[], $2::bytea[], $3::int[]) order by 1, 2
on conflict (account, trace_id) do update set mc_seqno_end = excluded.mc_seqno_end`;

/**
 * Replaces the actions of traces and takes the traces off the queue, all in the transaction of the client. Those that
 * somebody else has taken over, or that were forgotten with the rest of the index, are left alone.
 */
export async function writeActions(client: ClientBase, outcome: Outcome): Promise<WrittenActions> {
  const all = [...outcome.classified, ...outcome.faulty].map(({ taken }) => taken);
  const ours = new Set((await finishTraces(client, [...all, ...outcome.gone])).map(keyOf));
  const isOurs = ({ taken }: { readonly taken: TakenTrace }) => ours.has(keyOf(taken.traceId));
  const classified = outcome.classified.filter(isOurs);
  const faulty = outcome.faulty.filter(isOurs);
  await deleteOld(client, [...classified, ...faulty.filter(({ keepsActions }) => !keepsActions)]);
  const rows = new ActionRows();
  for (const trace of classified) rows.add(trace);
  const written = await copyIn(client, 'actions', ACTION_COLUMNS, [rows.actions.rows()]);
  await copyIn(client, 'action_accounts', ACTION_ACCOUNT_COLUMNS, [rows.accounts.rows()]);
  const faults = [...faulty, ...classified.flatMap(failureOf)];
  await putFaults(client, [...classified, ...faulty], faults);
  await putWaiting(client, classified);
  return {
    traces: classified.length,
    transactions: classified.reduce((sum, { taken }) => sum + taken.nodes, 0),
    actions: written.rows,
    failures: faults.filter(({ isTooLarge }) => !isTooLarge).length,
  };
}

async function deleteOld(client: ClientBase, traces: readonly { taken: TakenTrace }[]): Promise<void> {
  if (traces.length === 0) return;
  const seqnos = traces.map(({ taken }) => taken.mcSeqnoEnd);
  const ids = traces.map(({ taken }) => taken.traceId);
  await client.query(DELETE_OLD, [ids, Math.min(...seqnos), Math.max(...seqnos)]);
}

/** A trace on which the rules failed has basic actions. */
function failureOf({ taken, classification: { state, fault } }: ClassifiedTrace): FaultyTrace[] {
  if (state === 'ok') return [];
  const reason = fault instanceof Error ? fault.message : String(fault ?? 'the rules failed');
  return [{ taken, reason, isTooLarge: false, keepsActions: false }];
}

async function putFaults(
  client: ClientBase,
  all: readonly { readonly taken: TakenTrace }[],
  faults: readonly FaultyTrace[],
): Promise<void> {
  if (all.length === 0) return;
  await client.query('delete from classification_faults where trace_id = any($1::bytea[])', [
    all.map(({ taken }) => taken.traceId),
  ]);
  if (faults.length === 0) return;
  await client.query(PUT_FAULTS, [
    faults.map(({ taken }) => taken.traceId),
    faults.map(({ taken }) => taken.mcSeqnoEnd),
    faults.map(({ isTooLarge }) => isTooLarge),
    faults.map(({ reason }) => reason.slice(0, MOST_REASON_CHARS).replaceAll('\0', '').toWellFormed()),
  ]);
}

async function putWaiting(client: ClientBase, traces: readonly ClassifiedTrace[]): Promise<void> {
  const rows = traces.flatMap(({ taken, unjudged }) => unjudged.map((account) => ({ account, taken })));
  if (rows.length === 0) return;
  await client.query(PUT_WAITING, [
    rows.map(({ account }) => account),
    rows.map(({ taken }) => taken.traceId),
    rows.map(({ taken }) => taken.mcSeqnoEnd),
  ]);
}
