import type { ClientBase } from 'pg';
import { toAccountOrText } from '../../chain/address.ts';
import { CopyBuffer } from '../../db/copy.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import type { Action, ActionValue } from '../actions/action.ts';
import { copyIn } from '../write/copy-in.ts';
import type { ClassifiedTrace } from './classify-traces.ts';
import { accountBytes } from './contracts.ts';
import { finishTraces, type TakenTrace } from './trace-queue.ts';

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

/** The deleted actions have accounts and times, so action_accounts need not be searched by trace. */
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

/** Columns of `actions` in the order of its COPY rows. */
export const ACTION_COLUMNS = [
  'trace_id',
  'action_id',
  'trace_mc_seqno_end',
  'trace_end_lt',
  'trace_end_utime',
  'trace_external_hash',
  'trace_external_hash_norm',
  'parent_action_id',
  'type',
  'ancestor_type',
  'success',
  'start_lt',
  'end_lt',
  'start_utime',
  'end_utime',
  'mc_seqno_end',
  'tx_hashes',
  'accounts',
  'source',
  'source_secondary',
  'destination',
  'destination_secondary',
  'asset',
  'asset_secondary',
  'asset2',
  'asset2_secondary',
  'opcode',
  'value',
  'amount',
  'value_extra_currencies',
  'data',
] as const;

/** Columns of `action_accounts` in the order of its COPY rows. */
export const ACTION_ACCOUNT_COLUMNS = [
  'account',
  'trace_end_lt',
  'action_id',
  'trace_mc_seqno_end',
  'trace_id',
  'trace_end_utime',
  'end_lt',
  'end_utime',
  'type',
  'ancestor_type',
] as const;

/** COPY rows of actions and their accounts. */
export class ActionRows {
  readonly actions = new CopyBuffer();
  readonly accounts = new CopyBuffer();

  /** Adds all actions of a trace. */
  add({ taken, facts, classification }: ClassifiedTrace): void {
    const externalHash = hashBytes(facts.externalHash);
    const externalHashNorm = hashBytes(facts.externalHashNorm);
    for (const action of classification.actions) {
      const actionId = hashBytes(action.action_id)!;
      // A few types have keys of other chains in place of accounts; those are skipped.
      const accounts = [...new Set(action.accounts)].flatMap((text) => accountBytes(text) ?? []);
      this.actions
        .row(ACTION_COLUMNS.length)
        .bytes(taken.traceId)
        .bytes(actionId)
        .int4(taken.mcSeqnoEnd)
        .int8(facts.endLt)
        .int8(facts.endUtime)
        .bytes(externalHash)
        .bytes(externalHashNorm)
        .bytes(hashBytes(action.parent_action_id))
        .text(action.type)
        .textArray(action.ancestor_type)
        .bool(action.success)
        .int8(action.start_lt)
        .int8(action.end_lt)
        .int8(action.start_utime)
        .int8(action.end_utime)
        .int4(action.mc_seqno_end)
        .bytesArray(action.tx_hashes.map((hash) => hashBytes(hash)!))
        .bytesArray(accounts);
      putColumns(this.actions, action);
      for (const account of accounts)
        this.accounts
          .row(ACTION_ACCOUNT_COLUMNS.length)
          .bytes(account)
          .int8(facts.endLt)
          .bytes(actionId)
          .int4(taken.mcSeqnoEnd)
          .bytes(taken.traceId)
          .int8(facts.endUtime)
          .int8(action.end_lt)
          .int8(action.end_utime)
          .text(action.type)
          .textArray(action.ancestor_type);
    }
  }
}

/** Writes the columns that depend on the type. */
function putColumns(rows: CopyBuffer, action: Action): void {
  rows
    .bytes(partyBytes(action.source))
    .bytes(partyBytes(action.source_secondary))
    .bytes(partyBytes(action.destination))
    .bytes(partyBytes(action.destination_secondary))
    .bytes(partyBytes(action.asset))
    .bytes(partyBytes(action.asset_secondary))
    .bytes(partyBytes(action.asset2))
    .bytes(partyBytes(action.asset2_secondary))
    .int8(action.opcode ?? undefined)
    .numeric(action.value ?? undefined)
    .numeric(action.amount ?? undefined)
    .json(objectJson(action.value_extra_currencies))
    .json(objectJson(action.data));
}

/** An account, or the text that a type has in its place. */
export function partyBytes(text: string | null): Buffer | undefined {
  return text === null ? undefined : toAccountOrText(text);
}

/** The bytes of a hash in base64. */
export function hashBytes(hash: string | null): Buffer | undefined {
  return hash === null ? undefined : Buffer.from(hash, 'base64');
}

/** An object as JSON; undefined when it is empty. */
export function objectJson(value: Readonly<Record<string, ActionValue>>): string | undefined {
  for (const _ in value) return JSON.stringify(value, storedValue);
  return undefined;
}

/** PostgreSQL accepts no NUL and no lone surrogates; big integers become strings. */
function storedValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    return value.replaceAll('\0', '').toWellFormed();
  return value;
}
