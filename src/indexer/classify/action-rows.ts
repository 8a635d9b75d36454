import { toAccountOrText } from '../../chain/address/account-or-text.ts';
import { CopyBuffer } from '../../db/copy/copy-buffer.ts';
import type { Action, ActionValue } from '../actions/action.ts';
import { accountBytes } from './account-text.ts';
import type { ClassifiedTrace } from './classify-traces.ts';

/** Columns of `actions` in the order of its COPY rows. */
export const ACTION_COLUMNS = [
  ...['trace_id', 'action_id', 'trace_mc_seqno_end', 'trace_end_lt', 'trace_end_utime'],
  ...[
    'trace_external_hash',
    'trace_external_hash_norm',
    'parent_action_id',
    'type',
    'ancestor_type',
    'success',
  ],
  ...['start_lt', 'end_lt', 'start_utime', 'end_utime', 'mc_seqno_end', 'tx_hashes', 'accounts'],
  ...['source', 'source_secondary', 'destination', 'destination_secondary'],
  ...['asset', 'asset_secondary', 'asset2', 'asset2_secondary'],
  ...['opcode', 'value', 'amount', 'value_extra_currencies', 'data'],
] as const;

/** Columns of `action_accounts` in the order of its COPY rows. */
export const ACTION_ACCOUNT_COLUMNS = [
  ...['account', 'trace_end_lt', 'action_id', 'trace_mc_seqno_end', 'trace_id', 'trace_end_utime'],
  ...['end_lt', 'end_utime', 'type', 'ancestor_type'],
] as const;

/** Rows of actions, and of the accounts that took part in them. */
export class ActionRows {
  readonly actions = new CopyBuffer();
  readonly accounts = new CopyBuffer();

  /** All actions of a trace. */
  add({ taken, facts, classification }: ClassifiedTrace): void {
    const externalHash = hashBytes(facts.externalHash);
    const externalHashNorm = hashBytes(facts.externalHashNorm);
    for (const action of classification.actions) {
      const actionId = hashBytes(action.action_id)!;
      // Keys of other chains, which a few types have in the place of an account, are none.
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

/** What tells one type from another. */
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

/** An account, or whatever else a type has in its place. */
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

/** PostgreSQL takes no zero characters and no halves of pairs; whole numbers of any size are texts. */
function storedValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    return value.replaceAll('\0', '').toWellFormed();
  return value;
}
