import type { Action, ActionValue } from '../actions/rules/action.ts';
import type { TraceFacts } from '../actions/rules/classifier-input.ts';
import { toAccountOrText } from '../chain/address.ts';
import type { ActionRow, StoredGroups } from '../index/action-row.ts';
import { accountBytes } from './contracts.ts';

/** An action as the index stores it. */
export function toActionRow(action: Action, trace: TraceFacts): ActionRow {
  // A few types have keys of other chains in place of accounts; those are skipped.
  const accounts = [...new Set(action.accounts)].flatMap((text) => accountBytes(text) ?? []);
  return {
    trace_id: hashBytes(action.trace_id)!,
    action_id: hashBytes(action.action_id)!,
    trace_mc_seqno_end: trace.mcSeqnoEnd,
    trace_end_lt: `${trace.endLt}`,
    trace_end_utime: `${trace.endUtime}`,
    trace_external_hash: hashBytes(trace.externalHash) ?? null,
    trace_external_hash_norm: hashBytes(trace.externalHashNorm) ?? null,
    parent_action_id: hashBytes(action.parent_action_id) ?? null,
    type: action.type,
    ancestor_type: action.ancestor_type,
    success: action.success,
    start_lt: `${action.start_lt}`,
    end_lt: `${action.end_lt}`,
    start_utime: `${action.start_utime}`,
    end_utime: `${action.end_utime}`,
    mc_seqno_end: action.mc_seqno_end,
    tx_hashes: action.tx_hashes.map((hash) => hashBytes(hash)!),
    accounts,
    source: partyBytes(action.source) ?? null,
    source_secondary: partyBytes(action.source_secondary) ?? null,
    destination: partyBytes(action.destination) ?? null,
    destination_secondary: partyBytes(action.destination_secondary) ?? null,
    asset: partyBytes(action.asset) ?? null,
    asset_secondary: partyBytes(action.asset_secondary) ?? null,
    asset2: partyBytes(action.asset2) ?? null,
    asset2_secondary: partyBytes(action.asset2_secondary) ?? null,
    opcode: numberText(action.opcode),
    value: numberText(action.value),
    amount: numberText(action.amount),
    value_extra_currencies: stored<Readonly<Record<string, string>>>(action.value_extra_currencies),
    data: stored<StoredGroups>(action.data),
  };
}

function numberText(value: number | bigint | null): string | null {
  return value === null ? null : `${value}`;
}

/** The form of an object in JSON; null when it is empty. */
function stored<T>(value: Parameters<typeof objectJson>[0]): T | null {
  const json = objectJson(value);
  return json === undefined ? null : JSON.parse(json);
}

/** An account, or the text that a type has in its place. */
function partyBytes(text: string | null): Buffer | undefined {
  return text === null ? undefined : toAccountOrText(text);
}

function hashBytes(hash: string | null): Buffer | undefined {
  return hash === null ? undefined : Buffer.from(hash, 'base64');
}

/** An object as JSON; undefined when it is empty. */
function objectJson(value: Readonly<Record<string, ActionValue>>): string | undefined {
  for (const _ in value) return JSON.stringify(value, storedValue);
  return undefined;
}

/** Answers contain neither NUL nor lone surrogates; big integers become strings. */
function storedValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    return value.replaceAll('\0', '').toWellFormed();
  return value;
}
