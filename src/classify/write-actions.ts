import type { ClientBase } from 'pg';
import type { ActionRow } from '../index/action-row.ts';
import { packTrace, replaceActions } from '../index/write/stored-actions.ts';
import { finishTraces, type TakenTrace } from '../index/write/trace-queue.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { toActionRow } from './action-rows.ts';
import type { ClassifiedTrace } from './classify-traces.ts';

/** A trace that could not be classified fully. */
export interface FaultyTrace {
  readonly taken: TakenTrace;
  readonly reason: string;
  readonly isTooLarge: boolean;
  /** Whether its existing actions stay. */
  readonly keepsActions: boolean;
}

/** The outcome for taken traces. */
export interface Outcome {
  readonly classified: readonly ClassifiedTrace[];
  readonly faulty: readonly FaultyTrace[];
  /** Traces that are no longer in the index. */
  readonly missing: readonly TakenTrace[];
}

/** What was written. */
export interface WrittenActions {
  readonly traces: number;
  readonly transactions: number;
  readonly actions: number;
  readonly failures: number;
}

const MAX_REASON_CHARS = 500;

const PUT_FAULTS = `
insert into classification_faults (trace_id, mc_seqno_end, too_large, reason)
select * from unnest($1::bytea[], $2::int[], $3::boolean[], $4::text[])`;

/** `do update` locks existing rows too: see requeueDetected. */
const PUT_WAITING = `
insert into waiting_traces (account, trace_id, mc_seqno_end)
select * from unnest($1::bytea[], $2::bytea[], $3::int[]) order by 1, 2
on conflict (account, trace_id) do update set mc_seqno_end = excluded.mc_seqno_end`;

/**
 * Replaces the actions of traces and removes the traces from the queue, in the transaction of the client. Traces whose lease
 * was lost, or that were wiped with the index, are skipped.
 */
export async function writeActions(client: ClientBase, outcome: Outcome): Promise<WrittenActions> {
  const all = [...outcome.classified, ...outcome.faulty].map(({ taken }) => taken);
  const ours = new Set((await finishTraces(client, [...all, ...outcome.missing])).map(bytesKey));
  const isOurs = ({ taken }: { readonly taken: TakenTrace }) => ours.has(bytesKey(taken.traceId));
  const classified = outcome.classified.filter(isOurs);
  const faulty = outcome.faulty.filter(isOurs);
  const replaced = [...classified, ...faulty.filter(({ keepsActions }) => !keepsActions)];
  await replaceActions(
    client,
    replaced.map(({ taken }) => taken),
    classified.flatMap((trace) => packTrace({ ...trace, actions: actionRows(trace) }) ?? []),
  );
  const faults = [...faulty, ...classified.flatMap(failureOf)];
  await putFaults(client, [...classified, ...faulty], faults);
  await putWaiting(client, classified);
  return {
    traces: classified.length,
    transactions: classified.reduce((sum, { taken }) => sum + taken.nodes, 0),
    actions: classified.reduce((sum, { classification }) => sum + classification.actions.length, 0),
    failures: faults.filter(({ isTooLarge }) => !isTooLarge).length,
  };
}

function actionRows({ classification, facts }: ClassifiedTrace): ActionRow[] {
  return classification.actions.map((action) => toActionRow(action, facts));
}

/** A trace on which rules failed has basic actions only. */
function failureOf({ taken, classification: { state, fault } }: ClassifiedTrace): FaultyTrace[] {
  if (state === 'ok') return [];
  const reason = fault instanceof Error ? fault.message : String(fault ?? 'rules failed');
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
    faults.map(({ reason }) => reason.slice(0, MAX_REASON_CHARS).replaceAll('\0', '').toWellFormed()),
  ]);
}

async function putWaiting(client: ClientBase, traces: readonly ClassifiedTrace[]): Promise<void> {
  const rows = traces.flatMap(({ taken, undetected }) => undetected.map((account) => ({ account, taken })));
  if (rows.length === 0) return;
  await client.query(PUT_WAITING, [
    rows.map(({ account }) => account),
    rows.map(({ taken }) => taken.traceId),
    rows.map(({ taken }) => taken.mcSeqnoEnd),
  ]);
}
